"""`takmail tinue` and `takmail review`: what is proven about positions and recorded games."""

import json
import re
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from takmail.cli import main
from tests.support import as_process
from tests.support.width import some_of

PUZZLE = "1,1,121C,x,112/x2,2,x,2/x2,2C,x2/x5/2,x4 1 11"
GAME = '[Size "5"]\n\n1. a5 e1 2. a2 e2 3. b2 e3 4. c2 c5 5. d2 c4 6. e4 c3 7. d4\n'


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


@pytest.mark.parametrize(
    "words",
    [PUZZLE.split(), [PUZZLE], [f"[{PUZZLE}]"], [f'[TPS "{PUZZLE}"]'], ["[TPS", *PUZZLE.split(), "]"]],
)
def test_a_position_may_be_one_word_or_several_with_or_without_brackets(words: list[str]) -> None:
    result = run("tinue", *words, "--json")
    assert (result.exit_code, json.loads(result.stdout)) == (
        0,
        {"result": "proven", "plies": 3, "moves": ["2c5>11"], "by": "any"},
    )


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ((), "proven: a road in 3 plies, with 2c5>11 (PTN: rows count from the south)"),
        (("--plies", "1"), "none within 1 ply"),
        (("--plies", "2"), "none within 2 plies"),
    ],
)
def test_a_person_reads_the_answer(options: tuple[str, ...], line: str) -> None:
    assert run("tinue", PUZZLE, *options).stdout == f"{line}\n"


def test_the_example_of_the_help_works() -> None:
    (example,) = re.findall(r"takmail (tinue .*)", run("tinue", "--help").stdout)
    assert run(*example.split()).stdout.startswith("proven: a road in 3 plies")


def test_where_only_threats_were_tried_there_may_be_more_first_plies() -> None:
    seven = "2,2,2,1,x/x,2,x3/1,x,21,2,2/1,1,x,2,21/1,1,x3 2 10"
    assert run("tinue", seven).stdout.startswith("proven: a road in 7 plies, with at least Cd4 (PTN")


def test_beyond_five_plies_only_threats_are_searched() -> None:
    opening = ("tinue", "x5/x5/x5/x5/x5", "1", "1")
    assert run(*opening).stdout == "none by threats within 7 plies\n"
    assert run(*opening, "--plies", "5").stdout == "none within 5 plies\n"
    assert json.loads(run(*opening, "--json").stdout)["by"] == "threats"


def test_what_was_not_searched_to_the_end_is_called_so() -> None:
    opening = ("tinue", "x3/x3/x3", "1", "1")
    assert run(*opening).stdout == "not searched to the end; nothing is proven\n"
    assert json.loads(run(*opening, "--json").stdout) == {
        "result": "unfinished",
        "plies": 0,
        "moves": [],
        "by": "any",
    }


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("x5/x5/x4/x5/x5 1 2", "row 3 has 4 spots, and the board is 5 wide."),
        ("hello", '"hello" is no position; a TPS looks like "x3/x,1,x/x2,2 1 2".'),
    ],
)
def test_a_wrong_position_is_refused_in_a_sentence(text: str, error: str) -> None:
    result = run("tinue", text)
    assert (result.exit_code, result.stderr) == (1, f"Error: {error}\n")


def test_the_findings_of_a_game(tmp_path: Path) -> None:
    file = tmp_path / "game.ptn"
    file.write_text(GAME)
    result = run("review", str(file))
    # Which others are named is a matter of taste.
    lines = re.sub(
        "tinue allowed, road in 3; better .*;", "tinue allowed, road in 3; better …;", result.stdout
    )
    assert (result.exit_code, lines.splitlines()) == (
        0,
        [
            f"{file}, game 1: 4 findings",
            "  ply 11, e4: road missed, road in 1; better d1 or e1+ or Cd1; line d1",
            "  ply 10, c4: road allowed, road in 1; better e2<; line c4 d1",
            "  ply 9, d2: tinue missed, road in 3; better Cd2; line Cd2 e2- e2",
            "  ply 8, c5: tinue allowed, road in 3; better …; line c5 Cd2 e2- e2",
            "  turns in PTN, whose rows count from the south",
            "  searched: roads forced by threats within 5 plies",
        ],
    )
    (found,) = map(json.loads, run("review", str(file), "--json").stdout.splitlines())
    assert (found["number"], found["plies"], found["complete"], found["error"]) == (1, 5, True, None)
    assert found["findings"][1] == {
        "finding": "road_allowed",
        "ply": 10,
        "player": 2,
        "played": "c4",
        "better": ["e2<"],
        "line": ["c4", "d1"],
        "plies": 1,
        "within": 5,
    }


def test_a_reviewed_game_is_a_game(tmp_path: Path) -> None:
    file, marked = tmp_path / "games.ptn", tmp_path / "marked.ptn"
    file.write_text(GAME + GAME)
    marked.write_text(run("review", str(file), "--ptn").stdout)
    assert marked.read_text().count("Tinue was there") == 2
    assert run("replay", str(marked)).exit_code == 0


def test_a_game_with_a_fault_is_reviewed_up_to_it(tmp_path: Path) -> None:
    file = tmp_path / "game.ptn"
    file.write_text(GAME.replace("d4", "c3"))
    result = run("review", str(file), "--json")
    found = json.loads(result.stdout)
    assert (result.exit_code, len(found["findings"])) == (1, 4)
    assert found["error"].startswith("ply 13 (c3): C3 is not empty")


def test_files_that_cannot_be_reviewed(tmp_path: Path) -> None:
    stones = tmp_path / "game.tzaar.txt"
    stones.write_text("")
    assert run("review", str(stones)).stderr == f"Error: {stones}: games of this kind can't be reviewed.\n"
    missing = run("review", str(tmp_path / "none.ptn"))
    assert (missing.exit_code, "No such file" in missing.stderr) == (1, True)


def test_a_file_without_an_end_and_garbage_are_refused_in_a_sentence(tmp_path: Path) -> None:
    garbage = {
        "noise": Random(7).randbytes(300_000),
        "zeros": b"\0" * 1_000_000,
        "brackets": b"(" * 300_000,
        "tags": b'[Size "99999999"]\n1. a1 a2\n',
        "komi": b'[Komi "' + b"9" * 5_000 + b'"]\n1. a1 e5\n',
        "red": b'[Size "5"]\n1. \x1b[31ma1\n',
    }
    files = [tmp_path / f"{name}.ptn" for name in garbage]
    for file, text in zip(files, garbage.values(), strict=True):
        file.write_bytes(text)
    result = as_process.run("review", *map(str, files))
    assert (result.returncode, result.stderr) == (1, b"")
    told = result.stdout.decode()
    assert (told.count("game 1:"), "\x1b" in told, len(told) < 5_000) == (len(files), False, True)
    endless = tmp_path / "endless.ptn"
    endless.symlink_to("/dev/zero")
    result = as_process.run("review", str(endless))
    assert (result.returncode, result.stdout) == (1, b"")
    assert result.stderr.decode().endswith("File too large.\n")


@pytest.mark.parametrize(
    "text", some_of([b"\xff\xfe\x80 x5", b"x5/" * 40_000 + b" 1 1", b"x5/x5\x1b[31m", b"x" * 120_000], 1)
)
def test_garbage_as_a_position_is_refused_in_a_sentence(text: bytes) -> None:
    result = as_process.run("tinue", text)
    assert (result.returncode, result.stdout) == (1, b"")
    (line,) = result.stderr.decode(errors="surrogateescape").splitlines()
    assert (line[:7], len(line) < 300, "\x1b" in line) == ("Error: ", True, False)
