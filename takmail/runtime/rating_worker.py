"""Compute the ratings when they are due, in a child process, so that no mail waits for it.

This module is the program of the child, too. The child reads the database by itself, so all games are never in the
memory of the service. If two services compute at once, both store the same.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from functools import partial
from typing import Protocol

from takmail.games.registry import GAMES
from takmail.runtime import log_fields
from takmail.runtime.child_process import ChildLimits, ChildProcess, serve_parent
from takmail.runtime.outages import isolated
from takmail.store import due, ratings
from takmail.store.database import Store
from takmail.store.due import Due
from takmail.store.machine_time import TimeSource
from takmail.store.ratings import Computed

log = logging.getLogger(__name__)

_LIMITS = ChildLimits(cpu_seconds=240, seconds=280, memory_bytes=1024 * 1024 * 1024)
"""A million games fit in. It ends before the claim does."""


class Child(Protocol):
    """What computes apart: a `ChildProcess`, or what stands for it in tests."""

    def ask(self, request: Callable[[], Computed]) -> Computed: ...

    def close(self) -> None: ...


def new_child() -> Child:
    """Return a child process, which starts when it is asked."""
    return ChildProcess(__name__, "compute", _LIMITS, stands_back=True)


class RatingWorker:
    """Computes and stores the ratings of the database at `url`. `name` is this process's name in claims."""

    def __init__(
        self,
        store: Store,
        time_source: TimeSource,
        url: str,
        name: str,
        child: Callable[[], Child] = new_child,
    ) -> None:
        self._store = store
        self._now = time_source
        self._url = url
        self._name = name
        self._child = child

    async def work(self) -> None:
        """Compute and store the ratings if they are due. If that fails, they are due again when the claim ends."""
        with self._store.transaction(durable=False) as session:
            work = due.claim(session, self._name, self._now(), ratings.RATINGS)
        if work is None:
            return
        began = time.perf_counter()
        with isolated(partial(_log_failure, work)):
            found = await self._computed(partial(computed_at, self._url, self._now()))
            with self._store.transaction(durable=False) as session:
                # Whoever computes meanwhile waits here, and stores the same. A game that has ended meanwhile has ended
                # the claim, and its ratings are due again.
                due.lock(session, work.subject, work.work)
                ratings.store(session, found)
                due.finish(session, work, None, self._name)
            log.info("%d ratings computed, %.1f s", len(found.ratings), time.perf_counter() - began)

    async def _computed(self, request: Callable[[], Computed]) -> Computed:
        """Return what a new child computes, which ends then, or when the service stops."""
        child = self._child()
        try:
            return await asyncio.to_thread(child.ask, request)
        finally:
            child.close()


def computed_at(url: str, now: datetime) -> Computed:
    """Compute the ratings of a database."""
    with closing(Store.open_read_only(url)) as store, store.reading() as session:
        return ratings.computed(session, GAMES, now)


def _log_failure(work: Due, error: Exception) -> None:
    level = logging.ERROR if work.attempts == 1 else logging.DEBUG
    log.log(level, "the ratings could not be computed: %s", log_fields.cause(error))


if __name__ == "__main__":
    serve_parent()
