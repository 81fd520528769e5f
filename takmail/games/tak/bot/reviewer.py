"""The review of a game of Tak, and hints."""

from collections.abc import Sequence
from random import Random

from takmail.games.grid import Grid
from takmail.games.interface import State
from takmail.games.kit.turns import is_board
from takmail.games.tak.board import Board, Square
from takmail.games.tak.bot.annotated import annotated
from takmail.games.tak.bot.bits import Ply, bits_of, layout_of, move_of
from takmail.games.tak.bot.course import ORDER, Course, Limits, Proven
from takmail.games.tak.bot.levels import LEVELS, choice
from takmail.games.tak.bot.tinue import Proof, TinueSearch
from takmail.games.tak.notation import mail, ptn
from takmail.games.tak.picture.cells import grid_of
from takmail.games.tak.setup import stored_setup
from takmail.games.tak.state import TakState
from takmail.games.thinking import Finding, Forced, Hint, IsOver, Review, Reviewer

_WHOLE_GAME = Limits(5, 4_000, 4_000, 1_800_000)
_ONE_TURN = Limits(7, 40_000, 20_000, 2_000_000)
_UNLIMITED = 10**9
_QUIET = 5
"""The number of plies within which a position alone is searched for first plies that threaten nothing, too."""
_MOST_FINDINGS = 5
_HINT_LEVEL = "strong"
_LOST_ALREADY = ("lost", "road_allowed", "tinue_allowed")


class TakReviewer(Reviewer):
    """Roads in one and tinue that were missed, allowed, or found."""

    def review(self, setup: str, turns: Sequence[str], is_over: IsOver, only: int | None = None) -> Review:
        """Return what is proven about a game with this set-up."""
        return self.review_states(_states(setup, turns), turns, is_over, only)

    def review_states(
        self, states: Sequence[State], turns: Sequence[str], is_over: IsOver, only: int | None = None
    ) -> Review:
        """Return what is proven about the turns between some states."""
        limits = _WHOLE_GAME if only is None else _ONE_TURN
        course = _course(states, turns, limits, is_over)
        backward = range(len(turns) - 1, -1, -1) if only is None else (only - 1,)
        known = {index: proven for index in backward if (proven := course.proven(index)) is not None}
        told = sorted(
            (index for index in known if _is_new(known, index)),
            key=lambda index: (ORDER.index(known[index].name), index),
        )
        findings = (
            _finding(course, states[index], turns[index], index, known[index])
            for index in told[:_MOST_FINDINGS]
        )
        # Of one turn alone, no others are searched.
        marks = tuple(course.mark(index) for index in range(len(turns))) if only is None else ()
        return Review(tuple(findings), course.is_complete, limits.plies, marks)

    def hint(self, setup: str, turns: Sequence[str], is_over: IsOver) -> Hint:
        """Return a ply that makes or forces a road, or prevents one, or else what the bot would play.

        If there is a road to prevent, and each ply is proven to lose, the position is called lost.
        """
        state = _states(setup, turns)[-1]
        course = _course([state], (), _ONE_TURN, is_over)
        tinue, is_threatened = course.tinue(0), course.is_threatened(0)
        defences = course.defences(0) if is_threatened else ()
        if tinue.moves:
            name, ply = "road" if tinue.plies == 1 else "tinue", tinue.moves[0]
        elif defences:
            name, ply = "block", defences[0]
        else:
            level = LEVELS[_HINT_LEVEL]
            name = "lost" if is_threatened else "good"
            ply = choice(course.layout, course.bits[0], level, Random(0), is_over).ply
        board = course.layout.board
        facts = {"area": _area(board, Square(ply[0])), "is_move": ply[1] != 0}
        return Hint(name, _text(course, ply), facts)

    def hint_board(self, state: State, hint: Hint, *, is_whole: bool) -> Grid:
        """Return the board with the part marked in which to look, or the squares of the turn."""
        assert isinstance(state, TakState)
        if is_whole:
            return state.grid(hint.turn)
        board = state.position.board
        marked = tuple(square for square in board.squares if _area(board, square) == hint.facts["area"])
        return grid_of(state.position, None, marked)

    def forced(self, state: State, within: int, is_over: IsOver) -> Forced:
        """Return whether the player to move can force a road within some plies."""
        assert isinstance(state, TakState)
        position = state.position
        if position.outcome is not None:
            return Forced("none", within)
        layout, bits = layout_of(position.size), bits_of(position)
        tinue = TinueSearch(layout, not bits[9] & 1, is_over).find(bits, within, _UNLIMITED, _QUIET)
        turns = (ptn.write_ply(position.board, ptn.Ply(move_of(layout, ply))) for ply in tinue.moves)
        is_whole = tinue.has_quiet if tinue.proof is Proof.PROVEN else tinue.plies <= _QUIET
        return Forced(tinue.proof.value, tinue.plies, tuple(turns), "any" if is_whole else "threats")

    def annotated(self, record: str, reviews: Sequence[Review]) -> str:
        """Return games in PTN with `'` and `"` at plies that threaten or force a road, and with comments."""
        return annotated(record, reviews)

    def in_record(self, state: State, turn: str) -> str:
        """Return a turn in PTN. An agreed board is in no record."""
        assert isinstance(state, TakState)
        board = state.position.board
        return turn if is_board(turn) else ptn.write_ply(board, ptn.Ply(mail.parse(board, turn).move))


def _states(setup: str, turns: Sequence[str]) -> list[TakState]:
    read = stored_setup(setup)
    states = [TakState(read.position, read)]
    for turn in turns:
        states.append(states[-1].play(turn))
    return states


def _course(states: Sequence[State], turns: Sequence[str], limits: Limits, is_over: IsOver) -> Course:
    positions = [state.position for state in states if isinstance(state, TakState)]
    board = positions[0].board
    moves = [None if is_board(turn) else mail.parse(board, turn).move for turn in turns]
    return Course(positions, moves, limits, is_over)


def _is_new(known: dict[int, Proven], index: int) -> bool:
    """Return whether the same is not already known of the same player's turn before."""
    name = known[index].name
    before = known[index - 2].name if index - 2 in known else ""
    return before not in (_LOST_ALREADY if name == "lost" else (name,))


def _finding(course: Course, state: State, turn: str, index: int, proven: Proven) -> Finding:
    return Finding(
        proven.name,
        index + 1,
        state.to_move,
        turn,
        tuple(_text(course, ply) for ply in proven.better),
        tuple(_text(course, ply) for ply in proven.line),
        {"plies": proven.plies, "within": course.within},
    )


def _text(course: Course, ply: Ply) -> str:
    return mail.write(course.layout.board, move_of(course.layout, ply))


def _area(board: Board, square: Square) -> str:
    """Return the part of the board in which a square is: `north-west`, `north` and so on, or `middle`."""
    names = ("north", "", "south"), ("west", "", "east")
    thirds = (_third(place, board.size) for place in (board.row(square), board.column(square)))
    return (
        "-".join(filter(None, (side[third] for side, third in zip(names, thirds, strict=True)))) or "middle"
    )


def _third(place: int, size: int) -> int:
    return 0 if place < (size - 1) // 2 else 2 if place > size // 2 else 1
