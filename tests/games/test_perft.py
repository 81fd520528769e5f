"""The number of games of a given length, compared with an independent engine."""

import pytest

from takmail.games.tak.notation import tps
from takmail.games.tak.perft import perft
from takmail.games.tak.position import empty_position
from tests.support.tables import each_row
from tests.support.tak import vectors

MOST_NODES = 60_000_000  # the number that takes about a minute; bench/perft.py counts larger cases
MOST_BOARDS = 12_000  # the number that takes less than a second; `make long` counts the other cases
Case = tuple[int, str, int, int]


def cases(*, is_long: bool) -> list[Case]:
    """Return size, position, depth and number of nodes of each case. The work is that of the boards before the last
    ply, which is counted but not played.
    """
    return [
        (entry["size"], entry["tps"], int(depth), nodes)
        for entry in vectors("perft.json")
        for depth, nodes in entry["nodes"].items()
        if nodes <= MOST_NODES and (entry["nodes"].get(str(int(depth) - 1), 1) > MOST_BOARDS) == is_long
    ]


def count(size: int, text: str, depth: int) -> int:
    return perft(empty_position(size) if text == "start" else tps.parse(text), depth)


@each_row("size, text, depth, nodes", cases(is_long=False))
def test_as_many_games_as_another_engine_finds(size: int, text: str, depth: int, nodes: int) -> None:
    assert count(size, text, depth) == nodes


# Long cases come first, so that no long case runs alone at the end.
@pytest.mark.long
@pytest.mark.parametrize(
    ("size", "text", "depth", "nodes"), sorted(cases(is_long=True), key=lambda one: one[3], reverse=True)
)
def test_as_many_longer_games_as_another_engine_finds(size: int, text: str, depth: int, nodes: int) -> None:
    assert count(size, text, depth) == nodes


def test_there_is_one_game_of_no_plies():
    assert perft(empty_position(5), 0) == 1


def test_a_finished_game_counts_at_the_leaves_only():
    finished = tps.parse("1,1,1/x3/2,2,x 2 4")
    assert (perft(finished, 0), perft(finished, 1), perft(finished, 2)) == (1, 0, 0)
