"""Word what comes of comparing boards."""

from collections.abc import Iterable, Iterator, Sequence

from takmail.blocks import Block, Blocks, Indented, Message, message, paragraph
from takmail.games.interface import Comparison
from takmail.games.kit.compared import MARKS, WHOSE, compared_so_far, not_played, text_of
from takmail.games.tzaar.compare.explanation import Differing
from takmail.games.tzaar.compare.rows import BoardFault
from takmail.games.tzaar.wording.data import Facts
from takmail.games.tzaar.wording.two_boards import two_boards
from takmail.games.wording import Boards

_MOST_LISTED = 12
"""The maximum number of faults that a letter lists."""
_MAX_SPOT_CHARS = 60
_MAX_FAULT_CHARS = 30


def compared(comparison: Comparison, boards: Boards) -> Blocks:
    """Explain the result of comparing boards."""
    facts: Facts = comparison.facts
    explained = _of_two(comparison, boards) if comparison.how.startswith("two-") else _of_one(comparison)
    return (*explained, *compared_so_far(facts))


def _of_one(comparison: Comparison) -> Iterator[Block]:
    facts: Facts = comparison.facts
    if comparison.how == "size":
        yield from paragraph(message("tzaar_board_not_whole", count=facts["lines"]))
    else:
        yield from paragraph(_yours(comparison))
    if comparison.how == "differs":
        yield from spot_list(facts["spots"], "yours")
        if facts["capitals"]:
            yield from paragraph(message("capitals_of_phones"))
    yield from not_played(facts["not_played"] if comparison.how not in ("same", "ahead", "size") else ())
    if comparison.how in ("differs", "size"):
        yield from fault_list(facts["faults"], message("tzaar_faults"))


def _yours(comparison: Comparison) -> Message:
    facts: Facts = comparison.facts
    turn, is_current = facts["ply"], facts["ply"] == facts["now"]
    match comparison.how:
        case "same":
            return message("your_board_is_same", turn=facts["now"])
        case "earlier":
            return message("tzaar_board_earlier", turn=turn)
        case "turned":
            return message("tzaar_board_turned", turn=turn, is_current=is_current, way=facts["way"])
        case "ahead":
            return message("tzaar_board_ahead", move=facts["move"])
        case "otherwise":
            first = facts["first"]
            return message(
                "tzaar_board_otherwise", turn=first.number, instead=first.instead, played=first.played
            )
        case "differs" if not facts["spots"]:
            return message("tzaar_board_same_apart_from_faults", turn=turn, is_current=is_current)
        case "differs":
            count = len(facts["spots"])
            return message("tzaar_board_near", turn=turn, is_current=is_current, count=count)
    raise AssertionError(comparison.how)


def _of_two(comparison: Comparison, boards: Boards) -> Iterator[Block]:
    facts: Facts = comparison.facts
    yield from paragraph(*two_boards(comparison, boards))
    if comparison.how == "two-differ":
        yield from spot_list(facts["spots"], MARKS[boards])
    if comparison.how != "two-same":
        for board, name in zip((facts["one"], facts["other"]), WHOSE[boards], strict=True):
            heading = message("tzaar_faults_of_one", board=name)
            yield from fault_list(board.facts["faults"], heading)


def spot_list(spots: Iterable[Differing], boards: str) -> Iterator[Block]:
    """Yield a list of the spots that differ. `boards` tells whose boards they are of, as messages take it."""
    lines = tuple(_spot_of_list(spot, boards) for spot in spots)
    if lines:
        yield Indented(lines)


def _spot_of_list(spot: Differing, boards: str) -> Message:
    changed = spot.touched
    return message(
        "tzaar_spot_differs",
        boards=boards,
        spot=spot.spot.upper(),
        one=_cut(spot.yours, _MAX_SPOT_CHARS),
        other=spot.ours,
        number=0 if changed is None else changed.number,
        turn="" if changed is None else text_of(changed),
    )


def fault_list(faults: Sequence[BoardFault], heading: Message) -> Iterator[Block]:
    """Yield what can't be on a board below a heading, if there is anything."""
    if faults:
        yield from paragraph(heading)
        yield Indented(tuple(map(fault, faults[:_MOST_LISTED])))


def fault(one: BoardFault) -> Message:
    """Say what can't be read on a board or can't be on it."""
    match one.name:
        case "line-missing":
            return message("tzaar_fault_line_missing", column=one.letter)
        case "line-twice":
            return message("tzaar_fault_line_twice", column=one.letter)
        case "ragged" if one.letter:
            return message("tzaar_fault_column_length", column=one.letter, count=one.count, most=one.most)
        case "ragged":
            return message("tzaar_fault_number_of_lines", count=one.count, most=one.most)
    return message("tzaar_fault_spot_unread", spot=one.spot.upper(), text=_cut(one.text, _MAX_FAULT_CHARS))


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 3]}..."
