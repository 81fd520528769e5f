"""TZAAR, as an implementation of the game interface."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from random import Random
from types import MappingProxyType

from takmail.games.interface import (
    Comparison,
    Decided,
    Reason,
    RecordedRun,
    Refused,
    Result,
    Seat,
    WrittenBoard,
)
from takmail.games.kit.turns import is_board
from takmail.games.optional import Recorded, RecordedGame
from takmail.games.picture import Scene
from takmail.games.tzaar.bot import TzaarPlayer
from takmail.games.tzaar.compare.explanation import compare_board, compare_two
from takmail.games.tzaar.compare.finder import boards_in
from takmail.games.tzaar.compare.replayed import replayed_game
from takmail.games.tzaar.notation.record import replay_records, write_record
from takmail.games.tzaar.picture.cells import cell_scene
from takmail.games.tzaar.pieces import Color
from takmail.games.tzaar.position import read_position
from takmail.games.tzaar.possible import refuse_impossible
from takmail.games.tzaar.rated import TzaarRated
from takmail.games.tzaar.setup import START, Layout, TzaarSetup, layout_of
from takmail.games.tzaar.state import SEATS, TzaarState
from takmail.games.tzaar.wording.wording import TzaarWording
from takmail.vocabulary import Table, table

_MAX_PLACE_CHARS = 3
_ANY_SETUP = TzaarSetup(Layout.FIXED)
"""The set-up of a position on its own. Only its pieces count."""
_LIKE_A_POSITION = re.compile(r"(?=[^ ]*[zrtZRT])(?=[^ ]*/)[xzrtZRT0-9/]+(?: [a-zA-Z ]*)?")


class TzaarGame(TzaarRated, Recorded, TzaarPlayer):
    """TZAAR. A set-up is `random`, `fixed` or `tournament`; after acceptance, `random` has the drawn position."""

    name: str = "tzaar"
    file_ending: str = "tzaar.txt"
    keeps_board: bool = True
    wording: TzaarWording = TzaarWording()
    topics: Mapping[str, str] = MappingProxyType({})

    @property
    def referee(self) -> "TzaarGame":
        """This game, because TZAAR has rules of its own."""
        return self

    def complete(self, setup: str, rng: Random) -> str:
        """Return the set-up with the position of a random one, which `rng` draws."""
        return str(TzaarSetup.of(setup.split()).complete(rng))

    def rematch_setup(self, setup: str) -> str:
        """Return the set-up without the position that was drawn."""
        return str(replace(TzaarSetup.of(setup.split()), drawn=None))

    def set_up(self, words: Sequence[str], rng: Random) -> str:  # noqa: ARG002 - drawn at the acceptance
        """Parse `random`, `fixed` or `tournament`; no words mean `random`.

        A host does not choose a random position. Raises `Refused` as `TzaarSetup.of` does.
        """
        if any(word.lower().startswith(START) for word in words):
            raise Refused(Reason("unknown-word", {"word": START}))
        return str(TzaarSetup.of(words))

    def needs_board(self, setup: str) -> None:
        """Return None: every game of TZAAR can be a relay game."""

    def title(self, setup: str) -> str:
        """Return the name of the game and its set-up, such as `TZAAR random`."""
        return f"TZAAR {layout_of(setup).value}"

    def start(self, setup: str) -> TzaarState:
        """Return the state before the first turn. A random position that isn't drawn yet is an empty board."""
        found = TzaarSetup.of(setup.split())
        return TzaarState(found.start, found)

    def unseen(self, setup: str) -> TzaarState:
        """Return the state that reads lines by their form alone."""
        return replace(self.start(setup), is_unseen=True)

    @cached_property
    def anywhere(self) -> TzaarState:
        """A state that reads lines by their form alone."""
        return self.unseen("fixed")

    @property
    def words(self) -> Table:
        """The table `tzaar.words` of the vocabulary."""
        return table("tzaar.words")

    def is_place(self, word: str) -> bool:
        """Return whether a word is a letter and one or two digits, such as `b2` and `e9`."""
        return len(word) <= _MAX_PLACE_CHARS and word[:1].isalpha() and word[1:].isdecimal()

    def boards_in(self, lines: Sequence[str], expected: Collection[int] = ()) -> tuple[WrittenBoard, ...]:
        """Return the boards of nine lines written among lines, even if something is wrong with them."""
        return boards_in(lines, expected)

    def rows(self, board: str) -> tuple[str, ...]:
        """Return the lines with single spaces between the spots. Unreadable spots stay as written."""
        return tuple(board.split("/"))

    def compare(self, setup: str, turns: Sequence[str], board: str) -> Comparison:
        """Compare a board with the game. `compare.explanation` lists the possible results."""
        return compare_board(replayed_game(self.start(setup).position, turns), board)

    def compare_two(
        self, setup: str, turns: Sequence[str], one: str, other: str, numbers: Sequence[int] = ()
    ) -> Comparison:
        """Compare two boards with each other and with the log. `compare.explanation` lists the possible results."""
        return compare_two(replayed_game(self.start(setup).position, turns, numbers), one, other)

    def cell(self, picture: str) -> Scene:
        """Draw a spot of a grid, or the picture of a side, by its name. Raises ValueError for an invalid name."""
        return cell_scene(picture)

    def seat_named(self, word: str) -> Seat | None:
        """Return the first seat for `white`, the second for `black`, and None for other words."""
        return {"white": Seat.FIRST, "black": Seat.SECOND}.get(word)

    def is_agreement(self, text: str) -> bool:
        """Return whether a turn is `board ...`."""
        return is_board(text)

    def resign(self, seat: Seat) -> Result:
        """Return a win for the opponent: `0-1` if White resigns, `1-0` if Black does."""
        color = next(color for color, one in SEATS.items() if one is seat)
        return Result(seat.other, "1-0" if color is Color.BLACK else "0-1", "resigned", {"color": color.word})

    def decide(self, winner: Seat | None, how: Decided) -> Result:
        """Return the score of a game that the players or the operator ended: `1-0`, `0-1` or `1/2-1/2`."""
        return Result(winner, "1/2-1/2" if winner is None else ("1-0", "0-1")[winner], how)

    def record(
        self,
        setup: str,
        turns: Sequence[str],
        tags: Mapping[str, str],
        result: Result | None,
        runs: Sequence[RecordedRun] = (),
    ) -> str:
        """Return the game as tag pairs and numbered pairs of turns. Runs are comments."""
        kind = None if result is None else result.facts.get("kind")
        ended = "" if result is None else f"{result.how} {kind}" if kind else result.how
        score = None if result is None else result.score
        return write_record(TzaarSetup.of(setup.split()), turns, tags, score, ended, runs)

    def position(self, text: str) -> TzaarState | None:
        """Return the state of a position on one line, or None if the text does not resemble one.

        Raises `Refused`: `bad-position`, or as `possible.refuse_impossible` does.
        """
        line = text.strip()
        found = read_position(line)
        if found is not None:
            return TzaarState(refuse_impossible(found), _ANY_SETUP)
        if _LIKE_A_POSITION.fullmatch(line):
            raise Refused(Reason("bad-position", {"text": line[:80]}))
        return None

    def recorded(self, text: str) -> Iterator[RecordedGame]:
        """Play every game of a record over. Its data are `game`, `result`, `position` and `turns`."""
        return (
            RecordedGame(
                {"game": self.name, "result": one.result, "position": one.position, "turns": one.turns},
                tuple(TzaarState(position, _ANY_SETUP) for position in one.positions),
                one.played,
                one.result or "*",
                one.error,
                one.bad,
                one.number,
            )
            for one in replay_records(text)
        )

    def viewer_url(
        self,
        setup: str,  # noqa: ARG002 - nothing on the web shows a game in this notation
        turns: Sequence[str],  # noqa: ARG002
        tags: Mapping[str, str],  # noqa: ARG002
        result: Result | None,  # noqa: ARG002
    ) -> str | None:
        """Return None, because no viewer reads the records of takmail."""
        return None
