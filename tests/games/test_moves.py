"""The legal plies: generated, counted and refused by three independent implementations."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from takmail.games.tak.apply import apply_move
from takmail.games.tak.board import Direction
from takmail.games.tak.moves import Place, Spread, count_moves, legal_moves
from takmail.games.tak.pieces import Color, Kind, full_reserve
from takmail.games.tak.position import position_of, reserve_left
from takmail.games.tak.reasons import SpaceTaken
from takmail.games.tak.rules import IllegalMove, play, refusal
from tests.support.tak import start, state, wander

SOME_POSITION = (st.integers(3, 6), st.integers(0, 10**6), st.integers(0, 100))


def all_drops(most, spaces):
    """Return every way to drop pieces from a hand of at most `most` in at most `spaces` spaces."""
    return [
        drops
        for length in range(1, spaces + 1)
        for drops in product(range(1, most + 1), repeat=length)
        if sum(drops) <= most
    ]


def conceivable(position):
    squares = position.board.squares
    yield from (Place(kind, square) for kind in Kind for square in squares)
    for drops in all_drops(position.size + 1, min(position.size, 4)):
        yield from (Spread(square, direction, drops) for square in squares for direction in Direction)


@given(st.integers(3, 4), st.integers(0, 10**6), st.integers(0, 60))
def test_the_legal_plies_are_those_that_no_rule_refuses(size, seed, plies):
    position = wander(size, seed, plies)
    allowed = {move for move in conceivable(position) if refusal(position, move) is None}
    legal = legal_moves(position)
    assert len(legal) == len(set(legal))
    assert set(legal) == allowed


@given(*SOME_POSITION)
def test_counting_and_making_the_plies_agree(size, seed, plies):
    position = wander(size, seed, plies)
    assert count_moves(position) == len(legal_moves(position))


@given(*SOME_POSITION)
def test_what_is_kept_along_is_what_the_stacks_say(size, seed, plies):
    position = wander(size, seed, plies)
    stacks = {square: position.stacks[square] for square in position.board.squares if position.stacks[square]}
    white, black = (reserve_left(size, tuple(stacks.values()), color) for color in Color)
    anew = position_of(size, stacks, position.ply, 0, white, black)
    assert position._replace(outcome=None) == anew


@given(*SOME_POSITION)
def test_no_piece_is_lost_and_none_is_made(size, seed, plies):
    position = wander(size, seed, plies)
    whole = full_reserve(size)
    for color in Color:
        on_board = [piece for stack in position.stacks for piece in stack if piece.color is color]
        capstones = sum(piece.kind is Kind.CAPSTONE for piece in on_board)
        assert position.reserve(color).capstones + capstones == whole.capstones
        assert position.reserve(color).stones + len(on_board) - capstones == whole.stones


@given(*SOME_POSITION)
def test_a_position_is_never_changed_in_place(size, seed, plies):
    position = wander(size, seed, plies)
    same, before = wander(size, seed, plies), hash(position)
    for move in legal_moves(position):
        assert apply_move(position, move) != position
    assert hash(position) == before
    assert position == same


def test_a_game_state_is_never_changed_in_place():
    game = start(5)
    before = hash(game)
    later = game.play("ps a1")
    assert later != game == start(5)
    assert hash(game) == before


def test_a_refused_ply_raises_with_its_reason():
    game = state("x5/x5/x5/x,12S,x3/x5 1 5")
    square = game.position.board.square(1, 3)
    with pytest.raises(IllegalMove) as caught:
        play(game.position, Place(Kind.FLAT, square))
    assert caught.value.reason == SpaceTaken(square, 2, Color.BLACK, Kind.WALL)


def test_nothing_is_legal_once_the_game_is_over():
    position = state("1,1,1/x3/2,2,x 2 4").position
    assert legal_moves(position) == []
    assert count_moves(position) == 0
