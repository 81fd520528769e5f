"""A database whose changes are undone together: the quickest way to many games that begin alike."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlmodel import Session

from takmail.store.database import Store


class Undone(Store):
    """A store whose transactions are all undone together, as that takes no time."""

    @contextmanager
    def transaction(self, *, lasting: bool = True) -> Iterator[Session]:  # noqa: ARG002 - none of them lasts
        with self._within() as session, session.begin():
            yield session

    @contextmanager
    def rehearsal(self) -> Iterator[Session]:
        """What is done in the block is taken back at its end; no migration is due."""
        with self._within() as session:
            yield session

    @contextmanager
    def undone(self) -> Iterator[None]:
        """What is done within is undone at the end."""
        with self.engine.connect() as self._connection, self._connection.begin() as outer:
            yield
            outer.rollback()

    def _within(self) -> Session:
        return Session(self._connection, expire_on_commit=False, join_transaction_mode="create_savepoint")
