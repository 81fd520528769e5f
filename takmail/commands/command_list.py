"""List the commands. To add a command, add an entry to `COMMANDS`."""

from dataclasses import replace
from functools import partial

from takmail.commands import (
    addresses,
    advance,
    beginnings,
    bidding,
    chat,
    clocks_commands,
    clubs,
    clubs_organising,
    digests,
    dispute,
    lessons,
    mydata,
    new_game,
    pending,
    play,
    profile,
    propose,
    questions,
    ratings,
    relay,
    seek,
    series_games,
    show,
    turning_away,
)
from takmail.commands.advance_lines import IfThen, OneBranch
from takmail.commands.answers import (
    Refusal,
    refused,
)
from takmail.commands.command import (
    Command,
    Commands,
    Confirmation,
    Effect,
    HelpTopics,
    LineFault,
    Needs,
    Unclear,
)
from takmail.commands.context import Context
from takmail.commands.grammar.arguments import (
    AddressIsMine,
    Choice,
    Compare,
    FreeName,
    Help,
    Learn,
    Moves,
    Name,
    OneAddress,
    OneGame,
    OneTurn,
    Play,
    Rules,
    Say,
    Show,
)
from takmail.commands.grammar.clubs import NewTournament, OneTournament, OrganisersStep
from takmail.commands.grammar.invitation_forms import Join, New, Rematch, SeekGame, Unseek
from takmail.commands.grammar.proposing import Dispute, Propose, Settle, Why
from takmail.commands.grammar.zones import Zone

LOOKS, TELLS, CHANGES, SETS, ACCOUNT = Effect
GAME, SEATED, BEGUN, OPEN = Needs.GAME, Needs.SEATED, Needs.BEGUN, Needs.OPEN


def _doubt(context: Context, line: Unclear) -> Refusal:
    game = context.services.games.default if context.game_number is None else context.game.rules.name
    explained = show.explain(context, Help(line.detail)) if line.fault is LineFault.HOW else None
    return refused(
        "doubt",
        fault=line.fault,
        detail=line.detail,
        reason=line.reason,
        game=game,
        explained=explained,
    )


def _refused_in_relay(reason: str, command: Command) -> Command:
    """Return a command with the reason why it is refused in a relay game."""
    return replace(command, in_relay=replace(command, run=lambda *_: refused(reason)))


COMMANDS = Commands(
    (
        Command(
            "new",
            CHANGES,
            new_game.invite,
            New,
            aliases=("challenge", "invite"),
            makes_player=True,
            resumes_mail=True,
        ),
        Command("bots", LOOKS, beginnings.list_bots),
        Command("accept", CHANGES, new_game.accept, needs=GAME, resumes_mail=True),
        Command("decline", CHANGES, new_game.decline, needs=GAME),
        Command("bid", CHANGES, bidding.bid, bidding.Bid, resumes_mail=True),
        Command("seek", CHANGES, seek.seek, SeekGame, makes_player=True, resumes_mail=True),
        Command("seek near", LOOKS, seek.list_near, help=HelpTopics(page="seeks")),
        Command("seeks", LOOKS, seek.list_seeks),
        Command("join", CHANGES, seek.join, Join, makes_player=True, resumes_mail=True),
        Command("unseek", CHANGES, seek.unseek, Unseek),
        Command(
            "",
            CHANGES,
            play.play,
            Play,
            needs=BEGUN,
            resumes_mail=True,
            help=HelpTopics(("move",), "moves"),
            in_relay=Command("", CHANGES, relay.forward_move, needs=OPEN, resumes_mail=True),
        ),
        _refused_in_relay("relay_unjudged", Command("moves", LOOKS, show.moves, Moves, needs=OPEN)),
        _refused_in_relay(
            "nothing_ahead_in_relay",
            Command("if", CHANGES, advance.prepare, IfThen, needs=OPEN, resumes_mail=True),
        ),
        Command("ifs", LOOKS, advance.show, needs=OPEN, help=HelpTopics(page="if")),
        Command("ifs", LOOKS, advance.show_branch, OneBranch, needs=OPEN, help=HelpTopics(page="if")),
        Command("ifs off", CHANGES, advance.drop, needs=OPEN, help=HelpTopics(page="if")),
        Command("ifs off", CHANGES, advance.drop_branch, OneBranch, needs=OPEN, help=HelpTopics(page="if")),
        Command("go", CHANGES, advance.go, needs=OPEN, resumes_mail=True, help=HelpTopics(page="if")),
        Command(
            "rs",
            LOOKS,
            show.resync,
            needs=SEATED,
            takes_board=True,
            in_relay=Command("", CHANGES, relay.ask_for_board, needs=BEGUN, resumes_mail=True),
        ),
        Command(
            "",
            LOOKS,
            dispute.compare,
            Compare,
            needs=BEGUN,
            help=HelpTopics(("board",)),
            in_relay=Command("", CHANGES, relay.forward_board, needs=BEGUN, resumes_mail=True),
        ),
        Command(
            "show", LOOKS, show.show, Show, needs=SEATED, in_relay=Command("", LOOKS, relay.show, needs=GAME)
        ),
        Command("turn", LOOKS, show.whose_turn, needs=BEGUN),
        Command("log", LOOKS, show.log, needs=GAME, in_relay=Command("", LOOKS, relay.log, needs=GAME)),
        Command(
            "ptn",
            LOOKS,
            show.record,
            needs=SEATED,
            in_relay=Command("", LOOKS, relay.record, needs=GAME),
            help=HelpTopics(page="log"),
        ),
        Command("games", LOOKS, show.list_games),
        _refused_in_relay("no_review", Command("review", CHANGES, lessons.review, needs=BEGUN)),
        _refused_in_relay("no_review", Command("review", CHANGES, lessons.review, OneTurn, needs=BEGUN)),
        _refused_in_relay("hints_against_bots", Command("hint", CHANGES, lessons.hint, needs=OPEN)),
        Command("match", LOOKS, show.standings_here, needs=GAME),
        Command("match", LOOKS, show.standings, FreeName),
        Command("ratings", LOOKS, ratings.list_ratings),
        Command("rating", LOOKS, ratings.list_ratings),
        # Who forges a mail must not show them to everybody.
        Command("rating", CHANGES, profile.choose, Choice, makes_player=True),
        Command("statistics", LOOKS, ratings.tell_statistics),
        Command(
            "im",
            CHANGES,
            dispute.dispute,
            Dispute,
            needs=BEGUN,
            resumes_mail=True,
        ),
        _refused_in_relay("relay_unjudged", Command("why", LOOKS, dispute.why, Why, needs=BEGUN)),
        Command("say", CHANGES, chat.say, Say, needs=GAME, resumes_mail=True),
        Command("send", CHANGES, chat.send, needs=BEGUN),
        Command("draw", CHANGES, pending.draw, needs=OPEN, resumes_mail=True, is_final=True),
        _refused_in_relay(
            "relay_no_board",
            Command("undo", CHANGES, pending.undo, needs=OPEN, resumes_mail=True, is_final=True),
        ),
        clocks_commands.PROPOSE_PACE,
        _refused_in_relay(
            "relay_no_board",
            Command(
                "propose", CHANGES, propose.propose, Propose, needs=OPEN, resumes_mail=True, takes_board=True
            ),
        ),
        Command(
            "agree",
            CHANGES,
            partial(pending.settle, "agree"),
            Settle,
            needs=OPEN,
            resumes_mail=True,
            is_final=True,
        ),
        Command("refuse", CHANGES, partial(pending.settle, "refuse"), Settle, needs=OPEN, resumes_mail=True),
        Command(
            "withdraw", CHANGES, partial(pending.settle, "withdraw"), Settle, needs=OPEN, resumes_mail=True
        ),
        Command("withdraw", CHANGES, new_game.take_back, OneGame),
        Command("claim", CHANGES, pending.claim, needs=OPEN, is_final=True, help=HelpTopics(("wait",))),
        *clocks_commands.IN_GAME,
        Command(
            "resign match",
            CHANGES,
            series_games.give_up,
            needs=BEGUN,
            confirmation=Confirmation.WITHIN,
            is_final=True,
            help=HelpTopics(page="match"),
        ),
        Command(
            "resign", CHANGES, questions.resign, needs=OPEN, confirmation=Confirmation.WITHIN, is_final=True
        ),
        Command("yes", CHANGES, questions.yes, confirmation=Confirmation.ANSWER),
        Command("no", CHANGES, questions.no, confirmation=Confirmation.ANSWER),
        Command("rematch", CHANGES, new_game.rematch, needs=GAME, resumes_mail=True),
        Command("rematch", CHANGES, new_game.rematch, Rematch, needs=GAME, resumes_mail=True),
        Command("tournaments", LOOKS, clubs.list_tournaments),
        Command(
            "enter",
            CHANGES,
            clubs.enter,
            OneTournament,
            makes_player=True,
            resumes_mail=True,
            help=HelpTopics(page="tournaments"),
        ),
        Command(
            "leave now",
            CHANGES,
            clubs.leave_now,
            OneTournament,
            confirmation=Confirmation.ALWAYS,
            is_final=True,
            help=HelpTopics(page="tournaments"),
        ),
        Command("leave", CHANGES, clubs.leave, OneTournament, help=HelpTopics(page="tournaments")),
        Command("table", LOOKS, clubs.show_own_table, help=HelpTopics(page="tournaments")),
        Command("table", LOOKS, clubs.show_table, OneTournament, help=HelpTopics(page="tournaments")),
        Command("tournament", CHANGES, clubs_organising.begin, NewTournament),
        Command(
            "organise",
            CHANGES,
            clubs_organising.organise,
            OrganisersStep,
            is_final=True,
            help=HelpTopics(page="tournament"),
        ),
        Command("news", LOOKS, partial(profile.tell, "news"), help=HelpTopics(page="tournaments")),
        Command("news", SETS, profile.choose, Choice, makes_player=True, help=HelpTopics(page="tournaments")),
        Command("name", ACCOUNT, profile.name, Name, makes_player=True),
        Command("language", LOOKS, partial(profile.tell, "language")),
        Command("language", SETS, profile.choose, Choice, makes_player=True),
        Command("view", LOOKS, partial(profile.tell, "view")),
        Command("view", SETS, profile.choose, Choice, makes_player=True),
        Command("receipts", LOOKS, partial(profile.tell, "receipts")),
        Command("receipts", SETS, profile.choose, Choice, makes_player=True),
        Command("reminders", LOOKS, partial(profile.tell, "reminders")),
        Command("reminders", SETS, profile.choose, Choice, makes_player=True, may_cost_game=True),
        *clocks_commands.TIME_OFF,
        Command("reads", LOOKS, partial(profile.tell, "reads")),
        Command("reads", SETS, profile.choose, Choice, makes_player=True, may_cost_game=True),
        Command("digest", LOOKS, digests.tell),
        Command("digest", SETS, digests.choose, digests.DigestChoice, makes_player=True, may_cost_game=True),
        Command("zone", LOOKS, profile.tell_zone),
        Command("zone", SETS, profile.choose_zone, Zone, makes_player=True, may_cost_game=True),
        Command("address remove", ACCOUNT, addresses.remove, OneAddress, is_final=True),
        Command("address add", ACCOUNT, addresses.add, OneAddress, makes_player=True, is_final=True),
        Command("", CHANGES, addresses.is_mine, AddressIsMine),
        Command("block", LOOKS, turning_away.list_blocked),
        Command("block", ACCOUNT, turning_away.block, FreeName, makes_player=True),
        Command("unblock", ACCOUNT, turning_away.unblock, FreeName),
        Command("stop", ACCOUNT, turning_away.stop),
        Command("mydata", TELLS, mydata.my_data),
        Command(
            "forget me", ACCOUNT, turning_away.forget_me, confirmation=Confirmation.ALWAYS, is_final=True
        ),
        Command("learn", LOOKS, lessons.learn, Learn),
        Command("rules", LOOKS, show.rules, Rules),
        Command("help", LOOKS, show.explain, Help),
        # A line that is probably an order.
        Command("", LOOKS, _doubt, Unclear),
    )
)
"""All commands, in the order in which `help` lists them."""
