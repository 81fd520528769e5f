"""The words of Nim."""
# ruff: noqa: ARG002 - most of what letters ask does not depend on the game

from collections.abc import Mapping
from typing import Any

from takmail.blocks import Blocks, Indented, Message, Page, Text, message, paragraph
from takmail.games.choice import Choices
from takmail.games.interface import Check, Comparison, Effect, Reason, Seat, Touched
from takmail.games.kit.compared import WHOSE
from takmail.games.wording import Boards, Judged, Seen, Sentences, Wording
from tests.nim.notation import Setup

Facts = Mapping[str, Any]


class NimWording(Wording):
    """The words of Nim; `templates/en/nim.jinja` has the messages."""

    example = "new nim vs ben@example.org"
    seek_example = "seek nim"
    proposal = "propose board first"
    whose = "second to move"
    name = message("nim_name")
    orientation: Sentences = ()
    pieces = (message("nim_pieces"),)
    shape = (message("nim_shape"),)
    more_help = (("moves 2", message("nim_moves_of_a_heap")),)
    begins_anew = message("nim_begins_anew")
    record = message("nim_record")
    played_over = message("nim_played_over")

    def set_up(self, setup: str, *, is_relay: bool) -> tuple[Message, ...]:
        """Return the heaps, or say that they are drawn at acceptance."""
        heaps = Setup.of(setup.split()).heaps or ()
        return (message("nim_set_up", heaps="-".join(map(str, heaps)), is_relay=is_relay),)

    def about(self, seen: Seen, *, is_new: bool) -> Blocks:
        """Explain the game to who is new to it, and say which heaps there are."""
        facts: Any = seen.shown.facts
        drawn = message("nim_heaps", heaps=len(facts.heaps), stones=facts.stones) if facts.heaps else None
        return paragraph(message("nim_about") if is_new else None, drawn or message("nim_heaps_by_lot"))

    def sides(self, seen: Seen) -> Sentences:
        """Say who begins, and how many heaps there are."""
        facts: Any = seen.shown.facts
        return (message("nim_sides", is_yours=seen.shown.to_move == seen.you, heaps=len(facts.heaps)),)

    def rules(self, facts: object | None) -> Blocks:
        """Explain the rules."""
        return (Page(message("nim_rules")),)

    def side_line(self, seen: Seen, seat: Seat) -> Message:
        """Say who wins or is to move."""
        if seen.shown.result is not None:
            role = "winner" if seen.shown.result.winner == seat else ""
        else:
            role = "to_move" if seen.shown.to_move == seat else ""
        return message("nim_side", is_yours=seat == seen.you, role=role)

    def players(self, seen: Seen) -> Blocks:
        """Say who is first."""
        return paragraph(message("nim_players", is_first=seen.you is Seat.FIRST))

    def seats(self, names: tuple[str, str]) -> Message:
        """Say who is first."""
        return message("nim_seats", first=names[0], second=names[1])

    def legend(self, you: Seat | None) -> Sentences:
        """Explain the lines of a board."""
        return (message("nim_legend"),)

    def cell(self, content: str) -> Text:
        """Return the stones of a heap."""
        return content or message("nim_empty")

    def how(self, seen: Seen) -> Sentences:
        """Say how a turn is typed."""
        return (message("nim_how"),)

    def touch(self, seen: Seen) -> Sentences:
        """Say the same."""
        return (message("nim_how"),)

    def choices(self, group: Choices) -> Message:
        """Name the heap."""
        return message("nim_choices", place=group.facts["place"], height=group.facts["height"])

    def spelt(self, group: Choices) -> Message:
        """Say how the last link is typed."""
        return message("nim_spelt", name=group.turns[-1].name, line=group.turns[-1].typed)

    def untouched(self, group: Choices) -> Message:
        """Say what the turns are that are no links."""
        return message("nim_untouched", count=group.missing)

    def likely(self, seen: Seen, groups: tuple[Choices, ...]) -> Sentences:
        """Say what is listed."""
        return (message("nim_likely"),)

    def effect(self, seen: Seen) -> Sentences:
        """Say how many stones were taken."""
        assert seen.shown.effect is not None
        return self.offered(seen.shown.effect, seen.you)

    def offered(self, effect: Effect, you: Seat) -> Sentences:
        """Say the same of a turn that is offered."""
        if effect.name == "agreed":
            return (message("nim_heaps_agreed"),)
        facts: Facts = effect.facts
        yours = facts["mover"] == you
        return (message("nim_takes", is_yours=yours, count=facts["count"], place=facts["place"]),)

    def outcome(self, seen: Seen) -> Sentences:
        """Say who has won."""
        assert seen.shown.result is not None
        wins = seen.shown.result.winner == seen.you
        match seen.shown.result.how:
            case "last-stone":
                return (message("nim_last_stone", is_yours=wins),)
            case "resigned":
                return (message("you_win_by_resignation" if wins else "opponent_wins_by_resignation"),)
            case "time":
                return (message("you_win_on_time" if wins else "opponent_wins_on_time"),)
            case "agreed" if seen.shown.result.winner is None:
                return (message("draw_was_agreed"),)
        ruling = "draw" if seen.shown.result.winner is None else "win" if wins else "loss"
        return (message("nim_ruled", outcome=ruling, why=seen.why),)

    def result(self, seen: Seen) -> Sentences:
        """Say who has won, and the result."""
        assert seen.shown.result is not None
        return (self._ended(seen), message("result_is", score=seen.shown.result.score))

    def _ended(self, seen: Seen) -> Message:
        assert seen.shown.result is not None
        winner = seen.shown.result.winner
        if winner is None and seen.shown.result.how == "agreed":
            return message("game_is_drawn_by_agreement")
        if winner is not None and seen.shown.result.how == "last-stone":
            return message("nim_player_took_the_last_stone", winner=seen.names[winner])
        if winner is not None and seen.shown.result.how == "resigned":
            loser = seen.names[winner.other]
            return message("player_wins_by_resignation", winner=seen.names[winner], loser=loser)
        if winner is not None and seen.shown.result.how == "time":
            return message("player_wins_on_time", winner=seen.names[winner], loser=seen.names[winner.other])
        return message("game_is_ruled", winner="" if winner is None else seen.names[winner], why=seen.why)

    def score(self, seen: Seen) -> Sentences:
        """Say how many points there are."""
        assert seen.shown.result is not None
        assert seen.ended is not None
        score = seen.ended.score
        assert score is not None
        winner = seen.shown.result.winner
        if winner is None:
            return (message("draw_scores_nothing"),)
        return (message("nim_win_scores", is_yours=winner == seen.you, points=score.points[winner]),)

    def reason(self, reason: Reason) -> Sentences:
        """Word a reason by the message of its name, which takes some of its facts."""
        return (Message(f"nim_{reason.name.replace('-', '_')}", _taken(reason)),)

    def check(self, check: Check) -> Message:
        """Word a rule that was kept by the message of its name."""
        facts: Facts = check.facts
        match check.rule:
            case "heap-is-there":
                return message("nim_kept_heap_is_there", heaps=facts["heaps"], place=facts["place"])
            case "takes-a-stone":
                return message("nim_kept_takes_a_stone", count=facts["count"])
            case "heap-is-high-enough":
                return message("nim_kept_heap_is_high_enough", count=facts["count"], height=facts["height"])
        return message("nim_kept_game_goes_on")

    def ending(self, judged: Judged) -> Sentences:
        """Say who wins by the turn."""
        assert judged.result is not None
        player = "first" if judged.result.winner is Seat.FIRST else "second"
        return (message("nim_turn_wins", player=player),)

    def deciding(self, judged: Judged) -> Sentences:
        """Give the only rule that there is."""
        return (message("nim_rule"),)

    def touched(self, touched: Touched) -> Sentences:
        """Say what was taken."""
        count = touched.facts["count"]
        line = message(
            "nim_touched", place=touched.place, before=touched.before, count=count, after=touched.after
        )
        return (line,) if touched.reason is None else (line, message("rules_stop_it_here"))

    def compared(self, comparison: Comparison, boards: Boards) -> Blocks:
        """Say how heaps differ."""
        facts: Facts = comparison.facts
        match comparison.how:
            case "two":
                return paragraph(message("nim_two_boards", is_same=facts["is_same"]), *_each(facts, boards))
            case "size":
                return paragraph(message("nim_board_of_other_size", count=facts["count"]))
            case "same":
                return paragraph(message("your_board_is_same", turn=facts["turn"]))
            case "earlier":
                missing = facts["now"] - facts["turn"]
                return paragraph(message("nim_board_earlier", turn=facts["turn"], missing=missing))
        lines = (
            message("nim_heap_differs", place=place, yours=yours, mine=mine)
            for place, yours, mine in facts["heaps"]
        )
        return (*paragraph(message("nim_board_differs")), Indented(tuple(lines)))

    def proposed(self, comparison: Comparison, *, is_yours: bool) -> Blocks:
        """Say what the proposed heaps are."""
        turn = comparison.facts.get("turn")
        if comparison.how == "same":
            return paragraph(message("nim_proposed_same"))
        if comparison.how == "earlier":
            back = message("nim_propose_back", line=f"propose back {turn}") if is_yours and turn else None
            return paragraph(message("nim_proposed_earlier", turn=turn), back)
        return paragraph(message("nim_proposed_other"))


FACTS_OF_REASONS = {
    "no-such-heap": ("place",),
    "heap-is-gone": ("place",),
    "heap-too-low": ("place", "height", "count"),
    "no-turn": ("text",),
    "gives-it-away": ("turn",),
    "other-heaps": ("count",),
    "heap-has-grown": ("place",),
    "unknown-word": ("word",),
    "bad-heaps": ("text", "fewest", "most", "highest"),
}
"""The facts that the message of a reason takes, if it takes any."""


def _taken(reason: Reason) -> Facts:
    return {name: reason.facts[name] for name in FACTS_OF_REASONS.get(reason.name, ())}


def _each(facts: Facts, boards: Boards) -> Sentences:
    return tuple(
        message("nim_one_of_two", board=whose, how=one.how, turn=one.facts.get("turn", 0))
        for whose, one in zip(WHOSE[boards], facts["boards"], strict=True)
    )
