"""Word two boards: what they are to each other, and each to the log."""

from collections.abc import Iterator

from takmail.blocks import Message, message
from takmail.games.interface import Comparison
from takmail.games.kit.compared import WHOSE
from takmail.games.tzaar.wording.data import Facts
from takmail.games.wording import Boards


def two_boards(comparison: Comparison, boards: Boards) -> Iterator[Message]:
    """Yield what two boards are to each other, and what each of them is to the log."""
    facts: Facts = comparison.facts
    if comparison.how == "two-same":
        yield message("two_boards_are_same")
        if facts["agrees"] == "both":
            yield message("two_boards_agree", turn=facts["now"])
        else:
            yield _standing("each", facts["one"])
        return
    if comparison.how == "two-size":
        yield message("tzaar_two_boards_not_whole")
    elif facts["spots"]:
        yield message("tzaar_two_boards_differ", count=len(facts["spots"]))
    else:
        yield message("two_boards_are_same_apart_from_faults")
    first, second = WHOSE[boards]
    yield _standing(first, facts["one"])
    yield _standing(second, facts["other"])


def _standing(board: str, comparison: Comparison) -> Message:
    """Say what one board is to the log."""
    facts: Facts = comparison.facts
    match comparison.how:
        case "same":
            return message("one_board_agrees", board=board, turn=facts["now"])
        case "earlier":
            missing = facts["not_played"]
            return message(
                "tzaar_one_is_earlier",
                board=board,
                turn=facts["ply"],
                count=len(missing),
                first=missing[0].number,
                last=missing[-1].number,
            )
        case "turned":
            return message("tzaar_one_is_turned", board=board, turn=facts["ply"], way=facts["way"])
        case "ahead":
            return message("tzaar_one_is_ahead", board=board, move=facts["move"])
        case "otherwise":
            first = facts["first"]
            return message(
                "tzaar_one_is_otherwise",
                board=board,
                turn=first.number,
                instead=first.instead,
                played=first.played,
            )
        case "size":
            return message("tzaar_one_is_not_whole", board=board)
        case "differs" if not facts["spots"]:
            return message("tzaar_one_would_be", board=board, turn=facts["ply"])
        case "differs":
            count = len(facts["spots"])
            return message("tzaar_one_is_near", board=board, turn=facts["ply"], count=count)
    raise AssertionError(comparison.how)
