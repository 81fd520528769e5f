"""Word why a turn, a set-up, a board or a record was refused, or is asked about."""

from takmail.blocks import Message, Text, message
from takmail.games.interface import Reason
from takmail.games.tzaar.pieces import Kind
from takmail.games.tzaar.wording.boards import fault
from takmail.games.tzaar.wording.data import Facts, spot_in
from takmail.games.tzaar.wording.records import reason_of_a_record
from takmail.games.wording import Sentences

_MOST_FAULTS = 8
_KINDS = tuple(kind.word for kind in Kind)


def reason_sentences(reason: Reason) -> Sentences:
    """Say why something was refused, behind a colon."""
    if reason.name == "impossible-board":
        faults = reason.facts["faults"][:_MOST_FAULTS]  # type: ignore[index]
        return (message("tzaar_board_unread"), *map(fault, faults))
    return (_reason(reason.name, reason.facts),)


def _reason(name: str, facts: Facts) -> Message:
    for group in (_of_rules, _of_an_action, _of_a_line, _of_a_set_up, reason_of_a_record):
        found = group(name, facts)
        if found is not None:
            return found
    raise AssertionError(name)


def _of_rules(name: str, facts: Facts) -> Message | None:
    """Word what stops a turn, whatever its stacks are."""
    match name:
        case "over":
            return message("tzaar_is_over", winner=facts["winner"], score=facts["score"], kind=facts["kind"])
        case "over-after-first":
            return message(
                "tzaar_over_after_first",
                line=facts["first"],
                winner=facts["winner"],
                score=facts["score"],
                kind=facts["kind"],
            )
        case "first-must-capture" if facts["is_pass"]:
            return message("tzaar_first_is_no_pass")
        case "first-must-capture":
            return message("tzaar_first_must_capture", line=facts["action"])
        case "second-missing":
            return message("tzaar_second_missing", line=facts["first"])
        case "one-action":
            return message("tzaar_one_action")
        case "must-place":
            return message("tzaar_must_place")
        case "nothing-to-place":
            return message("tzaar_nothing_to_place")
        case "none-left":
            return message("tzaar_none_left", color=facts["color"], kind=facts["kind"], count=facts["count"])
    return None


def _no_such_spot(facts: Facts) -> Message:
    if facts["spot"] == "e9":
        return message("tzaar_no_e9")
    last = (facts["last"] or "").upper()
    return message("tzaar_no_such_spot", spot=spot_in(facts, "spot"), column=last[:1], last=last[1:])


def _captures_own(facts: Facts) -> Message:
    return message(
        "tzaar_captures_own",
        end=spot_in(facts, "end"),
        stack=facts["stack"],
        line=facts["fix"],
        is_first=facts.get("is_first", False),
    )


def _of_an_action(name: str, facts: Facts) -> Message | None:
    """Word what is wrong with the spots of an action."""
    match name:
        case "no-such-spot":
            return _no_such_spot(facts)
        case "not-yours":
            return _not_yours(facts)
        case "nothing-stands":
            return message("tzaar_nothing_to_move", spot=spot_in(facts, "spot"))
        case "empty":
            beyond = (facts["beyond"] or "").upper()
            return message("tzaar_end_is_empty", end=spot_in(facts, "end"), beyond=beyond)
        case "not-in-line" if facts["start"] == facts["end"]:
            return message("tzaar_same_spot", spot=spot_in(facts, "start"))
        case "not-in-line":
            return message("tzaar_not_in_line", start=spot_in(facts, "start"), end=spot_in(facts, "end"))
        case "in-the-way":
            return message(
                "tzaar_in_the_way",
                color=facts["color"],
                kind=facts["kind"],
                height=facts["height"],
                spot=spot_in(facts, "spot"),
                start=spot_in(facts, "start"),
                end=spot_in(facts, "end"),
            )
        case "over-the-centre":
            return message("tzaar_over_the_centre", start=spot_in(facts, "start"), end=spot_in(facts, "end"))
        case "own-piece":
            return _captures_own(facts)
        case "not-own-piece":
            end, stack, line = spot_in(facts, "end"), facts["stack"], facts["fix"]
            return message("tzaar_stacks_on_opponents", end=end, stack=stack, line=line)
        case "too-tall":
            return message(
                "tzaar_too_tall",
                start=spot_in(facts, "start"),
                end=spot_in(facts, "end"),
                height=facts["height"],
                other=facts["other"],
            )
        case "taken":
            spot, color, kind = spot_in(facts, "spot"), facts["color"], facts["kind"]
            return message("tzaar_spot_is_taken", spot=spot, color=color, kind=kind, height=facts["height"])
        case "covers-last":
            return message("tzaar_covers_last", kind=facts["kind"], spot=spot_in(facts, "spot"))
    return None


def _not_yours(facts: Facts) -> Message:
    spot = spot_in(facts, "spot")
    if "color" in facts:
        return message(
            "tzaar_stack_is_not_yours",
            spot=spot,
            color=facts["color"],
            kind=facts["kind"],
            height=facts["height"],
            to_move=facts["to_move"],
        )
    if "moved_to" in facts:
        return message("tzaar_stack_has_moved_away", spot=spot, moved_to=spot_in(facts, "moved_to"))
    return message("tzaar_nothing_stands_there", spot=spot)


def _named(name: str) -> Text:
    """Return a kind of piece by its name, and a spot or a number as it is."""
    return message("tzaar_kind_named", kind=name) if name in _KINDS else name


def _of_a_line(name: str, facts: Facts) -> Message | None:
    """Word what is wrong with how a turn is typed."""
    match name:
        case "second-unclear":
            return message("tzaar_second_unclear", line=facts["first"], words=facts["words"])
        case "either-act":
            return message(
                "tzaar_capture_or_stacking", start=spot_in(facts, "start"), end=spot_in(facts, "end")
            )
        case "one-placing":
            return message("tzaar_one_placing")
        case "mixed-actions":
            return message("tzaar_mixed_actions")
        case "too-many-actions":
            return message("tzaar_too_many_actions", count=facts["count"])
        case "extra-words":
            return message("tzaar_extra_words", words=facts["words"])
        case "slip":
            return message("tzaar_slip")
        case "nothing-fits":
            return message("tzaar_nothing_fits", names=tuple(map(_named, facts["names"])))
        case "place-missing":
            return message("tzaar_spot_missing")
        case "not-canonical":
            return message("tzaar_not_canonical", text=facts["text"])
    return None


def _of_a_set_up(name: str, facts: Facts) -> Message | None:
    """Word what is wrong with a set-up, a position or an agreed board."""
    match name:
        case "unknown-word":
            return message("tzaar_unknown_word", word=facts["word"])
        case "said-twice":
            return message("tzaar_set_up_said_twice", word=facts["word"])
        case "bad-start":
            return message("tzaar_bad_start", text=facts["text"])
        case "bad-position":
            return message("tzaar_bad_position", text=facts["text"])
        case "too-many-pieces":
            return message(
                "tzaar_too_many_pieces",
                color=facts["color"],
                kind=facts["kind"],
                count=facts["count"],
                most=facts["most"],
            )
        case "placing-over":
            return message("tzaar_placing_is_over")
        case "placing-stack":
            spot = spot_in(facts, "spot")
            return message("tzaar_no_stacks_while_placing", spot=spot, height=facts["height"])
        case "placing-none-left":
            return message("tzaar_placing_has_none_left", color=facts["color"])
        case "board-ends-the-game":
            return message(
                "tzaar_board_ends_the_game",
                winner=facts["winner"],
                score=facts["score"],
                kind=facts["kind"],
            )
    return None
