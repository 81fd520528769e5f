"""Tak behind the door that every game has."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

from takmail.games.choice import Choices
from takmail.games.interface import (
    Branch,
    Check,
    Comparison,
    Decided,
    Reading,
    Reason,
    Result,
    Score,
    Seat,
    Touched,
    Try,
    WrittenBoard,
)
from takmail.games.picture import Scene
from takmail.games.tak import ninja
from takmail.games.tak.agreed_board import is_board
from takmail.games.tak.board import Square
from takmail.games.tak.checksum import checksum
from takmail.games.tak.choices import choices, choices_at
from takmail.games.tak.compare.adoption import adoption
from takmail.games.tak.compare.board_finder import boards_in
from takmail.games.tak.compare.explanation import compare_board
from takmail.games.tak.compare.replayed import replayed_game
from takmail.games.tak.compare.two_boards import compare_two
from takmail.games.tak.explain import checks
from takmail.games.tak.notation import mail, rs
from takmail.games.tak.notation.attempts import tries
from takmail.games.tak.notation.komi import write_komi
from takmail.games.tak.notation.reading import read
from takmail.games.tak.outcome import EndedBy, Outcome
from takmail.games.tak.picture.scene import scene_of
from takmail.games.tak.pieces import SIZES, Color
from takmail.games.tak.position import Position, empty_position
from takmail.games.tak.record import game_of, record_of
from takmail.games.tak.score import Scoring, score_of
from takmail.games.tak.setup import TakSetup
from takmail.games.tak.template_facts import TakFacts, facts_of, roads_of
from takmail.games.tak.touched import touched
from takmail.games.tak.turns import play_turn, read_turn

_LONGEST_PLACE = 3
_SEATS = {Color.WHITE: Seat.FIRST, Color.BLACK: Seat.SECOND}


@dataclass(frozen=True)
class TakState:
    """A game of Tak at one moment; the first seat plays White.

    `beyond` is how many turns more have been played than the position counts plies: an adopted board makes them differ.
    What letters tell of it is found once, as both players are told; so it has no slots.
    """

    position: Position
    scoring: Scoring = Scoring.PLAIN
    beyond: int = 0

    @property
    def turns(self) -> int:
        """How many turns have been played, adopted boards among them."""
        return self.position.ply + self.beyond

    @property
    def to_move(self) -> Seat:
        """Whose ply it is, or would be if the game were not over."""
        return _SEATS[self.position.to_move]

    @property
    def result(self) -> Result | None:
        """The result by the rules, or None while the game goes on."""
        return None if self.position.outcome is None else _result(self.position, self.position.outcome)

    @cached_property
    def checksum(self) -> str:
        """Two groups of three letters and digits, such as `k7m-3fx`: the board and whose ply it is."""
        return checksum(self.position)

    def read(self, line: str) -> Reading:
        """Read one normalised line of a mail; never raises."""
        return read(line, self.position)

    def read_lines(self, lines: Sequence[str]) -> tuple[Reading, int]:
        """Read the first line, which is all that a turn takes."""
        return self.read(lines[0]), 1

    def tries(self, text: str) -> Try | None:
        """Read words as a try at a move: a square or a ply, and words of the list in `notation.vocabulary`."""
        return tries(text, self.position)

    def play(self, text: str) -> "TakState":
        """Play a turn in canonical form; raises `Refused` with the first rule that it breaks."""
        position = play_turn(self.position, text)
        return TakState(position, self.scoring, self.turns + 1 - position.ply)

    def asks_before(self, text: str) -> Reason | None:  # noqa: ARG002 - a turn of Tak needs no question
        """Nothing."""
        return None

    def adopt(self, board: str, to_move: Seat) -> str:
        """The turn `board ...` that sets a written board; raises `Refused` as `adoption` does."""
        return adoption(self.position, board, to_move)

    def verdict(self, text: str) -> tuple[Check, ...]:
        """Every rule that applies to a turn, in order, none to an adopted board; raises `Refused` if it is no turn."""
        if is_board(text):
            return ()
        return checks(self.position, read_turn(self.position, text).move, self._name)

    def touched(self, text: str) -> tuple[Touched, ...]:
        """What a turn does square by square, nothing for an adopted board; raises `Refused` if it is no turn."""
        if is_board(text):
            return ()
        return touched(self.position, read_turn(self.position, text).move, self._name)

    def choices(self) -> tuple[Choices, ...]:
        """The empty squares for each kind of piece, and the own stacks with one move for each direction."""
        return choices(self.position)

    def choices_at(self, place: str) -> tuple[Choices, ...]:
        """All that can be placed on a square, or all moves of its stack; raises `Refused` for a square of nobody's."""
        return choices_at(self.position, place)

    def score(self, result: Result) -> Score:
        """The winner's points, by the rules that the game was set up with; a draw brings nobody any."""
        if result.winner is None:
            return Score((0, 0))
        won = score_of(
            self.position, Color.WHITE if result.winner is Seat.FIRST else Color.BLACK, self.scoring
        )
        return Score(
            (won.points, 0) if result.winner is Seat.FIRST else (0, won.points),
            {
                "board": won.board,
                "pieces": won.pieces,
                "times": won.times,
                "bonus": None if won.bonus is None else won.bonus.value,
                "scoring": self.scoring.value,
            },
        )

    def board(self) -> tuple[str, ...]:
        """The rows from the north as `rs` shows them, aligned with spaces."""
        return self._board

    def picture(self, last: str | None = None, result: Result | None = None) -> Scene:
        """The board from above; an adopted board has no squares to mark. Raises `Refused` if `last` is no turn."""
        move = None if last is None or is_board(last) else read_turn(self.position, last).move
        return scene_of(self.position, move, result or self.result)

    def facts(self) -> TakFacts:
        """All that the templates say about this moment."""
        return self._facts

    @cached_property
    def _board(self) -> tuple[str, ...]:
        return rs.write(self.position)

    @cached_property
    def _facts(self) -> TakFacts:
        return facts_of(self.position, self.scoring)

    def _name(self, square: Square) -> str:
        return mail.square_name(self.position.board, square)


class TakGame:
    """Tak, on boards from 3x3 to 8x8, with or without komi; a set-up is `5` or `5 komi=2.5 score=tarway`."""

    name: str = "tak"
    file_ending: str = "ptn"
    keeps_board: bool = True

    @property
    def referee(self) -> "TakGame":
        """Tak's own rules."""
        return self

    def complete(self, setup: str, host: Seat, rng: Random) -> tuple[str, Seat]:  # noqa: ARG002 - as for `set_up`
        """A set-up of Tak is whole from the beginning."""
        return setup, host

    def rematch_setup(self, setup: str) -> str:
        """The same, as nothing is drawn."""
        return setup

    def set_up(self, words: Sequence[str], rng: Random) -> str:  # noqa: ARG002 - Tak has no chance in it
        """Turn words such as `5` or `5x5`, `komi=2.5` and `score=tarway` into a set-up.

        Raises `Refused`: `size-missing`, `bad-size`, `bad-komi`, `bad-score`, `unknown-word` or `said-twice`.
        """
        return str(TakSetup.of(words))

    def title(self, setup: str) -> str:
        """The board, such as `5x5`."""
        size = TakSetup.of(setup.split()).size
        return f"{size}x{size}"

    def start(self, setup: str) -> TakState:
        """The empty board."""
        read_setup = TakSetup.of(setup.split())
        return TakState(empty_position(read_setup.size, read_setup.half_komi), read_setup.scoring)

    def read_anywhere(self, line: str) -> Reading:
        """Read a line on the largest board, as no game is known."""
        return read(line, empty_position(SIZES[-1]))

    def is_place(self, word: str) -> bool:
        """Whether it is as short as a square's name and has a digit in it, as `b2`, `2b` and `z9`."""
        return len(word) <= _LONGEST_PLACE and " " not in word and any(one.isdigit() for one in word)

    def boards_in(self, lines: Sequence[str], expected: Collection[int] = ()) -> tuple[WrittenBoard, ...]:
        """Boards of any width, with or without coordinates around them, also such as can't be."""
        return boards_in(lines, expected)

    def rows(self, board: str) -> tuple[str, ...]:
        """A line a row, the spots apart by one space; what can't be read stands there as it was written."""
        return tuple(board.split("/"))

    def compare(self, setup: str, turns: Sequence[str], board: str) -> Comparison:
        """Hold a board against the game; what may be found is told by `compare.against`."""
        return compare_board(replayed_game(self.start(setup).position, turns), board)

    def compare_two(
        self, setup: str, turns: Sequence[str], one: str, other: str, numbers: Sequence[int] = ()
    ) -> Comparison:
        """Hold two boards against each other and the log; what may be found is told by `compare.two`."""
        return compare_two(replayed_game(self.start(setup).position, turns, numbers), one, other)

    def seat_named(self, word: str) -> Seat | None:
        """White begins, and Black follows."""
        return {"white": Seat.FIRST, "black": Seat.SECOND}.get(word)

    def is_agreement(self, text: str) -> bool:
        """Whether it is `board ...`."""
        return is_board(text)

    def resign(self, seat: Seat) -> Result:
        """The other seat wins, `1-0` or `0-1`."""
        color = Color.WHITE if seat is Seat.FIRST else Color.BLACK
        return Result(seat.other, "0-1" if seat is Seat.FIRST else "1-0", "resigned", {"color": color.value})

    def decide(self, winner: Seat | None, how: Decided) -> Result:
        """`1-0`, `0-1` or `1/2-1/2`, as with every end that is neither a road nor a count of flats."""
        return Result(winner, "1/2-1/2" if winner is None else ("1-0", "0-1")[winner], how)

    def record(
        self,
        setup: str,
        turns: Sequence[str],
        tags: Mapping[str, str],
        result: Result | None,
        branches: Sequence[Branch] = (),
    ) -> str:
        """The game in PTN: a call of Tak is the mark `'`, branches are comments, an adopted board begins it anew."""
        score = None if result is None else result.score
        return record_of(TakSetup.of(setup.split()), turns, tags, score, branches)

    def address(
        self, setup: str, turns: Sequence[str], tags: Mapping[str, str], result: Result | None
    ) -> str | None:
        """The game in PTN Ninja."""
        score = None if result is None else result.score
        return ninja.address(game_of(TakSetup.of(setup.split()), turns, tags, score))


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
