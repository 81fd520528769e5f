"""Games in the middle: the first test of a process plays one, and the others get a copy of what it has left."""

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
    """A harness whose past can be another's: `made_as` is what it was made with, `is_new` says that it has none."""

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
    """What a harness has after some mails: its database, its letters, its time, and how many mails and letters."""

    database: sqlite3.Connection
    box: "tuple[Received, ...]"
    now: datetime
    mails: int
    seen: int


def played_once(play: Callable[Concatenate[Of, How], Of | None]) -> Callable[Concatenate[Of, How], Of]:
    """The same scene without its mails, once it was played; `play` gives nothing, or the harness that it gets.

    A harness that has a past or changed settings plays it itself, and so does one on PostgreSQL.
    """
    kept: dict[object, Any] = {}
    first = next(iter(signature(play).parameters))

    @wraps(play)
    def scene(*args: Any, **how: Any) -> Of:
        # A fixture gets what it asks for by name.
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
    """A copy of a database of SQLite's, in memory."""
    copy = sqlite3.connect(":memory:")
    with closing(store.engine.raw_connection()) as pooled:
        driver(pooled).backup(copy)
    return copy


def overwrite(store: Store, copy: sqlite3.Connection) -> None:
    """Let a database of SQLite's be as its copy."""
    with closing(store.engine.raw_connection()) as pooled:
        copy.backup(driver(pooled))


def driver(pooled: PoolProxiedConnection) -> sqlite3.Connection:
    """The driver's own connection."""
    assert isinstance(pooled.driver_connection, sqlite3.Connection)
    return pooled.driver_connection
