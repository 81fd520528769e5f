"""No list, page, log line or stored letter shows a sealed bid to the operator or the other player."""

import email
import json
import logging
import re
from email.policy import default
from pathlib import Path

import pytest

from takmail.runtime.logs import AsJson
from tests.support.command_line import takmail
from tests.support.databases import rows
from tests.support.harness import ADA, BEN, Harness
from tests.support.scenes import played_once

pytestmark = pytest.mark.usefixtures("reads_here")

BID = "73"


@played_once
def bids(harness: Harness) -> None:
    """Ada bids for a rematch that Ben has accepted, and for a game to which she asks him. Ben bids for neither."""
    harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN} rules=university bid=4")
    harness.send(f"Ben <{BEN}>", "accept bid=2", harness.last(BEN))
    harness.send(f"Ada <{ADA}>", "resign", harness.last(ADA))
    harness.send(f"Ada <{ADA}>", "yes", harness.last(ADA))
    harness.send(f"Ada <{ADA}>", f"rematch bid=12\n\nAnd {BID}", harness.last(ADA))
    harness.send(f"Ben <{BEN}>", "accept", harness.last(BEN))
    harness.send(f"Ada <{ADA}>", f"bid {BID}\n\nI bid {BID}", harness.last(ADA))
    harness.send(f"Ada <{ADA}>", "", harness.last(ADA), subject=f"bid {BID}")
    harness.send(f"Ada <{ADA}>", "", subject=f"new 6 vs Ben rules=university bid={BID}")
    harness.send(f"Ada <{ADA}>", "help", subject="My answer: 42")
    for line in ("games", "mydata", "rs", "say what is it?", "decline komi=2"):
        harness.send(f"Ben <{BEN}>", line, harness.last(BEN))


@pytest.fixture
def config(cli_harness: Harness, tmp_path: Path) -> Path:
    bids(cli_harness)
    return tmp_path / "config.toml"


PAGES = (
    ("player", "list"),
    ("player", "list", "--json"),
    ("player", "show", "Ada"),
    ("player", "show", "Ben"),
    ("game", "list"),
    ("game", "list", "--json"),
    ("game", "show", "2"),
    ("game", "export", "2"),
    ("mail", "list"),
    ("mail", "list", "--json"),
    ("outbox", "list", "--state", "queued", "--state", "sent"),
    ("outbox", "list", "--json"),
    ("game", "adjourn", "2", "--why", "a test"),
    ("player", "block", "Ben", "--why", "a test"),
    ("status",),
    ("status", "--json"),
)


@pytest.mark.parametrize("page", PAGES, ids=" ".join)
def test_no_list_and_no_page_shows_it(config: Path, page: tuple[str, ...]) -> None:
    shown = takmail(*page, "--config", config)
    assert shown.output
    assert not re.search(rf"\b{BID}\b", shown.output)


def test_a_subject_that_is_a_command_is_listed_without_it(config: Path) -> None:
    lines = takmail("mail", "list", "--json", "--config", config).output.splitlines()
    subjects = [json.loads(one)["subject"] for one in lines]
    assert "new 6 vs Ben rules=university bid=?" in subjects
    assert "My answer: 42" in subjects


def test_no_row_about_the_other_player_and_no_note_has_it(config: Path) -> None:
    found = str(rows(config.parent, "SELECT note FROM inbox UNION ALL SELECT setup FROM game"))
    raw = rows(config.parent, f"SELECT raw, text, html_text, drawings FROM outbox WHERE mail_to = '{BEN}'")
    assert len(raw) > 8
    letters = "".join(str(email.message_from_bytes(one[0], policy=default).get_body()) for one in raw)
    for text in (found, letters, *(str(one[1:]) for one in raw)):
        assert not re.search(rf"\b{BID}\b", re.sub(r"[\w.+-]+@[\w.]+|#0b3f73|\"bytes\": \d+", "", text))


def test_mail_explain_shows_the_other_s_mails_without_it(config: Path) -> None:
    mails = rows(config.parent, f"SELECT id FROM inbox WHERE sender = '{BEN}'")
    assert len(mails) > 5
    for (number,) in mails:
        shown = takmail("mail", "show", str(number), "--config", config)
        assert "Letters in response" in shown.output
        assert not re.search(rf"\b{BID}\b", shown.output)


def test_no_line_of_the_log_has_it(cli_harness: Harness, caplog: pytest.LogCaptureFixture) -> None:
    bids(cli_harness)
    with caplog.at_level(logging.DEBUG):
        cli_harness.send(f"Ada <{ADA}>", f"bid {BID}", cli_harness.last(ADA))
        cli_harness.send(f"Ada <{ADA}>", f"#2 bid {BID}")
        cli_harness.send(f"Ada <{ADA}>", f"new 3 vs {BEN} rules=university bid={BID}")
    lines = [
        re.sub(r'[\d.]+ ms|"ms": [\d.]+|"time": "[^"]+"', "", AsJson("").format(one))
        for one in caplog.records
    ]
    assert any('"event": "mail"' in one for one in lines), lines
    assert not any(re.search(rf"\b{BID}\b", one) for one in lines if '"event": ' in one)
    assert not any(re.search(rf"bid\W{{1,3}}{BID}", one) for one in lines)


def test_who_is_merged_with_another_player_keeps_the_bid(cli_harness: Harness, tmp_path: Path) -> None:
    bids(cli_harness)
    asked = next(one for one in cli_harness.box[::-1] if one.to == BEN and "#2]" in one.subject)
    cli_harness.send("Cy <cy@example.org>", "seek 5")
    merged = takmail("player", "merge", "Ada", "Cy", "--why", "a test", "--config", tmp_path / "config.toml")
    assert merged.exit_code == 0
    cli_harness.send(f"Ben <{BEN}>", "bid 2", asked)
    assert cli_harness.table(2).record.setup == f"5 rules=university bids={BID},2"
    assert cli_harness.table(2).names == ("Cy", "Ben")
