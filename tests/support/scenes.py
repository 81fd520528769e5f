"""Games in progress. The first test of a process plays each, and later tests get a copy of the result."""

import sqlite3
from collections.abc import Callable, Hashable
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from inspect import signature
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeVar

from sqlalchemy.pool import PoolProxiedConnection

from takmail.store.database import Store

if TYPE_CHECKING:
    from tests.support.players import Received


class Copied(Protocol):
    """A harness that can take over the state of another.

    `made_as` are the arguments that it was made with. `is_new` is true if no mail has been processed yet.
    """

    @property
    def made_as(self) -> Hashable: ...

    @property
    def is_new(self) -> bool: ...

    def scene(self) -> Any: ...

    def restore(self, scene: Any) -> None: ...


Of = TypeVar("Of", bound=Copied)
How = ParamSpec("How")


@dataclass(frozen=True)
class Scene:
    """The state of a harness after some mails: its database, letters, clock, and counts of mails and letters."""

    database: sqlite3.Connection
    box: "tuple[Received, ...]"
    now: datetime
    mails: int
    seen: int


def played_once(play: Callable[Concatenate[Of, How], Of | None]) -> Callable[Concatenate[Of, How], Of]:
    """Cache the scene that `play` sets up, and restore it without playing in later calls.

    `play` returns None or its harness. If the harness is not new, has changed settings or uses PostgreSQL, `play` runs
    each time.
    """
    kept: dict[object, Any] = {}
    first = next(iter(signature(play).parameters))

    @wraps(play)
    def scene(*args: Any, **how: Any) -> Of:
        # pytest passes a fixture its arguments by name.
        harness, *args = args or (how.pop(first),)
        key = (
            (type(harness), harness.made_as, tuple(args), tuple(sorted(how.items())))
            if harness.is_new
            else None
        )
        if key in kept:
            harness.restore(kept[key])
            return harness
        given = play(harness, *args, **how)
        assert given is None or given is harness
        if key is not None:
            kept[key] = harness.scene()
        return harness

    return scene


def copied(store: Store) -> sqlite3.Connection:
    """Copy a SQLite database into memory."""
    copy = sqlite3.connect(":memory:")
    with closing(store.engine.raw_connection()) as pooled:
        driver(pooled).backup(copy)
    return copy


def overwrite(store: Store, copy: sqlite3.Connection) -> None:
    """Restore a SQLite database from its copy."""
    with closing(store.engine.raw_connection()) as pooled:
        copy.backup(driver(pooled))


def driver(pooled: PoolProxiedConnection) -> sqlite3.Connection:
    """Return the driver's connection."""
    assert isinstance(pooled.driver_connection, sqlite3.Connection)
    return pooled.driver_connection
