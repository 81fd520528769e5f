"""Word what the explanations of boards list: turns, squares that differ, faults, and ways of writing a board."""

from collections.abc import Iterable, Iterator, Sequence

from takmail.blocks import Block, Indented, Message, message, paragraph
from takmail.games.kit.compared import and_so_on, text_of
from takmail.games.tak.compare.explanation import Instead
from takmail.games.tak.compare.faults import BoardFault
from takmail.games.tak.compare.nearest import Differing
from takmail.games.tak.compare.orientation import Orientation
from takmail.games.tak.wording.reasons import faults, shortened
from takmail.games.wording import Sentences

_MOST_MOVES = 3
"""The maximum number of moves that a letter lists in place of others."""


def ways(orientation: Orientation | None) -> Sentences:
    """Say how a board is written another way; nothing if it is not."""
    if orientation is None:
        return ()
    return (
        *((message("tak_way_of_squares", turn=orientation.turn),) if orientation.turn else ()),
        *((message("tak_way_of_colors"),) if orientation.swapped else ()),
        *((message("tak_way_of_stacks"),) if orientation.bottom_up else ()),
    )


def move_list(others: Sequence[Instead]) -> Iterator[Block]:
    """Yield a list of moves that would lead to a board, too, if there are any."""
    if others:
        yield from paragraph(message("tak_other_moves_lead_there", count=len(others)))
        lines = [
            message("tak_turn_as", turn=other.number, instead=other.instead) for other in others[:_MOST_MOVES]
        ]
        yield Indented((*lines, *and_so_on(len(others), _MOST_MOVES)))


def square_list(squares: Iterable[Differing], boards: str) -> Iterator[Block]:
    """Yield a list of the squares that differ. `boards` tells whose boards they are of, as messages take it."""
    lines = tuple(_square_of_list(square, boards) for square in squares)
    if lines:
        yield Indented(lines)


def fault_list(found: tuple[BoardFault, ...], heading: Message) -> Iterator[Block]:
    """Yield what can't be on a board below a heading, if there is anything."""
    if found:
        yield from paragraph(heading)
        yield Indented(faults(found))


def _square_of_list(square: Differing, boards: str) -> Message:
    changed = square.touched
    return message(
        "tak_square_differs",
        boards=boards,
        square=square.square.upper(),
        one=shortened(square.yours),
        other=shortened(square.ours),
        number=0 if changed is None else changed.number,
        turn="" if changed is None else text_of(changed),
    )
