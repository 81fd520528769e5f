"""Word what comes of comparing a player's board of Tak, or a proposed one, with the game."""

from collections.abc import Iterator, Mapping
from typing import Any

from takmail.blocks import Block, Blocks, Message, message, paragraph
from takmail.games.interface import Comparison
from takmail.games.kit.compared import compared_so_far, not_played, turn_list
from takmail.games.tak.compare.orientation import Orientation
from takmail.games.tak.wording.lists import fault_list, move_list, square_list, ways
from takmail.games.tak.wording.two_boards import two_boards
from takmail.games.wording import Boards, Sentences


class BoardWords:
    """The part of `TakWording` about comparing boards."""

    def compared(self, comparison: Comparison, boards: Boards) -> Blocks:
        """Explain the result of comparing boards."""
        facts: Mapping[str, Any] = comparison.facts
        is_of_two = comparison.how.startswith("two-")
        explained = two_boards(comparison, boards) if is_of_two else _compared(comparison)
        return (*explained, *compared_so_far(facts))

    def proposed(self, comparison: Comparison, *, is_yours: bool) -> Blocks:
        """Explain how a proposed board differs from the game."""
        return tuple(_proposed(comparison, is_yours=is_yours))


def _by_the_book(orientation: Orientation) -> Sentences:
    return (
        *((message("tak_by_the_book_squares", turn=orientation.turn),) if orientation.turn else ()),
        *((message("tak_by_the_book_colors"),) if orientation.swapped else ()),
        *((message("tak_by_the_book_stacks"),) if orientation.bottom_up else ()),
    )


def _compared(comparison: Comparison) -> Iterator[Block]:
    facts: Mapping[str, Any] = comparison.facts
    if comparison.how == "size":
        yield from paragraph(
            message("tak_board_of_other_size", rows=facts["rows"], spots=facts["spots"], size=facts["size"])
        )
        return
    yield from paragraph(*_yours(comparison))
    if comparison.how == "otherwise":
        yield from move_list(facts["others"])
    if comparison.how == "differs":
        yield from square_list(facts["squares"], "yours")
        if facts["capitals"]:
            yield from paragraph(message("capitals_of_phones"))
    yield from not_played(facts["not_played"] if comparison.how not in ("same", "ahead") else ())
    yield from fault_list(facts["faults"], message("tak_faults"))


def _yours(comparison: Comparison) -> Sentences:
    """Say what the reader's board is beside those of the game."""
    facts: Mapping[str, Any] = comparison.facts
    turn, is_current = facts["ply"], facts["ply"] == facts["now"]
    match comparison.how:
        case "same":
            return (message("your_board_is_same", turn=facts["now"]),)
        case "earlier":
            return (message("tak_board_earlier", turn=turn),)
        case "turned":
            way = facts["orientation"]
            said = message("tak_board_turned", turn=turn, is_current=is_current)
            return (said, *ways(way), *_by_the_book(way))
        case "ahead":
            return (message("tak_board_ahead", move=facts["move"]),)
        case "otherwise":
            first = facts["first"]
            return (
                message("tak_board_otherwise", turn=first.number, instead=first.instead, played=first.played),
            )
    assert comparison.how == "differs"
    if not facts["squares"]:
        return (message("tak_board_same_apart_from_faults", turn=turn, is_current=is_current),)
    way = facts["orientation"]
    near = message(
        "tak_board_near",
        turn=turn,
        is_current=is_current,
        count=len(facts["squares"]),
        is_turned=way is not None,
    )
    return (near, *ways(way))


def _proposed(comparison: Comparison, *, is_yours: bool) -> Iterator[Block]:
    facts: Mapping[str, Any] = comparison.facts
    yield from paragraph(*_is(comparison))
    if comparison.how == "otherwise":
        yield from move_list(facts["others"])
    if comparison.how == "differs":
        is_current = facts["ply"] == facts["now"]
        yield from square_list(facts["squares"], "proposed_now" if is_current else "proposed_then")
    missing = facts["not_played"] if comparison.how not in ("same", "ahead") else ()
    if missing:
        first, last = missing[0].number, missing[-1].number
        yield from paragraph(
            message("turns_not_on_proposed_board", count=len(missing), first=first, last=last)
        )
        yield from turn_list(missing)
    yield from paragraph(_advice(comparison, is_yours=is_yours))


def _is(comparison: Comparison) -> Sentences:
    """Say what a proposed board is beside those of the game."""
    facts: Mapping[str, Any] = comparison.facts
    turn, is_current = facts["ply"], facts["ply"] == facts["now"]
    match comparison.how:
        case "same":
            return (message("proposed_board_is_same"),)
        case "earlier":
            return (message("tak_proposed_earlier", turn=turn),)
        case "turned":
            way = facts["orientation"]
            said = message("tak_proposed_turned", turn=turn, is_current=is_current)
            return (said, *ways(way), *_by_the_book(way))
        case "ahead":
            return (message("tak_proposed_ahead", move=facts["move"]),)
        case "otherwise":
            first = facts["first"]
            return (
                message(
                    "tak_proposed_otherwise", turn=first.number, instead=first.instead, played=first.played
                ),
            )
    assert comparison.how == "differs"
    way = facts["orientation"]
    near = message(
        "tak_proposed_near" if way is None else "tak_proposed_near_turned",
        turn=turn,
        is_current=is_current,
        count=len(facts["squares"]),
    )
    return (near, *ways(way))


def _advice(comparison: Comparison, *, is_yours: bool) -> Message | None:
    """Say what may be better than the proposed board, None if nothing is."""
    if comparison.how == "earlier" and is_yours:
        turn = comparison.facts["ply"]
        if turn == 0:
            return message("tak_propose_restart_instead")
        return message("propose_back_is_enough", line=f"propose back {turn}")
    if comparison.facts.get("orientation") is not None:
        return message("withdraw_turned_board" if is_yours else "agree_to_turned_board")
    return None
