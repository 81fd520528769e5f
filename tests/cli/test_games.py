"""`takmail game`: the games there are, and each with its board and its letters."""

import json
from pathlib import Path

import pytest

from takmail.config.seat_keys import make
from tests.support import databases
from tests.support.command_line import config_file, takmail
from tests.support.databases import change, rows
from tests.support.harness import ADA, BEN, Harness
from tests.support.scenes import played_once


@played_once
def two_games(harness: Harness) -> None:
    """A game of two turns, and another that is only proposed."""
    harness.begin("5")
    harness.play("ps b4", "ps c3")
    harness.send(f"Ada <{ADA}>", f"new 6 vs {BEN}")


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """The config of a service with a game of two turns and another that is only proposed."""
    store = databases.opened(tmp_path)
    two_games(Harness(store))
    store.close()
    make(tmp_path / "takmail.key")
    return config_file(tmp_path)


def test_every_game_is_listed_on_a_line(played: Path) -> None:
    result = takmail("game", "list", "--config", played)
    assert (result.exit_code, result.stderr) == (0, "")
    _, first, second = (line.split() for line in result.stdout.splitlines())
    assert first == ["#1", "open", "5x5", "2", "Ada", "–", "Ben"]
    assert second[:4] == ["#2", "invited", "6x6", "0"]


def test_a_program_gets_a_game_a_line(played: Path) -> None:
    result = takmail("game", "list", "--json", "--config", played)
    assert next(map(json.loads, result.stdout.splitlines())) == {
        "number": 1,
        "state": "open",
        "board": "5x5",
        "turns": 2,
        "result": None,
        "players": ["Ada", "Ben"],
    }


@pytest.fixture
def broken(played: Path) -> Path:
    """The config of a service whose first game has a turn that breaks the rules."""
    change(played.parent, "UPDATE turn SET text = 'ps b4' WHERE game_id = 1 AND number = 2")
    return played


def test_a_game_that_breaks_the_rules_is_marked_in_the_list_and_hides_no_other(broken: Path) -> None:
    result = takmail("game", "list", "--config", broken)
    assert (result.exit_code, result.stderr) == (0, "")
    _, first, second = (line.split() for line in result.stdout.splitlines())
    assert first == ["#1", "corrupt", "5x5", "2", "Ada", "–", "Ben"]
    assert second[:2] == ["#2", "invited"]


def test_a_game_that_breaks_the_rules_is_told_in_a_sentence(broken: Path) -> None:
    result = takmail("game", "export", "1", "--config", broken)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        "Error: game 1 is corrupt; restore it first, as `takmail game show 1` describes. The fault is: the stored turn "
        "2 (ps b4) breaks the rules: B4 is not empty: a black flat stands there. A piece can only be placed on an "
        "empty space.\n"
    )


def test_a_game_that_breaks_the_rules_is_shown_with_what_is_wrong_and_how_to_restore_it(broken: Path) -> None:
    result = takmail("game", "show", "1", "--config", broken)
    assert (result.exit_code, result.stderr) == (0, "")
    assert (
        'The first inconsistent row: table "turn", game_id 1, number 2\n  text:        ps b4\n'
        in result.stdout
    )
    assert "run `takmail restore FILE`" in " ".join(result.stdout.split())


def test_a_game_that_is_adjourned_and_broken_is_not_resumed_before_it_is_mended(broken: Path) -> None:
    change(broken.parent, "UPDATE game SET standing = 'adjourned' WHERE id = 1")
    result = takmail("game", "adjourn", "1", "--resume", "--why", "mended", "--config", broken)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "game 1 is corrupt; restore it first, as `takmail game show 1` describes" in result.stderr


def test_where_there_is_no_game_that_is_said(tmp_path: Path) -> None:
    assert takmail("game", "list", "--config", config_file(tmp_path)).stdout == "There are no games yet.\n"


def test_a_game_is_shown_with_its_board_its_turns_and_what_has_not_left(played: Path) -> None:
    result = takmail("game", "show", "1", "--config", played)
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0].startswith("#1  ")
    assert lines[0].endswith("(open)")
    assert [line.split() for line in lines if " Ada: " in line or " Ben: " in line] == [
        ["1.", "Ada:", "ps", "b4"],
        ["2.", "Ben:", "ps", "c3"],
    ]
    waiting = [
        str(number)
        for (number,) in rows(played.parent, "SELECT id FROM outbox WHERE game_id = 1 ORDER BY id")
    ]
    assert [line.split(",")[0].strip() for line in lines if " queued, to " in line] == waiting[:-6:-1]


@played_once
def for_coins(harness: Harness) -> None:
    """A game with bids of five turns, one in Femr's Folly that is over, and one whose players still bid."""
    harness.send(f"Ada <{ADA}>", f"new 4 vs {BEN} rules=university bid=4")
    harness.send(f"Ben <{BEN}>", "accept bid=2", harness.last(BEN))
    harness.play("ps a1", "ps a4", "ps b4", "ps b1", "ps c4 t")
    harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN} rules=femr first=me")
    harness.send(f"Ben <{BEN}>", "accept", harness.last(BEN))
    for words in ("resign", "yes"):
        harness.send(f"Ada <{ADA}>", words, harness.last(ADA))
    harness.send(f"Ada <{ADA}>", f"new 6 vs {BEN} rules=university bid=73")
    harness.send(f"Ben <{BEN}>", "accept", harness.last(BEN))


def test_a_game_for_coins_is_shown_with_its_coins_and_open_bids(tmp_path: Path) -> None:
    store = databases.opened(tmp_path)
    for_coins(Harness(store))
    store.close()
    make(tmp_path / "takmail.key")
    pages = [
        " ".join(takmail("game", "show", str(number), "--config", config_file(tmp_path)).stdout.split())
        for number in (1, 2, 3)
    ]
    assert (
        "Coins: 24 in the pot. White has paid 14; Black has paid 10, owes 2. Bids: White 4, Black 2."
        in pages[0]
    )
    assert "Coins: 45 in the pot at the end. In all, White -47, Black +47. Capital" in pages[1]
    assert "(bidding)" in pages[2]
    assert "Coins" not in pages[2]
    assert "73" not in pages[2]
    assert not any("(yours)" in page for page in pages)


def test_of_many_letters_the_newest_are_shown_and_the_others_counted(played: Path) -> None:
    change(
        played.parent,
        "UPDATE outbox SET state = 'failed' WHERE id = (SELECT MIN(id) FROM outbox WHERE game_id = 1)",
    )
    count = len(rows(played.parent, "SELECT 1 FROM outbox WHERE game_id = 1"))
    assert count > 6
    result = takmail("game", "show", "1", "--config", played)
    assert f"  and {count - 5} older: 1 failed, {count - 6} queued\n" in result.stdout


def test_a_letter_about_a_game_that_goes_to_no_player_of_it_is_shown(played: Path) -> None:
    change(
        played.parent,
        "UPDATE outbox SET seat = NULL WHERE id = (SELECT MAX(id) FROM outbox WHERE game_id = 1)",
    )
    result = takmail("game", "show", "1", "--config", played)
    assert result.exit_code == 0
    assert "to no player of it, 0 attempts\n" in result.stdout


def test_an_exported_game_can_be_replayed(played: Path, tmp_path: Path) -> None:
    result = takmail("game", "export", "1", "--config", played)
    assert (result.exit_code, result.stderr) == (0, "")
    file = tmp_path / "game.ptn"
    file.write_text(result.stdout)
    replayed = takmail("replay", file)
    assert replayed.exit_code == 0
    assert replayed.stdout.startswith(f"{file}: 5x5, 2 plies, no result\n")


@pytest.mark.parametrize("verb", ["show", "export"])
@pytest.mark.parametrize("number", ["0", "3", "99999999999999999999999"])
def test_an_unknown_game_is_told_in_a_sentence(played: Path, verb: str, number: str) -> None:
    result = takmail("game", verb, number, "--config", played)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"Error: there is no game {number}; `takmail game list` shows them all\n"


def test_a_games_number_is_a_number(played: Path) -> None:
    result = takmail("game", "show", "one", "--config", played)
    assert result.exit_code == 2
    assert "'one' is not a valid integer" in result.stderr


def test_a_game_that_is_over_is_shown_with_its_result(tmp_path: Path) -> None:
    store = databases.opened(tmp_path)
    harness = Harness(store)
    harness.begin("3")
    harness.play("ps a3", "ps a1", "ps b1", "ps b3", "ps c1")
    store.close()
    make(tmp_path / "takmail.key")
    lines = takmail("game", "show", "1", "--config", config_file(tmp_path)).stdout.splitlines()
    assert lines[0].endswith("(over)")
    assert any("road" in line for line in lines)
    assert (
        takmail("game", "list", "--config", tmp_path / "config.toml").stdout.splitlines()[1].split()[4]
        == "R-0"
    )
