"""Tak, as an implementation of the game interface."""

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
from takmail.games.tak import lessons, ninja
from takmail.games.tak.bids_opening import TakBids
from takmail.games.tak.bot.player import TakPlayer
from takmail.games.tak.bot.reviewer import TakReviewer
from takmail.games.tak.bot.tei_server import TeiServer
from takmail.games.tak.coins import first_coins
from takmail.games.tak.compare.board_finder import boards_in
from takmail.games.tak.compare.explanation import compare_board
from takmail.games.tak.compare.replayed import replayed_game
from takmail.games.tak.compare.two_boards import compare_two
from takmail.games.tak.notation import mail, tps
from takmail.games.tak.notation.errors import NotationError
from takmail.games.tak.notation.ptn_game import NoStart, PtnGame, read_games
from takmail.games.tak.picture.cells import cell_scene
from takmail.games.tak.pieces import SIZES, Color
from takmail.games.tak.position import empty_position
from takmail.games.tak.rated import TakRated
from takmail.games.tak.record import game_of, tak_record
from takmail.games.tak.replay import replay
from takmail.games.tak.setup import TakSetup, spelt_out, stored_setup
from takmail.games.tak.state import TakState
from takmail.games.tak.tei.host import TeiHost
from takmail.games.tak.wording.wording import TakWording
from takmail.games.teaching import Lesson, LessonAnswer, Teacher
from takmail.vocabulary import Table, table

_MAX_PLACE_CHARS = 3
_TPS_TAG = re.compile(r'\s*\[TPS\s+"?([^"\]]*)"?\s*\]\s*', re.IGNORECASE)
"""A TPS as a PTN tag, because people copy the whole tag. A shell may have removed its quotation marks."""
_LIKE_A_TPS = re.compile(r"\s*(?=\S*/)[xsc0-9,/]+(?:\s.*)?", re.IGNORECASE)


class TakGame(TakBids, TakRated, Recorded, TakPlayer, TakReviewer, Teacher, TeiHost, TeiServer):
    """Tak on boards from 3x3 to 8x8; a set-up is `5` or `5 komi=2.5 score=tarway`. Some variants are for coins."""

    name: str = "tak"
    file_ending: str = "ptn"
    keeps_board: bool = True
    wording: TakWording = TakWording()
    topics: Mapping[str, str] = MappingProxyType(
        {
            **{page: page for page in ("coins", "university", "femr", "bid", "tinue")},
            **dict.fromkeys(("femrs", "folly"), "femr"),
            **dict.fromkeys(("tinuë", "hardcap", "hard cap"), "tinue"),
        }
    )

    @property
    def referee(self) -> "TakGame":
        """This game, because Tak has rules of its own."""
        return self

    def complete(self, setup: str, rng: Random) -> str:  # noqa: ARG002 - Tak is not random
        """Return the set-up unchanged."""
        return setup

    def needs_board(self, setup: str) -> Reason | None:
        """Return why a set-up with coins or with obligatory calls can't be relayed."""
        read = stored_setup(setup)
        if read.coins is not None:
            return Reason("coins-need-board", {"rules": read.coins.value})
        return Reason("calls-need-board") if read.must_call else None

    def set_up(self, words: Sequence[str], rng: Random) -> str:  # noqa: ARG002 - Tak is not random
        """Parse words such as `5` or `5x5`, `komi=2.5`, `caps=1` and `rules=university` into a set-up.

        `university` alone stands for `rules=university`, and so with the other names of rules about coins.

        Raises `Refused`: `bad-size`, `bad-komi`, `bad-score`, `bad-caps`, `caps-elsewhere`,
        `bad-rules`, `bad-calls`, `score-with-coins`, `calls-with-coins`, `unknown-word` or `said-twice`.
        """
        found = TakSetup.of(spelt_out(words))
        if found.bids is not None:
            raise Refused(Reason("unknown-word", {"word": "bids="}))
        return str(found)

    def title(self, setup: str) -> str:
        """Return the size of the board, and what is unusual on it, such as `7x7, 1 capstone` or `5x5, Femr's Folly`."""
        return stored_setup(setup).title

    def start(self, setup: str) -> TakState:
        """Return the empty board."""
        read_setup = stored_setup(setup)
        return TakState(read_setup.position, read_setup, coins=first_coins(read_setup))

    def unseen(self, setup: str) -> TakState:
        """Return the empty board, on which every turn of an unknown board has its form."""
        return replace(self.start(setup), is_unseen=True)

    @cached_property
    def anywhere(self) -> TakState:
        """The empty board of the largest size."""
        return TakState(empty_position(SIZES[-1]))

    @property
    def words(self) -> Table:
        """The table `tak.words` of the vocabulary."""
        return table("tak.words")

    def is_place(self, word: str) -> bool:
        """Return whether a word is as short as a square's name and has a digit, such as `b2`, `2b` and `z9`."""
        return len(word) <= _MAX_PLACE_CHARS and " " not in word and any(one.isdigit() for one in word)

    def boards_in(self, lines: Sequence[str], expected: Collection[int] = ()) -> tuple[WrittenBoard, ...]:
        """Return the boards written among lines, of any width, with or without coordinates, even if impossible."""
        return boards_in(lines, expected)

    def rows(self, board: str) -> tuple[str, ...]:
        """Return the rows with single spaces between the spots. Unreadable spots stay as written."""
        return tuple(board.split("/"))

    def compare(self, setup: str, turns: Sequence[str], board: str) -> Comparison:
        """Compare a board with the game. `compare.explanation` lists the possible results."""
        return compare_board(replayed_game(self.start(setup).position, turns), board)

    def compare_two(
        self, setup: str, turns: Sequence[str], one: str, other: str, numbers: Sequence[int] = ()
    ) -> Comparison:
        """Compare two boards with each other and with the log. `compare.two_boards` lists the possible results."""
        return compare_two(replayed_game(self.start(setup).position, turns, numbers), one, other)

    def cell(self, picture: str) -> Scene:
        """Draw a square of a grid, or the picture of a side, by its name. Raises ValueError for an invalid name."""
        return cell_scene(picture)

    def seat_named(self, word: str) -> Seat | None:
        """Return the first seat for `white`, the second for `black`, and None for other words."""
        return {"white": Seat.FIRST, "black": Seat.SECOND}.get(word)

    def is_agreement(self, text: str) -> bool:
        """Return whether a turn is `board ...`."""
        return is_board(text)

    def resign(self, seat: Seat) -> Result:
        """Return a win for the opponent: `0-1` if White resigns, `1-0` if Black does."""
        color = Color.WHITE if seat is Seat.FIRST else Color.BLACK
        return Result(seat.other, "0-1" if seat is Seat.FIRST else "1-0", "resigned", {"color": color.value})

    def decide(self, winner: Seat | None, how: Decided) -> Result:
        """Return the score of a game that the players or the operator ended: `1-0`, `0-1` or `1/2-1/2`.

        Only a road or a count of flats has another score.
        """
        return Result(winner, "1/2-1/2" if winner is None else ("1-0", "0-1")[winner], how)

    def record(
        self,
        setup: str,
        turns: Sequence[str],
        tags: Mapping[str, str],
        result: Result | None,
        runs: Sequence[RecordedRun] = (),
    ) -> str:
        """Return the game in PTN. A call of tak is the mark `'`, and runs are comments.

        A record begins again at an agreed board.
        """
        score = None if result is None else result.score
        return tak_record(stored_setup(setup), turns, tags, score, runs)

    def position(self, text: str) -> TakState | None:
        """Return the state of a TPS, with or without its PTN tag, or None if the text does not resemble one.

        Raises `Refused` as `tps.parse` does.
        """
        tag = _TPS_TAG.fullmatch(text)
        if tag is None and _LIKE_A_TPS.fullmatch(text) is None:
            return None
        try:
            return TakState(tps.parse(tag[1] if tag else text))
        except NotationError as error:
            raise Refused(error.reason) from None

    def recorded(self, text: str) -> Iterator[RecordedGame]:
        """Play every game of a text in PTN. The data are `size`, `result`, `tps` (the final position) and `plies`."""
        return map(_recorded, read_games(text) or (NoStart((), Reason("no-game")),))

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        """The ten lessons."""
        return lessons.lessons()

    def answer(self, lesson: Lesson, text: str) -> LessonAnswer:
        """Return what a line does in a lesson; `lessons.answer` lists the names."""
        return lessons.answer(lesson, text)

    def solution(self, lesson: Lesson) -> LessonAnswer:
        """Return the answer to the turn that is shown to who has not found any."""
        return lessons.solution(lesson)

    def topic(self, text: str, *, is_asked: bool, asks_turn: bool = False) -> str:
        """Return the thing of the game that a text is about, such as `wall`."""
        return lessons.topic(text, is_asked=is_asked, asks_turn=asks_turn)

    def viewer_url(
        self, setup: str, turns: Sequence[str], tags: Mapping[str, str], result: Result | None
    ) -> str | None:
        """Return the URL of the game in PTN Ninja."""
        score = None if result is None else result.score
        return ninja.address(game_of(stored_setup(setup), turns, tags, score))


def _recorded(game: PtnGame | NoStart) -> RecordedGame:
    if isinstance(game, NoStart):
        return RecordedGame({"size": None, "result": None, "tps": None, "plies": 0}, error=game.reason)
    one = replay(game)
    return RecordedGame(
        {"size": one.size, "result": one.result, "tps": one.final_tps, "plies": one.plies},
        tuple(map(TakState, one.positions)),
        tuple(mail.write(game.start.board, ply.move) for ply in game.plies[: one.plies]),
        one.result,
        one.error,
        one.bad_ply,
        one.ply_number,
    )
