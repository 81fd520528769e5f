"""`takmail rating`: how strong the players are."""

import json
from pathlib import Path

import pytest

from tests.store.test_ratings import Club
from tests.support.command_line import output
from tests.support.harness import Harness


@pytest.fixture
def config(cli_harness: Harness, tmp_path: Path) -> Path:
    """The config of a service on which number 1 has beaten number 2 six times."""
    with cli_harness.store.transaction() as session:
        club = Club(session)
        club.people(2)
        for _ in range(6):
            club.game()
    return tmp_path / "config.toml"


def test_ratings_are_computed_and_listed_the_strongest_first(config: Path) -> None:
    assert "There are no ratings yet." in output("rating", "list", "--config", config)
    assert output("rating", "compute", "--config", config) == "2 ratings computed.\n"
    first, second = map(json.loads, output("rating", "list", "--json", "--config", config).splitlines())
    assert (first["number"], first["board"], first["games"], first["seen_by"]) == (1, "5x5", 6, "opponents")
    assert first["points"] > second["points"]
    table = output("rating", "list", "--config", config)
    assert table.index("player1") < table.index("player2")
