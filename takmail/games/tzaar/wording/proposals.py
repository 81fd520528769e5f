"""Word how a proposed board differs from the game."""

from collections.abc import Iterator

from takmail.blocks import Block, Blocks, Message, message, paragraph
from takmail.games.interface import Comparison
from takmail.games.kit.compared import turn_list
from takmail.games.tzaar.wording.boards import spot_list
from takmail.games.tzaar.wording.data import Facts


def proposed(comparison: Comparison, *, is_yours: bool) -> Blocks:
    """Explain how a proposed board differs from the game."""
    return tuple(_proposed(comparison, is_yours=is_yours))


def _proposed(comparison: Comparison, *, is_yours: bool) -> Iterator[Block]:
    facts: Facts = comparison.facts
    missing = facts["not_played"] if comparison.how not in ("same", "ahead") else ()
    heading = (
        message(
            "turns_not_on_proposed_board",
            count=len(missing),
            first=missing[0].number,
            last=missing[-1].number,
        )
        if missing
        else None
    )
    yield from paragraph(_is(comparison), heading)
    yield from turn_list(missing)
    yield from paragraph(_advice(comparison, is_yours=is_yours))
    if comparison.how == "differs":
        is_current = facts["ply"] == facts["now"]
        yield from spot_list(facts["spots"], "proposed_now" if is_current else "proposed_then")


def _is(comparison: Comparison) -> Message:
    """Say what a proposed board is beside those of the game."""
    facts: Facts = comparison.facts
    turn, is_current = facts["ply"], facts["ply"] == facts["now"]
    match comparison.how:
        case "same":
            return message("proposed_board_is_same")
        case "earlier":
            return message("tzaar_proposed_earlier", turn=turn, is_current=is_current)
        case "turned":
            return message("tzaar_proposed_turned", turn=turn, is_current=is_current, way=facts["way"])
        case "ahead":
            return message("tzaar_proposed_ahead", move=facts["move"])
        case "otherwise":
            first = facts["first"]
            return message(
                "tzaar_proposed_otherwise", turn=first.number, instead=first.instead, played=first.played
            )
        case "differs":
            count = len(facts["spots"])
            return message("tzaar_proposed_near", turn=turn, is_current=is_current, count=count)
    raise AssertionError(comparison.how)


def _advice(comparison: Comparison, *, is_yours: bool) -> Message | None:
    """Say what may be better than the proposed board, None if nothing is."""
    turn = comparison.facts.get("ply")
    match comparison.how:
        case "earlier" if is_yours and turn == 0:
            return message("tzaar_propose_restart_instead")
        case "earlier" if is_yours:
            return message("propose_back_is_enough", line=f"propose back {turn}")
        case "turned":
            return message("withdraw_turned_board" if is_yours else "agree_to_turned_board")
    return None
