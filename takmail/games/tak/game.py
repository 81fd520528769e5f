"""Tak, as an implementation of the game interface."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random

from takmail.games.choice import Choices
from takmail.games.grid import Grid, Touches
from takmail.games.interface import (
    Account,
    Attempt,
    Check,
    Comparison,
    Completing,
    Decided,
    Effect,
    Ledger,
    Reading,
    Reason,
    Recorded,
    RecordedGame,
    RecordedRun,
    Refused,
    ReplayedRecord,
    Result,
    Score,
    Seat,
    Terms,
    Topical,
    Touched,
    WrittenBoard,
)
from takmail.games.picture import Scene
from takmail.games.tak import ninja
from takmail.games.tak.agreed_board import is_board
from takmail.games.tak.bids import bid_in, seated_by_bids
from takmail.games.tak.board import Square
from takmail.games.tak.calls import is_tak
from takmail.games.tak.checksum import checksum
from takmail.games.tak.choices import choices, choices_at, examples, touches
from takmail.games.tak.coins import Coins, account_of, coins_after, first_coins
from takmail.games.tak.compare.adoption import adoption
from takmail.games.tak.compare.board_finder import boards_in
from takmail.games.tak.compare.explanation import compare_board
from takmail.games.tak.compare.replayed import replayed_game
from takmail.games.tak.compare.two_boards import compare_two
from takmail.games.tak.effect import effect
from takmail.games.tak.explain import checks
from takmail.games.tak.moves import Move
from takmail.games.tak.notation import mail, rs, tps
from takmail.games.tak.notation.attempts import tries
from takmail.games.tak.notation.errors import NotationError
from takmail.games.tak.notation.komi import write_komi
from takmail.games.tak.notation.mail import MailMove
from takmail.games.tak.notation.ptn_game import NoStart, PtnGame, read_games
from takmail.games.tak.notation.reading import read
from takmail.games.tak.outcome import EndedBy, Outcome
from takmail.games.tak.picture.cells import cell_scene, grid_of
from takmail.games.tak.picture.scene import scene_of
from takmail.games.tak.pieces import SIZES, Color
from takmail.games.tak.position import Position, empty_position
from takmail.games.tak.record import game_of, tak_record
from takmail.games.tak.replay import NO_GAME, replay, replayed
from takmail.games.tak.rules import play
from takmail.games.tak.score import Scoring, score_of
from takmail.games.tak.setup import (
    HIGHEST_BID,
    CoinRules,
    TakSetup,
    is_sealed_word,
    spelt_out,
    stored_setup,
)
from takmail.games.tak.template_facts import TakFacts, facts_of, roads_of
from takmail.games.tak.touched import touched
from takmail.games.tak.turns import play_turn, read_turn

_MAX_PLACE_CHARS = 3
_TPS_TAG = re.compile(r'\s*\[TPS\s+"?([^"\]]*)"?\s*\]\s*', re.IGNORECASE)
"""A TPS as a PTN tag, because people copy the whole tag. A shell may have removed its quotation marks."""
_LIKE_A_TPS = re.compile(r"\s*(?=\S*/)[xsc0-9,/]+(?:\s.*)?", re.IGNORECASE)
_SEATS = {Color.WHITE: Seat.FIRST, Color.BLACK: Seat.SECOND}


@dataclass(frozen=True)
class TakState(Ledger, Completing):
    """The state of a game of Tak; the first seat plays White.

    `setup` is the set-up of the game, None for a position on its own. `beyond` is the number of turns played minus the
    number of plies of the position. Only agreed boards change it. `coins` are None if none are at stake.

    The class has no slots, because the board and the facts are cached for the letters to both players.
    """

    position: Position
    setup: TakSetup | None = None
    beyond: int = 0
    coins: Coins | None = None

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
        return read(line, self.position)

    def read_lines(self, lines: Sequence[str]) -> tuple[Reading, int]:
        """Read the first line, because a turn of Tak takes one line."""
        return self.read(lines[0]), 1

    def attempt(self, text: str) -> Attempt | None:
        """Interpret a text that names a square or a ply and otherwise has only words of `notation.vocabulary`."""
        return tries(text, self.position)

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
        """Turns that show how turns are typed, for the templates. Nothing once the game is over."""
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
        """Return the data for the templates."""
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


class TakGame(Terms, Recorded, Topical):
    """Tak on boards from 3x3 to 8x8; a set-up is `5` or `5 komi=2.5 score=tarway`. Some variants are for coins."""

    name: str = "tak"
    file_ending: str = "ptn"
    keeps_board: bool = True
    topics: Collection[str] = ("coins", "university", "femr", "femrs", "folly", "bid", "tinue")
    rules_with_bids: Collection[str] = (CoinRules.UNIVERSITY.value,)

    @property
    def referee(self) -> "TakGame":
        """This game, because Tak has rules of its own."""
        return self

    def complete(self, setup: str, host: Seat, rng: Random) -> tuple[str, Seat]:
        """Return the set-up with both bids opened, and the host's seat. `rng` decides between equal bids."""
        whole, seat = seated_by_bids(stored_setup(setup), host, rng)
        return str(whole), seat

    def asks_bid(self, setup: str) -> bool:
        """Return whether the set-up is for a game by University Rules."""
        return stored_setup(setup).has_bids

    def answered(self, setup: str, words: Sequence[str], command: str) -> str:
        """Return the set-up with the guest's bid. Raises `Refused` as `bid_in` does."""
        read = stored_setup(setup)
        return str(replace(read, answer=bid_in(read, words, command)))

    def repeated(self, setup: str, words: Sequence[str], command: str) -> str:
        """Return the set-up with the bid of who asks for the rematch. Raises `Refused` as `bid_in` does."""
        read = stored_setup(setup)
        return str(replace(read, bid=bid_in(read, words, command)))

    def shown_setup(self, setup: str) -> str:
        """Return the set-up without a sealed bid, even if it can't be parsed."""
        return " ".join(word for word in setup.split() if not is_sealed_word(word))

    def needs_board(self, setup: str) -> Reason | None:
        """Return why a set-up with coins or with obligatory calls can't be relayed."""
        read = stored_setup(setup)
        if read.coins is not None:
            return Reason("coins-need-board", {"rules": read.coins.value})
        return Reason("calls-need-board") if read.must_call else None

    def rematch_setup(self, setup: str) -> str:
        """Return the same set-up without bids."""
        return str(stored_setup(setup).without_bids)

    def set_up(self, words: Sequence[str], rng: Random) -> str:  # noqa: ARG002 - Tak is not random
        """Parse words such as `5` or `5x5`, `komi=2.5`, `caps=1` and `rules=university` into a set-up.

        `university` alone stands for `rules=university`, and so with the other names of rules about coins.

        Raises `Refused`: `size-missing`, `bad-size`, `bad-komi`, `bad-score`, `bad-caps`, `caps-elsewhere`,
        `bad-rules`, `bad-calls`, `bad-bid`, `bid-missing`, `bid-for-nothing`, `score-with-coins`, `calls-with-coins`,
        `unknown-word` or `said-twice`.
        """
        found = TakSetup.of(spelt_out(words))
        if found.bids is not None or found.answer is not None:
            # A host does not bid for the guest.
            raise Refused(Reason("unknown-word", {"word": "answer=" if found.bids is None else "bids="}))
        if found.has_bids and found.bid is None:
            raise Refused(Reason("bid-missing", {"highest": HIGHEST_BID, "command": ""}))
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
        return self.start(setup)

    def read_anywhere(self, line: str) -> Reading:
        """Read a line as if on an empty board of the largest size, because the game is unknown."""
        return read(line, empty_position(SIZES[-1]))

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

    def replay(self, text: str) -> tuple[ReplayedRecord, ...]:
        """Replay every game of a text in PTN. The data are `size`, `result`, `tps` (the final position) and `plies`."""
        return tuple(map(replayed, read_games(text))) or (NO_GAME,)

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

    def recorded(self, text: str) -> tuple[RecordedGame, ...]:
        """Replay every game of a text in PTN, and return all states."""
        return tuple(map(_recorded, read_games(text)))

    def viewer_url(
        self, setup: str, turns: Sequence[str], tags: Mapping[str, str], result: Result | None
    ) -> str | None:
        """Return the URL of the game in PTN Ninja."""
        score = None if result is None else result.score
        return ninja.address(game_of(stored_setup(setup), turns, tags, score))


def _recorded(game: PtnGame | NoStart) -> RecordedGame:
    if isinstance(game, NoStart):
        return RecordedGame((), error=game.reason)
    one = replay(game)
    states, turns, position = [TakState(game.start)], list[str](), game.start
    for ply in game.plies[: one.plies]:
        position = play(position, ply.move)
        states.append(TakState(position))
        turns.append(mail.write(position.board, ply.move))
    return RecordedGame(tuple(states), tuple(turns), one.result, one.error, one.bad_ply, one.ply_number)


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
