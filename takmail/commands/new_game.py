"""Carry out the commands with which a game begins: new, accept, decline, bid and rematch."""

from dataclasses import replace
from datetime import timedelta

from takmail.commands import invitations, profile, show
from takmail.commands.answers import (
    Answer,
    NewsAndChanges,
    Refusal,
    not_open,
    refuse_if,
    refused,
    refused_by,
    refused_to_all,
    told,
)
from takmail.commands.beginnings import (
    begun_at_once,
    choose_seat,
    chosen_bot,
    has_enough_bot_games,
    has_enough_games,
    new_game,
    new_table,
    play_bot,
    set_up,
)
from takmail.commands.context import Context, events_for_opponent
from takmail.commands.grammar.arguments import Bid
from takmail.commands.grammar.invitation_forms import New
from takmail.commands.grammar.skeletons import skeleton
from takmail.commands.stranger_budgets import wait_for
from takmail.games.interface import Refused, Seat
from takmail.limits.games import MAX_INVITATIONS, MAX_INVITATIONS_IN_MAIL
from takmail.mail.domains import may_be_a_person
from takmail.world import (
    BEGUN,
    RUNNING,
    CorruptGame,
    Corruption,
    GameRecord,
    NewPlayers,
    Player,
    PlayerId,
    Queries,
    Standing,
    StrangerBudget,
    Table,
    asks_bid,
    game_changes,
    guest_label,
    lookup_of,
    news,
)
from takmail.world.changes import beginning, declining, in_game, starting


def invite(context: Context, command: New) -> Answer:
    """Create a game and send the invitation. The game begins when the guest accepts."""
    if command.bot is not None:
        return play_bot(context, command, command.bot)
    opponent, you = command.opponent, context.player
    if context.services.key.is_own(opponent):
        return refused_to_all("new_me")
    by_name = "@" not in opponent
    if not by_name and not may_be_a_person(opponent, context.services.address):
        return refused("no_person", address=opponent)
    setup = set_up(context, command)
    _look_up_guest(context, opponent)
    guest = profile.by_name(context, opponent) if by_name else context.player_by_address(opponent)
    if guest is None and by_name:
        return refused("new_nobody", name=opponent, game=command.kind)
    if guest is None and context.services.new_players is NewPlayers.NOBODY:
        return refused("no_newcomers", address=opponent)
    if opponent == context.sender:
        return refused_to_all("new_yourself")
    if guest and you and guest.id == you.id:
        return refused("new_yourself")
    label = None if by_name else profile.label_for(context.services, opponent)
    refuse_if(too_many(context, guest, label))
    host, joined = profile.enrol(context)
    if guest is None:
        guest, guest_joined = profile.enrol_guest(context, opponent, after=host)
        joined = (*joined, *guest_joined)
    _look_up_past(context, host, guest)
    host_seat = choose_seat(context, command.kind, host, guest, command.first)
    new = new_game(context, command, setup, (host, guest), host_seat)
    return _invitation(context, replace(new, guest_label=label), (host, guest), joined)


def _look_up_guest(context: Context, opponent: str) -> None:
    """Look up at once what an invitation needs, so that the mail is not decided again for each."""
    you = () if context.player is None else (context.player.id,)
    standings = ((Standing.INVITED,), (Standing.INVITED, Standing.DECLINED), RUNNING)
    games = [lookup_of(Queries.games_of, sender, some) for sender in you for some in standings]
    if "@" not in opponent:
        context.world.require(*games, lookup_of(Queries.player_by_skeleton, skeleton(opponent)))
    else:
        context.world.require(
            *games,
            lookup_of(Queries.player_by_address, opponent),
            lookup_of(Queries.mailbox, opponent),
            lookup_of(Queries.counted_letters, StrangerBudget.INVITATIONS),
        )


def _look_up_past(context: Context, host: Player, guest: Player) -> None:
    """Look up at once what the two players have done before."""
    standings = ((Standing.INVITED,), BEGUN if guest.has_written else tuple(Standing))
    needs = [lookup_of(Queries.games_of, guest.id, some) for some in standings]
    context.world.require(*needs, lookup_of(Queries.begun_between, host.id, guest.id))


def _invitation(
    context: Context, new: GameRecord, players: tuple[Player, Player], joined: NewsAndChanges = ()
) -> NewsAndChanges:
    """Return what creates a game of a host and a guest, and invites the guest.

    `joined` registers them. Raises RefusalError if too many letters wait.
    """
    guest = players[1]
    waits_until, wait_hours = None, 0
    if new.guest_label is not None:
        waits_until, wait_hours = wait_for(context, guest.main_mailbox.address, new.invited_by)
    proposed = news.GameProposed(game=new.number, record=new, wait_hours=wait_hours)
    asked = invitations.ask(context, new, guest, waits_until)
    return (proposed, *joined, starting(new_table(context, new, players)), *asked)


def accept(context: Context) -> Answer:
    """Begin the game that the sender is invited to. Accepting it twice is not an error."""
    game = context.table.record
    if game.standing in (Standing.BIDDING, Standing.OPEN):
        return told("already_begun", is_bidding=game.standing is Standing.BIDDING)
    refuse_if(_cannot_answer(context))
    return begin(context, game)


def begin(context: Context, game: GameRecord) -> NewsAndChanges:
    """Begin a game that the guest accepts. Only now do the rules draw what is random in its set-up.

    If the players bid for the first turn, they are asked for their bids, and the game begins with the second one.
    """
    refuse_if(has_enough_games(context))
    rules = context.services.games.rules(game.kind, is_relay=game.is_relay)
    begun = news.GameBegun(game=game.number, seat=game.seat_of(game.guest))
    if asks_bid(rules, game.setup):
        return begun, in_game(game.number, game_changes.accepted)
    return begun, beginning(game, rules.complete(game.setup, context.rng("complete")), context.now)


def decline(context: Context) -> Answer:
    """Decline the invitation, or the game while the players bid.

    If it is an invitation of the sender's own, withdraw it without notifying the guest.
    """
    if invitations.is_own(context):
        number, guest = context.table.number, context.you.other
        return news.InvitationWithdrawn(game=number, seat=guest), declining(number, guest)
    return _cannot_answer(context) or declined(context.table.record, context.you)


def declined(
    game: GameRecord, guest: Seat, *, has_own_letter: bool = False, notifies_opponent: bool = True
) -> NewsAndChanges:
    """Return the news and the change with which the guest declines a game."""
    answer = news.InvitationDeclined(
        game=game.number,
        seat=guest,
        has_own_letter=has_own_letter,
        notifies_opponent=notifies_opponent,
    )
    return answer, declining(game.number, guest)


def _cannot_answer(context: Context) -> Refusal | None:
    """Return a refusal if the sender cannot accept or decline this game, otherwise None."""
    game = context.table.record
    if game.standing == Standing.OPEN:
        return refused("too_late_to_decline")
    if game.standing not in (Standing.INVITED, Standing.BIDDING):
        return not_open(game)
    return refused("not_yours_to_accept") if invitations.is_own(context) else None


# Before some games begin, both players bid for the first turn. Neither is shown the other's bid.


def bid(context: Context, command: Bid) -> Answer:
    """Keep the sender's bid in place of an earlier one. The second player's bid begins the game.

    The host may bid before the guest accepts.
    """
    place = _place_of(context, command)
    if place is None:
        return show.no_game(context)
    table, seat = place
    number, game, rules = table.number, table.record, table.rules
    is_host = game.standing is Standing.INVITED and game.invited_by == game.seats[seat]
    if not asks_bid(rules, game.setup) or game.standing in BEGUN:
        return refused("bids_are_over", has_bids=table.has_bids)
    if not (is_host or game.standing is Standing.BIDDING):
        refuse_if(not_open(game))
    if any(event.game == number for event in context.done(news.BidMade)):
        return refused("two_bids")
    if isinstance(table.states, Corruption):
        raise CorruptGame(table.states)
    try:
        coins = rules.read_bid(command.text)
    except Refused as why:
        return refused_by(table.rules, why.reason)
    first, second = bids = (coins, game.bids[1]) if seat is Seat.FIRST else (game.bids[0], coins)
    if is_host or first is None or second is None:
        kept = news.BidMade(game=number, seat=seat, notifies_opponent=False)
        return kept, in_game(number, game_changes.with_bids, bids)
    setup, beginner = rules.opened(game.setup, (first, second), context.rng("bids"))
    is_swapped = beginner is Seat.SECOND
    made = news.BidMade(game=number, seat=seat.other if is_swapped else seat)
    return made, beginning(game, setup, context.now, is_swapped=is_swapped)


def _place_of(context: Context, command: Bid) -> tuple[Table, Seat] | None:
    """Return the game that a bid is for, and the sender's seat in it: that of the mail, or one made by the mail itself.

    That counts if the bid stands beside the command that made it, or if its players bid and those of the mail's game
    don't now.
    """
    games, place = context.world.games, None
    if context.game is not None and context.seat is not None:
        place = games[context.game], context.seat
    made = [event.game for event in context.events if isinstance(event, news.GameProposed | news.SeekJoined)]
    if not made or context.player is None:
        return place
    new = games[made[-1]]
    is_bidding = place is not None and place[0].record.standing is Standing.BIDDING
    if place is None or not command.needs_game or (new.has_bids and not is_bidding):
        return new, new.record.seat_of(context.player.id)
    return place


# Limits on invitations, and rematches.


def too_many(context: Context, guest: Player | None, label: str | None) -> Refusal | None:
    """Return a refusal if the sender may not invite this player now, otherwise None.

    `guest` is None for an unknown address. `label` is the host's name for a guest who is invited by address, None for a
    guest who is invited by name.
    """
    if len(context.done(news.GameProposed)) >= MAX_INVITATIONS_IN_MAIL:
        return refused("many_new", most=MAX_INVITATIONS_IN_MAIL)
    if context.player is None:
        return None
    you = context.player.id
    for game in context.games_of(you, Standing.INVITED):
        # An invitation by name and one by address never count as the same. A refusal would reveal the address's
        # owner.
        was_host = game.invited_by == you
        known_as = game.guest_label if was_host else None
        if guest is not None and guest.id in game.seats and known_as == label:
            other = label or guest.name
            return refused("already_asked", other=other, number=game.number, was_host=was_host)
    if _count_recent_invitations(context, you) >= MAX_INVITATIONS:
        return refused("many_asked", most=MAX_INVITATIONS)
    return has_enough_games(context)


def _count_recent_invitations(context: Context, host: PlayerId) -> int:
    """Count a host's invitations that are unanswered or were created within the last day.

    Those that have ended count, too, so that a host cannot send more by withdrawing some.
    """
    a_day_ago = context.now - timedelta(days=1)
    invitations_sent = context.games_of(host, Standing.INVITED, Standing.DECLINED)
    mine = (game for game in invitations_sent if game.invited_by == host)
    return sum(game.standing == Standing.INVITED or game.created_at > a_day_ago for game in mine)


def rematch(context: Context) -> Answer:
    """Invite the opponent to the same game again. In reply to such an invitation, accept it. A bot accepts at once.

    After a declined invitation, it is the same invitation again, and who was host may still know only an address.
    """
    table, old = context.table, context.table.record
    you, other = table.players[context.you], table.players[context.you.other]
    if old.standing == Standing.INVITED and old.rematch_of is not None and old.invited_by != you.id:
        return accept(context)
    was_declined = old.standing == Standing.DECLINED
    if old.standing != Standing.OVER and not was_declined:
        return not_open(old) or refused("rematch_too_soon")
    if other.is_erased:
        return refused("opponent_left")
    following = context.rematch()
    if following is not None:
        return _existing_rematch(context, following)
    label, setup = guest_label(old, you.id), table.rules.rematch_setup(old.setup)
    if other.is_bot:
        chosen_bot(context, other.bot_name, table.rules, setup)
        refuse_if(has_enough_bot_games(context))
    refuse_if(too_many(context, other, label))
    host_seat = context.you if was_declined else context.you.other
    new = new_game(context, old, setup, (you, other), host_seat)
    follows = old.rematch_of if was_declined else table.number
    if other.is_bot:
        return begun_at_once(context, replace(new, rematch_of=follows), (other, you), ())
    return _invitation(context, replace(new, rematch_of=follows, guest_label=label), (you, other))


def _existing_rematch(context: Context, following: GameRecord) -> Answer:
    """Answer a request for a rematch that already exists. If the sender is invited to it, begin it.

    It does not begin if the mail has caused news in the old game. The mail's letter to the opponent then reports
    that news.
    """
    if following.standing != Standing.INVITED:
        return refused("rematch_begun", number=following.number)
    table, other = context.table, context.table.players[context.you.other]
    was_host = following.invited_by == table.players[context.you].id
    if was_host or events_for_opponent(context.events, table):
        return refused("already_asked", other=other.name, number=following.number, was_host=was_host)
    return begin(context, following)
