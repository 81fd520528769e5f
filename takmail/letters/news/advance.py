"""Tell players that what they have prepared in advance was played, or is held."""

from collections.abc import Mapping

from takmail.blocks import Blocks, message, paragraph
from takmail.letters.news.row import Row, says
from takmail.letters.passages.advance import what_waits
from takmail.letters.passages.ending import outcome
from takmail.letters.reader import Reader
from takmail.world import events


def _played(event: events.PreparationPlayed, reader: Reader) -> Blocks:
    is_played = message(
        "prepared_move_is_played", text=event.turn.text, turn=event.turn.number, met=event.met.text
    )
    return (
        *(paragraph(*outcome(reader)) if reader.has_ended else ()),
        *paragraph(is_played, *reader.wording.effect(reader.game)),
        *paragraph(what_waits(reader)),
    )


ROWS: Mapping[type[events.Event], Row] = {
    events.PreparationHeld: Row(tells=says(message("prepared_move_is_held"))),
    events.PreparationPlayed: Row(tells=_played),
}
"""Rows of moves in advance."""
