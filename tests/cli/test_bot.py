"""`takmail bot --tei`: the bot as an engine on standard input and output."""

import subprocess
import sys
from random import Random

import pytest
from click.testing import CliRunner

from takmail.cli import main
from tests.support.as_process import MIB, run

BOT = ("bot", "--tei", "--level", "easy")
MOVES = b" ".join([b"a1"] * 100_000)
HUGE = b"9" * 4_000
GARBAGE = (
    *(b"isready\0", b"\0", b"\xff\xfe", b"tei" * 1_000, b"x" * (3 * MIB), b"position tps " + b"x5/" * MIB),
    *(b"position", b"position tps", b"position tps x99999999999/x 1 1", b"position startpos moves " + MOVES),
    *(b"teinewgame", b"teinewgame 99", b"teinewgame \xc2\xb2", b"setoption name HalfKomi value"),
    *(b"setoption name HalfKomi value " + HUGE[:400], b"setoption name HalfKomi value x"),
    *(
        b"go movetime " + HUGE,
        b"go wtime " + HUGE[:400],
        b"go nodes " + HUGE,
        b"go depth " + HUGE,
        b"go depth 0",
    ),
)


def test_it_speaks_tei_until_its_input_ends() -> None:
    lines = b"tei\nteinewgame 5\nposition tps x5/x5/1,1,1,1,x/2,2,2,x2/x5 1 5\ngo movetime 1000\n"
    result = run("bot", "--tei", text=lines)
    assert result.returncode == 0
    assert result.stdout.splitlines()[0] == b"id name takmail"
    assert result.stdout.splitlines()[-1] == b"bestmove e3"


def test_its_level_and_its_nodes_can_be_chosen() -> None:
    result = run("bot", "--tei", "--level", "strong", "--nodes", "300", text=b"go\n")
    assert result.stdout.splitlines()[-1].startswith(b"bestmove ")


@pytest.mark.parametrize("words", [["bot"], ["bot", "--tei", "--level", "unbeatable"]])
def test_what_it_does_not_know_is_wrong(words: list[str]) -> None:
    assert CliRunner().invoke(main, words).exit_code == 2


def test_garbage_is_answered_by_a_sentence_at_most() -> None:
    noise = Random(7).randbytes(100_000)
    result = run(*BOT, text=b"\n".join((b"tei", *GARBAGE, noise, b"isready", b"quit\n")))
    assert (result.returncode, result.stderr) == (0, b"")
    lines = result.stdout.decode().splitlines()
    assert ("id name takmail" in lines, lines[-1]) == (True, "readyok")
    assert len(result.stdout) < 10_000
    assert lines.count(f"info string can't read a line of more than {MIB} bytes") == 2
    assert "info string can't setoption: ValueError('it goes from -20 to 20')" in lines


@pytest.mark.parametrize("line", [b"position startpos moves", b"x" * (10 * MIB)], ids=["half", "long"])
def test_it_ends_at_quit_whatever_is_above_and_behind_it(line: bytes) -> None:
    result = run(*BOT, text=line + b"\nquit\n" + line)
    assert (result.returncode, result.stderr) == (0, b"")


def test_what_never_ends_takes_little_memory() -> None:
    """A line without an end, and lines that come faster than they are answered."""
    lines = b"teinewgame 3\nposition startpos\ngo infinite\n" + 60_000 * (b"x" * 1_000 + b"\n") + b"stop\n"
    result = run(*BOT, text=b"x" * (70 * MIB) + b"\n" + lines + b"isready\n", memory=48 * MIB)
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout.endswith(b"readyok\n")


def test_it_ends_where_nobody_reads_its_answers_and_more_may_be_written() -> None:
    with subprocess.Popen(["/bin/true"], stdin=subprocess.PIPE) as gone:
        gone.wait()
        command = [sys.executable, "-m", "takmail", *BOT]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=gone.stdin, stderr=subprocess.PIPE
        ) as engine:
            assert engine.stdin is not None
            assert engine.stderr is not None
            engine.stdin.write(b"tei\n" * 100)
            engine.stdin.flush()
            assert engine.stderr.read() == b""
            assert engine.wait() == 1
