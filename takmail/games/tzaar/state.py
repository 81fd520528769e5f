"""The state of a game of TZAAR."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from takmail.games.choice import Choices
from takmail.games.grid import Grid, Touches
from takmail.games.interface import (
    Check,
    Effect,
    Meant,
    Reading,
    ReadTurn,
    Reason,
    Refused,
    Result,
    Score,
    Seat,
    Touched,
    as_turn,
)
from takmail.games.kit.meant import with_lines
from takmail.games.kit.turns import is_board
from takmail.games.picture import Scene
from takmail.games.tzaar.apply import Outcome, outcome_of
from takmail.games.tzaar.board import NAMES
from takmail.games.tzaar.checksum import checksum
from takmail.games.tzaar.choices import choices, choices_at, touches
from takmail.games.tzaar.compare.adoption import adoption
from takmail.games.tzaar.effect import effect, touched
from takmail.games.tzaar.explain import checks
from takmail.games.tzaar.meant import meant
from takmail.games.tzaar.notation.reading import read, read_lines, turns_in
from takmail.games.tzaar.notation.rs import board_rows
from takmail.games.tzaar.picture.cells import grid_of
from takmail.games.tzaar.picture.scene import scene_of
from takmail.games.tzaar.pieces import Color
from takmail.games.tzaar.playing import play_turn
from takmail.games.tzaar.position import Position
from takmail.games.tzaar.rules import covers_last, outcome_facts, refusal
from takmail.games.tzaar.setup import TzaarSetup
from takmail.games.tzaar.template_facts import TzaarFacts, facts_of
from takmail.games.tzaar.turns import Move, parse_turn

SEATS = {Color.WHITE: Seat.FIRST, Color.BLACK: Seat.SECOND}


def result_from(outcome: Outcome) -> Result:
    """Return the result by the rules."""
    return Result(SEATS[outcome.winner], outcome.score, outcome.ended_by, outcome_facts(outcome))


@dataclass(frozen=True)
class TzaarState:
    """The state of a game of TZAAR; the first seat plays White.

    `is_unseen` is true for the state by which a relay game reads its lines: its board is not that of the game. The
    class has no slots, because the outcome and the facts are cached for the letters to both players.
    """

    position: Position
    setup: TzaarSetup
    played: int = 0
    is_unseen: bool = False

    @property
    def turns(self) -> int:
        """The number of turns played, agreed boards included."""
        return self.played

    @property
    def to_move(self) -> Seat:
        """The seat to move. In a finished game, the seat that would move next."""
        return SEATS[self.position.to_move]

    @property
    def result(self) -> Result | None:
        """The result by the rules, or None while the game continues."""
        return None if self.outcome is None else result_from(self.outcome)

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the game has ended by the rules, or None."""
        return outcome_of(self.position)

    @cached_property
    def checksum(self) -> str:
        """The checksum of the board and the side to move: two groups of three characters, such as `k7m-3fx`."""
        return checksum(self.position)

    @property
    def _seen(self) -> Position | None:
        """The position by which lines are read; None if it is unknown."""
        return None if self.is_unseen else self.position

    def read(self, line: str) -> Reading:
        """Read one normalised line of a mail; never raises."""
        return with_lines(read(line, self._seen), lambda: self.meant(line))

    def exact(self, line: str) -> ReadTurn | None:
        """Return the turn that a line is for `read`, None if it is none."""
        return as_turn(read(line, self._seen, is_exact=True))

    def read_lines(self, lines: Sequence[str]) -> tuple[Reading, int]:
        """Read a turn of one line, or of two lines with an action each."""
        reading, taken = read_lines(lines, self._seen)
        return with_lines(reading, lambda: self.meant(" ".join(lines[:taken]))), taken

    def meant(self, text: str) -> Meant | None:
        """Return the legal turns that contain all that a text names."""
        return meant(text, self._seen)

    def turns_in(self, text: str) -> tuple[str, ...]:
        """Return the complete turns that stand anywhere in a text, whether a second action is missing or not."""
        return turns_in(text, self._seen)

    def play(self, text: str) -> "TzaarState":
        """Return the state after a turn in canonical form. Raises `Refused` with the first rule that it breaks."""
        return replace(self, position=play_turn(self.position, text), played=self.played + 1)

    def asks_before(self, text: str) -> Reason | None:
        """Return a question before a turn that covers the player's own last piece of a kind, which loses."""
        try:
            move = parse_turn(text).move
        except Refused:
            return None
        if refusal(self.position, move) is not None or (covered := covers_last(self.position, move)) is None:
            return None
        spot, kind = covered
        return Reason("covers-last", {"spot": NAMES[spot], "kind": kind.word})

    def adopt(self, board: str, to_move: Seat) -> str:
        """Return the turn `board ...` that sets up a written board. Raises `Refused` as `adoption` does."""
        return adoption(self.position, board, Color(to_move))

    def verdict(self, text: str) -> tuple[Check, ...]:
        """Check a turn against every rule up to the first broken one; an agreed board has no checks.

        Raises `Refused` if the text is no turn.
        """
        return () if is_board(text) else checks(self.position, parse_turn(text).move)

    def touched(self, text: str) -> tuple[Touched, ...]:
        """Return the spots that a turn changes; none for an agreed board. Raises `Refused` if the text is no turn."""
        return () if is_board(text) else touched(self.position, parse_turn(text))

    def effect(self, text: str) -> Effect:
        """Return what a turn does: `placed`, `moved` or `agreed`. Raises `Refused` if the text is no turn."""
        return Effect("agreed") if is_board(text) else effect(self.position, parse_turn(text))

    def choices(self) -> tuple[Choices, ...]:
        """Return the placings by kind, or the captures by stack; nothing once the game is over."""
        return () if self.setup.is_open else choices(self.position)

    def choices_at(self, place: str) -> tuple[Choices, ...]:
        """Return all that the stack on a spot can do. Raises `Refused` as `choices.choices_at` does."""
        return choices_at(self.position, place)

    def touches(self) -> Touches:
        """Return what the player to move can touch."""
        return {} if self.setup.is_open else touches(self.position)

    def score(self, result: Result) -> Score:
        """Return one point for the winner; in a draw nobody has points."""
        return Score((int(result.winner is Seat.FIRST), int(result.winner is Seat.SECOND)))

    def board(self) -> tuple[str, ...]:
        """Return the nine lines of the command `rs`."""
        return board_rows(self.position)

    def picture(self, last: str | None = None, result: Result | None = None) -> Scene:
        """Return a picture of the board. Raises `Refused` if `last` is not a turn."""
        return scene_of(self.position, self._last(last), result or self.result)

    def grid(self, last: str | None = None) -> Grid:
        """Return the board as a table of spots. Raises `Refused` if `last` is not a turn."""
        return grid_of(self.position, self._last(last))

    def facts(self) -> TzaarFacts:
        """Return the data for the game's `Wording`."""
        return self._facts

    @cached_property
    def _facts(self) -> TzaarFacts:
        return facts_of(self.position, self.setup.layout, is_open=self.setup.is_open)

    def _last(self, text: str | None) -> Move | None:
        return None if text is None or is_board(text) else parse_turn(text).move
