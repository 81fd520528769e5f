"""External engines as processes: quirks do no harm, and after a fault the engine is started once more."""

import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from pathlib import Path

import pytest

from takmail.games.registry import GAMES
from takmail.games.tak.tei.introduction import Introduction
from takmail.games.thinking import EngineHost, EngineTerms
from takmail.runtime.child_process import Closed
from takmail.runtime.engines import MOST_KEPT, Engine, EngineFailed
from tests.support.cost import PATIENCE
from tests.support.width import some_of

SCRIPT = Path(__file__).parents[1] / "support" / "scripted_engine.py"
START = "(set-up 5, position x5/x5/x5/x5/x5 1 1)"
MIB = 1024 * 1024


def engine(
    *arguments: str, patience: int = 1_000 * PATIENCE, memory: int = 1_024 * MIB, keep: float = 0
) -> Engine:
    """Return the scripted engine. Only tests of faults that need it give a short patience."""
    host = GAMES.by_name["tak"]
    assert isinstance(host, EngineHost)
    terms = EngineTerms(frozenset({5}), milliseconds=1, patience=patience)
    return Engine("scripted", (sys.executable, "-S", str(SCRIPT), *arguments), terms, memory, host, keep)


def failure(*arguments: str, patience: int = 1_000 * PATIENCE) -> str:
    with pytest.raises(EngineFailed) as caught:
        engine(*arguments, patience=patience).choose("5", ())
    named, _, told = str(caught.value).partition(": ")
    assert named == "[[engine]] scripted"
    return told


def read(log: Path) -> list[str]:
    return log.read_text().splitlines()


@pytest.mark.parametrize(
    "quirk",
    [
        (),
        ("intro=id name Taktician",),
        ("intro=option name HalfKomi type combo default 0 var 0 var 4",),
        ("intro=size 5 6 halfkomi 0 4",),
        ("chatter=300",),
        ("best=e5*",),
        ("best=e5 ponder a1",),
    ],
)
def test_an_engine_chooses_a_turn(quirk: tuple[str, ...]) -> None:
    choice = engine(*quirk).choose("5", ())
    assert choice.text in ("ps a5", "ps e1")
    assert choice.note.endswith("depth 6 nodes 269773 score cp 250")


@pytest.mark.parametrize(
    "much",
    some_of(
        [
            ("times=100000", "intro=option name A type spin default 0\n"),
            ("times=100000", "intro=option name A \n"),
            ("times=20000", "intro=id name \1\x1b"),
            ("times=500000", "intro=\n"),
            ("times=300000", "info=depth 1 "),
            ("times=100000", f"intro=size {' '.join('345678')} halfkomi 0 4\n"),
        ],
        2,
    ),
)
def test_of_an_engine_that_says_much_little_is_kept(much: tuple[str, ...]) -> None:
    choice = engine(*much).choose("5", ())
    assert (choice.text, len(choice.note) < 1_200) == ("ps a5", True)
    assert choice.note.isprintable()


def test_what_an_engine_offers_is_kept_up_to_a_limit() -> None:
    many = " ".join(map(str, range(400)))
    known = reduce(
        Introduction.with_line, [f"size {many} halfkomi {many}", *["option name A"] * 2_000], Introduction()
    )
    assert (len(known.options), len(known.boards)) == (500, 500)


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Engine]:
    """An engine whose processes are kept, with a log of what they read."""
    one = engine(f"log={tmp_path / 'log'}", keep=3_600)
    yield one
    one.close()


def processes(log: Path) -> list[list[str]]:
    """Return the lines that each process has read, if they ran one after the other."""
    read_by: list[list[str]] = []
    for line in read(log):
        if line.startswith("process"):
            read_by.append([])
        else:
            read_by[-1].append(line)
    return read_by


BEGUN = ["tei", "teinewgame 5", "isready", "position startpos", "go movetime 1"]


def test_a_process_that_is_kept_plays_the_turns_of_one_game(kept: Engine, tmp_path: Path) -> None:
    log = tmp_path / "log"
    kept.choose("5", (), game=1)
    kept.choose("5", ("ps a1", "ps e1"), game=1)
    kept.choose("5", ("ps a1",), game=1)  # after an undo
    assert [lines[:2] for lines in processes(log)] == [BEGUN[:2]]
    kept.choose("5", (), game=2)
    kept.choose("5", ())
    assert len(processes(log)) == 3


def test_a_kept_process_is_told_the_board_and_not_the_game(kept: Engine, tmp_path: Path) -> None:
    kept.choose("5", (), game=1)
    kept.choose("5", ("ps a1", "ps e1"), game=1)
    (lines,) = processes(tmp_path / "log")
    assert lines == [*BEGUN, "isready", "position startpos moves a5 e5", "go movetime 1"]


def test_a_kept_process_gets_more_processor_time_for_each_turn(kept: Engine) -> None:
    limits = list[tuple[int, int]]()
    for _ in range(3):
        kept.choose("5", (), game=1)
        limits.append(resource.prlimit(kept._kept[1].running.pid, resource.RLIMIT_CPU))
    first = limits[0][0]
    assert all(seconds >= turns * first for turns, (seconds, _) in enumerate(limits, 1))
    assert {hard for _, hard in limits} == {resource.RLIM_INFINITY}


def test_few_processes_are_kept_and_all_end_with_the_engine(kept: Engine) -> None:
    for game in range(MOST_KEPT + 2):
        kept.choose("5", (), game=game)
    running = list(kept._kept.values())
    assert [*kept._kept] == list(range(2, MOST_KEPT + 2))
    kept.close()
    assert all(process.running.returncode is not None for process in running)


def test_a_kept_process_that_has_died_or_fails_is_followed_by_another(tmp_path: Path) -> None:
    log, once = tmp_path / "log", tmp_path / "once"
    one = engine(f"log={log}", "at=position", "fault=crash", f"once={once}", keep=3_600)
    once.touch()
    one.choose("5", (), game=1)
    once.unlink()
    assert one.choose("5", (), game=1).text == "ps a5"
    os.kill(one._kept[1].running.pid, signal.SIGKILL)
    os.waitid(os.P_PID, one._kept[1].running.pid, os.WEXITED | os.WNOWAIT)
    assert one.choose("5", (), game=1).text == "ps a5"
    one.close()
    assert len(processes(log)) == 3


def test_a_kept_process_ends_when_its_time_is_over() -> None:
    one = engine(keep=0.01)
    one.choose("5", (), game=1)
    while one._kept:
        time.sleep(0.001)
    one.choose("5", (), game=1)
    one.close()


@pytest.mark.parametrize("best", some_of(["", "\1\x1b[31m", "a" * 100_000, "9" * 100_000, "é²"], 2))
def test_garbage_as_a_ply_is_told_in_a_line(best: str) -> None:
    told = failure(f"best={best}")
    assert "which can't be played" in told
    assert (told.isprintable(), len(told) < 200) == (True, True)


@pytest.mark.parametrize("word", ["tei", "isready", "position", "go"])
def test_an_engine_that_crashes_is_started_once_more(word: str, tmp_path: Path) -> None:
    log, once = tmp_path / "log", tmp_path / "once"
    assert engine(f"log={log}", f"at={word}", "fault=crash", f"once={once}").choose("5", ()).text == "ps a5"
    processes = [number for number, line in enumerate(read(log)) if line.startswith("process")]
    assert len(processes) == 2
    assert read(log)[processes[1] + 1 :] == [
        "tei",
        "teinewgame 5",
        "isready",
        "position startpos",
        "go movetime 1",
        "quit",
    ]


@pytest.mark.parametrize(
    ("word", "asked"),
    [
        ("tei", "tei"),
        ("teinewgame", "teinewgame 5; isready"),
        ("go", "position startpos; go movetime 1"),
    ],
)
def test_an_engine_that_always_crashes_is_told_with_its_last_words(
    word: str, asked: str, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    assert failure(f"log={log}", f"at={word}", "fault=crash") == (
        f"it ended without an answer to: {asked} "
        f"(its error output: thread 'main' panicked at [0m 'no such board') {START}"
    )
    assert sum(line.startswith("process") for line in read(log)) == 2


@pytest.mark.parametrize(
    ("fault", "told"),
    some_of(
        [
            ("line", "it printed more than 4194304 bytes and no answer to: isready"),
            ("lines", "it printed more than 4194304 bytes and no answer to: isready"),
            ("errors", "it printed more than 4194304 bytes and no answer to: isready"),
        ],
        1,
    ),
)
def test_an_engine_that_prints_without_end_is_ended(fault: str, told: str) -> None:
    assert failure("at=isready", f"fault={fault}").startswith(
        told.replace("isready", "teinewgame 5; isready")
    )


def test_an_engine_thinks_shorter_while_others_wait(tmp_path: Path) -> None:
    log, playing = tmp_path / "log", engine(f"log={tmp_path / 'log'}")
    playing.terms = replace(playing.terms, milliseconds=60_000)
    for seconds in (37.5, 300):
        playing.choose("5", (), seconds)
    assert [line for line in read(log) if "go" in line] == ["go movetime 37500", "go movetime 60000"]


def test_an_engine_that_does_not_answer_is_ended() -> None:
    assert failure("at=tei", "fault=hang", patience=300) == f"it gave no answer in time to: tei {START}"


def test_an_engine_that_closes_its_output_is_ended() -> None:
    assert failure("at=tei", "fault=closed") == f"it ended without an answer to: tei {START}"


def test_an_engine_that_thinks_without_end_is_ended() -> None:
    told = failure("at=go", "fault=hang", patience=3_000)
    assert told == f"it gave no answer in time to: position startpos; go movetime 1 {START}"


def test_an_illegal_ply_is_tried_once_more_and_told() -> None:
    assert failure("best=Sa1") == f"it answered 'Sa1', which can't be played (opening-flat-only) {START}"


def test_two_faults_are_both_told(tmp_path: Path) -> None:
    told = failure("at=go", "fault=crash", f"once={tmp_path / 'once'}", "best=a9")
    assert told.startswith("it ended without an answer to: position startpos; go movetime 1")
    assert "; and again: it answered 'a9', which can't be played (off-the-board) (set-up 5, " in told


def test_a_program_that_is_not_there_is_told() -> None:
    gone = engine()
    gone.command = ("/nowhere/engine",)
    with pytest.raises(EngineFailed, match="No such file or directory: '/nowhere/engine'"):
        gone.choose("5", ())


def test_a_program_that_speaks_no_tei_is_told() -> None:
    other = engine(patience=300)
    other.command = ("/bin/cat",)
    with pytest.raises(EngineFailed, match="it gave no answer in time to: tei"):
        other.choose("5", ())


def test_an_engine_that_takes_too_much_memory_is_told() -> None:
    with pytest.raises(EngineFailed, match=r"its error output: .*MemoryError"):
        engine("at=go", "fault=memory", memory=128 * MIB).choose("5", ())
    assert engine("at=go", "fault=memory").choose("5", ()).text == "ps a5"


def test_an_engine_that_does_not_quit_is_killed_with_all_that_it_has_started(tmp_path: Path) -> None:
    """A shell that starts the engine stands for the scripts in which operators wrap engines."""
    pid = tmp_path / "pid"
    wrapped = engine()
    python = f"'{sys.executable}' -S '{SCRIPT}' deaf=yes"
    wrapped.command = ("/bin/sh", "-c", f"sleep 1000 & echo $! > '{pid}'; {python}")
    assert wrapped.choose("5", ()).text == "ps a5"
    deadline = time.monotonic() + PATIENCE
    while _runs(int(pid.read_text())) and time.monotonic() < deadline:
        os.sched_yield()
    assert not _runs(int(pid.read_text()))


def test_an_engine_is_killed_before_its_number_may_be_that_of_another_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    there, kill = [], os.killpg

    def killed(group: int, signal: int) -> None:
        there.append(Path(f"/proc/{group}").exists())
        kill(group, signal)

    monkeypatch.setattr(os, "killpg", killed)
    assert engine().choose("5", ()).text == "ps a5"
    assert there == [True]


def _runs(pid: int) -> bool:
    """Return whether a process runs. One that has ended and that nobody waits for doesn't."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_an_engine_has_low_priority_and_none_of_takmails_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAKMAIL_TEST_SECRET", "hush")
    found = tmp_path / "found"
    shown = engine()
    shown.command = (
        "/bin/sh",
        "-c",
        f"read line; nice > '{found}'; ulimit -c >> '{found}'; env >> '{found}'",
    )
    with pytest.raises(EngineFailed):
        shown.choose("5", ())
    nice, core, *environment = read(found)
    assert (nice, core) == (str(max(10, os.nice(0))), "0")
    assert "hush" not in "".join(environment)
    assert any(line.startswith("PATH=") for line in environment)


def test_closing_ends_an_engine_that_thinks(tmp_path: Path) -> None:
    log = tmp_path / "log"
    os.mkfifo(log)
    thinking = engine(f"log={log}", "at=go", "fault=hang")
    caught: list[BaseException] = []

    def choose() -> None:
        try:
            thinking.choose("5", ())
        except Closed as closed:
            caught.append(closed)

    thread = threading.Thread(target=choose)
    thread.start()
    seen: list[str] = []
    while "go movetime 1" not in seen:  # each line opens the pipe anew
        seen += read(log)
    thinking.close()
    thread.join(PATIENCE)
    assert [str(closed) for closed in caught] == ["the engine scripted was ended"]
    with pytest.raises(Closed):
        thinking.choose("5", ())


def test_no_turn_of_a_game_reaches_the_command_line(tmp_path: Path) -> None:
    log = tmp_path / "log"
    engine(f"log={log}", "best=c3").choose("5", ("ps a5", "ps e1 t"))
    assert read(log) == [
        f"process {[f'log={log}', 'best=c3']}",
        "tei",
        "teinewgame 5",
        "isready",
        "position startpos moves a1 e5",
        "go movetime 1",
        "quit",
    ]


@pytest.mark.parametrize(
    ("setup", "turns"),
    some_of(
        [
            ("6 komi=2", ()),
            ("4", ("ps a1", "ps d4", "ps b2")),
            ("3", ("ps a1", "ps c3", "board S 0 0/0 w 0/0 0 s b")),
        ],
        2,
    ),
)
def test_takmails_own_bot_is_such_an_engine(setup: str, turns: tuple[str, ...]) -> None:
    tak = GAMES.rules("tak")
    own = engine()
    own.terms = EngineTerms(frozenset({3, 4, 6}), frozenset({0, 4}), 100, 1_000 * PATIENCE)
    checkout = Path(__file__).parents[2]
    own.command = ("env", f"PYTHONPATH={checkout}", sys.executable, "-m", "takmail", "bot", "--tei")
    choice = own.choose(setup, turns)
    state = tak.start(setup)
    for text in (*turns, choice.text):
        state = state.play(text)
    assert choice.note.startswith("takmail depth ")


def test_an_engine_plays_its_own_game_and_no_relay_of_it() -> None:
    tak, relay, tzaar = GAMES.rules("tak"), GAMES.rules("tak", is_relay=True), GAMES.rules("tzaar")
    assert engine().plays(tak, "5")
    assert not engine().plays(tak, "6")
    assert not engine().plays(relay, "5")
    assert not engine().plays(tzaar, "tzaar")


def test_the_longest_time_covers_two_processes() -> None:
    assert engine(patience=10_000).most_seconds == 2 * (0.001 + 30 + 1)


def test_an_engine_that_was_killed_from_outside_is_started_once_more(tmp_path: Path) -> None:
    killer = engine()
    once = tmp_path / "once"
    python = f"'{sys.executable}' -S '{SCRIPT}'"
    killer.command = ("/bin/sh", "-c", f"test -e '{once}' && exec {python}; touch '{once}'; kill -9 $$")
    assert killer.choose("5", ()).text == "ps a5"
