"""The bench scripts measure what they claim to measure, on few and short games."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bench import compare, cost, levels, long_game, perft, picture, rules, statements, tzaar
from tests.support.tak import vectors

ROOT = Path(__file__).parents[2]


@pytest.fixture
def few(tmp_path):
    """A file with the shortest games that each script accepts."""
    long = [one for one in vectors("games.json") if len(one["mail"]) >= 120]
    games = [next(one for one in long if one["size"] == size) for size in (6, 8)]
    file = tmp_path / "games.json"
    file.write_text(json.dumps(games))
    return file


def perft_says(capsys, *arguments):
    code = perft.main(list(arguments))
    return code, *capsys.readouterr()


def test_perft_prints_the_bare_count_and_then_its_speed():
    command = [sys.executable, ROOT / "bench" / "perft.py", "3", "3"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert lines[0] == "1200"
    assert lines[1].endswith("nodes/s")


def test_perft_starts_from_a_tps(capsys):
    _, out, _ = perft_says(capsys, "5", "2", "x5/x2,2S,x2/x2,121,x2/x5/x5 1 4")
    assert out.splitlines()[0] == "6155"


@pytest.mark.parametrize(
    "arguments",
    [(), ("3",), ("9", "1"), ("3", "-1"), ("3", "x"), ("3", "1", "x3"), ("4", "1", "x3/x3/x3 1 1")],
)
def test_perft_refuses_what_makes_no_sense(capsys, arguments):
    code, out, err = perft_says(capsys, *arguments)
    assert (code, out) == (2, "")
    assert "usage" in err


def test_the_bench_of_the_rules_plays_every_game(capsys):
    rules.main(1)
    out = capsys.readouterr().out
    assert "plies/s played and judged" in out
    assert "228 games, 13737 plies" in out


def test_the_bench_of_levels_plays_the_same_games_again(capsys):
    said = []
    for seed in ("1", "1", "5"):
        levels.main(["easy,noise=60:builder", "easy:random", "--size", "4", "--games", "10", "--seed", seed])
        said.append([line.rpartition(",")[0] for line in capsys.readouterr().out.splitlines()])
    assert said[0] == said[1] != said[2]
    assert said[0][1].startswith("4x4 easy against random: ")
    assert [line.count(" of 10 (") for line in said[0]] == [1, 1]


@pytest.mark.wide
def test_the_bench_of_comparing_measures_every_way(capsys, monkeypatch, few):
    monkeypatch.setattr(compare, "GAMES", few)
    compare.main(1)
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if not line.startswith(" ")] == [
        "6x6, 80 plies",
        "8x8, whole games of 120 plies and more",
    ]
    assert sum("worst" in line and "ms" in line for line in lines) == 10


@pytest.mark.wide
def test_the_bench_of_pictures_compares_both_ways(capsys, monkeypatch, few):
    monkeypatch.setattr(picture, "GAMES", few)
    picture.main(1)
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if not line.startswith(" ")] == [
        "6x6, a board",
        "6x6, an animation of 80 plies",
    ]
    assert sum("median" in line and "KB" in line for line in lines) == 4
    assert sum("times as fast" in line for line in lines) == 1


@pytest.mark.wide
def test_the_bench_of_long_games_compares_a_late_mail_with_an_early_one(capsys, monkeypatch):
    monkeypatch.setattr(long_game, "EARLY", 4)
    monkeypatch.setattr(long_game, "FEW", 1)
    monkeypatch.setattr(sys, "argv", ["bench.long_game", "--turns", "8", "--mails", "2"])
    long_game.main()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "turn 4 and turn 8, letters: text"
    assert [line.split("  ")[0] for line in lines[1:3]] == ["a move", "rs"]
    assert sum("times as much" in line for line in lines) == 8


@pytest.mark.wide
def test_the_bench_of_statements_prints_each_transaction_of_a_mail(capsys, monkeypatch):
    monkeypatch.setattr(statements, "LAST", 14)
    statements.main(1)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines if not line.startswith(" ")] == [
        "keep",
        "claim",
        "decide",
        "in all",
    ]
    assert sum("INSERT INTO outbox" in line for line in lines) == 1
    assert sum("BEGIN" in line for line in lines) == 3


@pytest.mark.wide
def test_the_bench_of_tzaar_prints_turns_and_nodes_a_second(capsys):
    tzaar.main(1)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(" ", 1)[1].split()[0] for line in lines[:2]] == ["turns/s", "nodes/s"]
    assert lines[2] == "40 games, 1409 turns, 1270724 nodes, median of 1 runs"


@pytest.mark.wide
def test_the_bench_of_costs_plays_each_kind_of_mail_with_both(capsys, monkeypatch):
    monkeypatch.setattr(cost, "WARM_UP", 1)
    monkeypatch.setattr(sys, "argv", ["bench.cost", "HEAD", "--games", "1", "--moves", "2", "--by", "calls"])
    cost.main()
    lines = capsys.readouterr().out.splitlines()
    kinds = ["new", "its yes", "accept", "a move", "a move with words", "rematch", "join", "MiB at most"]
    assert [line.split("   ")[0] for line in lines[1:]] == kinds
    assert not any(" - " in line for line in lines)
