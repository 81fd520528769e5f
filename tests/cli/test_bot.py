"""`takmail bot --tei`: the bot as an engine on standard input and output."""

import pytest
from click.testing import CliRunner

from takmail.cli import main


def test_it_speaks_tei_until_its_input_ends() -> None:
    lines = "tei\nteinewgame 5\nposition tps x5/x5/1,1,1,1,x/2,2,2,x2/x5 1 5\ngo movetime 1000\n"
    result = CliRunner().invoke(main, ["bot", "--tei"], input=lines)
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0] == "id name takmail"
    assert result.stdout.splitlines()[-1] == "bestmove e3"


def test_its_level_and_its_nodes_can_be_chosen() -> None:
    result = CliRunner().invoke(main, ["bot", "--tei", "--level", "strong", "--nodes", "300"], input="go\n")
    assert result.stdout.splitlines()[-1].startswith("bestmove ")


@pytest.mark.parametrize("words", [["bot"], ["bot", "--tei", "--level", "unbeatable"]])
def test_what_it_does_not_know_is_wrong(words: list[str]) -> None:
    assert CliRunner().invoke(main, words).exit_code == 2
