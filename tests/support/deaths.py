"""Processes that die right before or after one of their commits, and those that take over."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any

from sqlmodel import Session

from takmail.runtime.mail_worker import MailWorker
from takmail.store.database import Store
from tests.support.harness import Harness, ReadsHere


class Killed(BaseException):
    """The process is killed."""


@dataclass
class Deaths:
    """Kills a process right before or after one of its next commits, chosen by chance."""

    random: Random
    left: int = 0
    count: int = 0

    def transaction(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @contextmanager
        def transaction(store: Store, *, durable: bool = True) -> Iterator[Session]:
            self.left -= 1
            before = self.left == 0 and self.random.random() < 0.5
            with original(store, durable=durable) as session:
                yield session
                if before:
                    self._die()
            if self.left == 0 and not before:
                self._die()

        return transaction

    def _die(self) -> None:
        self.count += 1
        raise Killed


def restarted(harness: Harness) -> None:
    """Let a new process handle what waits, and what the others had claimed."""
    harness.mail_worker = MailWorker(
        harness.store, harness.causes, reader=ReadsHere(), is_gone=lambda _: True
    )
    harness.mail_worker.work()
