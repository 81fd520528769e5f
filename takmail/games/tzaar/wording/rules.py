"""Word how a turn is held against the rules."""

from takmail.blocks import Message, message
from takmail.games.interface import Check, Touched
from takmail.games.tzaar.wording.data import Facts, spot_in
from takmail.games.wording import Judged, Sentences


def check(kept: Check) -> Message:
    """Name a rule that a turn keeps, with what was looked at."""
    facts: Facts = kept.facts
    match kept.rule:
        case "game-goes-on":
            return message("game_was_not_over")
        case "pieces-are-placed":
            return message("tzaar_kept_placing")
        case "spot-is-empty":
            return message("tzaar_kept_spot_is_empty", spot=spot_in(facts, "spot"))
        case "piece-is-left":
            return message(
                "tzaar_kept_piece_is_left", color=facts["to_move"], kind=facts["kind"], count=facts["left"]
            )
        case "first-action-captures":
            return message("tzaar_kept_first_captures")
        case "actions-are-as-many":
            return message("tzaar_kept_number_of_actions", how=_number_of_actions(facts))
    return _check_of_an_action(kept.rule, facts)


def _number_of_actions(facts: Facts) -> str:
    if facts["is_first_turn"]:
        return "first_turn"
    return "ends" if facts["actions"] == 1 else "two"


def _check_of_an_action(rule: str, facts: Facts) -> Message:
    number = facts["number"]
    match rule:
        case "stack-is-yours":
            return message(
                "tzaar_kept_stack_is_own",
                action=number,
                spot=spot_in(facts, "start"),
                color=facts["to_move"],
            )
        case "way-is-open":
            return message(
                "tzaar_kept_way_is_open",
                action=number,
                start=spot_in(facts, "start"),
                end=spot_in(facts, "end"),
                is_neighbour=not facts["passed"],
            )
        case "end-is-taken":
            return message("tzaar_kept_end_is_taken", action=number, end=spot_in(facts, "end"))
        case "act-fits-the-color":
            return message("tzaar_kept_color", action=number, color=facts["color"])
        case "strength-suffices" if facts["is_capture"]:
            return message("tzaar_kept_height", action=number, height=facts["height"], other=facts["other"])
        case "strength-suffices":
            return message("tzaar_kept_stacking", action=number)
    raise AssertionError(rule)


def ending(judged: Judged) -> Sentences:
    """Say how a turn that keeps the rules ends the game."""
    assert judged.result is not None
    facts: Facts = judged.result.facts
    if judged.result.how == "kind":
        return (message("tzaar_turn_wins_by_kind", winner=facts["winner"], kind=facts["kind"]),)
    return (message("tzaar_turn_wins_by_captures", winner=facts["winner"]),)


def deciding(judged: Judged) -> Sentences:
    """Give the rule that a turn breaks, the one by which it ends the game, or the last one that it was held against."""
    if judged.deciding is None and judged.result is not None:
        return (message("tzaar_rule_of_losing"),)
    return (rule_behind(judged.deciding or judged.checks[-1]),)


def rule_behind(checked: Check) -> Message:
    """Return the rule behind a check."""
    match checked.rule:
        case "game-goes-on":
            return message("tzaar_rule_of_the_end")
        case "pieces-are-placed" | "all-pieces-stand":
            return message("tzaar_rule_of_placing")
        case "spot-is-empty" | "piece-is-left":
            return message("tzaar_rule_of_empty_spots")
        case "first-action-captures":
            return message("tzaar_rule_of_first_actions")
        case "actions-are-as-many":
            return message("tzaar_rule_of_two_actions")
        case "stack-is-yours":
            return message("tzaar_rule_of_own_stacks")
        case "way-is-open":
            return message("tzaar_rule_of_ways")
        case "end-is-taken":
            return message("tzaar_rule_of_ends")
        case "act-fits-the-color":
            return message("tzaar_rule_of_colors")
        case "strength-suffices":
            is_capture = checked.facts["is_capture"]
            return message("tzaar_rule_of_heights" if is_capture else "tzaar_rule_of_stackings")
    raise AssertionError(checked.rule)


def touched(one: Touched) -> Sentences:
    """Say what a turn does to one spot, and whether a rule stops it there."""
    said = _touched(one)
    return (said,) if one.reason is None else (said, message("rules_stop_it_here"))


def _touched(one: Touched) -> Message:
    facts: Facts = one.facts
    spot, before, is_stopped = one.place.upper(), one.before, one.reason is not None
    after = "" if is_stopped else one.after
    match one.step:
        case "passed":
            return message("tzaar_pass_touches_nothing")
        case "placed":
            piece = facts["piece"]
            return message(
                "tzaar_touched_placed", spot=spot, before=before, piece=piece, is_stopped=is_stopped
            )
        case "left":
            end = spot_in(facts, "end")
            return message("tzaar_touched_left", spot=spot, before=before, end=end, is_stopped=is_stopped)
        case "captured":
            start = spot_in(facts, "start")
            return message("tzaar_touched_captured", spot=spot, before=before, start=start, after=after)
        case "stacked":
            start = spot_in(facts, "start")
            return message("tzaar_touched_stacked", spot=spot, before=before, start=start, after=after)
        case "stopped":
            return message("tzaar_touched_no_further", spot=spot, before=before)
    raise AssertionError(one.step)
