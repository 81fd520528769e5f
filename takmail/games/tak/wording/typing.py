"""Word how turns of Tak are typed and touched, and which can be played."""

from takmail.blocks import Blocks, Cells, Message, TurnLinks, message, paragraph
from takmail.games.choice import Choices
from takmail.games.tak.choices import examples, likely_squares
from takmail.games.tak.moves import kinds_at_hand
from takmail.games.tak.notation.mail import LETTERS
from takmail.games.tak.pieces import Kind
from takmail.games.tak.state import TakState
from takmail.games.tak.wording.sides import tak_facts
from takmail.games.wording import Seen, Sentences


class TypingWords:
    """The part of `TakWording` about typing turns."""

    def how(self, seen: Seen) -> Sentences:
        """Say how the next turn is typed, by turns that can be played now."""
        places, stacks = _examples(seen)
        typed = {str(group.facts["piece"]): group.turns[0].typed for group in places}
        square = places[0].turns[0].typed[3:].upper()
        if tak_facts(seen.shown.facts).opening:
            return (message("tak_how_first", line=places[0].turns[0].typed, square=square),)
        placing = message(
            "tak_how_place",
            flat=typed.get("flat", ""),
            wall=typed.get("wall", ""),
            capstone=typed.get("capstone", ""),
            square=square,
        )
        return (placing, *(how_move(_state(seen), group.turns[0].typed) for group in stacks))

    def turn_example(self, seen: Seen) -> str:
        """Return a placement that can be played now."""
        return next(examples(_state(seen).position)).turns[0].typed

    def touch(self, seen: Seen) -> Sentences:
        """Say the same to a reader who can touch the squares of the board."""
        places, stacks = _examples(seen)
        line = places[0].turns[0].typed
        if tak_facts(seen.shown.facts).opening:
            return (message("tak_touch_first", line=line),)
        pieces = [group.facts["piece"] for group in places]
        at_hand = "capstones" if "flat" not in pieces else "both" if "capstone" in pieces else "stones"
        return (
            message("tak_touch_place", at_hand=at_hand, written=line[:2]),
            *((message("tak_touch_move"),) if stacks else ()),
            message("or_type_such_a_line", line=line),
        )

    def touch_also(self, seen: Seen) -> Blocks:
        """Return links that place a wall or a capstone on the likeliest squares, as a touched square places a flat.

        Their names end in the letter of the piece: a program may quote one on a line of its own, where "A3" is a turn.
        """
        position = _state(seen).position
        also = kinds_at_hand(position)[1:]
        squares = likely_squares(position) if also else ()
        return tuple(block for kind in also for block in _placed(kind, squares))

    def choices(self, group: Choices) -> Message:
        """Say what some choices are; it ends with a colon."""
        facts = group.facts
        if group.kind == "place":
            color = facts["color"] if facts["opening"] else ""
            return message("tak_choices_place", piece=facts["piece"], color=color)
        square = str(facts["square"]).upper()
        match group.kind:
            case "square":
                return message("tak_choices_square", square=square)
            case "stack" if group.missing:
                return message(
                    "tak_choices_stack_more",
                    square=square,
                    stack=facts["stack"],
                    count=group.count,
                    line=f"moves {group.place}",
                )
            case "stack":
                return message("tak_choices_stack", square=square, stack=facts["stack"])
            case _:
                assert group.kind == "spread", group.kind
                return message("tak_choices_spread", square=square, direction=facts["direction"])

    def spelt(self, group: Choices) -> Message:
        """Say how the links of one place are typed, for a reader who can't touch them."""
        if group.kind == "square":
            return message("they_are_typed", lines=tuple(choice.typed for choice in group.turns))
        last = group.turns[-1]
        return message("tak_spelt_spread", name=last.name, line=last.typed)

    def untouched(self, group: Choices) -> Message:
        """Say how the moves of a stack are typed that have no room as links."""
        return message("tak_untouched", count=group.missing)

    def likely(self, seen: Seen, groups: tuple[Choices, ...]) -> Sentences:  # noqa: ARG002
        """Say what the list of turns has if no square is named."""
        return (message("tak_likely"),)

    def likely_list(self, seen: Seen, groups: tuple[Choices, ...]) -> Blocks:  # noqa: ARG002
        """Return all turns of some groups, below what each of them is."""
        return tuple(block for group in groups for block in self._listed(group))

    def _listed(self, group: Choices) -> Blocks:
        return (*paragraph(self.choices(group)), Cells(tuple(one.typed for one in group.turns)))

    @property
    def more_help(self) -> tuple[tuple[str, Message], ...]:
        """The rows of Tak in the list of commands."""
        return (("help coins", message("tak_more_coins")), ("help tinue", message("tak_more_tinue")))

    def reads(self, value: object, *, is_chosen: bool) -> Sentences:
        """Say whether the reader's turns are read as PTN (the command `reads`)."""
        if is_chosen:
            return (message("tak_reads_from_now_on", reads_ptn=value),)
        return (message("tak_reads", reads_ptn=value),)


def _state(seen: Seen) -> TakState:
    assert isinstance(seen.shown.state, TakState)
    return seen.shown.state


def _placed(kind: Kind, squares: tuple[str, ...]) -> Blocks:
    letter = LETTERS[kind]
    return (
        *paragraph(message("tak_choices_place", piece=kind.value, color="")),
        TurnLinks(tuple([(f"{square.upper()}{letter}", f"p{letter} {square}") for square in squares])),
    )


def _examples(seen: Seen) -> tuple[list[Choices], list[Choices]]:
    """Return the examples that place a piece, and those that move a stack."""
    groups = _state(seen).examples
    return [group for group in groups if not group.place], [group for group in groups if group.place]


def how_move(state: TakState, typed: str) -> Message:
    """Explain how a move of a stack is typed."""
    effect = state.effect(typed)
    assert effect is not None
    move = effect.facts
    square, left = move["drops"][0]  # type: ignore[index]
    return message(
        "tak_how_move",
        line=typed,
        direction=move["direction"],
        start=str(move["start"]).upper(),
        count=move["count"],
        left=left,
        square=square.upper(),
    )
