"""The table is a fold over the results, with its ties."""

from hypothesis import given
from hypothesis import strategies as st

from takmail.world.clubs.league import all_pairs
from takmail.world.clubs.table import table
from takmail.world.clubs.values import DecidedBy, Outcome, Pairing
from takmail.world.kinds import GameNumber, PlayerId
from tests.clubs.checker import places
from tests.support.tables import each_row

RESULTS = {"1": Outcome.FIRST, "0": Outcome.SECOND, "=": Outcome.DRAW, "-": Outcome.VOID, ".": None}


def pairing(number: int, first: int, second: int, result: str) -> Pairing:
    outcome = RESULTS[result]
    by = None if outcome is None else DecidedBy.PLAY
    return Pairing(GameNumber(number), 1, 1, PlayerId(first), PlayerId(second), outcome, by)


def games(written: str) -> list[Pairing]:
    """Return pairings as `12+1` writes them: the players, and the result for the first."""
    return [
        pairing(number, int(game[0]), int(game[1]), game[2]) for number, game in enumerate(written.split())
    ]


@each_row(
    ("written", "order"),
    [
        ("", "1=1 2=1 3=1"),
        ("121", "1:1 2=2 3=2"),
        ("12= 13= 23=", "1=1 2=1 3=1"),
        # Each other: 1 and 2 have two points each, and 1 has them from their game.
        ("121 231", "1:1 2:2 3:3"),
        # Sonneborn-Berger: of 1 and 2 with a draw, 1 has beaten the stronger one of the others.
        ("12= 131 241 341", "1:1 2:2 3:3 4:4"),
        # Wins with the second turn: 2 has beaten 3 so.
        ("131 320", "2:1 1:2 3:3"),
        ("120 13. 23.", "2:1 1=2 3=2"),
        ("12- 131", "1:1 2=2 3=2"),
    ],
)
def test_the_order(written: str, order: str) -> None:
    players = [PlayerId(number) for number in range(1, len(order.split()) + 1)]
    lines = table(players, games(written))
    told = [f"{line.player}{'=' if line.is_shared else ':'}{line.place}" for line in lines]
    assert {*told} == {*order.split()}


def test_a_line_counts_what_was_played() -> None:
    first, second, third = table([PlayerId(1), PlayerId(2), PlayerId(3)], games("121 21= 13. 23-"))
    assert (first.player, first.points, first.won, first.drawn, first.lost, first.left) == (1, 3, 1, 1, 0, 1)
    assert (second.player, second.points, second.lost, second.played) == (2, 1, 1, 2)
    assert (third.player, third.left, third.played) == (3, 1, 0)


def test_who_has_dropped_out_stands_below_all_others() -> None:
    lines = table([PlayerId(1), PlayerId(2), PlayerId(3)], games("121 131 231"), out=[PlayerId(1)])
    assert [(line.player, line.place, line.points) for line in lines] == [(2, 1, 2), (3, 2, 0), (1, 3, 4)]


def test_games_with_others_do_not_count() -> None:
    (one, other) = table([PlayerId(1), PlayerId(2)], games("121 131 231"))
    assert (one.points, other.points) == (2, 0)


@given(
    st.integers(2, 7).flatmap(
        lambda size: st.tuples(
            st.just(size),
            st.lists(st.sampled_from("10=-."), min_size=size * (size - 1), max_size=size * (size - 1)),
        )
    )
)
def test_it_is_as_a_checker_of_its_own_has_it(drawn: tuple[int, list[str]]) -> None:
    size, results = drawn
    players = [PlayerId(number) for number in range(1, size + 1)]
    played = [
        pairing(number, first, second, result)
        for number, ((first, second), result) in enumerate(zip(all_pairs(players), results, strict=True))
    ]
    out = players[2:3]
    lines = table(players, played, out)
    assert {line.player: line.place for line in lines} == places(players, played, out)
    assert [line.place for line in lines] == sorted(line.place for line in lines)
    assert sum(line.points for line in lines) == 2 * sum(result in "10=" for result in results)
    assert table(players[::-1], played[::-1], out) == lines
