"""Carrying out what a mail says: its commands in order, until one fails."""

from typing import assert_never

from takmail.games.game import NearMiss
from takmail.mail.address import masked
from takmail.service.case import Answered, Case, Report, Status, failed
from takmail.service.reading.commands import (
    CHANGING,
    AddAddress,
    AddressIsMine,
    BlockPlayer,
    Compare,
    Dispute,
    Foreign,
    ForgetMe,
    Help,
    Join,
    Name,
    New,
    Play,
    Propose,
    RemoveAddress,
    Say,
    SeekGame,
    Settle,
    Show,
    Standings,
    UnblockPlayer,
    Unclear,
    Unseek,
    Why,
    Word,
)
from takmail.service.reading.plain import clipped
from takmail.service.reading.understand import Ordered, Understood
from takmail.service.verbs import (
    addresses,
    again,
    agree,
    block,
    compare,
    dispute,
    farewell,
    leave,
    look,
    me,
    mydata,
    offering,
    play,
    propose,
    relay,
    seek,
    start,
    stop,
    talk,
    why,
)

MOST_ECHOED = 200
"""Characters of a command that its answer repeats."""
_GAMELESS_WORDS = ("games", "seeks", "rules", "mydata", "stop", "yes", "no")


def needs_game(ordered: Ordered) -> bool:
    """Whether a command is about one game."""
    match ordered.command:
        case New() | SeekGame() | Join() | Unseek() | Name() | ForgetMe() | Help() | Unclear() | Foreign():
            return False
        case AddAddress() | RemoveAddress() | AddressIsMine() | BlockPlayer() | UnblockPlayer():
            return False
        case Standings(name):
            return not name
        case Word(word):
            return word not in _GAMELESS_WORDS
        case _:
            return True


def changes(ordered: Ordered) -> bool:
    """Whether a command does something in the player's name, and so needs proof of who wrote it."""
    match ordered.command:
        case Word(word):
            return word in CHANGING
        case BlockPlayer(name):
            return bool(name)
        case New() | SeekGame() | Join() | Unseek() | Name() | AddAddress() | RemoveAddress() | ForgetMe():
            return True
        case UnblockPlayer() | Play() | Dispute() | Say() | Settle() | Propose():
            return True
        case _:
            return False


def needs_proof(ordered: Ordered) -> bool:
    """Whether it has to be sure who wrote a command: it does something, or has an answer too long for just anybody."""
    return changes(ordered) or ordered.command == Word("mydata")


def act(case: Case, understood: Understood) -> None:
    """Run the commands in order, the first that fails stops the rest; then see to the chat."""
    two_turns = _two_turns(case, understood)
    stopped = two_turns
    for ordered in understood.orders:
        if two_turns and isinstance(ordered.command, Play):
            continue  # the one report about them names them all
        # A board is looked at all the same: a move that fails is often played on another one.
        is_look = isinstance(ordered.command, Compare)
        if case.has_left or (stopped and not is_look):
            report = Report(Status.SKIPPED, "skipped")
        else:
            report = _perform(case, ordered)
            stopped = stopped or (report.status == Status.FAILED and not is_look)
        case.reports.append(Answered(clipped(masked(ordered.line), MOST_ECHOED), report))
    if understood.chat:
        if not understood.orders and _has_several_games(case):
            case.reports.append(Answered("", _no_game(case)))
        hint = None if understood.orders else offering.hint(case, understood.chat)
        if hint:
            case.reports.append(Answered("", hint))
        case.words = talk.pass_on(case, understood)


def _two_turns(case: Case, understood: Understood) -> bool:
    """Two different moves for one turn: neither is played, and the answer says so."""
    turns = [one for one in understood.orders if isinstance(one.command, Play)]
    texts = [one.command.text for one in turns if isinstance(one.command, Play)]
    if case.chair is None or len(texts) < 2:
        return False
    if all(play.same_turn(case.table.state, texts[0], text) for text in texts[1:]):
        return False
    case.reports.append(Answered(" / ".join(one.line for one in turns), failed("two_turns")))
    return True


def _perform(case: Case, ordered: Ordered) -> Report:
    if needs_game(ordered) and case.chair is None:
        return _no_game(case)
    if case.chair is not None and case.table.row.is_relay:
        report = relay.perform(case, ordered)
        if report is not None:
            return report
    match ordered.command:
        case New() as command:
            return start.invite(case, command)
        case SeekGame() as command:
            return seek.seek(case, command)
        case Join() as command:
            return seek.join(case, command)
        case Unseek() as command:
            return seek.unseek(case, command)
        case Play() as command:
            return play.play(case, command, ordered.line)
        case NearMiss() as miss:
            return play.near_miss(case, miss)
        case Dispute() as command:
            return dispute.dispute(case, command)
        case Why() as command:
            return why.why(case, command)
        case ForgetMe():
            return farewell.forget_me(case)
        case Compare() as command:
            return compare.compare(case, command)
        case Show() as command:
            return look.show(case, command)
        case Standings() as command:
            return look.standings(case, command)
        case Name(name):
            return me.name(case, name)
        case Help() as command:
            return look.explain(case, command)
        case Settle() as command:
            return agree.settle(case, command)
        case Propose() as command:
            return propose.propose(case, command)
        case Say(words):
            return talk.say(case, words)
        case AddAddress() as command:
            return addresses.add(case, command)
        case RemoveAddress() as command:
            return addresses.remove(case, command)
        case AddressIsMine(player_id):
            return addresses.is_mine(case, player_id)
        case BlockPlayer(name):
            return block.block(case, name) if name else block.list_blocked(case)
        case UnblockPlayer(name):
            return block.unblock(case, name)
        case Unclear(fault, detail):
            return failed("unclear", fault=fault, detail=detail)
        case Foreign(letter, alphabet, meant):
            return failed("foreign", letter=letter, alphabet=alphabet, meant=meant)
        case Word(word):
            return _word(case, word)
        case _ as never:
            assert_never(never)


def _word(case: Case, word: str) -> Report:
    match word:
        case "accept":
            return offering.instead(case) or start.accept(case)
        case "decline":
            return offering.instead(case) or start.decline(case)
        case "rs":
            return look.resync(case)
        case "log":
            return look.log(case)
        case "games":
            return look.list_games(case) if case.player else _no_game(case)
        case "seeks":
            return seek.list_seeks(case)
        case "ptn":
            return look.record(case)
        case "rules":
            return look.rules(case)
        case "mydata":
            return mydata.my_data(case)
        case "draw":
            return agree.draw(case)
        case "undo":
            return agree.undo(case)
        case "rematch":
            return again.rematch(case)
        case "resign":
            return leave.ask_resign(case)
        case "stop":
            return stop.stop(case)
        case "yes":
            return leave.resign(case)
        case _:
            return leave.no(case)


def _no_game(case: Case) -> Report:
    """The command is about a game, and the mail doesn't say which."""
    running = look.running(case.session, case.player) if case.player else ()
    return failed("which_game", games=running, named=case.elsewhere)


def _has_several_games(case: Case) -> bool:
    """Whether it has to be asked which game the words belong to."""
    return case.chair is None and case.player is not None and bool(look.running(case.session, case.player))
