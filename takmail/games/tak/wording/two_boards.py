"""Word how two boards of Tak differ, and what each of them is to the log."""

from collections.abc import Iterator, Mapping
from typing import Any

from takmail.blocks import Block, Message, message, paragraph
from takmail.games.interface import Comparison
from takmail.games.kit.compared import MARKS, WHOSE
from takmail.games.tak.wording.lists import fault_list, square_list, ways
from takmail.games.wording import Boards, Sentences

_RIGHT = (("same", "earlier"), ("earlier", "same"), ("earlier", "earlier"))
"""What two boards are to the log if both are right, but of different turns."""


def two_boards(comparison: Comparison, boards: Boards) -> Iterator[Block]:
    """Yield how two boards differ, and which of them agrees with the log."""
    facts: Mapping[str, Any] = comparison.facts
    if comparison.how == "two-size":
        sizes = (
            message("tak_one_has_size", board=board, rows=size.rows, spots=size.spots)
            for board, size in zip(WHOSE[boards], facts["boards"], strict=True)
        )
        yield from paragraph(*sizes, message("tak_game_has_size", size=facts["size"]))
        return
    if comparison.how == "two-same":
        yield from paragraph(message("two_boards_are_same"), *_both(facts))
    else:
        yield from paragraph(*_differing(comparison), *_each(facts, boards))
        if _is_of_two_turns(facts):
            yield from paragraph(message("tak_so_squares_differ", count=len(facts["squares"])))
    yield from square_list(facts["squares"], MARKS[boards])
    for board, faults in zip(WHOSE[boards], facts["faults"], strict=True):
        yield from fault_list(faults, message("tak_faults_of_one", board=board))


def _both(facts: Mapping[str, Any]) -> Sentences:
    """Say what two boards that are the same are to the log."""
    if facts["agrees"] == "both":
        return (message("two_boards_agree", turn=facts["now"]),)
    return _standing("each", facts["one"])


def _each(facts: Mapping[str, Any], boards: Boards) -> Sentences:
    """Say what each of two boards is to the log."""
    first, second = WHOSE[boards]
    return (*_standing(first, facts["one"]), *_standing(second, facts["other"]))


def _differing(comparison: Comparison) -> Sentences:
    """Say what two boards that are not the same are to each other."""
    facts: Mapping[str, Any] = comparison.facts
    way = ways(facts["orientation"])
    if comparison.how == "two-turned":
        second = (message("tak_second_board_is_turned"), *way) if way else ()
        return (message("tak_two_boards_written_in_two_ways"), *second)
    if _is_of_two_turns(facts):
        return (message("tak_two_boards_of_two_turns"),)
    if not facts["squares"]:
        return (message("two_boards_are_same_apart_from_faults"),)
    lie = "turned" if way else "righted" if facts["righted"] else ""
    return (message("tak_two_boards_differ", count=len(facts["squares"]), way=lie), *way)


def _is_of_two_turns(facts: Mapping[str, Any]) -> bool:
    return bool(facts["squares"]) and (facts["one"].how, facts["other"].how) in _RIGHT


def _standing(board: str, comparison: Comparison) -> Sentences:
    """Say what one board is to the log."""
    return (_place(board, comparison), *(_ways(comparison) if comparison.how == "turned" else ()))


def _ways(comparison: Comparison) -> Sentences:
    facts: Mapping[str, Any] = comparison.facts
    return ways(facts["orientation"])


def _place(board: str, comparison: Comparison) -> Message:
    facts: Mapping[str, Any] = comparison.facts
    match comparison.how:
        case "same":
            return message("one_board_agrees", board=board, turn=facts["now"])
        case "earlier":
            missing = facts["not_played"]
            return message(
                "tak_one_is_earlier",
                board=board,
                turn=facts["ply"],
                count=len(missing),
                first=missing[0].number,
                last=missing[-1].number,
            )
        case "turned":
            return message("tak_one_is_turned", board=board, turn=facts["ply"])
        case "ahead":
            return message("tak_one_is_ahead", board=board, move=facts["move"])
        case "otherwise":
            first = facts["first"]
            return message(
                "tak_one_is_otherwise",
                board=board,
                turn=first.number,
                instead=first.instead,
                played=first.played,
            )
    assert comparison.how == "differs"
    if not facts["squares"]:
        return message("tak_one_would_be", board=board, turn=facts["ply"])
    return message("tak_one_is_near", board=board, turn=facts["ply"], count=len(facts["squares"]))
