"""Quote the rules of Tak behind a check, and behind the end of a game."""

from collections.abc import Mapping
from typing import Any

from takmail.blocks import Message, message
from takmail.games.interface import Check, Result
from takmail.games.wording import Sentences


def source(check: Check) -> Sentences:
    """Return the rule behind a check in its own words, and what beside the rules is the players' convention."""
    match check.rule:
        case "game-goes-on":
            return _of_the_end(check)
        case "opening-places-a-flat":
            return (message("tak_rule_of_first_flats"),)
        case "opening-moves-nothing":
            return (message("tak_rule_of_first_turns"),)
        case "space-is-empty":
            return (message("tak_rule_of_empty_spaces"),)
        case "reserve-has-the-piece":
            return (message("tak_rule_of_reserves"), *_table_of_reserves(check))
        case "stack-is-there":
            return (message("tak_rule_of_stacks"),)
        case "stack-is-controlled":
            return (message("tak_rule_of_control"),)
        case "each-space-gets-a-piece":
            return (message("tak_rule_of_drops"),)
        case "stack-is-high-enough":
            return (message("tak_rule_of_moves"),)
        case "hand-keeps-the-carry-limit":
            return (message("tak_rule_of_the_carry_limit"),)
        case "line-stays-on-the-board":
            return (message("tak_rule_of_drops"), message("tak_rule_of_edges"))
    assert check.rule == "way-is-free", check.rule
    return (_of_the_way(check),)


def ending_source(result: Result) -> Sentences:
    """Return the rule by which a turn ends the game, in its own words."""
    facts: Mapping[str, Any] = result.facts
    if facts["double_road"]:
        return (message("tak_rule_of_double_roads"),)
    if facts["roads"]:
        return (message("tak_rule_of_roads"),)
    flats = message("tak_rule_of_draws" if result.winner is None else "tak_rule_of_flat_wins")
    return (flats, *_komi(facts))


def _of_the_end(check: Check) -> Sentences:
    if check.reason is None:
        return (message("tak_rule_of_the_end"),)
    if check.reason.facts["ended_by"] == "road":
        return (message("tak_rule_of_roads"),)
    return (message("tak_rule_of_flat_wins"), *_komi(check.facts))


def _komi(facts: Mapping[str, object]) -> Sentences:
    return (message("tak_rule_of_komi"),) if facts["komi"] != "0" else ()


def _table_of_reserves(check: Check) -> Sentences:
    """Say what the rules' table of pieces says if it decides."""
    size = check.facts["size"]
    if size == 7:
        return (message("tak_rule_of_reserves_on_7x7"),)
    if check.reason is None:
        return ()
    if check.reason.name == "no-capstones-on-this-board":
        return (message("tak_table_says_capstones", size=size, count=0),)
    if check.reason.name == "none-left":
        is_capstone = check.facts["kind"] == "capstone"
        return (
            message(
                "tak_table_says_capstones" if is_capstone else "tak_table_says_stones",
                size=size,
                count=check.reason.facts["whole"],
            ),
        )
    return ()


def _of_the_way(check: Check) -> Message:
    facts: Mapping[str, Any] = check.facts
    name = "" if check.reason is None else check.reason.name
    if name == "wall-needs-lone-capstone" or (name == "wall-in-the-way" and facts["top"] == "capstone"):
        return message("tak_rule_of_lone_capstones")
    flattens = check.reason is None and any(space.top == "wall" for space in facts["path"])
    if name == "wall-needs-capstone" or flattens:
        return message("tak_rule_of_flattening")
    return message("tak_rule_of_covering")
