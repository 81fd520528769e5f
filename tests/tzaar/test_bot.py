"""The opponent for TZAAR: legal turns, the same ones each time, wins that it takes and losses that it sees."""

from random import Random

import pytest

from takmail.games.thinking import Player
from takmail.games.tzaar.apply import apply_move, outcome_of
from takmail.games.tzaar.game import TzaarGame
from takmail.games.tzaar.pieces import Color
from takmail.games.tzaar.position import Position, read_position
from takmail.games.tzaar.turns import parse_turn

GAME = TzaarGame()
SEED = b"a seed"
LEVELS = ("easy", "fair", "strong")


def _never() -> bool:
    return False


def test_tzaar_has_an_opponent_for_all_set_ups() -> None:
    assert isinstance(GAME, Player)
    assert GAME.levels == LEVELS
    assert all(GAME.plays(setup) for setup in ("random", "fixed", "tournament"))


@pytest.mark.wide
@pytest.mark.parametrize("setup", ["fixed", "random", "tournament"])
def test_it_plays_whole_games_by_the_rules_of_each_set_up(setup: str) -> None:
    setup = GAME.complete(setup, Random(3))
    state, turns = GAME.start(setup), []
    while state.result is None:
        turns.append(GAME.choose(setup, turns, LEVELS[len(turns) // 2 % 2], SEED, _never).text)
        state = state.play(turns[-1])


def test_the_same_seed_gives_the_same_turn_and_another_one_another() -> None:
    for level in LEVELS[:2]:
        assert len({GAME.choose("fixed", [], level, SEED, _never).text for _ in range(2)}) == 1
    assert len({GAME.choose("fixed", [], "easy", bytes([seed]), _never).text for seed in range(8)}) > 1


def _after(board: str, level: str, seed: bytes = SEED) -> Position:
    """Return the position after the turn that a level chooses on an agreed board."""
    turns = [f"board {board}"]
    position = read_position(board)
    assert position is not None
    return apply_move(position, parse_turn(GAME.choose("fixed", turns, level, seed, _never).text).move)


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_takes_the_last_piece_of_a_kind(level: str) -> None:
    outcome = outcome_of(_after("zZx3/x6/x7/x8/x8/x8/RTx5/x6/rtTRx w", level))
    assert outcome is not None
    assert outcome.winner is Color.WHITE


@pytest.mark.parametrize("levels", [("easy", "fair"), pytest.param(("fair", "easy"), marks=pytest.mark.wide)])
def test_a_level_that_looks_at_the_answers_wins_against_one_that_does_not(levels: tuple[str, str]) -> None:
    """Both play a whole game by the rules."""
    setup = GAME.complete("random", Random(2))
    state, turns = GAME.start(setup), []
    while state.result is None:
        turns.append(GAME.choose(setup, turns, levels[state.to_move], b"2", _never).text)
        state = state.play(turns[-1])
    assert state.result.winner is not None
    assert levels[state.result.winner] == "fair"


def test_a_search_that_is_cut_still_has_a_turn() -> None:
    chosen = GAME.choose("fixed", [], "strong", SEED, lambda: True)
    assert chosen.is_cut
    assert GAME.start("fixed").play(chosen.text).turns == 1
