"""The number of games of a given length, compared with an independent engine."""

import pytest

from takmail.games.tak.notation import tps
from takmail.games.tak.perft import perft
from takmail.games.tak.position import empty_position
from tests.support.tak import vectors

MOST_NODES = 60_000_000  # the number that takes about a minute; bench/perft.py counts larger cases
MOST_BOARDS = 12_000  # the number that takes less than a second; `make long` counts the other cases

# The last ply is counted but not played, so the work is that of the boards before it. Long cases come first, so that no
# long case runs alone at the end.
CASES = [
    pytest.param(
        size,
        text,
        depth,
        nodes,
        id=f"{number}-{size}-depth-{depth}",
        marks=[pytest.mark.long] if boards > MOST_BOARDS else [],
    )
    for nodes, boards, number, size, text, depth in sorted(
        (
            (
                nodes,
                entry["nodes"].get(str(int(depth) - 1), 1),
                number,
                entry["size"],
                entry["tps"],
                int(depth),
            )
            for number, entry in enumerate(vectors("perft.json"))
            for depth, nodes in entry["nodes"].items()
            if nodes <= MOST_NODES
        ),
        reverse=True,
    )
]


@pytest.mark.parametrize(("size", "text", "depth", "nodes"), CASES)
def test_as_many_games_as_another_engine_finds(size, text, depth, nodes):
    position = empty_position(size) if text == "start" else tps.parse(text)
    assert perft(position, depth) == nodes


def test_there_is_one_game_of_no_plies():
    assert perft(empty_position(5), 0) == 1


def test_a_finished_game_counts_at_the_leaves_only():
    finished = tps.parse("1,1,1/x3/2,2,x 2 4")
    assert (perft(finished, 0), perft(finished, 1), perft(finished, 2)) == (1, 0, 0)
