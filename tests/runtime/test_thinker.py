"""The thinking process: the same answers as here, and an end to what takes too long or too much memory."""

import threading
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from takmail.games.registry import GAMES
from takmail.games.thinking import Choice, Player
from takmail.runtime import child_process
from takmail.runtime import thinker as thinking
from takmail.runtime.child_process import ChildLimits, Closed, NoAnswer
from takmail.runtime.thinker import MAX_MEMORY_BYTES, MAX_SECONDS, Thinker

TURNS = ("ps a1", "ps e5", "ps c3", "ps c4")
RULES = GAMES.rules("tak")
assert isinstance(RULES, Player)
EASY = partial(RULES.choose, "5", TURNS, "easy", b"a seed")
BEST = partial(RULES.choose, "6", (), "best", b"a seed" * 1_000_000)


def test_the_process_chooses_the_turn_that_would_be_chosen_here() -> None:
    thinker = Thinker()
    assert thinker.think(EASY) == EASY(is_over=lambda: False)
    thinker.close()


def test_a_search_ends_when_its_time_is_over() -> None:
    choice = thinking.answer(BEST, 0)
    assert isinstance(choice, Choice)
    assert choice.is_cut


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        # That a child keeps to this limit is shown by one that reads a mail.
        pytest.param(
            ChildLimits(0, MAX_SECONDS, MAX_MEMORY_BYTES),
            "more than 0 seconds of processor time to think about",
            marks=pytest.mark.wide,
        ),
        (ChildLimits(MAX_SECONDS, 0, MAX_MEMORY_BYTES), "more than 0 seconds to think about"),
        (ChildLimits(MAX_SECONDS, MAX_SECONDS, 0), "too much memory to think about"),
    ],
)
def test_what_takes_too_much_ends_the_process(limits: ChildLimits, reason: str) -> None:
    thinker = Thinker(limits)
    with pytest.raises(NoAnswer, match=reason):
        thinker.think(BEST)
    thinker.close()


def test_a_fault_is_told() -> None:
    thinker = Thinker()
    with pytest.raises(NoAnswer, match="no such level"):
        thinker.think(partial(RULES.choose, "5", (), "no such level", b""))
    thinker.close()


def test_thinking_can_be_ended() -> None:
    thinker = Thinker()
    thinker.think(EASY)
    threading.Timer(0.05, thinker.close).start()
    with pytest.raises(Closed):
        thinker.think(BEST)


def test_the_process_stands_back_behind_others() -> None:
    thinker = Thinker()
    thinker.think(EASY)
    child = thinker._child
    assert child is not None
    nice = Path(f"/proc/{child.process.pid}/stat").read_text().rpartition(")")[2].split()[16]
    assert int(nice) >= 10
    group = Path(f"/proc/{child.process.pid}/autogroup")  # which not every Linux has
    assert not group.exists() or group.read_text().split()[-1:] in ([], [nice])
    thinker.close()


def test_thinking_can_be_ended_while_the_process_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    thinker, start = Thinker(), child_process._Child.__init__

    def starting(*args: Any) -> None:
        start(*args)
        thinker.close()

    monkeypatch.setattr(child_process._Child, "__init__", starting)
    with pytest.raises(Closed):
        thinker.think(EASY)
