"""`check-config` tells of secrets that others on the machine can read."""

import os
from pathlib import Path

import pytest

from takmail.config.seat_keys import make
from tests.support.command_line import config_file, takmail

IN_FILE = """[service]
address = "tak@example.org"
[imap]
host = "127.0.0.1"
user = "tak"
{imap}
tls = "none"
[smtp]
host = "127.0.0.1"
tls = "none"
{more}
"""


def written(folder: Path, imap: str, more: str = "", mode: int = 0o644) -> Path:
    """A config.toml that says this of the mailbox's password, with these permissions."""
    file = folder / "config.toml"
    file.write_text(IN_FILE.format(imap=imap, more=more))
    file.chmod(mode)
    return file


def test_a_password_that_others_can_read_is_told_with_what_to_do(tmp_path: Path) -> None:
    file = config_file(tmp_path)
    file.chmod(0o644)
    result = takmail("check-config", "--config", file)
    assert (result.exit_code, result.stdout) == (os.EX_CONFIG, "")
    assert result.stderr.splitlines() == [
        f"{file}: [{server}] password: others can read it in {file}; run `chmod 600 {file}`"
        for server in ("imap", "smtp")
    ]
    file.chmod(0o600)
    assert takmail("check-config", "--config", file).exit_code == 0


@pytest.mark.parametrize("mode", [0o600, 0o400, 0o640])
def test_a_file_that_only_its_owner_and_a_group_can_read_is_well(tmp_path: Path, mode: int) -> None:
    assert takmail("check-config", "--config", written(tmp_path, 'password = "x"', mode=mode)).exit_code == 0


def test_where_the_password_stands_elsewhere_others_may_read_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAKMAIL_TEST", "secret")
    file = written(tmp_path, 'password_env = "TAKMAIL_TEST"')
    assert takmail("check-config", "--config", file).exit_code == 0


def test_a_password_file_that_others_can_read_is_told(tmp_path: Path) -> None:
    secret = tmp_path / "password"
    secret.write_text("secret\n")
    secret.chmod(0o644)
    file = written(tmp_path, 'password_file = "password"')
    result = takmail("check-config", "--config", file)
    assert result.exit_code == os.EX_CONFIG
    assert result.stderr == (
        f"{file}: [imap] password_file: others can read it in {secret}; run `chmod 600 {secret}`\n"
    )
    secret.chmod(0o600)
    assert takmail("check-config", "--config", file).exit_code == 0


def test_a_key_that_others_can_read_is_told(tmp_path: Path) -> None:
    file, key = config_file(tmp_path), tmp_path / "takmail.key"
    make(key)
    assert takmail("check-config", "--config", file).exit_code == 0
    key.chmod(0o644)
    result = takmail("check-config", "--config", file)
    assert result.exit_code == os.EX_CONFIG
    assert f"[service] key_file: others can read it in {key}; run `chmod" in result.stderr


def test_a_password_in_the_databases_address_is_one(tmp_path: Path) -> None:
    url = "[store]\nurl = 'postgresql://takmail:secret@127.0.0.1:1/takmail'"
    result = takmail("check-config", "--config", written(tmp_path, 'password = "x"', url))
    assert f"[store] url: others can read it in {tmp_path}/config.toml" in result.stderr
    assert "secret" not in result.stderr
