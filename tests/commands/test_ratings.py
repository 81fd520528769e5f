"""Ratings of all finished games: what they find, and that neither order nor names change a bit of them."""

from math import isclose
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench import ratings as simulated
from takmail.games.rated import Rated
from takmail.games.registry import GAMES
from takmail.games.thinking import Player
from takmail.world.ratings import MEAN, RatedGame, ratings

ANCHORS = {"fair": 1500.0, "easy": 1000.0}
PLAYERS = ("Ada", "Ben", "Cy", "Dot", *ANCHORS)
PLAYED = st.lists(
    st.builds(
        RatedGame,
        st.sampled_from(PLAYERS),
        st.sampled_from(PLAYERS),
        st.sampled_from((0.0, 0.5, 1.0)),
        st.sampled_from((0.0, 2.0, 2.5)),
        st.floats(0, 4_000),
    ),
    max_size=30,
)


@pytest.mark.many
@given(games=PLAYED, names=st.permutations(PLAYERS[:4]), seed=st.integers(0, 999))
def test_neither_the_order_of_games_nor_the_names_of_players_change_a_bit(
    games: list[RatedGame], names: list[str], seed: int
) -> None:
    renamed = {**dict(zip(PLAYERS, names, strict=False)), "fair": "fair", "easy": "easy"}
    shuffled = [
        game._replace(first=renamed[str(game.first)], second=renamed[str(game.second)]) for game in games
    ]
    Random(seed).shuffle(shuffled)
    before, after = ratings(games, ANCHORS), ratings(shuffled, ANCHORS)
    assert (before.turn, before.komi) == (after.turn, after.komi)
    assert {renamed[str(player)]: rating for player, rating in before.of.items()} == after.of


@pytest.mark.many
@given(games=PLAYED)
def test_two_who_are_the_same_person_have_what_one_of_their_games_would_have(games: list[RatedGame]) -> None:
    merged = [
        game._replace(**{seat: "Ada" for seat in ("first", "second") if getattr(game, seat) == "Ben"})
        for game in games
    ]
    between = [game for game in merged if game.first != game.second]
    assert ratings(merged, ANCHORS) == ratings(between, ANCHORS)


def test_who_wins_is_rated_higher_and_the_more_games_the_surer() -> None:
    one, ten = (ratings([RatedGame("Ada", "fair", 1.0)] * count, ANCHORS).of["Ada"] for count in (1, 10))
    assert MEAN < one.points < ten.points
    assert one.deviation > ten.deviation
    assert (one.games, one.is_shown, ten.is_shown) == (1, False, True)


def test_an_old_game_counts_less() -> None:
    new, old = (
        ratings([RatedGame("Ada", "fair", 1.0, age=age)] * 6, ANCHORS).of["Ada"] for age in (0, 2_000)
    )
    assert MEAN < old.points < new.points
    assert old.deviation > new.deviation


def test_games_against_players_whose_strength_is_known_tell_more() -> None:
    known, unknown = (
        ratings([RatedGame("Ada", other, float(number % 2)) for number, other in enumerate(others)], ANCHORS)
        for others in (["fair"] * 20, range(20))
    )
    assert known.of["Ada"].deviation < 0.8 * unknown.of["Ada"].deviation


def test_the_first_turn_and_komi_are_told_apart_from_strength() -> None:
    """The same two players: White wins three in four without komi, and half with it."""
    games = [
        RatedGame(first, second, float(number % 4 != 0 if komi == 0 else number % 2), komi)
        for first, second in (("Ada", "Ben"), ("Ben", "Ada"))
        for komi in (0.0, 4.0)
        for number in range(40)
    ]
    found = ratings(games, {})
    assert 100 < found.turn < 200
    assert isclose(found.turn, 4 * found.komi, abs_tol=25)
    assert isclose(found.of["Ada"].points, found.of["Ben"].points, abs_tol=0.5)


def test_no_games_are_no_ratings_and_bots_have_none() -> None:
    assert ratings([], ANCHORS).of == {}
    assert ratings([RatedGame("easy", "fair", 0.0)], ANCHORS).of == {}


def test_strengths_are_recovered_in_simulated_clubs() -> None:
    for games_each, most, least in ((10, 180, 0.82), (30, 105, 0.93)):
        errors, ranks, _ = zip(*(simulated.recovered(seed, games_each) for seed in range(12)), strict=True)
        assert sum(errors) / 12 <= most
        assert sum(ranks) / 12 >= least


def test_the_strengths_of_bots_are_of_levels_and_rise_with_them() -> None:
    for rules in GAMES.by_name.values():
        assert isinstance(rules, Rated)
        assert isinstance(rules, Player)
        for board in ("5x5", "6x6", "8x8", ""):
            strengths = rules.strengths(board) if board or rules.name == "tzaar" else {}
            assert list(strengths) == [level for level in rules.levels if level in strengths]
            assert sorted(strengths.values()) == list(strengths.values())
