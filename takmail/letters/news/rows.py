"""The table of how letters tell events: `ROWS` has a row for each kind that they tell."""

from collections.abc import Mapping

from takmail.blocks import Blocks
from takmail.commands.answers import Reported, Said, Shows
from takmail.letters.answers.builders import answer_blocks
from takmail.letters.news import (
    advance,
    beginnings,
    clocks,
    clubs,
    digests,
    disputes,
    offers,
    players,
    rulings,
    senders,
    series,
    split_mails,
    turns,
)
from takmail.letters.news.row import Row
from takmail.letters.reader import Reader
from takmail.world import events

ROWS: Mapping[type[events.Event], Row] = {
    **beginnings.ROWS,
    **turns.ROWS,
    **offers.ROWS,
    **clocks.ROWS,
    **clubs.ROWS,
    **digests.ROWS,
    **disputes.ROWS,
    **players.ROWS,
    **rulings.ROWS,
    **senders.ROWS,
    **split_mails.ROWS,
    **advance.ROWS,
    **series.ROWS,
}
"""How letters tell each kind of event. What has no row is told to nobody."""


_UNTOLD = Row()


def row_of(event: events.Event) -> Row:
    """Return the row of an event, one that tells nothing if letters don't tell it."""
    return ROWS.get(type(event), _UNTOLD)


def has_row(event: events.Event) -> bool:
    """Tell whether letters tell an event. If not, it is bookkeeping, which nobody hears of."""
    return type(event) in ROWS


def answer_to(reader: Reader, reported: Reported) -> Blocks:
    """Return what the answer to a line of a mail says: what came of the line, and what followed from that."""
    if isinstance(reported.answer, Said):
        return answer_blocks(reader, reported.answer)
    followed = filter(reader.hears_of, events.in_games(reported.followed))
    return tuple(block for event in (reported.answer, *followed) for block in told_by(event, reader))


def told_by(event: events.Event, reader: Reader) -> Blocks:
    """Return what a letter tells its reader of an event."""
    tells = row_of(event).tells
    return () if tells is None else tells(event, reader)


def name_of(answer: events.Event | Said) -> str:
    """Return the name of a command's result for the operator."""
    return row_of(answer).name if isinstance(answer, events.Event) else answer.reason


def is_words(answer: events.Event | Said) -> bool:
    """Return whether an answer tells only words of a player."""
    return not isinstance(answer, Said) and row_of(answer).is_words


def shows(answer: events.Event | Said) -> Shows:
    """Return what an answer shows of a game."""
    return answer.shows if isinstance(answer, Said) else row_of(answer).shows(answer)
