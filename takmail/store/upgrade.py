"""Upgrade a database with an older schema.

The migrations change the tables. Whatever they change, the skeletons of names are computed anew after them.
"""

import logging
import sqlite3
from datetime import datetime
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy import Connection, Engine, select
from sqlmodel import col

from takmail.commands.grammar.skeletons import skeleton
from takmail.store.backup import alone, back_up
from takmail.store.schema import HEAD, CannotUse, DatabaseFault, lock_schema, migrate, version_of
from takmail.store.tables import PlayerRow

log = logging.getLogger(__name__)


def bring_up(engine: Engine, file: Path | None, now: datetime) -> None:
    """Upgrade a database with an older schema, completely or not at all. `file` is the SQLite file, if it is one.

    An SQLite file is first copied into its folder, under a name with the time. No other process may have it open,
    because an older takmail would use tables that no longer exist. Raises CannotUse and SQLAlchemy's errors. After an
    error there is no copy.
    """
    if file is None:
        found = _upgrade_at_once(engine)
        # Another process may have upgraded it first.
        if found != HEAD:
            log.warning(
                "the database was upgraded from schema %s to %s; the only way back is your own backup (pg_dump)",
                found,
                HEAD,
            )
        return
    engine.dispose()
    copy = file.with_name(f"{file.name}.before-{now:%Y%m%d-%H%M%S}")
    try:
        with alone(file):
            pass
        back_up(file, copy, force=True)
    except CannotUse as error:
        if error.fault is DatabaseFault.IN_USE:
            raise
        raise CannotUse(DatabaseFault.NOT_UPGRADED, why="its file is damaged") from None
    except (sqlite3.Error, OSError) as error:
        why = f"no copy can be made of it first: {error}"
        raise CannotUse(DatabaseFault.NOT_UPGRADED, why=why) from None
    try:
        found = _upgrade_at_once(engine)
    except BaseException:
        copy.unlink(missing_ok=True)
        raise
    log.warning(
        "the database was upgraded from schema %s to %s; the old one is kept in %s", found, HEAD, copy
    )


def _upgrade_at_once(engine: Engine) -> str | None:
    """Upgrade a database in one transaction, which is rolled back after an error. Return the old schema's version."""
    if engine.dialect.name != "sqlite":
        with engine.begin() as connection:
            return _upgrade(connection)
    # SQLite can't replace a table to which others refer while foreign keys are checked.
    with engine.connect() as connection:
        raw = connection.connection.cursor()
        try:
            raw.execute("PRAGMA foreign_keys=OFF")
            connection.rollback()
            with connection.begin():
                found = _upgrade(connection)
                _check_references(connection)
            return found
        finally:
            raw.execute("PRAGMA foreign_keys=ON")
            raw.close()


def _check_references(connection: Connection) -> None:
    """Raise CannotUse if a row in an SQLite database refers to a missing row."""
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
    if broken:
        table, row, parent, _ = broken[0]
        why = f'row {row} of the table "{table}" refers to a missing row of "{parent}"'
        raise CannotUse(DatabaseFault.NOT_UPGRADED, why=why)


def _upgrade(connection: Connection) -> str | None:
    lock_schema(connection)
    found = version_of(connection)
    migrate(connection)
    _renew_skeletons(connection)
    return found


def _renew_skeletons(connection: Connection) -> None:
    """Compute the skeletons of all names anew, because an older takmail may have computed others.

    Of players whose names look alike, the oldest keeps the skeleton. The others get a sign and their number, which is
    the skeleton of no name: they keep their names, and nobody finds them by these.
    """
    rows = connection.execute(
        select(col(PlayerRow.id), col(PlayerRow.name), col(PlayerRow.skeleton))
        .where(col(PlayerRow.skeleton).is_not(None))
        .order_by(col(PlayerRow.id))
    )
    taken: set[str] = set()
    changed, unfound = [], []
    for number, name, before in rows.all():
        after = skeleton(name)
        if not after or after in taken:
            after = f"#{number}"
        taken.add(after)
        if after != before:
            changed.append({"number": number, "after": after})
            if after == f"#{number}":
                unfound.append(str(number))
    if changed:
        statement = sa.text("UPDATE player SET skeleton = :after WHERE id = :number")
        # First out of the way: two players may exchange their skeletons.
        connection.execute(statement, [{**one, "after": f"#{one['number']}"} for one in changed])
        connection.execute(statement, changed)
    if unfound:
        log.warning(
            "players %s keep their names, but are not found by them: older players' names look alike",
            ", ".join(unfound),
        )
