"""No list, page or log line shows the operator a sealed bid: an operator may play, too."""

import json
import logging
import re
from pathlib import Path

import pytest

from takmail.runtime.logs import AsJson
from tests.support.command_line import takmail
from tests.support.databases import change
from tests.support.harness import ADA, BEN, Harness
from tests.support.scenes import played_once

BID = "73"


@played_once
def bids(harness: Harness) -> None:
    """Ada seeks a game with a bid, asks Ben to one, and asks him to a rematch of another."""
    harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN} rules=university bid=4")
    harness.send(f"Ben <{BEN}>", "accept bid=2", harness.last(BEN))
    harness.send(f"Ada <{ADA}>", "resign", harness.last(ADA))
    harness.send(f"Ada <{ADA}>", "yes", harness.last(ADA))
    harness.send(f"Ada <{ADA}>", f"rematch bid={BID}", harness.last(ADA))
    harness.send(f"Ada <{ADA}>", f"seek 6 rules=university bid={BID}")
    harness.send(f"Ada <{ADA}>", "", subject=f"seek 4 rules=university bid={BID}")
    harness.send(f"Ada <{ADA}>", "help", subject="My answer: 42")


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


def test_a_seek_is_shown_with_its_rules(config: Path) -> None:
    shown = takmail("player", "show", "Ada", "--config", config).output
    assert "Seeks: #1 (6 rules=university), #2 (4 rules=university)" in shown


def test_a_subject_that_is_a_command_is_listed_without_it(config: Path) -> None:
    lines = takmail("mail", "list", "--json", "--config", config).output.splitlines()
    subjects = [json.loads(one)["subject"] for one in lines]
    assert "seek 4 rules=university bid=?" in subjects
    assert "My answer: 42" in subjects


def test_a_set_up_that_cannot_be_read_is_shown_without_it(config: Path) -> None:
    change(config.parent, f"UPDATE game SET setup = '5 rules=chess bid={BID}' WHERE id = 2")
    shown = takmail("game", "show", "2", "--config", config).output
    assert "setup:       5 rules=chess\n" in shown
    assert BID not in shown


def test_no_line_of_the_log_has_it(cli_harness: Harness, caplog: pytest.LogCaptureFixture) -> None:
    bids(cli_harness)
    with caplog.at_level(logging.DEBUG):
        cli_harness.send(f"Ada <{ADA}>", f"seek 3 rules=university bid={BID}")
        cli_harness.send(f"Ada <{ADA}>", f"rematch bid={BID}", cli_harness.last(ADA))
    lines = [AsJson("").format(one) for one in caplog.records]
    assert any('"event": "mail"' in one for one in lines), lines
    assert not any(re.search(rf"bid\W{{1,3}}{BID}", one) for one in lines)
