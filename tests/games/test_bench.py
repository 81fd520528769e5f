"""The bench scripts do what they say, so that their figures mean something."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def run(script, *arguments):
    command = [sys.executable, str(ROOT / "bench" / script), *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_perft_prints_the_bare_count_and_then_its_speed():
    lines = run("perft.py", "3", "3").stdout.splitlines()
    assert lines[0] == "1200"
    assert lines[1].endswith("nodes/s")


def test_perft_starts_from_a_tps():
    text = "x5/x2,2S,x2/x2,121,x2/x5/x5 1 4"
    assert run("perft.py", "5", "2", text).stdout.splitlines()[0] == "6155"


def test_perft_refuses_what_makes_no_sense():
    for arguments in (
        (),
        ("3",),
        ("9", "1"),
        ("3", "-1"),
        ("3", "x"),
        ("3", "1", "x3"),
        ("4", "1", "x3/x3/x3 1 1"),
    ):
        answer = run("perft.py", *arguments)
        assert (answer.returncode, answer.stdout) == (2, "")
        assert "usage" in answer.stderr


def test_the_bench_of_the_rules_plays_every_game():
    answer = run("rules.py", "1")
    assert "plies/s played and judged" in answer.stdout
    assert "228 games, 13737 plies" in answer.stdout


def test_the_bench_of_comparing_measures_every_way():
    lines = run("compare.py", "1").stdout.splitlines()
    assert [line for line in lines if not line.startswith(" ")] == [
        "6x6, 80 plies",
        "8x8, whole games of 120 plies and more",
    ]
    assert sum("worst" in line and "ms" in line for line in lines) == 10


def test_the_bench_of_pictures_holds_both_ways_against_each_other():
    lines = run("picture.py", "1").stdout.splitlines()
    assert [line for line in lines if not line.startswith(" ")] == [
        "6x6, a board",
        "6x6, an animation of 80 plies",
    ]
    assert sum("median" in line and "KB" in line for line in lines) == 4
    assert sum("times as fast" in line for line in lines) == 1


def test_the_bench_of_long_games_holds_a_late_mail_against_an_early_one():
    command = [sys.executable, "-m", "bench.long_game", "--turns", "60", "--mails", "2"]
    lines = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    assert lines[0] == "turn 30 and turn 60, letters: text"
    assert [line.split("  ")[0] for line in lines[1:3]] == ["a move", "rs"]
    assert sum("times as much" in line for line in lines) == 8
