"""`takmail replay`: recorded games played by the rules."""

import json

import pytest
from click.testing import CliRunner

from takmail.cli import main
from tests.support.tak import vectors

ROAD = '[Size "3"]\n1. a3 a1\n2. b1 b3\n3. c1 R-0\n'


def replayed(*words):
    return CliRunner().invoke(main, ["replay", *map(str, words)])


def as_json(*words):
    return [json.loads(line) for line in replayed("--json", *words).stdout.splitlines()]


def error_of(folder, moves, size=5):
    file = folder / "game.ptn"
    file.write_text(f'[Size "{size}"]\n{moves}\n')
    (game,) = as_json(file)
    return game["error"]


def as_ptn(game):
    tags = f'[Size "{game["size"]}"]\n[Komi "{game["komi"]}"]\n[Result "{game["result"]}"]\n\n'
    plies = game["ptn"]
    pairs = [plies[at : at + 2] for at in range(0, len(plies), 2)]
    return tags + "".join(f"{number}. {' '.join(pair)}\n" for number, pair in enumerate(pairs, 1))


def test_recorded_games_end_as_recorded(tmp_path):
    games, file = vectors("games.json")[::20], tmp_path / "games.ptn"
    file.write_text("\n".join(as_ptn(game) for game in games))
    result = replayed("--json", file)
    assert result.exit_code == 0
    assert [json.loads(line) for line in result.stdout.splitlines()] == [
        {
            "file": str(file),
            "size": game["size"],
            "result": game["result"],
            "tps": game["final_tps"],
            "plies": len(game["ptn"]),
            "error": None,
        }
        for game in games
    ]


def test_a_person_reads_the_result_and_the_last_position(tmp_path):
    file = tmp_path / "road.ptn"
    file.write_text(ROAD)
    result = replayed(file)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == f"{file}: 3x3, 5 plies, R-0\n  2,2,x/x3/1,1,1 2 3\n"


def test_a_good_game_behind_a_faulty_one_hides_no_fault(tmp_path):
    file = tmp_path / "two.ptn"
    file.write_text(ROAD.replace("c1 R-0", "b1") + ROAD)
    assert replayed(file).exit_code == 1


def test_a_person_reads_which_game_of_a_file_has_a_fault(tmp_path):
    file = tmp_path / "two.ptn"
    file.write_text(ROAD + ROAD.replace("c1 R-0", "b1"))
    result = replayed(file)
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        f"{file}, game 1: 3x3, 5 plies, R-0",
        "  2,2,x/x3/1,1,1 2 3",
        f"{file}, game 2: 3x3, 4 plies, no result",
        "  2,2,x/x3/1,1,x 1 3",
        "  ply 5 (b1): B1 is not empty: a white flat stands there. A piece can only be placed on an empty space.",
    ]


def test_one_bad_game_in_one_bad_file_hides_no_other(tmp_path):
    bad, good = tmp_path / "bad.ptn", tmp_path / "good.ptn"
    bad.write_text(f'{ROAD}[Size "9"]\n1. a1\n\n{ROAD}[Size "3"]\n1. a1 {{never closed\n{ROAD}')
    good.write_text(ROAD)
    games = as_json(bad, tmp_path / "none.ptn", good)
    assert [game["result"] for game in games] == ["R-0", None, "R-0", "*", "R-0", None, "R-0"]
    assert [game["error"] for game in games if game["error"]] == [
        'there is no board of size "9"; sizes go from 3 to 8.',
        "ply 2: line 13 is no PTN, from here: {never closed",
        "can't be read: No such file or directory.",
    ]


@pytest.mark.parametrize(
    ("moves", "error"),
    [
        ("1. a1 e6", "ply 2 (e6): there is no square E6 on this board; the squares go from A1 to E5."),
        (
            "1. a1 what",
            'ply 2 (what): "what" is no move in PTN. Such a move looks like c3, Sc3, Cc3 or 3c3>21.',
        ),
        (
            "1. a1 Se5",
            "ply 2 (Se5): in the first two plies only a flat can be placed, "
            "and it is a white one, the opponent's.",
        ),
        (
            "1. a1 a1+",
            "ply 2 (a1+): in the first two plies nothing is moved: "
            "each player places one flat of the other's colour.",
        ),
        (
            "1. a1 e5 2. a1+",
            "ply 3 (a1+): the stack on A1 is not White's to move: a black flat is on top of it.",
        ),
        (
            "1. a1 e5 2. 3b4-21 c3",
            "ply 3 (3b4-21): B4 is empty, so there is nothing to move.",
        ),
        (
            "1. a1 e5 2. 3e5-22",
            "ply 3 (3e5-22): 3 picked up and 4 left on the way; these must be the same.",
        ),
        (
            "1. a1 e5 2. 3e5-30",
            "ply 3 (3e5-30): at least one piece has to be left in each space, and this leaves 0 in space 2.",
        ),
        (
            "1. a1 e5 2. e5+",
            "ply 3 (e5+): that way leads off the board. "
            "There is no space to the north of E5, and the move needs one.",
        ),
        (
            "1. a1 e5 2. e4 Se3 3. e4-",
            "ply 5 (e4-): a black wall stands on E3, and a wall can't be covered; only a capstone by itself "
            "can flatten it, and the flat on top of the moved stack is none.",
        ),
        (
            "1. a1 e5 2. Ce4 Se3 3. e5- d1 4. e4> ",
            "ply 5 (e5-): a white capstone stands on E4, and nothing may cover a capstone.",
        ),
        ("1. a1 1-0 b2", 'ply 2 (b2): line 2: "b2" stands behind the result.'),
        ("1. a1 R-0", "the record says R-0, and by the rules it is *."),
    ],
)
def test_the_first_illegal_ply_is_named_with_the_rule_that_it_breaks(tmp_path, moves, error):
    assert error_of(tmp_path, moves) == error


def test_a_lone_capstone_is_told_not_to_bring_others_to_a_wall(tmp_path):
    moves = "1. a1 e5 2. e4 Se3 3. Cd4 b1 4. d4> b2 5. 2e4-"
    assert error_of(tmp_path, moves) == (
        "ply 9 (2e4-): a black wall stands on E3, and a capstone flattens a wall only by itself; "
        "the move would bring 2 pieces there."
    )


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "there is no game in this file."),
        ("{only a comment}", "there is no game in this file."),
        ("Dear Ada,", "neither a Size tag nor a TPS tag says which board this game is played on."),
        ('[Size "5"]\n[Komi "much"]', '"much" can\'t be a komi; it is a number or a half, from 0 to 64.'),
        ('[Size "5"]\n[TPS "x3/x3/x3 1 1"]', "the record says size 5 and its position has 3 rows."),
        ("[Size 5]\n1. a1", "line 1 is no PTN, from here: [Size 5]"),
    ],
)
def test_a_file_that_holds_no_game_to_play_says_why(tmp_path, text, error):
    file = tmp_path / "game.ptn"
    file.write_text(text)
    assert as_json(file) == [
        {"file": str(file), "size": None, "result": None, "tps": None, "plies": 0, "error": error}
    ]
    assert replayed(file).stdout == f"{file}: {error}\n"
    assert replayed(file).exit_code == 1


def test_a_folder_is_no_file(tmp_path):
    result = replayed(tmp_path)
    assert (result.exit_code, result.stdout) == (1, f"{tmp_path}: can't be read: Is a directory.\n")


@pytest.mark.parametrize(
    "raw",
    [
        ROAD.replace("\n", "\r\n").encode(),
        ROAD.replace("\n", "\r").encode(),
        b"\xef\xbb\xbf" + ROAD.encode(),
        ROAD.encode("utf-16"),
        ROAD.encode("utf-16-le"),
        ROAD.encode("utf-16-be"),
        b"{J\xfcrgen's game}\n" + ROAD.encode(),
        ROAD.replace("2.", "{ein schöner Zug}\n2.").encode("latin-1"),
        ROAD.replace("\n", "\x00", 1).encode().replace(b"\x00", b" {\x00\x1b[2J}\n"),
    ],
)
def test_a_file_from_any_machine_is_read(tmp_path, raw):
    file = tmp_path / "game.ptn"
    file.write_bytes(raw)
    (game,) = as_json(file)
    assert (game["result"], game["error"]) == ("R-0", None)


def test_a_record_cannot_drive_the_terminal(tmp_path):
    file = tmp_path / "game.ptn"
    file.write_text('[Size "3"]\n1. \x1bgotcha\x07')
    assert "\x1b" not in replayed(file).stdout
    assert "gotcha" in replayed(file).stdout
