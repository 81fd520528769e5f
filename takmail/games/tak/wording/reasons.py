"""Word why a turn, a set-up, a board or a record of Tak is refused."""

from collections.abc import Mapping

from takmail.blocks import Message, Text, message
from takmail.games.interface import Reason
from takmail.games.tak.compare.faults import BoardFault
from takmail.games.wording import Sentences

PARAMETERS: Mapping[str, str] = {
    "opening-flat-only": "color",
    "opening-no-moves": "color",
    "space-taken": "square height color kind",
    "none-left": "color kind whole",
    "nothing-there": "square",
    "not-yours": "square color kind",
    "empty-drop": "step",
    "stack-too-low": "square count height",
    "over-carry-limit": "count limit",
    "off-the-edge": "square direction room spaces",
    "capstone-in-the-way": "square color",
    "wall-in-the-way": "square color",
    "wall-needs-capstone": "square color top",
    "wall-needs-lone-capstone": "square color dropped",
    "off-the-board": "square last",
    "drops-do-not-add-up": "count dropped",
    "drop-of-zero": "step",
    "pick-up-of-zero": "",
    "bare-number": "numbers",
    "count-missing": "square height",
    "extra-words": "words",
    "two-moves": "",
    "slip": "",
    "place-missing": "",
    "missing-piece": "square",
    "missing-direction": "square",
    "unknown-piece": "letter",
    "unknown-direction": "letter",
    "not-canonical": "text",
    "ptn-ply": "text",
    "count-without-direction": "text",
    "bad-size": "text smallest largest",
    "bad-komi": "text highest",
    "bad-score": "text",
    "caps-elsewhere": "size usual",
    "bad-caps": "text",
    "bad-rules": "text",
    "bad-calls": "text",
    "bad-bid": "text highest",
    "score-with-coins": "scoring",
    "calls-with-coins": "",
    "coins-need-board": "",
    "calls-need-board": "",
    "said-twice": "what word",
    "size-mismatch": "size rows",
    "text-too-long": "characters longest",
    "ptn-syntax": "line text",
    "after-the-result": "line text",
    "tps-form": "text",
    "tps-player": "text",
    "tps-move-number": "text",
    "board-size": "rows smallest largest",
    "row-length": "row spots size",
    "bad-spot": "row spot text",
    "buried-piece": "row spot text kind",
    "too-many-pieces": "color",
    "other-board-size": "rows spots size",
    "board-ends-the-game": "score",
}
"""The reasons whose facts are the parameters of their messages: those that the message takes, for each name.

The message of `stack-too-low` is `tak_stack_too_low`. `_computed` words all other reasons.
"""
_THINGS = (
    *("flat", "wall", "capstone", "north", "south", "east", "west"),
    *("corner", "centre", "top", "bottom", "row", "column"),
)
"""What the words of Tak name beside squares and numbers."""
_MAX_SHOWN = 60
"""The maximum number of characters of a stack that a line shows."""
_MAX_UNREADABLE = 30


class ReasonWords:
    """The part of `TakWording` about reasons."""

    def reason(self, reason: Reason) -> Sentences:
        """Say why a turn or a set-up was refused. It follows a colon, such as `Not done:`."""
        parameters = PARAMETERS.get(reason.name)
        if parameters is None:
            return _computed(reason)
        values = {name: _in_letters(name, reason.facts[name]) for name in parameters.split()}
        return (Message(f"tak_{reason.name.replace('-', '_')}", values),)


def faults(all_faults: tuple[BoardFault, ...]) -> Sentences:
    """Say what can't be on a board, a sentence for each fault."""
    return tuple(map(_fault, all_faults))


def shortened(text: str, longest: int = _MAX_SHOWN) -> str:
    """Return a text with an ellipsis in place of what is too long to be shown."""
    return text if len(text) <= longest else f"{text[: longest - 3]}..."


def _computed(reason: Reason) -> Sentences:
    facts = reason.facts
    match reason.name:
        case "game-over":
            score = str(facts["score"])
            outcome = "white" if score.endswith("-0") else "black" if score.startswith("0-") else "draw"
            is_by_road = facts["ended_by"] == "road"
            return (message("tak_game_over", outcome=outcome, score=score, is_by_road=is_by_road),)
        case "no-capstones-on-this-board":
            size = facts["size"]
            return (message("tak_no_capstones_on_this_board", size=size, is_agreed=size == 7),)
        case "nothing-fits":
            names = facts["names"]
            assert isinstance(names, tuple)
            return (message("tak_nothing_fits", names=tuple(map(_named, names))),)
        case "result-mismatch":
            recorded, by_rules = facts["recorded"], facts["by_rules"]
            return (message("record_has_other_result", recorded=recorded, by_rules=by_rules),)
        case "square-incomplete":
            return (message("tak_square_incomplete", text=facts["square"]),)
        case "unknown-word":
            word = str(facts["word"])
            if word.startswith("bid="):
                return (message("tak_bid_beforehand"),)
            return (message("tak_unknown_word", word=word),)
        case _:
            assert reason.name == "impossible-board", reason.name
            found = facts["faults"]
            assert isinstance(found, tuple)
            return (message("tak_impossible_board"), *faults(found))


def _named(name: str) -> Text:
    """Return a piece or a way by its name, and a square or a number as it is."""
    return message("tak_thing_named", thing=name) if name in _THINGS else name


def _in_letters(name: str, value: object) -> object:
    """Return a fact as letters show it: squares in capitals."""
    return value.upper() if name in ("square", "last") and isinstance(value, str) else value


def _fault(fault: BoardFault) -> Message:
    square, squares = fault.square.upper(), tuple(one.upper() for one in fault.squares)
    match fault.name:
        case "ragged":
            return message("tak_fault_ragged", row=fault.row, spots=fault.count, most=fault.most)
        case "unreadable":
            return message("tak_fault_unreadable", square=square, text=shortened(fault.text, _MAX_UNREADABLE))
        case "buried":
            return message("tak_fault_buried", square=square, text=shortened(fault.text), kind=fault.kind)
        case _ if not squares:
            return message(
                "tak_fault_too_many", count=fault.count, color=fault.color, kind=fault.kind, most=fault.most
            )
        case _:
            return message(
                "tak_fault_surplus_at" if fault.is_surplus else "tak_fault_too_many_at",
                count=fault.count,
                color=fault.color,
                kind=fault.kind,
                most=fault.most,
                squares=squares,
            )
