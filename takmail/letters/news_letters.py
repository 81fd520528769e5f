"""Write the letters that tell news: those of one event, and those to the opponent."""

from collections.abc import Sequence
from dataclasses import replace

from takmail.blocks import Blocks
from takmail.games.interface import Seat
from takmail.letters.answer_letters import game_score, now
from takmail.letters.batch import LetterBatch
from takmail.letters.letter import Sending
from takmail.letters.news.row import BrokenGame
from takmail.letters.news.rows import ROWS
from takmail.letters.parts.below import below, next_steps
from takmail.letters.parts.ending import coins, play_again, record
from takmail.letters.parts.offers import proposed_boards
from takmail.letters.parts.words import address_was_read, opponents_words
from takmail.letters.reader import Reader
from takmail.letters.shown_parts import ShownParts, parts_of_news
from takmail.world import BEGUN, LetterPurpose, Standing, Table, decided, news, outcome_of

_EXPLAINED_TURNS = 4
"""The number of turns at the beginning of a player's first game after which the letters of the board are explained."""


def with_event(work: LetterBatch, event: news.News) -> LetterBatch:
    """Return the batch with the letters about one event alone."""
    writes = ROWS[type(event)].writes
    if writes is not None:
        return writes(work, event)
    if isinstance(event, news.GameNews) and event.readers:
        return _separate_letters(work, event)
    return work


def _separate_letters(work: LetterBatch, event: news.GameNews) -> LetterBatch:
    """Write the letters of an event that is reported separately. It is usually in another game than the mail's."""
    game = work.world.games[event.game]
    for seat in event.readers:
        if game.is_corrupt:
            work = _without_board(work, game, seat, event)
        elif event.is_for_opponent:
            is_over = game.record.standing == Standing.OVER
            # Chat that follows this event in the mail goes into the letter with the mail's news.
            work = write_news(work, game, seat, (event,), has_ended=is_over, by=event.version)
    return work


def _without_board(work: LetterBatch, game: Table, seat: Seat, event: news.GameNews) -> LetterBatch:
    """Notify the player in a seat that a corrupt game is adjourned or has ended. No other event of it is reported.

    Players of an invitation are not notified, as they know too little of each other.
    """
    make, record = ROWS[type(event)].without_board, game.record
    if make is None or record.is_invitation:
        return work
    blocks = make(
        event,
        BrokenGame(
            outcome=outcome_of(decided(record, game.rules), seat),
            is_over=record.standing is Standing.OVER,
            operator_knows=work.services.operator is not None,
        ),
    )
    return work.in_game(lambda _: blocks, game, seat, Sending(_purpose(game)), has_board=False)


def write_news(
    work: LetterBatch,
    table: Table,
    seat: Seat,
    told: Sequence[news.GameNews],
    *,
    has_ended: bool,
    by: int | None = None,
) -> LetterBatch:
    """Write news and waiting chat to the player in a seat.

    Only chat up to version `by` of the game is included, or all of it if `by` is None.
    """
    ordered = _in_order(told)
    shown = parts_of_news(ordered, table, has_ended=has_ended)
    return work.with_waiting_chat(
        lambda reader: news_letter(reader, ordered, shown),
        table,
        seat,
        Sending(
            LetterPurpose.CHAT if is_chat(told) else _purpose(table),
            is_reminder=any(event.is_reminder for event in told),
            is_held=work.holds_end(table) and _is_of_end(told) and not table.chat_for(seat),
        ),
        has_ended=has_ended,
        match=work.result.matches.get(table.number),
        # It reports one turn and nothing else.
        reported_turn=len(table.turns) if [event.place for event in ordered] == [0] else None,
        by=by,
    )


def _is_of_end(told: Sequence[news.GameNews]) -> bool:
    """Return whether news only tell what has ended the game, so that the letter can be written anew."""
    return all(isinstance(event, news.TurnPlayed | news.Resigned) for event in told)


def _purpose(table: Table) -> LetterPurpose:
    """Return the kind under which budgets count a letter about a game that answers no mail."""
    return LetterPurpose.NEWS if table.record.standing in BEGUN else LetterPurpose.NOTHING


def is_chat(told: Sequence[news.GameNews]) -> bool:
    """Return whether the news are only chat."""
    return bool(told) and all(event.is_words for event in told)


def _in_order(told: Sequence[news.GameNews]) -> tuple[news.GameNews, ...]:
    """Return the news in the order of the letter. Chat is included only if there are no other news."""
    shown = [event for event in told if not event.is_words] or told[:1]
    return tuple(sorted(shown, key=lambda event: event.place))


def news_letter(reader: Reader, told: Sequence[news.GameNews], shown: ShownParts) -> Blocks:
    """Tell news of a game, and how it stands now."""
    seen = reader.game
    blocks: Blocks = ()
    for event in told:
        tells = ROWS[type(event)].tells
        assert tells is not None
        blocks += tells(event, reader if event is told[0] else replace(reader, is_at_top=False))
    return (
        *blocks,
        *address_was_read(reader),
        *opponents_words(reader),
        *(now(reader, shown) if shown.game and seen.has_begun else ()),
        *(coins(reader) if shown.game or seen.standing is not Standing.OVER else ()),
        *proposed_boards(reader),
        *next_steps(reader),
        *play_again(reader),
        *(game_score(reader) if shown.game else ()),
        *(below(reader, explains_board=seen.turn <= _EXPLAINED_TURNS) if shown.game else ()),
        *(record(reader) if shown.game else ()),
    )
