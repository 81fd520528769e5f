"""No list, page, log line or letter shows the operator or the opponent what a player has prepared in advance."""

import email
import logging
import re
from email.policy import default
from pathlib import Path

import pytest
from sqlalchemy import update

from takmail.config.seat_keys import make
from takmail.runtime.logs import AsJson
from takmail.store.tables import OutboxRow
from takmail.world import LetterState
from tests.support import databases
from tests.support.command_line import config_file, takmail
from tests.support.databases import rows
from tests.support.harness import ADA, BEN, Harness, turns

pytestmark = pytest.mark.usefixtures("reads_here")

LINES = "if ps b4 then pw e3 then ps d2 then ps e2\nif ps b5 then pw e3"
SECRET = re.compile(r"\be3\b|\be2\b|\bd2\b|prepared (?!a)|in.advance", re.IGNORECASE)
OF_GAME = (("game", "list"), ("game", "list", "--json"), ("game", "show", "1"), ("game", "export", "1"))
LISTS = (
    ("outbox", "list"),
    ("outbox", "list", "--json"),
    ("outbox", "list", "--state", "postponed", "--state", "queued"),
    ("mail", "list", "--json"),
    ("player", "list", "--json"),
    ("player", "show", "Ada"),
    ("player", "show", "Ben"),
    ("status", "--json"),
)
_TOKEN = re.compile(r"(?<=\.)[a-z2-7]{16}\b|\b[0-9a-f]{16}\b|\"\w*(?:size|bytes)\": \d+|<\d+\.\d+@")
"""What each service makes by chance, and the sizes of mails and disks, and the numbers of mails."""
PAGES = (
    *OF_GAME,
    ("player", "list", "--json"),
    ("player", "show", "Ada"),
    ("player", "show", "Ben"),
    ("mail", "list", "--json"),
    ("outbox", "list", "--state", "queued", "--state", "sent", "--state", "postponed"),
    ("outbox", "list", "--json"),
    ("status", "--json"),
    ("game", "adjourn", "1", "--why", "a test"),
)


def pages(folder: Path, names: tuple[tuple[str, ...], ...]) -> list[str]:
    return [takmail(*name, "--config", folder / "config.toml").output for name in names]


def leave(harness: Harness) -> None:
    with harness.store.transaction() as session:
        session.execute(update(OutboxRow).values(state=LetterState.SENT))


def test_nothing_shows_what_is_prepared(
    cli_harness: Harness, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    cli_harness.begin_and_play("ps a1", "ps e5", "ps c3")
    leave(cli_harness)
    before = pages(tmp_path, OF_GAME)
    with caplog.at_level(logging.DEBUG):
        cli_harness.send(f"Ada <{ADA}>", LINES, cli_harness.last(ADA))
        leave(cli_harness)
        assert pages(tmp_path, OF_GAME) == before
        for line in ("games", "ps b4", "log", "mydata", "say what is it?"):
            cli_harness.send(f"Ben <{BEN}>", line, cli_harness.last(BEN))
    shown = pages(tmp_path, PAGES)
    assert all(shown)
    assert [page for page in shown if SECRET.search(page)] == []
    facts = [AsJson("").format(record) for record in caplog.records]
    assert [line for line in facts if SECRET.search(line) and '"event"' in line] == []
    letters = rows(tmp_path, f"SELECT raw FROM outbox WHERE mail_to = '{BEN}'")
    parts = [email.message_from_bytes(raw, policy=default).get_body(("plain",)) for (raw,) in letters]
    bodies = [part.get_content() for part in parts if part is not None]
    told = re.compile(SECRET.pattern.replace("|in.advance", ""), re.IGNORECASE)
    assert [body for body in bodies if told.search(body)] == []
    for (number,) in rows(tmp_path, f"SELECT id FROM inbox WHERE sender = '{BEN}'"):
        shown_mail = takmail("mail", "show", str(number), "--config", tmp_path / "config.toml").output
        assert "Letters in response" in shown_mail
        assert not told.search(shown_mail)


@pytest.mark.parametrize("sends", [True, False])
def test_all_that_is_listed_is_the_same_without_them(tmp_path: Path, sends: bool) -> None:
    listed = []
    for name, more in (("with", f"\n{LINES}"), ("without", "")):
        folder = tmp_path / name
        folder.mkdir()
        store = databases.opened(folder)
        config_file(folder)
        make(folder / "takmail.key")
        harness = Harness(store)
        harness.begin_and_play("ps a1", "ps e5")
        harness.send(f"Ada <{ADA}>", f"ps c3{more}", harness.last(ADA))
        for line in ("log", "ps b4", "games"):
            if sends:
                leave(harness)
            harness.send(f"Ben <{BEN}>", line, harness.last(BEN))
        listed.append([_TOKEN.sub("", page) for page in pages(folder, (*LISTS, *OF_GAME))])
        store.close()
    for with_them, without in zip(*listed, strict=True):
        assert with_them == without


def test_they_stay_with_a_player_who_is_merged_with_another(cli_harness: Harness, tmp_path: Path) -> None:
    cli_harness.begin_and_play("ps a1", "ps e5", "ps c3")
    cli_harness.send(f"Ada <{ADA}>", LINES, cli_harness.last(ADA))
    cli_harness.send("Cy <cy@example.org>", "seek 5")
    merged = takmail("player", "merge", "Ada", "Cy", "--why", "a test", "--config", tmp_path / "config.toml")
    assert merged.exit_code == 0
    cli_harness.send(f"Ben <{BEN}>", "ps b4", cli_harness.last(BEN))
    cli_harness.send(f"Ada <{ADA}>", "go", cli_harness.last(ADA))
    assert turns(cli_harness)[3:] == ["ps b4", "pw e3"]
