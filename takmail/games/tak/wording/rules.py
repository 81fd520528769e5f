"""Word the rules of Tak, and how a turn is held against them."""

from collections.abc import Mapping
from typing import Any

from takmail.blocks import Blocks, Message, Page, message, paragraph
from takmail.games.interface import Check, Touched
from takmail.games.tak.state import TakState
from takmail.games.tak.template_facts import RoadFacts
from takmail.games.tak.wording.coins import coins_moved
from takmail.games.tak.wording.sides import COLORS, agreed, tak_facts
from takmail.games.tak.wording.sources import ending_source, source
from takmail.games.wording import Judged, Sentences


class RuleWords:
    """The part of `TakWording` about rules and verdicts."""

    def rules(self, facts: object | None) -> Blocks:
        """Explain the rules in short, and what one game has beside them."""
        tak = None if facts is None else tak_facts(facts)
        if tak is not None and tak.coins:
            page = message("help_tak_university" if tak.coins == "university" else "help_tak_femr")
            points: Blocks = (*paragraph(message("tak_game_is_for_coins")), Page(page))
        else:
            points = paragraph(message("tak_rules_of_points"))
        unusual = () if tak is None else agreed(tak)
        return (
            Page(message("tak_rules")),
            *points,
            *paragraph(message("tak_rules_of_reserves"), *unusual),
        )

    def check(self, check: Check) -> Message:
        """Name a rule that a turn keeps, with what was looked at."""
        facts: Mapping[str, Any] = check.facts
        match check.rule:
            case "game-goes-on":
                return message("game_was_not_over")
            case "opening-places-a-flat":
                return message("tak_kept_opening", in_opening=facts["opening"])
            case "space-is-empty":
                return message("tak_kept_space_is_empty", square=facts["square"].upper())
            case "reserve-has-the-piece":
                return message(
                    "tak_kept_reserve", color=facts["color"], kind=facts["kind"], count=facts["left"]
                )
        return _check_of_a_move(check.rule, facts)

    def touched(self, touched: Touched) -> Sentences:
        """Say what a turn does to one square, and whether a rule stops it there."""
        said = _touched(touched)
        return (said,) if touched.reason is None else (said, message("rules_stop_it_here"))

    @property
    def played_over(self) -> Message:
        """That the game was played over from the empty board."""
        return message("tak_played_over")

    def ending(self, judged: Judged) -> Sentences:
        """Say how a turn that keeps the rules ends the game."""
        assert judged.result is not None
        facts: Mapping[str, Any] = judged.result.facts
        winner = "" if judged.result.winner is None else COLORS[judged.result.winner]
        if facts["roads"]:
            first, *others = facts["roads"]
            return (
                message("tak_makes_road", color=first.color, from_edge=first.start, squares=_squares(first)),
                *(
                    message(
                        "tak_makes_road_too",
                        color=road.color,
                        from_edge=road.start,
                        squares=_squares(road),
                    )
                    for road in others
                ),
                message("tak_ends_by_road", winner=winner, is_double=facts["double_road"]),
            )
        counted = message(
            "tak_ends_by_flats",
            ran_out=facts["ran_out"],
            white=facts["white_flats"],
            black=facts["black_flats"],
            komi="" if facts["komi"] == "0" else facts["komi"],
        )
        return (counted, message("tak_ends_with", winner=winner))

    def deciding(self, judged: Judged) -> Sentences:
        """Give the rule that a turn breaks, the one that ends the game, or the one most in doubt; and the coins."""
        return (*_rule(judged), *coins_moved(judged))


def _squares(road: RoadFacts) -> tuple[str, ...]:
    return tuple(square.upper() for square in road.squares)


def _rule(judged: Judged) -> Sentences:
    if judged.deciding is not None:
        return source(judged.deciding)
    if judged.result is not None:
        return ending_source(judged.result)
    assert isinstance(judged.before, TakState)
    placing = "opening-places-a-flat" if judged.before.facts().opening else "space-is-empty"
    doubtful = (check for check in judged.checks if check.rule in (placing, "way-is-free"))
    return tuple(sentence for check in doubtful for sentence in source(check))


def _check_of_a_move(rule: str, facts: Mapping[str, Any]) -> Message:
    match rule:
        case "opening-moves-nothing":
            return message("tak_kept_opening_is_over")
        case "stack-is-there":
            return message("tak_kept_stack_is_there", square=facts["square"].upper(), height=facts["height"])
        case "stack-is-controlled":
            return message(
                "tak_kept_stack_is_controlled",
                color=facts["color"],
                kind=facts["kind"],
                to_move=facts["to_move"],
            )
        case "each-space-gets-a-piece":
            return message("tak_kept_each_space")
        case "stack-is-high-enough":
            return message("tak_kept_stack_is_high_enough", count=facts["count"])
        case "hand-keeps-the-carry-limit":
            return message("tak_kept_carry_limit", limit=facts["limit"])
        case "line-stays-on-the-board":
            return message("tak_kept_line", direction=facts["direction"], room=facts["room"])
    assert rule == "way-is-free", rule
    walls = [space.square for space in facts["path"] if space.top == "wall"]
    if walls:
        return message("tak_kept_wall_is_flattened", square=walls[0].upper())
    return message("tak_kept_way_is_free")


def _touched(touched: Touched) -> Message:
    facts: Mapping[str, Any] = touched.facts
    square, before = touched.place.upper(), touched.before
    after = "" if touched.reason is not None else touched.after
    match touched.step:
        case "edge":
            return message(
                "tak_touched_edge", square=square, direction=facts["direction"], missing=facts["missing"]
            )
        case "placed":
            return message(
                "tak_touched_placed",
                square=square,
                before=before,
                color=facts["color"],
                kind=facts["kind"],
                piece=facts["piece"],
                after=after,
            )
        case "picked-up" if before == "0" and touched.reason is not None:
            return message("tak_touched_nothing_there", square=square)
        case "picked-up":
            return message(
                "tak_touched_picked_up",
                square=square,
                before=before,
                count=facts["count"],
                taken=facts["taken"],
                after=after,
            )
    if touched.reason is not None and touched.reason.name == "empty-drop":
        return message("tak_touched_no_drop", square=square, before=before)
    return message(
        "tak_touched_dropped",
        square=square,
        before=before,
        count=facts["count"],
        dropped=facts["dropped"],
        flattens=facts["flattens"],
        after=after,
    )
