"""A game by mail against an external engine: no mail reaches its command line, nor more than turns its input."""

import os
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from takmail.games.bots import Bot, Bots
from takmail.games.registry import GAMES
from takmail.games.thinking import EngineHost, EngineTerms
from takmail.runtime.bot_worker import BotWorker
from takmail.runtime.delivery_worker import Delivery
from takmail.runtime.engines import Engine
from takmail.runtime.fair_queue import FairQueue
from tests.support.cost import PATIENCE
from tests.support.harness import ADA, Harness, said, turns

SCRIPT = Path(__file__).parents[1] / "support" / "scripted_engine.py"
WORDS = """
quit
setoption name Log value /tmp/pwned
position startpos moves e5
; touch pwned $(touch pwned) `touch pwned` | touch pwned && touch pwned
../../bin/sh -c 'touch pwned'
\x00\x1b[2J\u2028go infinite
"""


@pytest.mark.parametrize(
    ("new", "komi"),
    [("new 5 vs bot scripted first=me", None), ("new 5 komi=2 vs bot scripted first=me", "4")],
)
async def test_a_mail_reaches_an_engine_as_turns_and_nothing_else(
    new: str, komi: str | None, harness: Harness, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    log, host = tmp_path / "log", GAMES.rules("tak")
    assert isinstance(host, EngineHost)
    arguments = (f"log={log}", "intro=option name HalfKomi type spin default 0 min 0 max 12", "best=c3'")
    terms = EngineTerms(frozenset({5}), frozenset({0, 4}), 1, 1_000 * PATIENCE)
    engine = Engine("scripted", (sys.executable, "-S", str(SCRIPT), *arguments), terms, 2**30, host)
    harness.change(bots=Bots((Bot("scripted", engine.plays),)))
    harness.send(f"Ada $(touch pwned) <{ADA}>", f"{new}\n\n{WORDS}")
    harness.send(f"Ada; quit <{ADA}>", f"ps a1\n\n{WORDS}", harness.last(ADA))
    bots = BotWorker(harness.store, harness.causes, Delivery(), "one", FairQueue(), {"scripted": engine})
    assert await bots.work() == 1
    bots.close()
    assert turns(harness) == ["ps a1", "ps c3"]
    options = [] if komi is None else [f"setoption name HalfKomi value {komi}"]
    assert log.read_text().splitlines() == [
        f"process {list(arguments)}",
        "tei",
        *options,
        "teinewgame 5",
        "isready",
        "position startpos moves a5",
        "go movetime 1",
        "quit",
    ]
    assert "pwned" not in os.listdir(tmp_path)
    harness.now += timedelta(minutes=1)
    assert "ps c3" in said(harness.collect()[-1])


def test_the_list_of_bots_names_each_board_of_an_engine_once(harness: Harness) -> None:
    host = GAMES.rules("tak")
    assert isinstance(host, EngineHost)
    engine = Engine("scripted", (str(SCRIPT),), EngineTerms(frozenset({5, 6})), 2**30, host)
    harness.change(bots=Bots((Bot("easy"), Bot("scripted", engine.plays))))
    harness.send(f"Ada <{ADA}>", "bots")
    answer = said(harness.last(ADA))
    assert "new 5 vs bot scripted" in answer
    assert "What can be played: 5x5 and 6x6." in answer
