"""The `takmail` command, with a mark on standard error at each step. It can kill itself at a step.

CRASH_AT is the step, CRASH_NTH how often it has to be passed, and CRASH_AFTER_MS the number of milliseconds after
that. CRASH_PAUSE_SECONDS replaces all pauses after errors, which would be too long for a test. What is due in games is
always looked for more often than takmail does. A game whose times were moved is read anew.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session

from takmail.cli import main
from takmail.runtime import bootstrap, bot_worker, delivery_failures, delivery_worker, mail_worker
from takmail.store import due, leases
from takmail.store.games import Replays
from takmail.world import GameRecord, advance
from tests.crash.steps import EVERY_STEP, LOADED

MARK = "step: "
"""The beginning of a step's line. All other lines on standard error are the log."""

_PASS_EVERY = timedelta(seconds=0.2)
"""The interval at which what is due in games is handled."""
_DUE_LEASE = timedelta(seconds=3)
"""How long what is due waits for a process that does not finish it, or for the mails that wait."""


class Death:
    """Kills this process with SIGKILL at a step, or some time after it."""

    def __init__(self, at: str, nth: int, after_ms: float) -> None:
        self._at = at
        self._left = nth
        self._after_ms = after_ms

    def passes(self, words: str) -> None:
        """Print the mark of a step, and kill this process if it is the chosen step."""
        os.write(2, f"{MARK}{words}\n".encode())
        if words == self._at:
            self._left -= 1
            if self._left == 0:
                self._die()

    def _die(self) -> None:
        if self._after_ms:
            threading.Timer(self._after_ms / 1_000, os.kill, (os.getpid(), signal.SIGKILL)).start()
        else:
            os.kill(os.getpid(), signal.SIGKILL)


def shorten_pauses(length: timedelta) -> None:
    """Replace all of takmail's pauses before retries with `length`."""
    pause: Callable[[int], timedelta] = lambda _: length  # noqa: E731
    for owner, name, short in (
        (delivery_worker, "SERVER_RETRY", length),
        (delivery_worker, "LOOK_AGAIN", length),
        (mail_worker, "LOOK_AGAIN", length),
        (delivery_failures, "retry_delay", pause),
        (bootstrap, "backoff", pause),
        (leases, "RENEWED_EVERY", length),
    ):
        _shorten(owner, name, short)


def _shorten(owner: Any, name: str, short: object) -> None:
    getattr(owner, name)
    setattr(owner, name, short)


def _notice_moved_times() -> None:
    """Read the turns of a game anew after a test has moved it into the past. Otherwise their dates never change."""
    original, begun = Replays.replay, dict[int, datetime]()

    def replay(self: Replays, session: Session, record: GameRecord, *args: Any) -> Any:
        if begun.get(record.number) not in (None, record.created_at):
            self._drop(record.number)
        begun[record.number] = record.created_at
        return original(self, session, record, *args)

    Replays.replay = replay  # type: ignore[method-assign]


def serve(config: str, environment: Mapping[str, str]) -> None:
    """Run `takmail serve` with marks, and kill it as the environment variables say."""
    fate = Death(
        environment.get("CRASH_AT", ""),
        int(environment.get("CRASH_NTH", "1")),
        float(environment.get("CRASH_AFTER_MS", "0")),
    )
    fate.passes(LOADED)
    for one in EVERY_STEP:
        setattr(one.owner, one.name, one.telling(fate.passes))
    _notice_moved_times()
    _shorten(bootstrap, "PASS_EVERY", _PASS_EVERY)
    _shorten(due, "LEASE", _DUE_LEASE)
    _shorten(bot_worker, "LOOK_AGAIN", _PASS_EVERY)
    _shorten(advance, "LOOK_AGAIN", _PASS_EVERY)
    if "CRASH_PAUSE_SECONDS" in environment:
        shorten_pauses(timedelta(seconds=float(environment["CRASH_PAUSE_SECONDS"])))
    main(["serve", "--config", config], prog_name="takmail")


if __name__ == "__main__":
    serve(sys.argv[-1], os.environ)
