"""The state of a game of Tak."""

from collections.abc import Sequence
from dataclasses import dataclass
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
from takmail.games.optional import Account, Completing, Ledger, SecondNotation
from takmail.games.picture import Scene
from takmail.games.tak.board import Square
from takmail.games.tak.calls import is_tak
from takmail.games.tak.checksum import checksum
from takmail.games.tak.choices import choices, choices_at, examples, touches
from takmail.games.tak.coins import Coins, account_of, coins_after
from takmail.games.tak.compare.adoption import adoption
from takmail.games.tak.effect import effect
from takmail.games.tak.explain import checks
from takmail.games.tak.meant import meant
from takmail.games.tak.moves import Move
from takmail.games.tak.notation import mail, rs
from takmail.games.tak.notation.komi import write_komi
from takmail.games.tak.notation.mail import MailMove
from takmail.games.tak.notation.reading import read, read_exactly, turns_in
from takmail.games.tak.outcome import EndedBy, Outcome
from takmail.games.tak.picture.cells import grid_of
from takmail.games.tak.picture.scene import scene_of
from takmail.games.tak.pieces import Color
from takmail.games.tak.position import Position
from takmail.games.tak.score import Scoring, score_of
from takmail.games.tak.setup import TakSetup
from takmail.games.tak.template_facts import TakFacts, facts_of, roads_of
from takmail.games.tak.touched import touched
from takmail.games.tak.turns import play_turn, read_turn

_SEATS = {Color.WHITE: Seat.FIRST, Color.BLACK: Seat.SECOND}


@dataclass(frozen=True)
class TakState(Ledger, Completing, SecondNotation):
    """The state of a game of Tak; the first seat plays White.

    `setup` is the set-up of the game, None for a position on its own. `beyond` is the number of turns played minus the
    number of plies of the position. Only agreed boards change it. `coins` are None if none are at stake.
    `is_unseen` is true for the state by which a relay game reads its lines: its board is not that of the game.

    The class has no slots, because the board and the facts are cached for the letters to both players.
    """

    position: Position
    setup: TakSetup | None = None
    beyond: int = 0
    coins: Coins | None = None
    is_unseen: bool = False

    @property
    def turns(self) -> int:
        """The number of turns played, agreed boards included."""
        return self.position.ply + self.beyond

    @property
    def to_move(self) -> Seat:
        """The seat to move. In a finished game, the seat that would move next."""
        return _SEATS[self.position.to_move]

    @property
    def result(self) -> Result | None:
        """The result by the rules, or None while the game continues."""
        return None if self.position.outcome is None else _result(self.position, self.position.outcome)

    @cached_property
    def checksum(self) -> str:
        """The checksum of the board and the side to move: two groups of three characters, such as `k7m-3fx`."""
        return checksum(self.position)

    def read(self, line: str) -> Reading:
        """Read one normalised line of a mail; never raises."""
        return with_lines(read(line, self.position), lambda: self.meant(line))

    def exact(self, line: str) -> ReadTurn | None:
        """Return the turn that a line is for `read`, None if it is none."""
        return as_turn(read_exactly(line, self.position))

    def read_ptn(self, line: str) -> ReadTurn | None:
        """Return the turn that a line is if its first word is a ply of PTN and nothing else is on it."""
        reading = read(f"ptn {line}", self.position)
        return reading if isinstance(reading, ReadTurn) else None

    def read_lines(self, lines: Sequence[str]) -> tuple[Reading, int]:
        """Read the first line, because a turn of Tak takes one line."""
        return self.read(lines[0]), 1

    def meant(self, text: str) -> Meant | None:
        """Return the legal turns that contain all that a text names."""
        return meant(text, self.position, is_unseen=self.is_unseen)

    def turns_in(self, text: str) -> tuple[str, ...]:
        """Return the complete turns that stand anywhere in a text."""
        return turns_in(text, self.position)

    def play(self, text: str) -> "TakState":
        """Return the state after a turn in canonical form.

        Raises `Refused` with the first rule that the turn breaks.
        """
        position = play_turn(self.position, text)
        coins = self.coins
        if self.setup is not None and coins is not None and not is_board(text):
            coins = coins_after(self.setup, coins, self.position, read_turn(self.position, text), position)
        return TakState(position, self.setup, self.turns + 1 - position.ply, coins)

    def account(self, take_backs: Sequence[Seat], result: Result | None) -> Account | None:
        """Return the coins of a game by University Rules or Femr's Folly, None for any other game."""
        if self.setup is None or self.coins is None:
            return None
        return account_of(self.setup, self.coins, self.position, take_backs, result)

    def completed(self, text: str) -> str:
        """Return a move with a call of tak if it is tak and the players have agreed that one must call."""
        if self.setup is None or not self.setup.must_call or is_board(text):
            return text
        try:
            read = read_turn(self.position, text)
            is_left_out = not read.tak and is_tak(play_turn(self.position, text))
        except Refused:
            return text
        return mail.write(self.position.board, read.move, True) if is_left_out else text

    def asks_before(self, text: str) -> Reason | None:  # noqa: ARG002 - never asks
        """Return None, because no turn of Tak needs a confirmation."""
        return None

    def adopt(self, board: str, to_move: Seat) -> str:
        """Return the turn `board ...` that sets up a written board. Raises `Refused` as `adoption` does."""
        return adoption(self.position, board, to_move)

    def verdict(self, text: str) -> tuple[Check, ...]:
        """Check a turn against every rule that applies to it; an agreed board has no checks.

        Raises `Refused` if the text is no turn.
        """
        if is_board(text):
            return ()
        return checks(self.position, read_turn(self.position, text).move, self._name)

    def touched(self, text: str) -> tuple[Touched, ...]:
        """Return the squares that a turn changes; none for an agreed board.

        Raises `Refused` if the text is no turn.
        """
        if is_board(text):
            return ()
        return touched(self.position, read_turn(self.position, text).move, self._name)

    def effect(self, text: str) -> Effect:
        """Return what a turn does: `placed`, `moved` or, for an agreed board, `agreed`.

        Raises `Refused` if the text is no turn.
        """
        if is_board(text):
            return Effect("agreed")
        read = read_turn(self.position, text)
        return effect(self.position, read, self._is_true_call(read, text))

    def choices(self) -> tuple[Choices, ...]:
        """Return the empty squares for each kind of piece, then the player's stacks with one move per direction."""
        return choices(self.position)

    @cached_property
    def examples(self) -> tuple[Choices, ...]:
        """Turns that show how turns are typed, for letters. Nothing once the game is over."""
        return () if self.position.outcome is not None else tuple(examples(self.position))

    def choices_at(self, place: str) -> tuple[Choices, ...]:
        """Return all placements on a square, or all moves of its stack.

        Raises `Refused` as `choices.choices_at` does.
        """
        return choices_at(self.position, place)

    def touches(self) -> Touches:
        """Return the empty squares with a placement, and the player's stacks with their likeliest moves."""
        return self._touches

    def score(self, result: Result) -> Score:
        """Return the winner's points by the scoring rules of the set-up; in a draw nobody has points."""
        if result.winner is None:
            return Score((0, 0))
        won = score_of(
            self.position, Color.WHITE if result.winner is Seat.FIRST else Color.BLACK, self._scoring
        )
        return Score(
            (won.points, 0) if result.winner is Seat.FIRST else (0, won.points),
            {
                "board": won.board,
                "pieces": won.pieces,
                "times": won.times,
                "bonus": None if won.bonus is None else won.bonus.value,
                "scoring": self._scoring.value,
            },
        )

    def board(self) -> tuple[str, ...]:
        """Return the rows from the north as the command `rs` shows them, aligned with spaces."""
        return self._board

    def picture(self, last: str | None = None, result: Result | None = None) -> Scene:
        """Return a picture of the board seen from above. After an agreed board no squares are highlighted.

        Raises `Refused` if `last` is not a turn.
        """
        return scene_of(self.position, self._move(last), result or self.result)

    def grid(self, last: str | None = None) -> Grid:
        """Return the board as a table of squares. After an agreed board no squares are highlighted.

        Raises `Refused` if `last` is not a turn.
        """
        return grid_of(self.position, self._move(last))

    def facts(self) -> TakFacts:
        """Return the data for the game's `Wording`."""
        return self._facts

    @cached_property
    def _board(self) -> tuple[str, ...]:
        return rs.write(self.position)

    @cached_property
    def _touches(self) -> Touches:
        return touches(self.position)

    @cached_property
    def _facts(self) -> TakFacts:
        return facts_of(self.position, self.setup)

    @property
    def _scoring(self) -> Scoring:
        return Scoring.PLAIN if self.setup is None else self.setup.scoring

    def _is_true_call(self, read: MailMove, text: str) -> bool | None:
        """Return whether the call of tak in a turn is true.

        None if the turn calls no tak, or if nothing in this game depends on the answer, which takes some time.
        """
        if not read.tak or self.setup is None or (self.setup.coins is None and not self.setup.must_call):
            return None
        return is_tak(play_turn(self.position, text))

    def _move(self, text: str | None) -> Move | None:
        return None if text is None or is_board(text) else read_turn(self.position, text).move

    def _name(self, square: Square) -> str:
        return mail.square_name(self.position.board, square)


def _result(position: Position, outcome: Outcome) -> Result:
    gone = [one for one in Color if not any(position.reserve(one))]
    facts = {
        "double_road": outcome.double_road,
        "white_flats": outcome.white_flats,
        "black_flats": outcome.black_flats,
        "komi": write_komi(outcome.half_komi),
        "roads": roads_of(position, outcome),
        "ran_out": gone[0].value if outcome.ended_by is EndedBy.RESERVES else "",
    }
    winner = None if outcome.winner is None else _SEATS[outcome.winner]
    return Result(winner, outcome.score, outcome.ended_by.value, facts)
