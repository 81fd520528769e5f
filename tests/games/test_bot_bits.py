"""The positions of the bot, compared ply by ply with the rules by which games are judged."""

from random import Random

import pytest

from takmail.games.tak.apply import apply_move
from takmail.games.tak.bot.bits import (
    DRAWN,
    LOST,
    WON,
    Bits,
    Layout,
    bits_of,
    layout_of,
    make,
    move_of,
    plies,
    ply_of,
    result,
)
from takmail.games.tak.bot.roads import roads_in_one
from takmail.games.tak.moves import Place, legal_moves
from takmail.games.tak.notation import tps
from takmail.games.tak.outcome import EndedBy
from takmail.games.tak.pieces import SIZES, Color, Kind
from takmail.games.tak.position import Position, empty_position
from tests.support.tables import each_row
from tests.support.tak import vectors
from tests.support.width import IS_WIDE

MOST_NODES = 20_000
GAMES = 2
ROADS_EVERY = 4


def _perft(layout: Layout, bits: Bits, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(
        _perft(layout, after, depth - 1)
        for ply in plies(layout, bits)
        for after in [make(bits, ply)]
        if depth == 1 or result(layout, after, ply[3]) is None
    )


@each_row(
    ("size", "text", "depth", "nodes"),
    [
        (entry["size"], entry["tps"], int(depth), nodes)
        for entry in vectors("perft.json")
        for depth, nodes in entry["nodes"].items()
        if nodes <= MOST_NODES
    ],
)
def test_perft(size: int, text: str, depth: int, nodes: int) -> None:
    position = empty_position(size) if text == "start" else tps.parse(text)
    assert _perft(layout_of(size), bits_of(position), depth) == nodes


def _result(position: Position) -> int | None:
    outcome = position.outcome
    if outcome is None:
        return None
    if outcome.winner is None:
        return DRAWN
    return LOST if outcome.winner is position.to_move else WON


def _roads(position: Position) -> set[object]:
    mover = position.to_move
    return {
        move
        for move in legal_moves(position)
        if (outcome := apply_move(position, move).outcome) is not None
        and outcome.ended_by is EndedBy.ROAD
        and outcome.winner is mover
    }


@pytest.mark.parametrize("half_komi", [0, 5])
@pytest.mark.parametrize(
    "size", [pytest.param(size, marks=() if size <= 5 else pytest.mark.wide) for size in SIZES]
)
def test_random_games_have_the_same_plies_boards_and_results(size: int, half_komi: int) -> None:
    random = Random(size * 100 + half_komi)
    layout = layout_of(size, half_komi)
    ended = set()
    for _ in range(GAMES):
        position = empty_position(size, half_komi)
        bits = bits_of(position)
        while position.outcome is None:
            moves = legal_moves(position)
            found = plies(layout, bits)
            assert len(found) == len(moves)
            assert {move_of(layout, ply) for ply in found} == set(moves)
            assert all(ply_of(layout, move_of(layout, ply)) == ply for ply in found)
            if position.ply % ROADS_EVERY < 2:
                is_white = position.to_move is Color.WHITE
                won = {move_of(layout, ply) for ply in roads_in_one(layout, bits, is_white)}
                # A capstone makes the roads of a flat.
                stones = position.reserve(position.to_move).stones
                assert won == {
                    move
                    for move in _roads(position)
                    if not stones or not isinstance(move, Place) or move.kind is not Kind.CAPSTONE
                }
            ply = random.choice(found)
            position = apply_move(position, move_of(layout, ply))
            bits = make(bits, ply)
            assert bits == bits_of(position)
            assert result(layout, bits, ply[3]) == _result(position)
        ended.add(position.outcome.ended_by)
    assert ended


def test_the_results_by_count_and_for_both_roads_are_those_of_the_rules() -> None:
    """Boards that are full but for a space, with roads for both, or without pieces."""
    random = Random(7)
    layout, results = layout_of(3, 1), set()
    for _ in range(40 if IS_WIDE else 14):
        position = empty_position(3, 1)
        while position.outcome is None:
            moves = legal_moves(position)
            quiet = [move for move in moves if apply_move(position, move).outcome is None]
            move = random.choice(quiet or moves)
            before = bits_of(position)
            position = apply_move(position, move)
            ply = ply_of(layout, move)
        outcome = position.outcome
        assert result(layout, make(before, ply), ply[3]) == _result(position)
        results.add((outcome.ended_by, outcome.winner))
    assert len(results) > 3
