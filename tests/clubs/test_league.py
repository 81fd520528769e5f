"""Divisions, pairs, who moves up and down, and how a drop-out counts."""

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from takmail.world.clubs.form import Strength
from takmail.world.clubs.league import MOST_IN_DIVISION, after_moves, all_pairs, cut, next_order
from takmail.world.clubs.results import counts_as
from takmail.world.clubs.values import (
    DecidedBy,
    DroppedOut,
    Entry,
    Outcome,
    Pairing,
    Tournament,
    TournamentNumber,
    TournamentStanding,
    TournamentTerms,
)
from takmail.world.kinds import GameNumber, PlayerId

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def ids(*numbers: int) -> list[PlayerId]:
    return [*map(PlayerId, numbers)]


def season(*sizes: int) -> Tournament:
    """Return a season in which each player has beaten all in the division with a higher number."""
    entries, pairings = list[Entry](), list[Pairing]()
    for division, size in enumerate(sizes, 1):
        players = ids(*range(len(entries) + 1, len(entries) + size + 1))
        entries += (Entry(1, player, NOW, division) for player in players)
        for first, second in all_pairs(players):
            outcome = Outcome.FIRST if first < second else Outcome.SECOND
            number = GameNumber(len(pairings) + 1)
            pairings.append(Pairing(number, 1, division, first, second, outcome, DecidedBy.PLAY))
    terms = TournamentTerms("tak", "4", "days=3")
    running = TournamentStanding.RUNNING
    return Tournament(
        TournamentNumber(1),
        9,
        "Autumn",
        "autumn",
        terms,
        40,
        None,
        running,
        1,
        None,
        NOW,
        (*entries,),
        (*pairings,),
    )


@given(st.integers(1, 200))
def test_divisions_are_full_and_even(count: int) -> None:
    divisions = cut([PlayerId(number) for number in range(count)])
    sizes = [len(division) for division in divisions]
    assert [player for division in divisions for player in division] == [*range(count)]
    assert max(sizes) - min(sizes) <= 1
    assert max(sizes) <= MOST_IN_DIVISION
    assert len(divisions) == -(-count // MOST_IN_DIVISION)


@given(st.integers(2, 12))
def test_each_plays_each_twice_with_sides_changed(count: int) -> None:
    pairs = all_pairs(ids(*range(count)))
    assert Counter(pairs) == Counter(
        (one, other) for one in range(count) for other in range(count) if one != other
    )
    assert Counter(first for first, _ in pairs) == dict.fromkeys(range(count), count - 1)


@pytest.mark.parametrize(
    ("sizes", "order"),
    [
        ((3,), "1 2 3"),
        ((4, 4), "1 2 3 5  4 6 7 8"),
        ((6, 6), "1 2 3 4 7 8  5 6 9 10 11 12"),
        ((4, 4, 4), "1 2 3 5  4 6 7 9  8 10 11 12"),
        ((7, 6, 6), "1 2 3 4 5 8 9  6 7 10 11 14 15  12 13 16 17 18 19"),
    ],
)
def test_the_best_move_up_and_the_last_down(sizes: tuple[int, ...], order: str) -> None:
    divisions = [[*map(int, division.split())] for division in order.split("  ")]
    assert after_moves(season(*sizes)) == divisions


def test_who_is_new_comes_last_and_the_strongest_first() -> None:
    strengths = {PlayerId(player): Strength(rating, 0) for player, rating in ((7, 1), (8, 3), (9, 2))}
    assert next_order(season(3, 3), ids(1, 2, 4, 6, 7, 8, 9), strengths) == [
        1,
        2,
        4,
        6,
        8,
        9,
        7,
    ]


@pytest.mark.parametrize(
    ("decided", "counts"), [(0, "uncounted"), (2, "uncounted"), (3, "lost"), (6, "lost")]
)
def test_half_of_the_games_make_a_drop_out_count(decided: int, counts: str) -> None:
    whole = season(4)
    own = [pairing.number for pairing in whole.pairings_of(player=PlayerId(2))]
    still_open = {*own[decided:]}
    pairings = tuple(
        pairing._replace(outcome=None, by=None) if pairing.number in still_open else pairing
        for pairing in whole.pairings
    )
    assert counts_as(replace(whole, pairings=pairings), PlayerId(2)) is DroppedOut(counts)


def test_games_that_others_have_left_are_none_of_those_who_drop_out() -> None:
    whole = season(4)
    left = [one._replace(outcome=Outcome.VOID, by=DecidedBy.DEFAULT) for one in whole.pairings]
    assert counts_as(replace(whole, pairings=(*left,)), PlayerId(2)) is DroppedOut.UNCOUNTED
    left[0] = left[0]._replace(outcome=Outcome.FIRST, by=DecidedBy.PLAY)
    assert counts_as(replace(whole, pairings=(*left,)), left[0].first) is DroppedOut.LOST
