"""A config file, and a way to run commands of the command line in this process."""

import logging
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from click.testing import CliRunner, Result

from takmail.cli import main
from tests.support import databases

TAK = "tak@example.org"
NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
"""When commands are run, unless a test says otherwise: the time of `Harness`."""


def config_file(folder: Path, imap: int = 1, smtp: int = 1, password: str = "secret", more: str = "") -> Path:
    """Write the config.toml of a service on this machine; nothing listens on port 1."""
    if databases.ON_POSTGRESQL and "[store]" not in more:
        more += f'\n[store]\nurl = "{databases.url_in(folder)}"\n'
    login = f'host = "127.0.0.1"\nuser = "{TAK}"\npassword = "{password}"\ntls = "none"'
    file = folder / "config.toml"
    file.write_text(
        f'[service]\naddress = "{TAK}"\n[imap]\nport = {imap}\n{login}\n[smtp]\nport = {smtp}\n{login}\n{more}'
    )
    file.chmod(0o600)
    return file


def takmail(*words: str | Path, stdin: bytes | BytesIO = b"", now: datetime = NOON) -> Result:
    """Run a command. An unhandled exception fails the test, because a user would see a traceback."""
    log = logging.getLogger("takmail")
    level = log.level
    try:
        result = CliRunner().invoke(main, [str(word) for word in words], input=stdin, obj=lambda: now)
    finally:
        log.setLevel(level)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def output(*words: str | Path, now: datetime = NOON) -> str:
    """Return the output of a command that succeeds."""
    result = takmail(*words, now=now)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def complaint(*words: str | Path) -> str:
    """Return the error message of a command that fails without doing anything."""
    result = takmail(*words)
    assert (result.exit_code, result.stdout) == (1, "")
    return result.stderr


def mail_lines(*words: str | Path) -> list[str]:
    """Return the output lines of a successful `takmail mail` command."""
    return output("mail", *words).splitlines()
