"""What the tests of the games share: the vectors, recorded games, and short ways to a position."""

import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import strategies as st

from takmail.games.interface import NearMiss, Refused, Turn
from takmail.games.tak.apply import after
from takmail.games.tak.board import Direction
from takmail.games.tak.game import TakGame, TakState
from takmail.games.tak.moves import Move, Place, Spread, legal_moves
from takmail.games.tak.notation import tps
from takmail.games.tak.pieces import Kind
from takmail.games.tak.position import Position, empty_position

_DATA = Path(__file__).parent.parent / "data"


@cache
def vectors(name: str) -> list[dict[str, Any]]:
    """The entries of a file of vectors, which nobody changes."""
    return json.loads((_DATA / name).read_text())


def recorded(*, size: int | None = None) -> list[tuple[int, dict[str, Any]]]:
    """The recorded games of one size or of all, each with its number in the file."""
    return [pair for pair in enumerate(vectors("games.json")) if size in (None, pair[1]["size"])]


def setup_of(game: dict[str, Any]) -> str:
    """The set-up of a recorded game."""
    return TakGame().set_up([str(game["size"]), f"komi={game['komi']}"], Random())


@cache
def replayed(number: int) -> tuple[TakState, ...]:
    """The states of a recorded game, from its beginning to its end."""
    game = vectors("games.json")[number]
    states = [TakGame().start(setup_of(game))]
    for turn in game["mail"]:
        states.append(states[-1].play(turn))
    return tuple(states)


def state(text: str) -> TakState:
    """The game as a TPS shows it."""
    return TakState(tps.parse(text))


def start(size: int) -> TakState:
    """A game before its first ply."""
    return TakState(empty_position(size))


def refusal_of(game: TakState, move: str) -> tuple[str, dict[str, object]]:
    """The name and facts of the rule that refuses `move`; fails if it is played."""
    try:
        game.play(move)
    except Refused as refused:
        return refused.reason.name, dict(refused.reason.facts)
    raise AssertionError(f"{move} was played")


def turn(game: TakState, line: str) -> str:
    """The canonical text that `line` is read as; fails if it is anything but a turn."""
    reading = game.read(line)
    assert isinstance(reading, Turn), reading
    return reading.text


def miss(game: TakState, line: str) -> NearMiss:
    """The near miss that `line` is read as; fails if it is anything else."""
    reading = game.read(line)
    assert isinstance(reading, NearMiss), reading
    return reading


def wander(size: int, seed: int, plies: int, half_komi: int = 0) -> Position:
    """The position after at most `plies` random legal plies."""
    chance = Random(seed)
    position = empty_position(size, half_komi)
    for _ in range(plies):
        moves = legal_moves(position)
        if not moves:
            break
        # Moves of stacks are chosen more often than their share late in a game, so that stacks grow.
        spreads = [move for move in moves if not hasattr(move, "kind")]
        position = after(position, chance.choice(spreads if spreads and chance.random() < 0.5 else moves))
    return position


@st.composite
def any_move(draw: st.DrawFn, position: Position) -> Move:
    """A move that a mail can say on this board, legal or not."""
    legal = legal_moves(position)
    if legal and draw(st.booleans()):
        return draw(st.sampled_from(legal))
    occupied = [square for square in position.board.squares if position.stacks[square]]
    square = draw(st.sampled_from(occupied or position.board.squares))
    if draw(st.booleans()):
        return Place(draw(st.sampled_from(Kind)), draw(st.sampled_from(position.board.squares)))
    drops = draw(st.lists(st.sampled_from((1, 1, 1, 2, 3, 9)), min_size=1, max_size=position.size + 1))
    return Spread(square, draw(st.sampled_from(Direction)), tuple(drops))
