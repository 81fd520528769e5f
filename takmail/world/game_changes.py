"""Change a game. A change raises the game's version by one, which identifies what the change created.

`with_offers_lapsed` keeps the version, as it belongs to another change. An erasure changes all games of the player,
also those that were not read (`store/operations.erase`).
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from operator import attrgetter
from typing import Any, TypeVar

from takmail.games.interface import Seat, State
from takmail.games.readonly import replace
from takmail.limits.games import MAX_GIFT_SECONDS
from takmail.world.clock import time_spent, with_zones
from takmail.world.game import Game, NamedTurn
from takmail.world.kinds import MessageId, PendingEnd, PlayerId, Ruling, Standing, TakenBackBy
from takmail.world.letters import Correspondence, Thread, WaitingChat
from takmail.world.match import with_result
from takmail.world.pending import OfferEnd, Pending
from takmail.world.records import Dispute, GameEnd, Seats, ShownBoard, Turn
from takmail.world.replay import Run
from takmail.world.waiting import PendingKind

_Item = TypeVar("_Item")


def changed(game: Game, /, **values: Any) -> Game:
    """Return the game in its next version, with these values in its record."""
    return replace(game, record=replace(game.record, version=game.record.version + 1, **values))


# How a game begins and ends.


def invited(game: Game, now: datetime) -> Game:
    """Return the game after its invitation was written."""
    return changed(game, invitation=replace(game.record.invitation, written_at=now))


def accepted(game: Game) -> Game:
    """Return the game after its guest accepted, if the players bid for the first turn now."""
    invitation = replace(game.record.invitation, guest_label=None)
    return changed(game, standing=Standing.BIDDING, invitation=invitation)


def with_bid(game: Game, seat: Seat, coins: int) -> Game:
    """Return the game with a bid of a seat, in place of an earlier one."""
    return changed(game, seats=_seats_with(game, seat, bid=coins))


def _without_bids(seats: Seats) -> Seats:
    first, second = seats
    return first._replace(bid=None), second._replace(bid=None)


def begun(game: Game, setup: str, is_swapped: bool, now: datetime) -> Game:
    """Return the game after it has begun. `setup` and the seats are final from now on.

    `is_swapped`: the players swap their seats.
    """
    game = _with_seats_swapped(game) if is_swapped else game
    game = replace(game, states=(game.rules.start(setup),))
    timing = game.record.timing.with_clock(now)
    seats = _without_bids(with_zones(game).record.seats)
    return changed(game, standing=Standing.OPEN, setup=setup, seats=seats, timing=timing)


def _with_seats_swapped(game: Game) -> Game:
    first, second = game.record.seats
    # A letter of before has the token of the seat that is the other player's now.
    token = 1 + max(first.token_number, second.token_number)
    seats = (
        second._replace(seat=Seat.FIRST, token_number=token),
        first._replace(seat=Seat.SECOND, token_number=token),
    )
    return replace(
        game,
        record=replace(game.record, seats=seats),
        players=game.players[::-1],
        # What waits for a `yes` was asked of the player who had the seat.
        pending=(),
        correspondence=game.correspondence.with_seats_swapped(),
    )


def declined(game: Game) -> Game:
    """Return the game after a player declined it, or its host withdrew it. One that was accepted is void."""
    ruling = Ruling.VOID if game.record.is_running else None
    seats = _without_bids(game.record.seats)
    return changed(game, standing=Standing.DECLINED, seats=seats, end=GameEnd(ruling=ruling))


def ended(game: Game, resigned: Seat | None = None, ruling: Ruling | None = None, why: str = "") -> Game:
    """Return the game after its end. All open questions and offers are void. `why` is the operator's reason.

    Words that are kept stay, as they may still be sent.

    A game that has not begun counts as declined.
    """
    if not game.record.has_begun:
        return replace(declined(game), pending=game.kept_words, why=why)
    game = changed(game, standing=Standing.OVER, end=GameEnd(resigned, ruling))
    return with_result(replace(game, pending=game.kept_words, why=why))


def corrected(game: Game, ruling: Ruling, why: str) -> Game:
    """Return a game that is over, with the result of a ruling in place of its own. `why` is the operator's reason."""
    return with_result(replace(changed(game, end=GameEnd(ruling=ruling)), why=why))


def adjourned(game: Game, why: str) -> Game:
    """Return the game after it was adjourned, if it is open. No `yes` to an earlier question resigns it any more.

    `why` is the operator's reason, '' if the game is corrupt.
    """
    kept = tuple(item for item in game.pending if item.kind is not PendingKind.RESIGN)
    standing = game.record.standing
    game = changed(game, standing=Standing.ADJOURNED if standing is Standing.OPEN else standing)
    return replace(game, pending=kept, why=why)


def resumed(game: Game, now: datetime) -> Game:
    """Return the game after the operator resumed it. The time of the turn begins anew."""
    game = _with_turn_anew(game, now, standing=Standing.OPEN)
    return replace(_with_offers_ended(game, game.claims, PendingEnd.LAPSED), why="")


# Turns.


def with_turn(
    game: Game,
    played: NamedTurn,
    written: str,
    now: datetime,
    after: State | None,
    mail: int | None,
    arrived_at: datetime | None = None,
) -> Game:
    """Return the game after a turn. `written` is what the player typed.

    `after` is the state after it, None if it is not played yet, or if the game keeps no board. `arrived_at` is when the
    mail arrived, None if that is not known. It ends the time of the turn.

    It ends all disputes, and questions to its player and about resignations. An agreed board ends all questions. Of a
    mail that resigns and plays, in whatever order, the letter asks about the resignation.
    """
    spent = None if played.is_agreed else time_spent(game, played.seat, min(now, arrived_at or now))
    seats = game.record.seats if played.is_agreed else _seats_with(game, played.seat, gift=0)
    game = _with_turn_anew(game, game.record.timing.turn_since, seats=seats)
    game = _with_disputes_ended(game, game.every_dispute, now)
    kept = tuple(_open_after(played, game.pending))
    turn = Turn(
        played.number,
        played.seat,
        played.text,
        written,
        game.record.version,
        now,
        played.is_agreed,
        None if after is None else after.checksum,
        mail,
        spent,
    )
    states = game.positions
    if game.keeps_board:
        states = (*states, game.state.play(turn.text) if after is None else after)
    return replace(game, turns=(*game.turns, turn), states=states, pending=kept)


def _open_after(played: NamedTurn, pending: Iterable[Pending]) -> Iterator[Pending]:
    """Yield what still waits after a turn. What its own mail asks about giving up is then about the board after it."""
    for item in pending:
        if not item.is_question:
            yield item
        elif played.is_agreed:
            continue
        elif item.seat != played.seat and item.kind is not PendingKind.RESIGN:
            yield item
        elif item.seat == played.seat and item.kind is PendingKind.RESIGN and item.letter is None:
            yield replace(item, turn=played.number)


def without_turns(
    game: Game,
    after: int,
    how: TakenBackBy,
    now: datetime,
    letter: MessageId | None = None,
    *,
    is_agreed: bool = False,
) -> Game:
    """Return the game after the turns behind turn `after` were taken back. All disputes and questions are void.

    `letter` is the letter that reports the turns, if it is withdrawn. Chat text in it waits again. If both agreed
    (`is_agreed`), the time of the turn begins anew.
    """
    game = _with_turn_anew(game, now if is_agreed else game.record.timing.turn_since)
    game = _with_disputes_ended(game, game.every_dispute, now)
    turns = tuple(turn._replace(checksum=None, mail=None, spent=None) for turn in game.turns[after:])
    run = Run(len(game.taken_back) + 1, how, now, game.record.version, turns, game.positions[after + 1 :])
    correspondence = game.correspondence
    waits_again = [
        words
        for thread in correspondence.threads
        if letter and thread.last == letter
        for words in thread.chat
    ]
    words = sorted((*correspondence.waiting_chat, *waits_again), key=attrgetter("version"))
    first, second = (
        thread if letter is None else thread.without(letter) for thread in correspondence.threads
    )
    return replace(
        game,
        turns=game.turns[:after],
        states=game.positions[: after + 1],
        taken_back=(*game.taken_back, run),
        pending=tuple(item for item in game.pending if not item.is_question),
        correspondence=replace(correspondence, waiting_chat=tuple(words), threads=(first, second)),
    )


# Clocks.


def with_pace(game: Game, pace: str | None, now: datetime) -> Game:
    """Return the game after both players have agreed on another time for turns. Clocks begin anew.

    It ends what either of them has proposed before, and the claim of a win.
    """
    timing = replace(game.record.timing, pace=pace).with_clock(now, len(game.turns))
    game = with_zones(replace(changed(game, timing=timing), turn_letter=None))
    ended = [offer for offer in game.offers if offer.kind in (PendingKind.PACE, PendingKind.TIME)]
    return _with_offers_ended(game, ended, PendingEnd.LAPSED)


def with_gift(game: Game, seat: Seat, time: timedelta) -> Game:
    """Return the game, awake, after a player was given time for the next turn of their seat. They may not lose yet."""
    gift = min(game.record.seats[seat].gift + round(time.total_seconds()), MAX_GIFT_SECONDS)
    timing = replace(game.record.timing, rested_at=None)
    game = changed(game, seats=_seats_with(game, seat, gift=gift), timing=timing)
    return _with_offers_ended(game, game.claims, PendingEnd.LAPSED)


def with_alarms_handled(game: Game, now: datetime) -> Game:
    """Return the game after all that was due about it by itself up to `now` is done."""
    return changed(game, timing=replace(game.record.timing, alarmed_until=now))


def with_hint(game: Game, position: str) -> Game:
    """Return the game after a player had a hint in a position, which has this checksum."""
    return changed(game, hints=f"{game.record.hints} {position}".strip())


def at_rest(game: Game, now: datetime) -> Game:
    """Return the game after it was put to rest. A turn wakes it."""
    return changed(game, timing=replace(game.record.timing, rested_at=now))


def _with_turn_anew(game: Game, since: datetime | None, **values: Any) -> Game:
    """Return the game in its next version, awake, with a turn whose time does not begin before `since`."""
    game = changed(game, timing=game.record.timing.with_turn_anew(since), **values)
    return replace(game, turn_letter=None)


# Offers and disputes.


def with_offer(game: Game, offer: Pending, replaced: Sequence[Pending] = ()) -> Game:
    """Return the game with a new offer in place of those that it replaces."""
    game = _with_offers_ended(changed(game), replaced, PendingEnd.REPLACED)
    return replace(game, pending=(*game.pending, replace(offer, version=game.record.version)))


def without_offers(game: Game, offers: Sequence[Pending], how: PendingEnd) -> Game:
    """Return the game after these offers have ended."""
    return _with_offers_ended(changed(game), offers, how)


def with_offers_lapsed(game: Game, offers: Sequence[Pending]) -> Game:
    """Return the game after these offers lapsed by what has just changed it. It stays in the same version."""
    return _with_offers_ended(game, offers, PendingEnd.LAPSED)


def _with_offers_ended(game: Game, offers: Sequence[Pending], how: PendingEnd) -> Game:
    """Return the game after some of its offers have ended, those that are not over yet."""
    ended = {offer.id for offer in offers if offer.end.how is None}
    if not ended:
        return game
    end = OfferEnd(how, game.record.version)
    pending = (replace(item, end=end) if item.id in ended else item for item in game.pending)
    return replace(game, pending=tuple(pending))


def with_dispute(game: Game, seat: Seat, turn: int, reason: str, now: datetime) -> Game:
    """Return the game with a new dispute. It replaces an earlier one of the same seat about the same turn."""
    game = changed(game)
    same = [dispute for dispute in game.disputes if (dispute.seat, dispute.turn) == (seat, turn)]
    game = _with_disputes_ended(game, same, now)
    opened = Dispute(game.record.version, seat, turn, reason, now)
    return replace(game, every_dispute=(*game.every_dispute, opened))


def _with_disputes_ended(game: Game, disputes: Iterable[Dispute], now: datetime) -> Game:
    """Return the game after some of its disputes have ended, those that are not over yet."""
    versions = {dispute.version for dispute in disputes}
    if not versions:
        return game
    every = tuple(
        replace(dispute, ended_at=now, ended_version=game.record.version)
        if dispute.version in versions and dispute.ended_at is None
        else dispute
        for dispute in game.every_dispute
    )
    return replace(game, every_dispute=every)


# What players tell each other, and what proves their seats.


def with_chat(game: Game, seat: Seat, words: str) -> Game:
    """Return the game with chat text of a seat that waits for a letter."""
    game = changed(game)
    waiting = (*game.correspondence.waiting_chat, WaitingChat(game.record.version, seat, words))
    return replace(game, correspondence=replace(game.correspondence, waiting_chat=waiting))


def with_shown_board(game: Game, seat: Seat, board: str, turn: int, now: datetime) -> Game:
    """Return the game after a seat has shown its board after turn `turn`."""
    shown = _with_seat(game.correspondence.shown_boards, seat, ShownBoard(seat, board, turn, now))
    return replace(changed(game), correspondence=replace(game.correspondence, shown_boards=shown))


def with_board_asked(game: Game, seat: Seat, is_asked: bool) -> Game:
    """Return the game after a seat has asked for the opponent's board, or its request is closed."""
    return changed(game, seats=_seats_with(game, seat, asks_board=is_asked))


def with_token(game: Game, seat: Seat, number: int) -> Game:
    """Return the game after others have read the token of a seat. Only the token with this number proves it now."""
    return changed(game, seats=_seats_with(game, seat, token_number=number))


def without_personal_data(game: Game, player: PlayerId, subject: str, label: str) -> Game:
    """Return the game in its next version, without an erased player's typed text and without its open questions.

    `subject` is its new Subject, and `label` the name by which letters call the player.
    """
    invitation = game.record.invitation
    if invitation.guest_label is not None and invitation.host != player:
        invitation = replace(invitation, guest_label=label)
    you = game.record.seat_of(player)
    seats = _seats_with(game, you, zone=None, in_advance="")
    game = changed(game, subject=subject, invitation=invitation, seats=seats)
    # Nothing is sent to the player again, and chat in an unsent letter can't be taken over any more.
    threads = _with_seat(
        (Thread(), Thread()), you.other, replace(game.correspondence.threads[you.other], chat=())
    )
    return replace(
        game,
        turns=_without_typed_text(game.turns, you),
        taken_back=tuple(replace(run, turns=_without_typed_text(run.turns, you)) for run in game.taken_back),
        pending=(),
        every_dispute=(),
        correspondence=Correspondence(threads=threads),
        # The operator's words may name the player.
        why="",
    )


def _without_typed_text(turns: tuple[Turn, ...], seat: Seat) -> tuple[Turn, ...]:
    """Return the turns of a game. For turns of `seat`, what the player typed is replaced by the canonical form."""
    return tuple(turn._replace(written=turn.text) if turn.seat == seat else turn for turn in turns)


def _seats_with(game: Game, seat: Seat, **values: Any) -> Seats:
    """Return the seats of a game, with these values in one of them."""
    seats = game.record.seats
    return _with_seat(seats, seat, seats[seat]._replace(**values))


def _with_seat(pair: tuple[_Item, _Item], seat: Seat, item: _Item) -> tuple[_Item, _Item]:
    """Return the pair with the item of `seat` replaced."""
    return (item, pair[1]) if seat == Seat.FIRST else (pair[0], item)
