"""The format of the log, and what it leaves out."""

import json
import logging
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from takmail.pipeline import process
from takmail.runtime import metrics
from takmail.runtime.logs import AsJson, Discreet, log_to_stderr
from tests.support.command_line import config_file, takmail
from tests.support.harness import ADA, Harness
from tests.support.tables import each_row

TAK = "tak@example.org"
SERVES = f"log_to_stderr(logging.INFO, {TAK!r}); logging.getLogger('takmail.serving').info('serving')"


def logged(message: str, *, error: BaseException | None = None) -> str:
    exc_info = (type(error), error, error.__traceback__) if error else None
    record = logging.LogRecord("takmail", logging.WARNING, "", 1, message, None, exc_info)
    return Discreet(TAK).format(record)


@each_row(
    ("message", "shown"),
    [
        ("550 <ada@example.org>: no such user", "550 <…>: no such user"),
        ("'ada@example.org' is not an address", "'…' is not an address"),
        ("to Ada.Example+tak@mail.example.org, later", "to …, later"),
        ("serving tak@example.org", "serving tak@example.org"),
        ("the login of TAK@example.org was refused.", "the login of TAK@example.org was refused."),
        ("tak+12.abcdefghijklmnop@example.org", "…"),
        ("<12.abcdefghijklmnop.7.0a1b@example.org>", "<…>"),
        ("Subject: [tak #12.abcdefghijklmnop] 5x5", "Subject: [tak #…] 5x5"),
        ("letter 12: sent in 0.25 seconds", "letter 12: sent in 0.25 seconds"),
    ],
)
def test_addresses_and_tokens_are_left_out_of_the_log(message: str, shown: str) -> None:
    assert logged(message) == f"WARNING {shown}"


def test_they_are_left_out_of_tracebacks_too() -> None:
    try:
        raise ValueError("ada@example.org")
    except ValueError:
        _, error, _ = sys.exc_info()
    said = logged("mail 3 can't be handled", error=error)
    assert "ValueError: …" in said
    assert "ada@" not in said.replace('raise ValueError("ada@example.org")', "")


def test_a_line_of_the_log_is_one_line_whatever_a_server_says() -> None:
    assert logged("letter 3: not yet: 451 4.7.1\r\nlater\x1b[2J") == (
        "WARNING letter 3: not yet: 451 4.7.1  later [2J"
    )


def as_json(message: str, *, facts: dict[str, object] | None = None, exc_info: object = None) -> object:
    record = logging.LogRecord("takmail", logging.WARNING, "", 1, message, None, exc_info)  # type: ignore[arg-type]
    record.created = 1_795_262_400.25
    if facts is not None:
        record.facts = facts
    line = AsJson(TAK).format(record)
    assert "\n" not in line
    return json.loads(line)


def test_a_program_gets_the_facts_beside_the_sentence() -> None:
    facts = {"event": "mail", "mail": 7, "game": 1, "ply": 3, "result": "played", "reason": "", "ms": 4.2}
    assert as_json("mail 7: played", facts=facts) == {
        "time": "2026-11-21T12:00:00.250+00:00",
        "level": "warning",
        **facts,
        "message": "mail 7: played",
    }


def test_a_program_gets_what_is_no_event_as_well() -> None:
    assert as_json("serving tak@example.org") == {
        "time": "2026-11-21T12:00:00.250+00:00",
        "level": "warning",
        "message": "serving tak@example.org",
    }


def test_a_program_gets_no_address_and_no_token_either() -> None:
    found = as_json("550 <ada@example.org>", facts={"event": "letter", "reason": "12.abcdefghijklmnop"})
    assert isinstance(found, dict)
    assert (found["message"], found["reason"]) == ("550 <…>", "…")


def test_a_traceback_is_a_part_of_its_line() -> None:
    try:
        raise ValueError("ada@example.org")
    except ValueError:
        found = as_json("it raised", exc_info=sys.exc_info())
    assert isinstance(found, dict)
    assert found["traceback"].startswith("Traceback (most recent call last):\n")
    assert found["traceback"].endswith("ValueError: …")


@pytest.mark.parametrize("stream", [None, "", "8:1", "journal"])
def test_lines_have_the_time_unless_the_journal_adds_it(tmp_path: Path, stream: str | None) -> None:
    with (tmp_path / "log").open("w+") as log:
        found = os.fstat(log.fileno())
        journal = f"{found.st_dev}:{found.st_ino}" if stream == "journal" else stream
        subprocess.run(
            [sys.executable, "-c", f"from {log_to_stderr.__module__} import *; {SERVES}"],
            env={**os.environ, "JOURNAL_STREAM": journal or ""} if journal is not None else None,
            stderr=log,
            check=True,
        )
        log.seek(0)
        time, is_there, _ = log.read().rpartition("INFO serving\n")
    assert is_there
    assert bool(re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d ", time)) == (stream != "journal")
    assert bool(time) == (stream != "journal")


@pytest.mark.parametrize(("is_json", "shown"), [(True, '"message": "serving"}\n'), (False, "INFO serving\n")])
def test_the_log_goes_to_standard_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, is_json: bool, shown: str
) -> None:
    levels = {logger: logger.level for logger in (logging.getLogger(), logging.getLogger("takmail"))}
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    try:
        log_to_stderr(logging.INFO, TAK, as_json=is_json)
        logging.getLogger("takmail.runtime.bootstrap").info("serving")
        logging.getLogger("takmail.runtime.bootstrap").debug("nothing of this")
    finally:
        for logger, level in levels.items():
            logger.setLevel(level)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith(shown)
    assert err.count("\n") == 1


def facts_of(caplog: pytest.LogCaptureFixture) -> dict[str, object]:
    """Return the fields of the last line, without the milliseconds, which vary."""
    facts = dict(caplog.records[-1].facts)  # type: ignore[attr-defined]
    ms = facts.pop("ms")
    assert ms is None or ms >= 0
    return facts


def test_a_mail_that_plays_is_logged_with_game_and_ply(
    harness: Harness, caplog: pytest.LogCaptureFixture
) -> None:
    harness.begin("5")
    with caplog.at_level(logging.INFO, "takmail"):
        harness.play("ps b4\n\nsome words of mine")
    assert facts_of(caplog) == {
        "event": "mail",
        "mail": 4,
        "game": 1,
        "ply": 1,
        "result": "played",
        "reason": "game 1, turn 1",
    }
    assert caplog.records[-1].getMessage().startswith("mail 4: played (game 1, turn 1), ")
    assert "some words" not in caplog.text


def test_a_mail_that_only_looks_is_logged_with_its_game(
    harness: Harness, caplog: pytest.LogCaptureFixture
) -> None:
    harness.begin("5")
    with caplog.at_level(logging.INFO, "takmail"):
        harness.send(f"Ada <{ADA}>", "rs", harness.last(ADA))
    found = facts_of(caplog)
    assert (found["game"], found["ply"], found["result"]) == (1, None, "answered")


def test_of_a_mail_that_raises_the_log_has_what_and_where_on_one_line_and_none_of_its_words(
    harness: Harness, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def quoting(*_: object) -> None:
        raise RuntimeError("no way to read: some words of Ada's")

    harness.begin("5")
    monkeypatch.setattr(process, "execute", quoting)
    with caplog.at_level(logging.INFO, "takmail"):
        harness.mail_worker.keep_one(harness.mail(f"Ada <{ADA}>", "ps b4", harness.last(ADA)).as_bytes())
        harness.mail_worker.work()
    (record,) = caplog.records
    said = record.getMessage()
    assert said.startswith("mail 4 failed with RuntimeError in test_logs.py, line ")
    assert said.endswith(" and is shunted; see `takmail mail show 4`")
    assert "words" not in said
    assert facts_of(caplog)["result"] == "shunted"
    assert "some words of Ada's" in harness.note_of(4)[1]


@pytest.mark.parametrize("wrong", ["no_key = 1", "metrics_port = 9464"])
def test_what_keeps_the_service_from_starting_is_an_object_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    monkeypatch.setattr(metrics, "HOST", "192.0.2.1")  # no address of this machine
    config = config_file(tmp_path)
    config.write_text(config.read_text().replace("[imap]", f"{wrong}\n[imap]"))
    result = takmail("serve", "--log-format", "json", "--config", config)
    assert result.exit_code != 0
    last = json.loads(result.stderr.splitlines()[-1])
    assert last["level"] == "error"
    assert wrong.partition(" ")[0] in last["message"]
