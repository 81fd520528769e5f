"""check-config starts the engines of the settings, and says what is wrong with them."""

import json
import os
import sys
from pathlib import Path

import pytest

from tests.support.command_line import config_file, takmail

SCRIPT = Path(__file__).parents[1] / "support" / "scripted_engine.py"


def section(name: str, *arguments: str, more: str = "sizes = [5]") -> str:
    """Return the section of a scripted engine."""
    command = json.dumps([sys.executable, "-S", str(SCRIPT), *arguments])
    return f'[[engine]]\nname = "{name}"\ncommand = {command}\nmovetime = 1\n{more}\n'


def test_each_engine_is_started_and_plays_a_turn_of_each_kind_of_game(tmp_path: Path) -> None:
    log = tmp_path / "log"
    intro = "intro=option name HalfKomi type combo default 0 var 0 var 4"
    file = config_file(
        tmp_path,
        more=section(
            "one", f"log={log}", intro, "intro=id name Tiltak", more="sizes = [6, 5]\nhalf_komi = [0, 4]"
        )
        + section("two", "intro=id name Topaz\x1b[2J"),
    )
    result = takmail("check-config", "--config", file)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines()[1:3] == [
        "[[engine]] one: Tiltak depth 6 nodes 269773 score cp 250; plays 5, 5 komi=2, 6, 6 komi=2",
        "[[engine]] two: Topaz[2J depth 6 nodes 269773 score cp 250; plays 5",
    ]
    begun = [line for line in log.read_text().splitlines() if line.startswith(("setoption", "teinewgame"))]
    komi = "setoption name HalfKomi value 4"
    assert begun == ["teinewgame 5", komi, "teinewgame 5", "teinewgame 6", komi, "teinewgame 6"]


@pytest.mark.parametrize(
    ("arguments", "more", "told"),
    [
        (
            ("at=tei", "fault=crash"),
            "sizes = [5]",
            "it ended without an answer to: tei (its error output: thread 'main' panicked",
        ),
        (
            (),
            "sizes = [5]\nhalf_komi = [4]",
            "it has no option HalfKomi, but: none; check half_komi (set-up 5 komi=2",
        ),
        (
            (),
            'sizes = [5]\noptions = { Threads = "2" }',
            "it has no option Threads, but: none; check options (set-up 5",
        ),
        (
            ("intro=size 6",),
            "sizes = [5]",
            "it does not play size 5 with half komi 0; check sizes and half_komi",
        ),
        (
            ("best=b5",),
            "sizes = [4, 5]",
            "it answered 'b5', which can't be played (off-the-board) (set-up 4",
        ),
        (
            ("best=d5",),
            "sizes = [5, 3]",
            "it answered 'd5', which can't be played (off-the-board) (set-up 3",
        ),
        (
            ("best=a3", "at=setoption", "fault=crash", "intro=option name HalfKomi type spin default 0"),
            "sizes = [3]\nhalf_komi = [0, 4]",
            "it ended without an answer to: setoption name HalfKomi value 4; teinewgame 3; isready",
        ),
    ],
)
def test_an_engine_that_does_not_play_is_a_problem(
    arguments: tuple[str, ...], more: str, told: str, tmp_path: Path
) -> None:
    file = config_file(tmp_path, more=section("one") + section("two", *arguments, more=more))
    result = takmail("check-config", "--config", file)
    assert (result.exit_code, result.stdout) == (os.EX_CONFIG, "")
    assert len(result.stderr.splitlines()) == 1
    assert result.stderr.startswith(f"{file}: [[engine]] two: {told}")


def test_engines_are_checked_beside_everything_else(tmp_path: Path) -> None:
    file = config_file(tmp_path, more=section("one", "best=a9"))
    file.chmod(0o644)
    result = takmail("check-config", "--config", file)
    first, *_, last = result.stderr.splitlines()
    assert "others can read it" in first
    assert "[[engine]] one: it answered 'a9'" in last
