"""What the operator sees of a relay game, and does to it, be its moves what they may."""

from pathlib import Path

import pytest

from tests.support.command_line import output
from tests.support.harness import ADA, BEN, Harness


@pytest.fixture
def config(cli_harness: Harness, tmp_path: Path) -> Path:
    """The config of a service with a relay game whose moves break every rule."""
    cli_harness.begin("3 relay")
    cli_harness.play("pc a1", "pc a1", "mn a1 g9 9")
    return tmp_path / "config.toml"


def game(config: Path, verb: str, *words: str) -> str:
    """What a verb of `takmail game` says that has nothing to complain of."""
    return output("game", verb, *words, "--config", config)


def test_the_list_has_it_as_a_game_that_runs(config: Path) -> None:
    assert "#1      open   3x3 relay      3 " in game(config, "list")


def test_it_is_shown_without_a_board_and_with_all_that_was_sent(config: Path) -> None:
    shown = game(config, "show", "1")
    assert "This is a relay game: takmail passes on what the players write and keeps no board." in shown
    assert "  3. Ada: mn a1 p9 9 (as written: mn a1 g9 9)" in shown
    assert "0 0 0" not in shown


def test_it_is_written_down_as_it_was_sent(config: Path) -> None:
    assert "1. Ca3 Ca3\n2. 9a3+" in game(config, "export", "1")


def test_it_stands_still_and_goes_on_and_ends_as_any_other(config: Path, cli_harness: Harness) -> None:
    game(config, "adjourn", "1", "--why", "the server moves")
    cli_harness.collect()
    (answer,) = cli_harness.send(ADA, "ps b1", cli_harness.last(ADA))
    assert "adjourned" in answer.text
    game(config, "adjourn", "1", "--resume", "--why", "it has moved")
    game(config, "end", "1", "--result", "1-0", "--why", "so agreed by telephone")
    assert {letter.to for letter in cli_harness.collect()} == {ADA, BEN}
    assert "1-0" in game(config, "list")
