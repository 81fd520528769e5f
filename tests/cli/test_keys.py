"""`takmail key rotate`, and a key that comes from the environment."""

import os
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest

from takmail.config.seat_keys import load_keys
from tests.support.command_line import config_file, takmail
from tests.support.harness import Harness

MAIL = b"From: Ada <ada@example.org>\nTo: tak@example.org\nMessage-ID: <1@example.org>\n\nhelp\n"
A, B = "ab" * 32, "cd" * 32


def config(folder: Path, line: str) -> Path:
    file = config_file(folder)
    file.write_text(file.read_text().replace("[imap]", f"{line}\n[imap]"))
    return file


def test_rotate_changes_the_key_and_says_when_it_counts(tmp_path: Path) -> None:
    file, key = config_file(tmp_path), tmp_path / "takmail.key"
    before = load_keys(key).newest
    result = takmail("key", "rotate", "--config", file, now=datetime(2028, 2, 29, 23, 59, tzinfo=UTC))
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (
        f"{key} has a new key. A running `takmail serve` uses it within ten seconds.\n"
        f"The old key is accepted until 2028-05-29 (UTC).\n"
    )
    keys = load_keys(key)
    assert (keys.newest != before, [one.key for one in keys.old]) == (True, [before])
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert takmail("check-config", "--config", file).exit_code == 0


def test_rotate_says_when_the_old_key_is_not_accepted_at_all(tmp_path: Path) -> None:
    load_keys(tmp_path / "takmail.key")
    result = takmail("key", "rotate", "--config", config(tmp_path, "old_key_days = 0"))
    assert result.stdout.splitlines()[1] == "The old key is no longer accepted."


def test_rotate_makes_no_first_key(tmp_path: Path) -> None:
    result = takmail("key", "rotate", "--config", config_file(tmp_path))
    assert result.exit_code == 1
    assert f"there is no key in {tmp_path}/takmail.key" in result.stderr


def test_new_makes_a_key_where_there_is_none_and_never_over_one(tmp_path: Path) -> None:
    file, key = config_file(tmp_path), tmp_path / "takmail.key"
    result = takmail("key", "new", "--config", file)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith(f"{key} has a new key.")
    made = load_keys(key)
    again = takmail("key", "new", "--config", file)
    assert (again.exit_code, load_keys(key)) == (1, made)
    assert f"{key} already has a key; `takmail key rotate` replaces it" in again.stderr


def test_new_leaves_a_variable_to_the_operator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAKMAIL_TEST", A)
    result = takmail("key", "new", "--config", config(tmp_path, 'key_env = "TAKMAIL_TEST"'))
    assert result.exit_code == 1
    assert "`openssl rand -hex 32`" in result.stderr
    assert not (tmp_path / "takmail.key").exists()


def test_new_tells_what_keeps_it_from_being_made(tmp_path: Path) -> None:
    result = takmail("key", "new", "--config", config(tmp_path, 'key_file = "none/takmail.key"'))
    assert result.exit_code == os.EX_CONFIG
    assert "[service] key_file: " in result.stderr


CHECK_FILE = pytest.param(
    ["check-config"], marks=pytest.mark.sqlite("without --connect only a file is looked into")
)


@pytest.mark.parametrize(
    "verb", [["check-config", "--connect"], CHECK_FILE, ["serve"], ["deliver"], ["game", "list"]]
)
def test_a_key_that_is_lost_is_told_and_none_is_made_in_its_place(
    cli_harness: Harness, tmp_path: Path, verb: list[str]
) -> None:
    cli_harness.begin("5")
    file, key = tmp_path / "config.toml", tmp_path / "takmail.key"
    key.unlink()
    result = takmail(*verb, "--config", file, stdin=MAIL)
    assert result.exit_code == refused_by(verb[0])
    assert result.stderr.splitlines()[-1] == (
        f"{file}: [service] key_file: the key is missing, and the database has games; put the key back to {key}, "
        "or, if it is lost for good, make a new one with `takmail key new`"
    )
    assert not key.exists()
    assert takmail("key", "new", "--config", file).exit_code == 0
    assert takmail("game", "list", "--config", file).exit_code == 0


@pytest.mark.usefixtures("cli_harness")
def test_a_database_without_players_has_a_key_made(tmp_path: Path) -> None:
    (tmp_path / "takmail.key").unlink()
    assert takmail("game", "list", "--config", tmp_path / "config.toml").exit_code == 0
    assert (tmp_path / "takmail.key").exists()


@pytest.mark.sqlite("without --connect only a file is looked into")
@pytest.mark.usefixtures("cli_harness")
def test_a_key_that_is_not_made_yet_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "takmail.key").unlink()
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    result = takmail("check-config", "--config", tmp_path / "config.toml")
    assert result.exit_code == 0
    assert result.stdout.endswith("takmail.key: there is no key yet; the first start makes it\n")
    assert before.keys() >= {file.name for file in tmp_path.iterdir()}


def refused_by(verb: str) -> int:
    """How a verb ends whose settings are wrong: a mail that is handed over is to come again, not to go back."""
    return os.EX_TEMPFAIL if verb == "deliver" else os.EX_CONFIG


@pytest.mark.parametrize("verb", [["key", "rotate"], ["check-config"], ["deliver"]])
def test_a_damaged_line_of_the_key_file_is_told(tmp_path: Path, verb: list[str]) -> None:
    file = config_file(tmp_path)
    (tmp_path / "takmail.key").write_text(f"{A}\n{B}\n")
    (tmp_path / "takmail.key").chmod(0o600)
    result = takmail(*verb, "--config", file, stdin=MAIL)
    assert result.exit_code == refused_by(verb[0])
    why = f"{tmp_path}/takmail.key, line 2: this is not an old key with its date"
    assert result.stderr == f"{file}: [service] key_file: {why}\n"


def test_a_key_from_the_environment_is_used_and_no_file_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAKMAIL_TEST", f"{A},{B} 2026-11-21")
    file = config(tmp_path, 'key_env = "TAKMAIL_TEST"')
    assert takmail("check-config", "--config", file).exit_code == 0
    assert takmail("deliver", "--config", file, stdin=MAIL).exit_code == 0
    assert not (tmp_path / "takmail.key").exists()
    result = takmail("key", "rotate", "--config", file)
    assert result.exit_code == 1
    assert "the key is in the variable TAKMAIL_TEST; set it to" in result.stderr


@pytest.mark.parametrize("verb", ["check-config", "deliver", "serve"])
@pytest.mark.parametrize(
    ("value", "why"),
    [
        (None, "the environment variable TAKMAIL_TEST is not set"),
        (A[:62], "the variable TAKMAIL_TEST contains no takmail key"),
        (f"{A},{B}", "the variable TAKMAIL_TEST, line 2: this is not an old key with its date"),
    ],
)
def test_a_variable_that_is_no_key_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: str, value: str | None, why: str
) -> None:
    if value is not None:
        monkeypatch.setenv("TAKMAIL_TEST", value)
    file = config(tmp_path, 'key_env = "TAKMAIL_TEST"')
    result = takmail(verb, "--config", file, stdin=MAIL)
    assert result.exit_code == refused_by(verb)
    assert result.stderr == f"{file}: [service] key_env: {why}\n"
