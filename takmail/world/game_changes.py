"""Change a game. Each change raises the game's version by one, which identifies what the change created.

Only an erasure does not: `erasure.erase` raises the versions of all games of the player."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from operator import attrgetter
from typing import Any, TypeVar

from takmail.games.interface import Seat
from takmail.limits.games import MAX_GIFT_SECONDS
from takmail.world.clock import clock_of
from takmail.world.kinds import (
    MessageId,
    PendingEnd,
    PendingId,
    PendingKind,
    PlayerId,
    Ruling,
    Standing,
    TakenBackBy,
)
from takmail.world.letters import Thread, WaitingChat
from takmail.world.match import with_result
from takmail.world.records import Dispute, GameRecord, Pending, ShownBoard, Turn
from takmail.world.replay import Run
from takmail.world.table import Played, Table

_Item = TypeVar("_Item")


def _changed(game: Table, **values: Any) -> Table:
    """Return the game in its next version, with these values in its record."""
    return replace(game, record=replace(game.record, version=game.record.version + 1, **values))


# How a game begins and ends.


def invited(game: Table, now: datetime) -> Table:
    """Return the game after its invitation was written."""
    return _changed(game, invited_at=now)


def accepted(game: Table) -> Table:
    """Return the game after its guest accepted, if the players bid for the first turn now."""
    return _changed(game, standing=Standing.BIDDING, guest_label=None)


def with_bids(game: Table, bids: tuple[int | None, int | None]) -> Table:
    """Return the game with these bids of its seats."""
    return _changed(game, bids=bids)


def begun(game: Table, setup: str, is_swapped: bool, now: datetime) -> Table:
    """Return the game after it has begun. `setup` and the seats are final from now on.

    `is_swapped`: the players swap their seats.
    """
    game = _with_seats_swapped(game) if is_swapped else game
    game = replace(game, states=(game.rules.start(setup),))
    game = replace(game, record=with_clock(game.record, now))
    return _changed(game, standing=Standing.OPEN, setup=setup, bids=(None, None))


def _with_seats_swapped(game: Table) -> Table:
    record = game.record
    # A letter of before has the token of the seat that is the other player's now.
    token = 1 + max(record.token_numbers)
    record = replace(record, seats=record.seats[::-1], token_numbers=(token, token))
    words = tuple(replace(words, seat=words.seat.other) for words in game.waiting_chat)
    return replace(
        game,
        record=record,
        players=game.players[::-1],
        # What waits for a `yes` was asked of the player who had the seat.
        pending=(),
        waiting_chat=words,
        last_chat=game.last_chat[::-1],
        threads=game.threads[::-1],
    )


def declined(game: Table) -> Table:
    """Return the game after a player declined it, or its host withdrew it. One that was accepted is void."""
    ruling = Ruling.VOID if game.record.standing is Standing.BIDDING else None
    return _changed(game, standing=Standing.DECLINED, bids=(None, None), ruling=ruling)


def ended(game: Table, resigned: Seat | None = None, ruling: Ruling | None = None, why: str = "") -> Table:
    """Return the game after its end. All open questions and offers are void. `why` is the operator's reason.

    A game that has not begun, as the players bid, counts as declined.
    """
    if game.record.standing is Standing.BIDDING:
        return replace(declined(game), pending=(), why=why)
    game = _changed(game, standing=Standing.OVER, resigned=resigned, ruling=ruling)
    return with_result(replace(game, pending=(), why=why))


def adjourned(game: Table, why: str) -> Table:
    """Return the game after it was adjourned, if it is open. No `yes` to an earlier question resigns it any more.

    `why` is the operator's reason, '' if the game is corrupt.
    """
    kept = tuple(item for item in game.pending if item.kind is not PendingKind.RESIGN)
    standing = game.record.standing
    game = _changed(game, standing=Standing.ADJOURNED if standing is Standing.OPEN else standing)
    return replace(game, pending=kept, why=why)


def resumed(game: Table, now: datetime) -> Table:
    """Return the game after the operator resumed it. The time of the turn begins anew."""
    game = _changed(_with_turn_anew(game, now), standing=Standing.OPEN)
    return replace(_with_offers_ended(game, game.claims, PendingEnd.LAPSED), why="")


# Turns.


def with_turn(
    game: Table,
    played: Played,
    written: str,
    now: datetime,
    checksum: str | None,
    mail: int | None,
    arrived_at: datetime | None = None,
) -> Table:
    """Return the game after a turn. `written` is what the player typed.

    `arrived_at` is when the mail arrived, None if that is not known. It ends the time of the turn.

    It ends all disputes, questions to its player and resignations, and offers as `Table.lapsing` says. An agreed board
    ends all of them.
    """
    spent = None if played.is_agreed else _spent(game, played.seat, min(now, arrived_at or now))
    gifts = game.record.gifts if played.is_agreed else _with_seat(game.record.gifts, played.seat, 0)
    game = _changed(_with_turn_anew(game, game.record.turn_since), gifts=gifts)
    game = _with_disputes_ended(game, game.every_dispute, now)
    game = _with_offers_ended(
        game, game.lapsing(None if played.is_agreed else played.seat), PendingEnd.LAPSED
    )
    kept = tuple(
        item
        for item in game.pending
        if item.is_offer
        or not (played.is_agreed or item.seat == played.seat or item.kind is PendingKind.RESIGN)
    )
    turn = Turn(
        played.number,
        played.seat,
        played.text,
        written,
        game.record.version,
        now,
        played.is_agreed,
        checksum,
        mail,
        spent,
    )
    states = (*game.positions, game.state.play(turn.text)) if game.keeps_board else game.positions
    return replace(game, turns=(*game.turns, turn), states=states, pending=kept)


def without_turns(
    game: Table,
    after: int,
    how: TakenBackBy,
    now: datetime,
    letter: MessageId | None = None,
    *,
    is_agreed: bool = False,
) -> Table:
    """Return the game after the turns behind turn `after` were taken back. All disputes and questions are void.

    If only the last turn was taken back, the offers made before it stay open. `letter` is the letter that reports the
    turns, if it is withdrawn. Chat text in it waits again. If both agreed (`is_agreed`), the time of the turn begins
    anew.
    """
    game = _changed(_with_turn_anew(game, now if is_agreed else game.record.turn_since))
    game = _with_disputes_ended(game, game.every_dispute, now)
    lapsing = game.lapsing_with_undo if how.is_of_last_turn else game.offers
    game = _with_offers_ended(game, lapsing, PendingEnd.LAPSED)
    turns = tuple(turn._replace(checksum=None, mail=None) for turn in game.turns[after:])
    run = Run(len(game.taken_back) + 1, how, now, game.record.version, turns, game.positions[after + 1 :])
    waits_again = [
        words for thread in game.threads if letter and thread.last == letter for words in thread.chat
    ]
    words = sorted((*game.waiting_chat, *waits_again), key=attrgetter("version"))
    first, second = (thread if letter is None else thread.without(letter) for thread in game.threads)
    return replace(
        game,
        turns=game.turns[:after],
        states=game.positions[: after + 1],
        taken_back=(*game.taken_back, run),
        pending=game.every_offer,
        waiting_chat=tuple(words),
        threads=(first, second),
    )


# Clocks.


def with_clock(record: GameRecord, now: datetime, turns: int = 0) -> GameRecord:
    """Return the record of a game whose clock begins at `now`, after `turns` turns, if it has a time for turns."""
    clock_from = None if record.pace is None else turns
    return replace(record, clock_from=clock_from, turn_since=now, alarmed_until=None, rested_at=None)


def with_pace(game: Table, pace: str | None, now: datetime) -> Table:
    """Return the game after both players have agreed on another time for turns. Clocks begin anew.

    It ends what either of them has proposed before, and the claim of a win.
    """
    record = with_clock(replace(game.record, pace=pace), now, len(game.turns))
    game = _changed(replace(game, record=record, turn_letter=None))
    ended = [offer for offer in game.offers if offer.kind in (PendingKind.PACE, PendingKind.TIME)]
    return _with_offers_ended(game, ended, PendingEnd.LAPSED)


def with_gift(game: Table, seat: Seat, time: timedelta) -> Table:
    """Return the game, awake, after a player was given time for the next turn of their seat. They may not lose yet."""
    gift = min(game.record.gifts[seat] + round(time.total_seconds()), MAX_GIFT_SECONDS)
    game = _changed(game, gifts=_with_seat(game.record.gifts, seat, gift), rested_at=None)
    return _with_offers_ended(game, game.claims, PendingEnd.LAPSED)


def with_alarms_handled(game: Table, now: datetime) -> Table:
    """Return the game after all that was due about it by itself up to `now` is done."""
    return _changed(game, alarmed_until=now)


def with_hint(game: Table, position: str) -> Table:
    """Return the game after a player had a hint in a position, which has this checksum."""
    return _changed(game, hints=f"{game.record.hints} {position}".strip())


def at_rest(game: Table, now: datetime) -> Table:
    """Return the game after it was put to rest. A turn wakes it."""
    return _changed(game, rested_at=now)


def _with_turn_anew(game: Table, since: datetime | None) -> Table:
    """Return the game, awake, with a turn whose time does not begin before `since`. Its version stays."""
    record = replace(game.record, turn_since=since, alarmed_until=None, rested_at=None)
    return replace(game, record=record, turn_letter=None)


def _spent(game: Table, seat: Seat, end: datetime) -> int | None:
    """Return the seconds of a player's own time that a turn has taken until `end`, None if no clock runs for them."""
    if game.record.clock_from is None:
        return None
    clock = clock_of(game)
    if clock.allowance is None or clock.seat != seat:
        return None
    return max(0, round(clock.spent_until(end).total_seconds()) - game.record.gifts[seat])


# Offers and disputes.


def with_offer(game: Table, offer: Pending) -> Table:
    """Return the game with a new offer."""
    game = _changed(game)
    return replace(game, pending=(*game.pending, replace(offer, version=game.record.version)))


def without_offers(game: Table, offers: Sequence[PendingId], how: PendingEnd) -> Table:
    """Return the game after these offers have ended."""
    game = _changed(game)
    return _with_offers_ended(game, [offer for offer in game.pending if offer.id in offers], how)


def _with_offers_ended(game: Table, offers: Sequence[Pending], how: PendingEnd) -> Table:
    """Return the game after some of its offers have ended, those that are not over yet."""
    ended = {offer.id for offer in offers if offer.ended is None}
    pending = (
        replace(item, ended=how, ended_version=game.record.version) if item.id in ended else item
        for item in game.pending
    )
    return replace(game, pending=tuple(pending))


def with_dispute(game: Table, seat: Seat, turn: int, reason: str, now: datetime) -> Table:
    """Return the game with a new dispute. It replaces an earlier one of the same seat about the same turn."""
    game = _changed(game)
    same = [dispute for dispute in game.disputes if (dispute.seat, dispute.turn) == (seat, turn)]
    game = _with_disputes_ended(game, same, now)
    opened = Dispute(game.record.version, seat, turn, reason, now)
    return replace(game, every_dispute=(*game.every_dispute, opened))


def _with_disputes_ended(game: Table, disputes: Iterable[Dispute], now: datetime) -> Table:
    """Return the game after some of its disputes have ended, those that are not over yet."""
    versions = {dispute.version for dispute in disputes}
    every = tuple(
        replace(dispute, ended_at=now, ended_version=game.record.version)
        if dispute.version in versions and dispute.ended_at is None
        else dispute
        for dispute in game.every_dispute
    )
    return replace(game, every_dispute=every)


# What players tell each other, and what proves their seats.


def with_chat(game: Table, seat: Seat, words: str) -> Table:
    """Return the game with chat text of a seat that waits for a letter."""
    game = _changed(game)
    return replace(game, waiting_chat=(*game.waiting_chat, WaitingChat(game.record.version, seat, words)))


def with_shown_board(game: Table, seat: Seat, board: str, turn: int, now: datetime) -> Table:
    """Return the game after a seat has shown its board after turn `turn`."""
    shown = _with_seat(game.shown_boards, seat, ShownBoard(seat, board, turn, now))
    return replace(_changed(game), shown_boards=shown)


def with_board_asked(game: Table, seat: Seat, is_asked: bool) -> Table:
    """Return the game after a seat has asked for the opponent's board, or its request is closed."""
    return _changed(game, asks_board=_with_seat(game.record.asks_board, seat, is_asked))


def with_token(game: Table, seat: Seat, number: int) -> Table:
    """Return the game after others have read the token of a seat. Only the token with this number proves it now."""
    return _changed(game, token_numbers=_with_seat(game.record.token_numbers, seat, number))


def without_personal_data(game: Table, player: PlayerId, subject: str, label: str) -> Table:
    """Return the game without an erased player's typed text and without its open questions.

    `subject` is its new Subject, and `label` the name by which letters call the player.
    """
    is_guest = game.record.guest_label is not None and game.record.invited_by != player
    label_of_guest = label if is_guest else game.record.guest_label
    record = replace(game.record, subject=subject, guest_label=label_of_guest)
    you = record.seat_of(player)
    # Nothing is sent to the player again, and chat in an unsent letter can't be taken over any more.
    threads = _with_seat((Thread(), Thread()), you.other, replace(game.threads[you.other], chat=()))
    return replace(
        game,
        record=record,
        turns=_without_typed_text(game.turns, you),
        taken_back=tuple(replace(run, turns=_without_typed_text(run.turns, you)) for run in game.taken_back),
        pending=(),
        every_dispute=(),
        waiting_chat=(),
        last_chat=(None, None),
        threads=threads,
        shown_boards=(None, None),
    )


def _without_typed_text(turns: tuple[Turn, ...], seat: Seat) -> tuple[Turn, ...]:
    """Return the turns of a game. For turns of `seat`, what the player typed is replaced by the canonical form."""
    return tuple(turn._replace(written=turn.text) if turn.seat == seat else turn for turn in turns)


def _with_seat(pair: tuple[_Item, _Item], seat: Seat, item: _Item) -> tuple[_Item, _Item]:
    """Return the pair with the item of `seat` replaced."""
    return (item, pair[1]) if seat == Seat.FIRST else (pair[0], item)
