"""Groups and a knock-out: who is in which group, who goes on, and who meets whom."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from takmail.world.clubs.groups import groups, qualified
from takmail.world.clubs.knock_out import opponents
from takmail.world.clubs.values import Outcome
from takmail.world.kinds import PlayerId
from tests.clubs.test_league import ids, season


@given(st.integers(4, 200))
def test_groups_have_three_to_five_and_are_as_strong_as_each_other(count: int) -> None:
    seated = groups(ids(*range(count)))
    assert sorted(player for group in seated for player in group) == [*range(count)]
    assert {len(group) for group in seated} <= {3, 4, 5}
    best = [min(group) for group in seated]
    assert sorted(best) == [*range(len(seated))]


@pytest.mark.parametrize(
    ("players", "met", "pairs"),
    [
        ("1 2", "", "1-2"),
        ("1 2 3", "", "2-3"),
        ("1 2 3 4", "", "1-4 2-3"),
        ("1 2 3 4", "1-4", "1-3 2-4"),
        ("1 2 3 4", "1-4 1-3", "1-2 3-4"),
        ("1 2 3 4", "1-4 1-3 1-2", "1-4 2-3"),
        ("1 2 3 4 5", "", "4-5"),
        ("1 2 3 4 5 6", "", "3-6 4-5"),
        ("1 2 3 4 5 6", "3-6", "3-5 4-6"),
        ("1 2 3 4 5 6 7 8", "", "1-8 2-7 3-6 4-5"),
    ],
)
def test_the_best_meet_the_worst_whom_they_have_not_met(players: str, met: str, pairs: str) -> None:
    def both(text: str) -> list[tuple[PlayerId, ...]]:
        return [tuple(ids(*map(int, pair.split("-")))) for pair in text.split()]

    drawn = opponents(ids(*map(int, players.split())), [frozenset(pair) for pair in both(met)])
    assert drawn == both(pairs)


@given(st.integers(2, 130))
def test_after_a_round_two_four_eight_or_sixteen_are_left(count: int) -> None:
    pairs = opponents(ids(*range(count)), ())
    assert max(Counter(player for pair in pairs for player in pair).values()) == 1
    left = count - len(pairs)
    assert left & (left - 1) == 0
    assert 2 * left >= count


def test_who_goes_on_is_by_place_then_by_points_for_each_game_then_by_seed() -> None:
    whole = season(4, 3)  # 1 beats 2 beats 3, and 5 beats 6 beats 7
    seeds = {player: 8 - player for player in range(1, 8)}
    seeded = replace(
        whole, entries=tuple(entry._replace(seed=seeds[entry.player]) for entry in whole.entries)
    )
    assert qualified(seeded) == [5, 1, 2, 6]  # 12 of 12 points, and 8 of 8; 8 of 12, and 4 of 8
    drawn = tuple(pairing._replace(outcome=Outcome.DRAW) for pairing in seeded.pairings)
    assert qualified(replace(seeded, pairings=drawn)) == [7, 4, 6, 3]
