"""An opponent for TZAAR that looks one or two turns ahead, at the likeliest turns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import nlargest
from math import inf
from random import Random

from takmail.games.thinking import Choice, IsOver, Player
from takmail.games.tzaar.apply import (
    apply_move,
    apply_step,
    captures,
    ends_with,
    outcome_of,
    stackings,
)
from takmail.games.tzaar.board import SPOTS
from takmail.games.tzaar.perft import legal_turns
from takmail.games.tzaar.pieces import Color, Kind
from takmail.games.tzaar.playing import play_turn
from takmail.games.tzaar.position import COLOR_BIT, HEIGHT_SHIFT, KIND_SHIFT, TYPE_BITS, Position
from takmail.games.tzaar.setup import TzaarSetup
from takmail.games.tzaar.turns import Actions, Move, Pass, write_turn

_WIN = 1_000_000
_END = 2 * _WIN
"""The worth of the end itself, which counts more than an answer that leads to it."""
_PERSISTENCE = 10
"""How many times as many turns as usual it looks at if it loses after all of the likely ones."""
_LAST = 30_000
_SAFETY = (0, 10, 19, 26, 31, 34)
"""How safe a stack is by its height, in tenths of a single piece."""


@dataclass(frozen=True, slots=True)
class Level:
    """A strength.

    * `noise` is by how much a judgement is off
    * `width` is for how many turns, the likeliest, the answers are looked at; 0 for none
    * `answers` is the number of captures after which a whole answer is looked at
    """

    noise: int
    width: int = 0
    answers: int = 0


_LEVELS = {"easy": Level(250), "fair": Level(60, 20, 6), "strong": Level(0, 80, 10)}
_QUICK_WIDTH = 20
"""Looking at the answers to so many turns takes about 0.3 s."""


class TzaarPlayer(Player):
    """An opponent for all set-ups."""

    @property
    def levels(self) -> tuple[str, ...]:
        """The names of the levels, the weakest first."""
        return tuple(_LEVELS)

    @property
    def quick_levels(self) -> tuple[str, ...]:
        """The names of the levels that look at the answers to few turns."""
        return tuple(name for name, level in _LEVELS.items() if level.width <= _QUICK_WIDTH)

    def plays(self, setup: str) -> bool:  # noqa: ARG002 - it plays all
        """Return true."""
        return True

    def choose(self, setup: str, turns: Sequence[str], level: str, seed: bytes, is_over: IsOver) -> Choice:
        """Return the turn of the player to move after these turns. Pieces are placed at random."""
        position = TzaarSetup.of(setup.split()).start
        for turn in turns:
            position = play_turn(position, turn)
        random = Random(seed)
        if position.is_placing:
            return Choice(write_turn(random.choice(legal_turns(position))))
        move, is_cut = _best(position, _LEVELS[level], random, is_over)
        return Choice(write_turn(move), is_cut)


def _best(position: Position, level: Level, random: Random, is_over: IsOver) -> tuple[Move, bool]:
    """Return the best turn, and whether the time was over before all were looked at."""
    noisy = [(score + random.gauss(0, level.noise), turn) for score, turn in _scored(position, len(SPOTS))]
    likely = sorted(noisy, key=_score, reverse=True)
    best, best_score = likely[0][1], -inf
    for number, (score, turn) in enumerate(likely if level.width else ()):
        # While all turns so far lose, it looks on for some time.
        if number >= level.width * (1 if best_score > -_WIN else _PERSISTENCE):
            break
        if is_over():
            return best, True
        after = apply_move(position, turn)
        if (outcome := outcome_of(after)) is not None:
            worth = _END if outcome.winner is position.to_move else -_END
        else:
            worth = -max(answer for answer, _ in _scored(after, level.answers))
        # Of turns with equally good answers, the one that is better by itself counts.
        if worth + score / _WIN > best_score:
            best, best_score = turn, worth + score / _WIN
    return best, False


def _score(scored: tuple[float, object]) -> float:
    return scored[0]


def _scored(position: Position, width: int) -> Iterator[tuple[int, Actions]]:
    """Yield the turns that begin with the best captures, as many as `width`, with scores for the player to move."""
    mover = position.to_move
    firsts = [(_judged(apply_step(position, first), mover), first) for first in captures(position)]
    for score, first in nlargest(width, firsts, key=_score):
        if ends_with(position, first):
            yield score, Actions((first,))
            continue
        after = apply_step(position, first)
        yield score, Actions((first, Pass.PASS))
        for second in (*captures(after), *stackings(after)):
            yield _judged(apply_step(after, second), mover), Actions((first, second))


def _judged(position: Position, color: Color) -> int:
    """Return how good a position is for a colour, whoever is to move.

    What counts is how many stacks of each kind a colour has and how high they are, as it must not lose the last one.
    """
    safety = [0] * (TYPE_BITS + 1)
    for code in position.stacks:
        safety[code & TYPE_BITS] += _SAFETY_OF[code]
    score = 0
    for kind in Kind:
        white, black = safety[kind << KIND_SHIFT], safety[kind << KIND_SHIFT | COLOR_BIT]
        score += (_LAST // black if black else _WIN) - (_LAST // white if white else _WIN)
    return -score if color else score


_SAFETY_OF = tuple(_SAFETY[min(code >> HEIGHT_SHIFT, len(_SAFETY) - 1)] for code in range(256))
