"""`takmail mail` and a mail that takes too much work to read: it can be looked at, put back and let go of."""

from pathlib import Path

import pytest

from takmail.mail import reader
from takmail.mail.message import Mail
from takmail.mail.reader import MailToRead
from takmail.runtime import reader_process
from takmail.runtime.child_process import LimitExceeded
from takmail.runtime.reader_process import ReaderProcess
from tests.support.command_line import mail_lines, takmail
from tests.support.databases import rows
from tests.support.harness import ADA, Harness
from tests.support.hostile import single

WHY = "it took more than 5 seconds of processor time to read"
MAIL = single("<b>" * 3_000, sender="somebody@example.net")


class Overrunning(ReaderProcess):
    """For which every mail takes too long."""

    def read(self, mail: MailToRead) -> Mail:
        del mail
        raise LimitExceeded(WHY)


@pytest.fixture
def config(cli_harness: Harness, tmp_path: Path) -> Path:
    """The config of a service that has shunted mail 1, as it took too much to read."""
    cli_harness.mail_worker._reader = Overrunning()
    cli_harness.mail_worker.keep_one(MAIL)
    cli_harness.mail_worker.work()
    return tmp_path / "config.toml"


@pytest.fixture
def unread(monkeypatch: pytest.MonkeyPatch) -> None:
    """No body is read by anybody."""

    def never(*_: object) -> None:
        raise AssertionError("a body is read")

    monkeypatch.setattr(reader, "leaf_parts", never)
    monkeypatch.setattr(ReaderProcess, "read", never)


def state(config: Path) -> tuple[object, ...]:
    (row,) = rows(config.parent, "SELECT state, is_costly, is_reduced FROM inbox WHERE id = 1")
    return tuple(row)


@pytest.mark.usefixtures("unread")
def test_it_is_shown_without_being_read(config: Path) -> None:
    said = mail_lines("show", "1", "--config", config)
    assert said[0] == "Mail 1: shunted"
    assert f"Reason    {WHY}" in said
    assert "  From       somebody@example.net" in [line.split(",")[0] for line in said]
    assert f"The body was not read: {WHY}." in said
    assert (
        "To read it without limits on time and memory, run `takmail mail explain --parse FILE.eml`." in said
    )


@pytest.mark.usefixtures("unread")
def test_it_is_put_back_without_being_read(config: Path) -> None:
    assert takmail("mail", "requeue", "1", "--config", config).exit_code == 0
    assert state(config) == ("new", 0, 0)


@pytest.mark.usefixtures("unread")
def test_its_bytes_are_let_go_of_without_being_read(config: Path) -> None:
    assert takmail("mail", "reduce", "1", "--config", config).exit_code == 0
    assert state(config) == ("shunted", 1, 1)


def explained(config: Path, *words: str) -> list[str]:
    file = config.parent / "mail.eml"
    file.write_bytes(MAIL)
    return mail_lines("explain", *words, file, "--config", config)


def test_of_a_mail_that_takes_too_much_its_headers_are_explained(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader_process, "ReaderProcess", Overrunning)
    said = explained(config)
    assert "  Subject    hello" in said
    assert f"The body was not read: {WHY}." in said
    assert any("--parse" in line for line in said)
    assert f"Final state: shunted ({WHY})" in said
    assert "No letter is sent." in said


def test_it_is_read_here_where_the_operator_says_so(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_process, "ReaderProcess", Overrunning)
    said = explained(config, "--parse")
    assert not any("--parse" in line for line in said)
    assert said[-2:] != [f"Final state: shunted ({WHY})", ""]


def test_a_mail_that_ends_by_its_headers_is_explained_so_whatever_its_body_is(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader_process, "ReaderProcess", Overrunning)
    file = config.parent / "mail.eml"
    file.write_bytes(single("<b>" * 3_000, sender=ADA, headers="Precedence: bulk\r\n"))
    assert "Final state: machine (precedence)" in mail_lines("explain", file, "--config", config)


def test_what_the_operator_has_let_go_of_is_no_longer_counted(config: Path) -> None:
    assert "1 mail is shunted" in takmail("status", "--config", config).stdout
    takmail("mail", "reduce", "1", "--config", config)
    assert "0 waiting, 0 shunted" in takmail("status", "--config", config).stdout
