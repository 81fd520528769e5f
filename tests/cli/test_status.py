"""`takmail status`: what waits, what went wrong, and what a monitor makes of it."""

import json
import os
import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import ANY

import pytest
from click.testing import Result
from sqlmodel import select

from takmail import __version__
from takmail.cli.status import contact_bounds
from takmail.runtime import health
from takmail.store import database, leases
from takmail.store.database import Store
from takmail.store.schema import HEAD
from takmail.store.sqlite_file import PageCheck
from takmail.store.tables import LeaseRow
from tests.support.command_line import NOON, config_file, takmail
from tests.support.databases import change, rows, url_in
from tests.support.harness import ADA, BEN, Harness

LATER = NOON + timedelta(seconds=100)
"""When status is asked: all rows below are of noon."""


@pytest.fixture
def config(cli_harness: Harness, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The config of a service where one game runs, nothing waits, and the last contact with the mailbox is recent."""
    cli_harness.begin("5")
    free(monkeypatch, 2_000_000_000)
    file = tmp_path / "config.toml"
    run(file, "UPDATE outbox SET state = 'sent'")
    columns = "mailbox, uid_validity, uid, first_started_at, last_contact_at"
    first, last = ("2026-11-01 12:00:00", "2026-11-21 12:00:00")
    run(file, f"INSERT INTO watermark ({columns}) VALUES ('INBOX', 1, 0, '{first}', '{last}')")
    return file


def free(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """Let so many bytes be free on the disk."""
    monkeypatch.setattr(health, "disk_usage", lambda _folder: SimpleNamespace(free=count))


def run(config: Path, statement: str, **values: object) -> None:
    change(config.parent, statement, **values)


def letters(config: Path, state: str, count: int = 1) -> None:
    """Put so many of the letters into a state."""
    run(config, f"UPDATE outbox SET state = '{state}' WHERE id <= {count}")


def status(config: Path, *words: str, now: datetime = LATER) -> Result:
    result = takmail("status", *words, "--config", config, now=now)
    assert result.stderr == ""
    return result


def told(config: Path, *words: str, now: datetime = LATER) -> tuple[int, str]:
    """The exit code and the first line."""
    result = status(config, *words, now=now)
    return result.exit_code, result.stdout.splitlines()[0]


def test_where_all_is_well_that_is_said_with_every_number(config: Path) -> None:
    ((sent,),) = rows(config.parent, "SELECT count(*) FROM outbox")
    result = status(config)
    assert result.exit_code == 0
    *lines, strangers, bots, database, version = result.stdout.splitlines()
    assert version == f"Version    {__version__}, schema {HEAD}"
    assert re.fullmatch(
        r"Strangers  1\.\d kB of at most 5\.2 MB of mails within the last 24 hours", strangers
    )
    assert [*lines, bots] == [
        "OK: everything is within its thresholds",
        "",
        "Mailbox    last contact 100 s ago, 2026-11-21 12:00:00 UTC",
        "Serving    0 processes",
        "Mails      0 waiting, 0 shunted",
        "Letters    0 queued, 0 postponed, 0 bounced, 0 resting, 0 failed",
        f"Sent       {sent} within the last 24 hours",
        "Addresses  0 bouncing, 0 of them resting",
        "Games      1 open, 0 adjourned, 0 bidding, 0 invited",
        "Bots       0 tasks wait",
    ]
    assert re.fullmatch(r"Database   \d+\.\d [kM]B(, 2\.0 GB free on its disk)?", database)


def test_that_a_running_service_has_an_old_key_is_told(config: Path) -> None:
    check = ("check-config", "--config", config)
    with closing(Store.open(url_in(config.parent))) as store, store.transaction() as session:
        leases.renew_process(session, "serve", "of the old key")
    assert told(config) == (1, "WARNING: a running `takmail serve` still has an old key")
    assert "a running `takmail serve` still has an old key" in takmail(*check).stdout
    run(config, "UPDATE lease SET key_id = NULL")
    assert told(config)[0] == 0
    assert "old key" not in takmail(*check).stdout


@pytest.mark.sqlite("zeroblob is its function")
def test_that_mails_of_strangers_have_to_wait_is_told(config: Path) -> None:
    run(config, "UPDATE inbox SET raw = zeroblob(6000000) WHERE budget = ''")
    finding = "new mails of strangers wait, as stranger_bytes_per_day in [limits] is used up"
    assert told(config) == (1, f"WARNING: {finding}")


def test_a_program_gets_the_same_numbers(config: Path) -> None:
    ((sent,),) = rows(config.parent, "SELECT count(*) FROM outbox")
    letters(config, "queued", 2)
    run(config, "UPDATE address SET bounces = 1")
    run(config, "UPDATE address SET bounces = 3 WHERE address = :who", who=BEN)
    found = json.loads(status(config, "--json").stdout)
    database = found.pop("database")
    assert found == {
        "status": "ok",
        "version": __version__,
        "schema": HEAD,
        "findings": [],
        "at": "2026-11-21T12:01:40+00:00",
        "mailbox": {
            "last_contact": "2026-11-21T12:00:00+00:00",
            "seconds": 100,
            "stopped": None,
            "unmarked": None,
        },
        "serving": {"processes": 0, "last_seconds": None, "outages": {}},
        "mails": {
            "waiting": 0,
            "oldest_waiting_seconds": None,
            "longest_in_hand_seconds": None,
            "shunted": 0,
            "stranger_bytes_within_day": ANY,
            "stranger_bytes_per_day": 5_242_880,
        },
        "letters": {
            "queued": 2,
            "failed": 0,
            "bounced": 0,
            "resting": 0,
            "postponed": 0,
            "failed_to_strangers": 0,
            "sent_within_day": sent - 2,
            "per_day": None,
            "oldest_unsent_seconds": 100,
        },
        "addresses": {"bouncing": 2, "resting": 1, "bouncing_strangers": 0},
        "games": {"invited": 0, "bidding": 0, "open": 1, "adjourned": 0},
        "tasks": 0,
    }
    assert database["bytes"] > 0
    assert database["damage"] is None


FAILED = "UPDATE outbox SET state = 'failed' WHERE id <= 2"
SHUNTED = "UPDATE inbox SET state = 'shunted' WHERE id = 1"
WAITING = "UPDATE inbox SET state = 'new' WHERE id = 1"
QUEUED = "UPDATE outbox SET state = 'queued' WHERE id = 1"
BOUNCING = "UPDATE address SET bounces = 1"
NEVER = "UPDATE watermark SET last_contact_at = NULL"


@pytest.mark.parametrize(
    ("change", "words", "code", "line"),
    [
        (FAILED, [], 1, "WARNING: 2 letters failed"),
        (FAILED, ["--failed", "3", "3"], 0, "OK: everything is within its thresholds"),
        (FAILED, ["--failed", "1", "2"], 2, "CRITICAL: 2 letters failed"),
        (SHUNTED, [], 1, "WARNING: 1 mail is shunted"),
        (WAITING, [], 2, "CRITICAL: `takmail serve` has never run"),
        (QUEUED, ["--unsent", "100", "200"], 1, "WARNING: a letter has been queued for 100 s"),
        (BOUNCING, [], 0, "OK: everything is within its thresholds"),
        (BOUNCING, ["--bouncing", "2", "9"], 1, "WARNING: letters to 2 addresses bounce"),
        (QUEUED, ["--contact", "60", "90"], 2, "CRITICAL: no contact with the mailbox for 100 s"),
        (NEVER, [], 2, "CRITICAL: no contact with the mailbox yet"),
    ],
)
def test_what_is_over_a_bound_is_in_the_first_line_and_in_the_exit_code(
    config: Path, change: str, words: Sequence[str], code: int, line: str
) -> None:
    run(config, change)
    assert told(config, *words) == (code, line)


@pytest.mark.sqlite("the disk of a server is its own")
@pytest.mark.parametrize(
    ("megabytes", "words", "code", "line"),
    [
        (501, [], 0, "OK: everything is within its thresholds"),
        (500, [], 1, "WARNING: 500 MB are free on the database's disk"),
        (50, [], 2, "CRITICAL: 50 MB are free on the database's disk"),
        (0, [], 2, "CRITICAL: 0 MB are free on the database's disk"),
        (60, ["--free-disk", "60", "60"], 2, "CRITICAL: 60 MB are free on the database's disk"),
        (60, ["--free-disk", "59", "0"], 0, "OK: everything is within its thresholds"),
    ],
)
def test_a_disk_that_is_almost_full_is_told(
    config: Path,
    monkeypatch: pytest.MonkeyPatch,
    megabytes: int,
    words: Sequence[str],
    code: int,
    line: str,
) -> None:
    free(monkeypatch, megabytes * 1_000_000)
    assert told(config, *words) == (code, line)


@pytest.mark.sqlite("a server looks after its own files")
def test_known_damage_is_critical_until_a_check_finds_none(config: Path) -> None:
    pages = PageCheck(config.parent / "takmail.sqlite")
    pages.note("*** in database main ***\nTree 7 page 7")
    assert told(config) == (2, "CRITICAL: the database is damaged: restore the last backup")
    assert (
        status(config).stdout.splitlines()[-2].endswith("; damaged: *** in database main *** Tree 7 page 7")
    )
    found = json.loads(status(config, "--json").stdout)
    assert found["findings"] == [{"measure": "damage", "value": None, "level": "critical"}]
    assert found["database"]["damage"] == "*** in database main ***\nTree 7 page 7"
    pages.run()
    assert told(config)[0] == 0


@pytest.mark.sqlite("a server looks after its own files")
def test_a_damaged_file_is_critical_with_what_to_do(config: Path, store: Store) -> None:
    store.close()
    with (config.parent / "takmail.sqlite").open("r+b") as file:
        file.write(b"nonsense" * 512)
    code, line = told(config)
    assert code == 2
    assert line.endswith("; it is damaged: restore the last backup")


STRANGERS = "UPDATE outbox SET mail_to = 'someone@example.net', delivery_class = 2 WHERE id <= 2"
PROVEN = "UPDATE outbox SET delivery_class = 0"
UNKNOWN = "UPDATE address SET verified_at = NULL"
DEFERRED = f"{QUEUED[:-13]}, attempts = 1 WHERE id = 1"
ALL_IS_WELL = "OK: everything is within its thresholds"


@pytest.mark.parametrize(
    ("changes", "words", "line"),
    [
        ([FAILED, STRANGERS], [], ALL_IS_WELL),
        ([FAILED, "UPDATE outbox SET delivery_class = 2"], [], "WARNING: 2 letters failed"),
        ([FAILED, "UPDATE outbox SET delivery_class = 2", UNKNOWN], [], ALL_IS_WELL),
        ([FAILED, PROVEN, UNKNOWN], [], "WARNING: 2 letters failed"),
        ([FAILED, STRANGERS.replace("<= 2", "= 1")], [], "WARNING: 1 letter failed"),
        ([BOUNCING, UNKNOWN], ["--bouncing", "1", "1"], ALL_IS_WELL),
        ([QUEUED, STRANGERS], ["--unsent", "1", "999"], "WARNING: a letter has been queued for 100 s"),
        ([DEFERRED, STRANGERS], ["--unsent", "1", "999"], ALL_IS_WELL),
        ([DEFERRED], ["--unsent", "1", "999"], "WARNING: a letter has been queued for 100 s"),
    ],
)
def test_what_comes_back_from_strangers_is_no_warning(
    config: Path, changes: Sequence[str], words: Sequence[str], line: str
) -> None:
    for one in changes:
        run(config, one)
    assert told(config, *words)[1] == line


def test_what_comes_back_from_strangers_is_counted_apart(config: Path) -> None:
    for one in (FAILED, PROVEN, STRANGERS.replace("<= 2", "= 1"), BOUNCING, UNKNOWN):
        run(config, one)
    said = status(config).stdout.splitlines()
    assert said[5].endswith(", 1 failed; 1 more failed to strangers")
    assert said[7] == "Addresses  0 bouncing, 0 of them resting; 2 more of strangers bouncing"
    found = json.loads(status(config, "--json").stdout)
    assert (found["letters"]["failed"], found["letters"]["failed_to_strangers"]) == (1, 1)
    assert found["addresses"] == {"bouncing": 0, "resting": 0, "bouncing_strangers": 2}


@pytest.mark.parametrize(
    ("words", "code", "line"),
    [
        ([], 0, "OK: everything is within its thresholds"),
        (["--waiting", "100", "101"], 1, "WARNING: a mail has been waiting for 100 s"),
        (["--waiting", "99", "100"], 2, "CRITICAL: a mail has been waiting for 100 s"),
    ],
)
def test_a_mail_may_wait_for_a_while_where_somebody_serves(
    config: Path, store: Store, words: Sequence[str], code: int, line: str
) -> None:
    there(store, ELSEWHERE)
    run(config, WAITING)
    assert told(config, *words) == (code, line)


def test_a_mail_that_has_just_come_is_no_reason_to_miss_a_service(config: Path) -> None:
    run(config, WAITING)
    assert told(config, now=NOON + timedelta(seconds=10))[0] == 0


@pytest.mark.parametrize(
    ("seconds", "line"),
    [
        (60, "OK: everything is within its thresholds"),
        (61, "WARNING: a mail has been claimed for 61 s"),
        (600, "CRITICAL: a mail has been claimed for 10 min"),
    ],
)
def test_a_mail_that_is_claimed_for_long_is_told(config: Path, store: Store, seconds: int, line: str) -> None:
    there(store, ELSEWHERE)
    run(config, f"{WAITING}")
    claimed = (LATER - timedelta(seconds=seconds)).strftime("%Y-%m-%d %H:%M:%S")
    run(config, "UPDATE inbox SET claimed_by = 'x', claimed_at = :at WHERE id = 1", at=claimed)
    assert told(config, "--waiting", "9000", "9000")[1] == line


def test_the_worst_comes_first_and_counts(config: Path) -> None:
    run(config, FAILED)
    run(config, NEVER)
    assert told(config) == (2, "CRITICAL: no contact with the mailbox yet; 2 letters failed")
    found = json.loads(status(config, "--json").stdout)
    assert found["status"] == "critical"
    assert found["findings"] == [
        {"measure": "contact", "value": None, "level": "critical"},
        {"measure": "failed", "value": 2, "level": "warning"},
    ]


def test_a_letter_that_is_to_wait_is_not_unsent_for_long(config: Path) -> None:
    for state in ("postponed", "bounced", "resting"):
        letters(config, state)
        assert told(config, "--unsent", "1", "1")[0] == 0


@pytest.mark.parametrize(
    ("age", "words"),
    [
        (timedelta(minutes=5), "5 min"),
        (timedelta(hours=3), "3 h"),
        (timedelta(days=9), "9 days"),
        (timedelta(days=-1), "0 s"),  # the clock was set back
    ],
)
def test_ages_are_told_as_people_tell_them(config: Path, age: timedelta, words: str) -> None:
    line = status(config, now=NOON + age).stdout.splitlines()[2]
    assert line.startswith(f"Mailbox    last contact {words} ago")


def test_the_limit_on_letters_is_told_beside_what_was_sent(config: Path) -> None:
    ((sent,),) = rows(config.parent, "SELECT count(*) FROM outbox")
    config.write_text(config.read_text().replace("[smtp]\n", "[smtp]\nper_day = 500\n"))
    assert (
        status(config).stdout.splitlines()[6] == f"Sent       {sent} of at most 500 within the last 24 hours"
    )
    assert json.loads(status(config, "--json").stdout)["letters"]["per_day"] == 500


def test_it_names_nobody(config: Path) -> None:
    for state in ("failed", "queued", "resting"):
        letters(config, state)
        for words in ([], ["--json"]):
            said = status(config, *words).stdout
            assert not any(name in said for name in (ADA, BEN, "Ada", "Ben", "@"))


def test_without_a_mailbox_none_is_missed(config: Path) -> None:
    text = config.read_text()
    config.write_text(text[: text.index("[imap]")] + text[text.index("[smtp]") :])
    result = status(config)
    assert result.exit_code == 0
    assert "Mailbox" not in result.stdout
    assert json.loads(status(config, "--json").stdout)["mailbox"] is None


@pytest.fixture
def by_lmtp(config: Path) -> Path:
    """The same with mails that are handed over, and no mailbox."""
    text = config.read_text()
    config.write_text(
        text[: text.index("[imap]")] + '[lmtp]\nsocket = "lmtp.sock"\n' + text[text.index("[smtp]") :]
    )
    return config


ELSEWHERE = "another machine/1/a"
"""The name of a process of which only the database can tell."""


def there(store: Store, name: str, ago: int = 0) -> None:
    """Have a process say that it is there, so many seconds ago."""
    with store.transaction() as session:
        leases.renew_process(session, name)
        session.flush()
        for lease in session.exec(select(LeaseRow)).all():
            lease.expires_at -= timedelta(seconds=ago)


def test_where_mails_are_handed_over_a_serve_is_missed(store: Store, by_lmtp: Path) -> None:
    assert told(by_lmtp) == (2, "CRITICAL: `takmail serve` has never run")
    there(store, ELSEWHERE)
    result = status(by_lmtp)
    assert (result.exit_code, result.stdout.splitlines()[2]) == (0, "Serving    1 process")
    there(store, ELSEWHERE, ago=1_800)
    assert told(by_lmtp) == (2, "CRITICAL: `takmail serve` has not run for 30 min")
    assert told(by_lmtp, "--serving", "1000", "3000")[0] == 1
    assert told(by_lmtp, "--serving", "2000", "3000")[0] == 0
    assert status(by_lmtp).stdout.splitlines()[2] == "Serving    0 processes; the last one ran 30 min ago"
    found = json.loads(status(by_lmtp, "--json").stdout)
    assert found["serving"]["processes"] == 0
    assert [one["measure"] for one in found["findings"]] == ["serving"]
    assert found["findings"][0]["value"] >= 1_800


def test_when_the_last_serve_was_there_is_known_after_it_has_left(store: Store, by_lmtp: Path) -> None:
    there(store, ELSEWHERE)
    with store.transaction() as session:
        leases.release_process(session, ELSEWHERE)
    result = status(by_lmtp)
    assert result.exit_code == 0
    assert result.stdout.splitlines()[2].startswith("Serving    0 processes; the last one ran ")


def test_where_a_mailbox_is_read_a_serve_is_missed_within_a_minute(store: Store, config: Path) -> None:
    there(store, ELSEWHERE, ago=50)
    code, line = told(config)
    assert code == 1
    # Leases go by the database's clock, which runs on while a slow machine asks.
    assert re.fullmatch(r"WARNING: `takmail serve` has not run for 5\d s", line)


LOGIN = "127.0.0.1:993: the server refuses the login; check `user` and `password` in [imap]"


@pytest.mark.parametrize(
    ("stopped", "code", "line"),
    [
        (("mailbox polling", 0, LOGIN), 1, f"WARNING: no mails can be read for 0 s: {LOGIN}"),
        (("delivery", 950, "gone"), 2, "CRITICAL: no letters can leave for 15 min: gone"),
        (
            ("retention", 3, "full"),
            1,
            "WARNING: a part of `takmail serve` has stood still for 3 s: full",
        ),
    ],
)
def test_an_outage_is_told_at_once_with_its_reason(
    store: Store, config: Path, stopped: tuple[str, int, str], code: int, line: str
) -> None:
    with store.transaction() as session:
        leases.renew_process(session, ELSEWHERE, None, [leases.Stopped(*stopped)])
    assert told(config) == (code, line)
    (finding,) = json.loads(status(config, "--json").stdout)["findings"]
    assert (finding["value"], finding["why"]) == stopped[1:]
    assert told(config, "--outage", "1000", "2000")[0] == 0
    there(store, ELSEWHERE)
    assert told(config)[0] == 0


def test_a_database_in_which_nothing_was_made_is_none(tmp_path: Path) -> None:
    url_in(tmp_path, "bare", empty=True)
    (tmp_path / "bare.sqlite").touch()
    config = config_file(tmp_path, more=f'[store]\nurl = "{url_in(tmp_path, "bare")}"\n')
    code, line = told(config)
    assert code == 2
    assert line.endswith(": there is no database yet; the first command that opens it makes it")


def test_a_mailbox_that_is_looked_at_seldom_is_not_missed_early() -> None:
    assert (contact_bounds(60).warning, contact_bounds(60).critical) == (900, 3_600)
    assert (contact_bounds(3_600).warning, contact_bounds(3_600).critical) == (7_200, 14_400)


@pytest.mark.sqlite("of a server it is not told whether it has the database")
def test_without_a_database_it_is_critical_and_none_is_made(tmp_path: Path) -> None:
    config = config_file(tmp_path)
    problem = f"[store] sqlite:///{tmp_path}/takmail.sqlite: there is no database yet; "
    problem += "the first command that opens it makes it"
    result = status(config)
    assert (result.exit_code, result.stdout) == (2, f"CRITICAL: {problem}\n")
    assert json.loads(status(config, "--json").stdout) == {"status": "critical", "problem": problem}
    assert list(tmp_path.iterdir()) == [config]


@pytest.mark.sqlite("on PostgreSQL nobody holds the whole database")
def test_a_database_that_can_not_be_asked_is_critical(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.01)
    with closing(sqlite3.connect(config.parent / "takmail.sqlite", isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        code, line = told(config)
    assert code == 2
    assert line.endswith("takmail.sqlite: (sqlite3.OperationalError) database is locked")


def test_wrong_settings_are_neither_a_warning_nor_critical(tmp_path: Path) -> None:
    result = takmail("status", "--config", tmp_path / "none.toml")
    assert (result.exit_code, result.stdout) == (os.EX_CONFIG, "")
    for_a_program = takmail("status", "--json", "--config", tmp_path / "none.toml")
    assert (for_a_program.exit_code, for_a_program.stderr) == (os.EX_CONFIG, result.stderr)
    found = json.loads(for_a_program.stdout)
    assert found["status"] == "unknown"
    assert result.stderr == f"{tmp_path}/none.toml: {found['problem']}\n"


def test_bounds_in_the_wrong_order_are_told(config: Path) -> None:
    result = takmail("status", "--unsent", "9", "1", "--config", config)
    assert result.exit_code == 2
    assert "Invalid value for '--unsent': the second number must not be below the first" in result.stderr
    result = takmail("status", "--free-disk", "1", "9", "--config", config)
    assert result.exit_code == 2
    assert "Invalid value for '--free-disk': the second number must not be above the first" in result.stderr
