"""Write the letters that tell players of events, beside the answer to a mail."""

from collections.abc import Sequence
from datetime import datetime
from operator import itemgetter

from takmail.commands.context import events_for
from takmail.games.interface import Seat
from takmail.letters import contents
from takmail.letters.batch import LetterBatch
from takmail.letters.digests import digest_due_at, has_held
from takmail.letters.letter import Sending
from takmail.letters.news.row import BrokenGame, Row
from takmail.letters.news.rows import is_words, row_of
from takmail.mail.tokens import STOP
from takmail.world import (
    Game,
    LetterPurpose,
    PlayerId,
    events,
    outcome_of,
    result_decided,
)


def with_event(batch: LetterBatch, event: events.Event, row: Row) -> LetterBatch:
    """Return the batch with the letters about one event alone: what its row writes, and what it tells its audience."""
    batch = batch if row.writes is None else row.writes(batch, event)
    if row.tells is None:
        return batch
    for told in events.in_games((event,)):
        batch = _separate_letters(batch, told) if told.has_own_letter else batch
    return batch


def _separate_letters(batch: LetterBatch, event: events.GameEvent) -> LetterBatch:
    """Write the letters of an event that is reported separately. It is usually in another game than the mail's."""
    game = batch.world.game(event.game)
    for reader in event.readers:
        if game.is_corrupt:
            batch = _without_board(batch, game, reader, event)
        elif reader not in game.record.players:
            batch = _tell_onlooker(batch, game, reader, (event,))
        else:
            seat, is_over = game.record.seat_of(reader), game.record.is_over
            # Chat that follows this event in the mail goes into the letter with the mail's news.
            batch = _write_news(batch, game, seat, (event,), has_ended=is_over, by=event.version)
    return batch


def _without_board(batch: LetterBatch, game: Game, reader: PlayerId, event: events.GameEvent) -> LetterBatch:
    """Notify a player that a corrupt game is adjourned or has ended. No other event of it is reported.

    Players of an invitation are not notified, as they know too little of each other, and nobody who has no seat.
    """
    make, record = row_of(event).without_board, game.record
    if make is None or record.is_invitation or reader not in record.players:
        return batch
    seat = record.seat_of(reader)
    blocks = make(
        event,
        BrokenGame(
            outcome=outcome_of(result_decided(record.end, game.rules), seat),
            is_over=record.is_over,
            operator_knows=batch.services.operator is not None,
        ),
    )
    return batch.in_game(lambda _: blocks, game, seat, Sending(_purpose(game)), has_board=False)


def with_news(batch: LetterBatch) -> LetterBatch:
    """Add the letter to the opponent, with all changes of the game and the waiting chat, and those to onlookers."""
    if batch.claim is None:
        return batch
    game, opponent = batch.world.game(batch.claim.game), batch.claim.seat.other
    if told := own_news(batch):
        batch = _write_news(batch, game, opponent, told, has_ended=batch.has_ended(game.number))
    readers = dict.fromkeys(reader for event in batch.result.happened for reader in event.readers)
    for reader in readers:
        if reader not in game.record.players and (told := _news_for(batch, reader, game)):
            batch = _tell_onlooker(batch, game, reader, told)
    return batch


def own_news(batch: LetterBatch) -> tuple[events.GameEvent, ...]:
    """Return the events for the letter to the opponent in the mail's game."""
    if batch.claim is None:
        return ()
    game = batch.world.game(batch.claim.game)
    return _news_for(batch, game.record.players[batch.claim.seat.other], game)


def _news_for(batch: LetterBatch, reader: PlayerId, game: Game) -> tuple[events.GameEvent, ...]:
    """Return the events of a game that a letter to a player tells."""
    heard = events_for(reader, batch.result.happened, game)
    return tuple(event for event in heard if row_of(event).tells is not None)


def _write_news(
    batch: LetterBatch,
    game: Game,
    seat: Seat,
    told: Sequence[events.GameEvent],
    *,
    has_ended: bool,
    by: int | None = None,
) -> LetterBatch:
    """Write news and waiting chat to the player in a seat.

    Only chat up to version `by` of the game is included, or all of it if `by` is None.
    """
    ordered = _in_order(told)
    rows = [row_of(event) for event in ordered]
    led = [row for row in rows if not row.is_part]
    # It reports one turn and nothing else.
    reported_turn = len(game.turns) if [row.place for row in led] == [0] else None
    return batch.with_waiting_chat(
        lambda reader: contents.news_letter(reader, ordered),
        game,
        seat,
        Sending(
            LetterPurpose.CHAT if is_chat(told) else _purpose(game),
            ends=next(filter(None, (row.ends for row in rows)), STOP),
            waits_for_thought=batch.holds_end(game)
            and all(row.may_end_game for row in led)
            and not game.chat_for(seat),
            tells_thought=all(row.may_end_game for row in led),
            digest_at=_digest_at(batch, game, seat, ordered),
        ),
        has_ended=has_ended,
        reported_turn=reported_turn,
        by=by,
    )


def _digest_at(
    batch: LetterBatch, game: Game, seat: Seat, told: Sequence[events.GameEvent]
) -> datetime | None:
    """Return when the digest leaves that tells news to the player in a seat, None if their letter leaves by itself.

    A digest tells a turn about which nothing else is told, and words that are said after such a turn.
    """
    player = game.players[seat]
    if player.preferences.digest is None:
        return None
    is_turn = [row_of(event).place for event in told] == [0]
    if not is_turn and not (is_chat(told) and has_held(batch.world, player, game)):
        return None
    return digest_due_at(batch.world, game, seat, batch.now)


def _tell_onlooker(
    batch: LetterBatch, game: Game, reader: PlayerId, told: Sequence[events.GameEvent]
) -> LetterBatch:
    """Write news to a player who has no seat in the game."""
    ordered = _in_order(told)
    return batch.to_onlooker(
        lambda onlooker: contents.news_letter(onlooker, ordered),
        game,
        reader,
        ordered[0].doer,
        Sending(_purpose(game)),
    )


def _purpose(game: Game) -> LetterPurpose:
    """Return the kind under which budgets count a letter about a game that answers no mail."""
    return LetterPurpose.NEWS if game.record.has_begun else LetterPurpose.NOTHING


def is_chat(told: Sequence[events.GameEvent]) -> bool:
    """Return whether the news are only chat."""
    return bool(told) and all(map(is_words, told))


def _in_order(told: Sequence[events.GameEvent]) -> tuple[events.GameEvent, ...]:
    """Return the news in the order of the letter. Chat is included only if there are no other news."""
    shown = [event for event in told if not is_words(event)] or told[:1]
    places: list[int] = []
    for row in map(row_of, shown):
        places.append(places[-1] if row.is_part and places else row.place)
    return tuple(event for _, event in sorted(zip(places, shown, strict=True), key=itemgetter(0)))
