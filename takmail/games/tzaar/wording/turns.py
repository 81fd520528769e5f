"""Word how turns are typed and touched, and what can be played."""

from takmail.blocks import Blocks, Cells, Indented, Message, message
from takmail.games.choice import Choices
from takmail.games.tzaar.wording.data import Facts, data_of, kind_of, spot_in
from takmail.games.wording import Seen, Sentences


def how(seen: Seen) -> Sentences:
    """Say how the next turn is typed, by turns that can be played now."""
    facts = data_of(seen.shown.facts)
    typed = facts.examples
    if facts.is_placing:
        placings = (message("tzaar_typed_placing", line=line, kind=kind_of(line)) for line in typed)
        return (message("tzaar_how_to_place"), *placings)
    first = typed[0]
    if facts.is_first:
        start, end = _spots(first)
        return (message("tzaar_how_to_begin", line=first, start=start, end=end),)
    if _wins(first):
        return (message("tzaar_how_to_win", line=first),)
    seconds = (message("tzaar_typed_second", line=line, act=_second(line)) for line in typed[1:2])
    return (message("tzaar_how_to_play"), message("tzaar_typed_pass", line=first), *seconds)


def turn_example(seen: Seen) -> str:
    """Return a turn that can be played now."""
    return data_of(seen.shown.facts).examples[0]


def touch(seen: Seen) -> Sentences:
    """Say the same to a reader who can touch the spots of the board."""
    facts = data_of(seen.shown.facts)
    typed = facts.examples
    or_type = message("or_type_such_a_line", line=typed[0])
    if facts.is_placing:
        return (*_touch_to_place(typed), or_type)
    if facts.is_first:
        return (message("tzaar_touch_to_begin"), or_type, message("tzaar_first_turn_is_one_capture"))
    if _wins(typed[0]):
        return (message("tzaar_each_capture_wins"), message("tzaar_touch_to_begin"), or_type)
    second = message("tzaar_second_for_pass", line=typed[1] if len(typed) > 1 else "")
    return (message("tzaar_touch_to_play"), second, message("tzaar_or_type_it"))


def _touch_to_place(typed: tuple[str, ...]) -> Sentences:
    if len(typed) == 1:
        return (message("tzaar_touch_to_place_the_last", kind=kind_of(typed[0])),)
    words = (message("tzaar_placing_word", word=line[:2], kind=kind_of(line)) for line in typed)
    return (message("tzaar_touch_to_place"), *words)


def _wins(line: str) -> bool:
    """Return whether an example is a capture that wins. Only if there is no other is it one action."""
    return not line.endswith("pass")


def _spots(line: str) -> tuple[str, str]:
    """Return the spots of the first action of a turn."""
    _, start, end, *_ = line.upper().split()
    return start, end


def _second(line: str) -> str:
    return "stack" if " s " in line else "capture"


def choices(group: Choices) -> Message:
    """Say what some choices are."""
    facts, spot = group.facts, spot_in(group.facts, "spot")
    match group.kind:
        case "spot":
            return message("tzaar_choices_on_empty_spot", spot=spot)
        case "capture":
            return message("tzaar_choices_captures", spot=spot, stack=facts["stack"])
        case "again":
            return message("tzaar_choices_captures_again", spot=spot)
        case "then-stack":
            return message("tzaar_choices_then_stacks", spot=spot)
        case "second":
            return message("tzaar_choices_second", spot=spot, first=facts["first"])
    raise AssertionError(group.kind)


def spelt(group: Choices) -> Message:
    """Say how the links of one spot are typed."""
    if group.kind == "spot":
        return message("they_are_typed", lines=tuple(one.typed for one in group.turns))
    last = group.turns[-1]
    return message("tzaar_spelt", name=last.name, line=last.typed)


def likely(seen: Seen, groups: tuple[Choices, ...]) -> Sentences:
    """Say what the list of `moves` has, and how one of its turns is typed."""
    facts = data_of(seen.shown.facts)
    line = facts.examples[0]
    if facts.is_placing:
        return (
            message("tzaar_likely_placings", line=line),
            *(
                message(
                    "tzaar_likely_placing",
                    word=group.turns[0].typed[:2],
                    kind=group.facts["kind"],
                    count=group.facts["left"],
                )
                for group in groups
            ),
        )
    start, end = _spots(line)
    captures = message("tzaar_likely_captures", start=start, end=end, line=line)
    if _wins(line):
        return (captures,)
    return (captures, message("tzaar_likely_seconds", start=start, line=f"moves {start.lower()}"))


def likely_list(seen: Seen, groups: tuple[Choices, ...]) -> Blocks:
    """List the spots where pieces can be placed, or what each stack captures."""
    if data_of(seen.shown.facts).is_placing:
        spots: Facts = groups[0].facts
        return (Cells(spots["spots"]),)
    return (Indented(tuple(map(_captures, groups))),)


def _captures(group: Choices) -> Message:
    facts: Facts = group.facts
    ends = tuple(spot.upper() for spot in facts["ends"])
    return message("tzaar_captures_of_stack", spot=spot_in(facts, "spot"), stack=facts["stack"], ends=ends)
