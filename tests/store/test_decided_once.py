"""A cause is decided once in each transaction: nothing that it lacks makes it begin again."""

import logging
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from takmail.pipeline import process
from takmail.store import causes
from takmail.store.causes import Causes
from tests.yardstick.episodes import load
from tests.yardstick.play import Player

APART = 300
EPISODES = {name: episode for name, episode in load().items() if episode.base is None}
SAMPLE = ["operator/erased", *[name for name in EPISODES if not name.startswith("games/")][::APART]]
"""The episode with the most kinds of causes, and some of the short ones."""


@pytest.fixture
def decisions(monkeypatch: pytest.MonkeyPatch) -> Counter[Any]:
    """How often something was decided in the transaction of each session."""
    counted: Counter[Any] = Counter()
    sessions: list[Any] = [None]

    def noting(run: Callable[..., Any]) -> Callable[..., Any]:
        def noted(self: Causes, session: Any) -> Any:
            sessions.append(session)
            return run(self, session)

        return noted

    def counting(decide: Callable[..., Any]) -> Callable[..., Any]:
        def counting_one(*what: Any, **how: Any) -> Any:
            counted[sessions[-1]] += 1
            return decide(*what, **how)

        return counting_one

    monkeypatch.setattr(Causes, "queries", noting(Causes.queries))
    monkeypatch.setattr(process, "process", counting(process.process))
    monkeypatch.setattr(causes, "outcome_of_cause", counting(causes.outcome_of_cause))
    return counted


def test_each_cause_is_decided_once_a_transaction(
    decisions: Counter[Any], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL, "takmail")  # the player changes the level, too
    with closing(Player(EPISODES)) as player:
        mails = sum(player.play(name).mails for name in SAMPLE)
    assert len(decisions) >= mails > 0
    assert set(decisions.values()) == {1}
