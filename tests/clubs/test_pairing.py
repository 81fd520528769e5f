"""Pairs of a round, compared with all draws that there are in small fields."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import pytest

from takmail.world.clubs.pairing import Both, Field, cost_of, drawn
from takmail.world.kinds import PlayerId
from tests.clubs.test_league import ids
from tests.support.width import IS_WIDE, SEED

Met = Counter[frozenset[PlayerId]]


def all_draws(players: list[PlayerId], matches: int) -> Iterator[list[Both]]:
    """Yield all draws in which each player meets so many others."""

    def completed(pairs: list[Both], left: dict[PlayerId, int], begin: int) -> Iterator[list[Both]]:
        if not any(left.values()):
            yield pairs
            return
        for number in range(begin, len(every)):
            one, other = every[number]
            # Pairs come by their first players. Who has been passed can't get more.
            if any(left[player] for player in players[: players.index(one)]):
                return
            if left[one] and left[other]:
                fewer = {**left, one: left[one] - 1, other: left[other] - 1}
                yield from completed([*pairs, (one, other)], fewer, number + 1)

    every = [*combinations(players, 2)]
    return completed([], dict.fromkeys(players, matches), 0)


def some_field(chance: random.Random, count: int) -> Field:
    """Return a field in which about half of the pairs have met, and some twice."""
    players = ids(*range(count))
    points = {player: 2 * chance.randint(0, 8) for player in players}
    met: Met = Counter()
    for pair in combinations(players, 2):
        met[frozenset(pair)] += chance.choice((0, 0, 1, 1, 2))
    return Field(sorted(players, key=lambda player: -points[player]), points, met)


@pytest.mark.parametrize(
    ("count", "matches"),
    [(2, 1), (3, 2), (4, 1), (5, 2), (5, 4), (6, 1), (6, 2), (7, 2), (7, 4), (8, 1), (6, 4)],
)
def test_no_other_draw_of_a_small_field_is_better(count: int, matches: int) -> None:
    chance = random.Random(f"{SEED} {count} {matches}")
    print(f"seed {SEED}")
    draws = [*all_draws(ids(*range(count)), matches)]
    for _ in range(20 if IS_WIDE else 2):
        field = some_field(chance, count)
        cost = cost_of(field)

        def met(pairs: list[Both], field: Field = field) -> int:
            return sum(field.met[frozenset(pair)] for pair in pairs)

        pairs = drawn(field, matches)
        assert Counter(player for pair in pairs for player in pair) == dict.fromkeys(field.players, matches)
        assert len({*map(frozenset, pairs)}) == len(pairs)
        assert met(pairs) == min(map(met, draws))
        assert sum(cost(*pair) for pair in pairs) == min(sum(cost(*pair) for pair in draw) for draw in draws)


SIZES = range(8, 65) if IS_WIDE else (8, 13, 15, 26, 64)


@pytest.mark.parametrize("count", SIZES)
def test_three_rounds_have_no_rematch_and_players_meet_their_like(count: int) -> None:
    chance = random.Random(f"{SEED} {count}")
    print(f"seed {SEED}")
    players, met = ids(*range(count)), Met()
    points = dict.fromkeys(players, 0)
    for matches in (4, 2, 1):
        ordered = sorted(players, key=lambda player: -points[player])[: count - count * matches % 2]
        pairs = drawn(Field(ordered, points, met), matches)
        assert Counter(player for pair in pairs for player in pair) == dict.fromkeys(ordered, matches)
        met.update(map(frozenset, pairs))
        for pair in pairs:
            points[chance.choice(pair)] += 4
    assert max(met.values()) == 1
    gaps = [abs(points[one] - points[other]) for one, other in pairs]
    usual = [abs(points[one] - points[other]) for one, other in combinations(players, 2)]
    assert count < 16 or sum(gaps) / len(gaps) < sum(usual) / len(usual)
