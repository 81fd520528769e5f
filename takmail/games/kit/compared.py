"""Word what comes of comparing boards, as far as games say the same."""

from collections.abc import Mapping, Sequence
from typing import Any

from takmail.blocks import Blocks, Indented, Message, message, paragraph
from takmail.games.kit.turns import Ply, is_board
from takmail.games.wording import Boards

WHOSE: Mapping[Boards, tuple[str, str]] = {
    Boards.TWO: ("first", "second"),
    Boards.SENT: ("yours", "opponents"),
    Boards.RECEIVED: ("opponents", "yours"),
}
"""Whose two boards are, in the order in which they were compared, as messages take it."""
MARKS: Mapping[Boards, str] = {Boards.TWO: "two", Boards.SENT: "sent", Boards.RECEIVED: "received"}
"""Of whose boards the places are that differ, as messages take it."""
_MOST_TURNS = 12
"""The maximum number of turns that a letter lists."""


def turn_list(plies: Sequence[Ply]) -> Blocks:
    """Return a list of turns, nothing if there are none."""
    if not plies:
        return ()
    lines = [message("turn_of_list", number=ply.number, turn=text_of(ply)) for ply in plies[:_MOST_TURNS]]
    return (Indented((*lines, *and_so_on(len(plies), _MOST_TURNS))),)


def and_so_on(count: int, most: int) -> tuple[Message, ...]:
    """Return the last line of a list of `count` entries of which `most` are shown at most, if it has one."""
    return (message("and_so_on"),) if count > most else ()


def text_of(ply: Ply) -> str:
    """Return the text of a turn, '' if it is an agreed board."""
    return "" if is_board(ply.text) else ply.text


def not_played(plies: Sequence[Ply]) -> Blocks:
    """List the turns that the reader has not played on their own board, if there are any."""
    if not plies:
        return ()
    first, last = plies[0].number, plies[-1].number
    heading = message("turns_you_have_not_played", count=len(plies), first=first, last=last)
    return (*paragraph(heading), *turn_list(plies))


def compared_so_far(facts: Mapping[str, Any]) -> Blocks:
    """Say up to which turn the game could be played again, if a turn stopped it."""
    stopped: Ply | None = facts.get("stopped")
    if stopped is None:
        return ()
    return paragraph(
        message("compared_only_so_far", now=facts["now"], number=stopped.number, turn=stopped.text)
    )
