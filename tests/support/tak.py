"""Test vectors, recorded games, and shortcuts to positions for the tests of Tak."""

import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import strategies as st

from takmail.games.interface import NearMiss, ReadTurn, Refused
from takmail.games.tak.apply import apply_move
from takmail.games.tak.board import Direction
from takmail.games.tak.game import TakGame
from takmail.games.tak.moves import Move, Place, Spread, legal_moves
from takmail.games.tak.notation import tps
from takmail.games.tak.pieces import Kind
from takmail.games.tak.position import Position, empty_position
from takmail.games.tak.state import TakState

_DATA = Path(__file__).parent.parent / "data"


@cache
def vectors(name: str) -> list[dict[str, Any]]:
    """Return the entries of a file of test vectors. They must not be changed."""
    return json.loads((_DATA / name).read_text())


def recorded(*, size: int | None = None) -> list[tuple[int, dict[str, Any]]]:
    """Return the recorded games of one size or of all, each with its number in the file."""
    return [pair for pair in enumerate(vectors("games.json")) if size in (None, pair[1]["size"])]


def setup_of(game: dict[str, Any]) -> str:
    """Return the set-up of a recorded game."""
    return TakGame().set_up([str(game["size"]), f"komi={game['komi']}"], Random())


@cache
def replayed(number: int) -> tuple[TakState, ...]:
    """Return the states of a recorded game, from its beginning to its end."""
    game = vectors("games.json")[number]
    states = [TakGame().start(setup_of(game))]
    for turn in game["mail"]:
        states.append(states[-1].play(turn))
    return tuple(states)


def state(text: str) -> TakState:
    """Return the game that a TPS describes."""
    return TakState(tps.parse(text))


def start(size: int) -> TakState:
    """Return a game before its first ply."""
    return TakState(empty_position(size))


def refusal_of(game: TakState, move: str) -> tuple[str, dict[str, object]]:
    """Return the name and facts of the rule that refuses `move`. Fails if the move is legal."""
    try:
        game.play(move)
    except Refused as refused:
        return refused.reason.name, dict(refused.reason.facts)
    raise AssertionError(f"{move} was played")


def turn(game: TakState, line: str) -> str:
    """Return the canonical text of `line`. Fails if it is not a turn."""
    reading = game.read(line)
    assert isinstance(reading, ReadTurn), reading
    return reading.text


def miss(game: TakState, line: str) -> NearMiss:
    """Return the near miss that `line` is parsed as. Fails if it is anything else."""
    reading = game.read(line)
    assert isinstance(reading, NearMiss), reading
    return reading


def wander(size: int, seed: int, plies: int, half_komi: int = 0) -> Position:
    """Return the position after at most `plies` random legal plies."""
    chance = Random(seed)
    position = empty_position(size, half_komi)
    for _ in range(plies):
        moves = legal_moves(position)
        if not moves:
            break
        # Late in a game, moves of stacks are chosen more often than their share, so that stacks grow.
        spreads = [move for move in moves if not hasattr(move, "kind")]
        position = apply_move(
            position, chance.choice(spreads if spreads and chance.random() < 0.5 else moves)
        )
    return position


@st.composite
def any_move(draw: st.DrawFn, position: Position) -> Move:
    """Draw a move that a mail can express on this board, legal or not."""
    legal = legal_moves(position)
    if legal and draw(st.booleans()):
        return draw(st.sampled_from(legal))
    occupied = [square for square in position.board.squares if position.stacks[square]]
    square = draw(st.sampled_from(occupied or position.board.squares))
    if draw(st.booleans()):
        return Place(draw(st.sampled_from(Kind)), draw(st.sampled_from(position.board.squares)))
    drops = draw(st.lists(st.sampled_from((1, 1, 1, 2, 3, 9)), min_size=1, max_size=position.size + 1))
    return Spread(square, draw(st.sampled_from(Direction)), tuple(drops))
