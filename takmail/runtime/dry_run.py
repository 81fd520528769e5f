"""takmail for once, on its database as it is, of which nothing stays."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sqlmodel import Session

from takmail.config import Settings
from takmail.config.seat_keys import Keys
from takmail.runtime import parts
from takmail.store.causes import Causes
from takmail.store.database import Store, is_there


@dataclass(frozen=True, slots=True)
class DryRun:
    """The service for once, on a database where nothing stays; `has_store`, `has_key`: there are such files."""

    causes: Causes
    session: Session
    has_store: bool
    has_key: bool


@contextmanager
def dry_run(settings: Settings) -> Iterator[DryRun]:
    """The service as it would handle a mail now; nothing is changed, and no file is made. Raises as `App` does.

    Where there is no database there is an empty one for as long, and a key of chance where there is none.
    """
    has_store, has_key = is_there(settings.store.url), parts.has_keys(settings)
    key = parts.key(settings) if has_key else parts.seat_key(settings, Keys(secrets.token_bytes()))
    store = Store.untouched(settings.store.url if has_store else "sqlite://")
    try:
        with store.rehearsal() as session:
            causes = Causes(parts.services(settings, key), parts.utc_now)
            yield DryRun(causes, session, has_store, has_key)
    finally:
        store.close()
