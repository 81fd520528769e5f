"""The words of TZAAR, as the letters of every game ask for them."""

from takmail.blocks import Blocks, Message, Page, Text, message
from takmail.games.choice import Choices
from takmail.games.interface import Check, Comparison, Effect, Reason, Seat, Touched
from takmail.games.tzaar.setup import layout_of
from takmail.games.tzaar.wording import board, boards, events, proposals, reasons, rules, turns
from takmail.games.wording import Boards, Judged, Seen, Sentences, Wording


class TzaarWording(Wording):
    """The words of TZAAR. `templates/en/tzaar*.jinja` has the messages."""

    example = "new tzaar vs ben@example.org"
    seek_example = "seek tzaar"
    proposal = "propose board white"
    whose = "white to move"
    title_names_game = True

    @property
    def name(self) -> Message:
        """The name of the game."""
        return message("tzaar_name")

    def set_up(self, setup: str, *, is_relay: bool) -> tuple[Message, ...]:
        """Say how the board is filled."""
        return (message("tzaar_set_up", layout=layout_of(setup).value, is_relay=is_relay),)

    def title(self, setup: str, *, is_relay: bool) -> tuple[Message, ...]:
        """Say the same with the name of the game."""
        return (message("tzaar_title", layout=layout_of(setup).value, is_relay=is_relay),)

    def about(self, seen: Seen, *, is_new: bool) -> Blocks:
        """Explain the game and its set-up to somebody who is invited."""
        return board.about(seen, is_new=is_new)

    def asked(self, facts: object) -> Sentences:
        """Tell the host how long a tournament takes."""
        return board.asked(facts)

    def sides(self, seen: Seen) -> Sentences:
        """Say which colour the reader plays, and who begins."""
        return board.sides(seen)

    def rules(self, facts: object | None) -> Blocks:  # noqa: ARG002
        """Explain the rules in short. They are the same in all games."""
        return (Page(message("tzaar_rules")),)

    def side_line(self, seen: Seen, seat: Seat) -> Message:
        """Describe one side of the board shown, in a line."""
        return board.side_line(seen, seat)

    def players(self, seen: Seen) -> Blocks:
        """Say who plays which colour, and show the board of the beginning until the first turn."""
        return board.players(seen)

    def seats(self, names: tuple[str, str]) -> Message:
        """Say who plays which colour, to nobody in particular."""
        return message("players_by_color", white=names[0], black=names[1])

    @property
    def orientation(self) -> Sentences:
        """Say where the first spot of a board is."""
        return (message("tzaar_orientation"),)

    def legend(self, you: Seat | None) -> Sentences:
        """Explain the letters of a board."""
        return board.legend(you)

    @property
    def pieces(self) -> Sentences:
        """Explain how the pieces look in pictures."""
        return (message("tzaar_pieces"),)

    def position(self, seen: Seen) -> Blocks:
        """Return the position on one line, for programs."""
        return board.position(seen)

    def cell(self, content: str) -> Text:
        """Say what stands on a spot, as a board in letters has it and in words."""
        return board.spot_has(content)

    @property
    def shape(self) -> Sentences:
        """Say how somebody writes their own board."""
        return (message("tzaar_shape"),)

    def how(self, seen: Seen) -> Sentences:
        """Say how the next turn is typed, by turns that can be played now."""
        return turns.how(seen)

    def turn_example(self, seen: Seen) -> str:
        """Return a turn that can be played now."""
        return turns.turn_example(seen)

    def touch(self, seen: Seen) -> Sentences:
        """Say the same to a reader who can touch the spots of the board."""
        return turns.touch(seen)

    def choices(self, group: Choices) -> Message:
        """Say what some choices are."""
        return turns.choices(group)

    def spelt(self, group: Choices) -> Message:
        """Say how the links of one spot are typed."""
        return turns.spelt(group)

    def untouched(self, group: Choices) -> Message:
        """Say how the turns with a second action are typed that have no room as links."""
        return message("tzaar_untouched", count=group.missing)

    def likely(self, seen: Seen, groups: tuple[Choices, ...]) -> Sentences:
        """Say what the list of `moves` has, and how one of its turns is typed."""
        return turns.likely(seen, groups)

    def likely_list(self, seen: Seen, groups: tuple[Choices, ...]) -> Blocks:
        """List the spots where pieces can be placed, or what each stack captures."""
        return turns.likely_list(seen, groups)

    def effect(self, seen: Seen) -> Sentences:
        """Say what the turn did that led to the board shown."""
        return events.effect(seen)

    def offered(self, effect: Effect, you: Seat) -> Sentences:
        """Say what a turn does that is offered to the player in seat `you`."""
        return events.offered(effect, you)

    def outcome(self, seen: Seen) -> Sentences:
        """Say how the game ended, to one of its players."""
        return events.outcome(seen)

    def result(self, seen: Seen) -> Sentences:
        """Say how the game ended, to nobody in particular."""
        return events.result(seen)

    def score(self, seen: Seen) -> Sentences:
        """Explain the points of a game that is over."""
        return events.score(seen)

    @property
    def begins_anew(self) -> Message:
        """Say that the game begins anew, with the board of the beginning."""
        return message("tzaar_begins_anew")

    @property
    def record(self) -> Message:
        """Say which notation the record has."""
        return message("tzaar_record")

    def reason(self, reason: Reason) -> Sentences:
        """Say why something was refused, or is asked about."""
        return reasons.reason_sentences(reason)

    def check(self, check: Check) -> Message:
        """Name a rule that a turn keeps, with what was looked at."""
        return rules.check(check)

    def ending(self, judged: Judged) -> Sentences:
        """Say how a turn that keeps the rules ends the game."""
        return rules.ending(judged)

    def deciding(self, judged: Judged) -> Sentences:
        """Give the rule that decides whether a turn is legal."""
        return rules.deciding(judged)

    def touched(self, touched: Touched) -> Sentences:
        """Say what a turn does to one spot."""
        return rules.touched(touched)

    @property
    def played_over(self) -> Message:
        """Say that the game was played over from its beginning to make sure."""
        return message("tzaar_played_over")

    def compared(self, comparison: Comparison, boards_of: Boards) -> Blocks:
        """Explain the result of comparing boards."""
        return boards.compared(comparison, boards_of)

    def proposed(self, comparison: Comparison, *, is_yours: bool) -> Blocks:
        """Explain how a proposed board differs from the game."""
        return proposals.proposed(comparison, is_yours=is_yours)
