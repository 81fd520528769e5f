"""A database that rolls back the changes of many transactions at once, so that a test can repeat from one state."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlmodel import Session

from takmail.store.database import Store


class Undone(Store):
    """A store whose transactions are all rolled back together, which is faster than a new database."""

    @contextmanager
    def transaction(self, *, durable: bool = True) -> Iterator[Session]:  # noqa: ARG002 - no transaction is permanent
        with self._within() as session, session.begin():
            session.connection()  # begins the savepoint
            yield session

    @contextmanager
    def dry_run(self) -> Iterator[Session]:
        """Roll back everything in the block at its end. No migration is due."""
        with self._within() as session:
            session.connection()
            yield session

    @contextmanager
    def undone(self) -> Iterator[None]:
        """Roll back everything in the block at its end."""
        with self.engine.connect() as self._connection, self._connection.begin() as outer:
            yield
            outer.rollback()

    def _within(self) -> Session:
        return Session(self._connection, expire_on_commit=False, join_transaction_mode="create_savepoint")
