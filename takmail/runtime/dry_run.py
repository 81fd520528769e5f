"""Run the service once on the database as it is, and keep none of the changes."""

import secrets
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass

from sqlmodel import Session

from takmail.config import Settings
from takmail.config.seat_keys import Keys
from takmail.runtime import parts
from takmail.store.causes import Causes
from takmail.store.database import Store, is_there


@dataclass(frozen=True, slots=True)
class DryRun:
    """The parts for a dry run. `has_store` and `has_key` say whether the database and the key exist already."""

    causes: Causes
    session: Session
    has_store: bool
    has_key: bool


@contextmanager
def dry_run(settings: Settings) -> Iterator[DryRun]:
    """Yield a service that handles a mail as the real one would now. No data is changed and no file is created.

    If there is no database, an empty one in memory is used. If there is no key, a random one is used. Raises the
    errors of `App`.
    """
    has_store, has_key = is_there(settings.store.url), parts.has_keys(settings)
    key = parts.key(settings) if has_key else parts.seat_key(settings, Keys(secrets.token_bytes()))
    url = settings.store.url if has_store else "sqlite://"
    with closing(Store.open_read_only(url)) as store, store.dry_run() as session:
        causes = Causes(parts.services(settings, key), parts.utc_now)
        yield DryRun(causes, session, has_store, has_key)
