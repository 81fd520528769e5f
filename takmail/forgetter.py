"""Forgetting who has left, in the mails and letters of others: a few at a time, so that no mail waits for it."""

import asyncio
from collections.abc import Iterator
from datetime import timedelta

from takmail.keeper import wipe
from takmail.mail.limits import Limits
from takmail.service.people.forgetting import go_on
from takmail.store import forgettings
from takmail.store.database import Store

EVERY = timedelta(seconds=10)
"""How often a service looks whether somebody has left."""

PAUSE = timedelta(milliseconds=50)
"""What a service leaves to mails and letters after each step, which takes about as long."""


class Forgetter:
    """What is still to be forgotten stands in the database: whoever finds it goes on with it."""

    def __init__(self, store: Store, limits: Limits) -> None:
        self._store = store
        self._limits = limits

    def work(self) -> None:
        """Look through all that there is to look through."""
        for _ in self._steps():
            pass

    async def work_in_turns(self) -> None:
        """As `work`, but mails and letters get their turn after each step."""
        for _ in self._steps():
            await asyncio.sleep(PAUSE.total_seconds())

    def _steps(self) -> Iterator[None]:
        """Each a short transaction, and the last one for somebody followed by what cleans the database's file."""
        while True:
            # What a machine forgets that loses its power is done again.
            with self._store.transaction(lasting=False) as session:
                one = go_on(session, self._limits)
            if one is None:
                return
            if forgettings.is_done(one):
                # Noted as done only then: who dies before it does it at the next start.
                wipe(self._store, thoroughly=True)
                with self._store.transaction() as session:
                    forgettings.end(session, one)
            yield
