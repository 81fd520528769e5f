"""The database schema: create it, run migrations, and read the version of an existing database."""

from enum import StrEnum
from pathlib import Path

from sqlalchemy import (
    Column,
    Connection,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    func,
    inspect,
    select,
    text,
)
from sqlmodel import SQLModel

import takmail.store.tables  # noqa: F401  (fills the metadata)

MIGRATIONS = Path(__file__).parent / "migrations"
BUSY_SECONDS = 10
"""The maximum number of seconds that a writer waits for another one (SQLite has one writer at a time)."""
HEAD = max(file.name.partition("_")[0] for file in (MIGRATIONS / "versions").glob("r*.py"))
"""The version of the current schema: that of the newest migration."""
_MIGRATION_LOCK = 7_827_106
"""The key of PostgreSQL's advisory lock on changes of the schema."""
OLDEST = "r0001"
"""The version of the oldest schema that can be upgraded.

The versions before it are bare numbers, which come first in order. No takmail with such a schema was released.
"""


_VERSIONS = Table(
    "alembic_version",
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
"""Alembic's table of the schema's version."""


class DatabaseFault(StrEnum):
    """Why a database can't be used, copied or restored.

    `takmail.cli.settings_check` words those that opening it meets, and `console/cant_copy.txt` those that copying it
    meets. Both have a general sentence for the others.
    """

    OLDER = "older"
    NEWER = "newer"
    FOREIGN = "foreign"
    IN_USE = "in use"
    TO_UPGRADE = "to upgrade"
    NOT_UPGRADED = "not upgraded"
    ELSEWHERE = "elsewhere"
    MISSING = "missing"
    FOLDER = "folder"
    EXISTS = "exists"
    ITSELF = "itself"
    DAMAGED = "damaged"


class CannotUse(Exception):  # noqa: N818 - an answer to the operator, not a bug
    """A database can't be used, copied or restored, and nothing in it was changed.

    `file` is the file that prevents it, if any. `why` are details for the operator, or ''.
    """

    def __init__(self, fault: DatabaseFault, file: Path | None = None, why: str = "") -> None:
        super().__init__(fault)
        self.fault = fault
        self.file = file
        self.why = why


def lock_schema(connection: Connection) -> None:
    """Wait until no other process changes the schema, and let none do so in this transaction.

    SQLite needs no lock: nobody else may have the file open.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(_MIGRATION_LOCK)))


def create(connection: Connection) -> None:
    """Create the current schema in an empty database, in the connection's transaction."""
    if connection.dialect.name != "sqlite":
        lock_schema(connection)
        migrate(connection)
        return
    # SQLite doesn't name constraints, so this makes the same schema as all migrations, without loading Alembic.
    SQLModel.metadata.create_all(connection)
    _VERSIONS.create(connection)
    connection.execute(_VERSIONS.insert().values(version_num=HEAD))


def migrate(connection: Connection, revision: str = "head") -> None:
    """Migrate the schema to `revision` in the connection's transaction."""
    # Alembic takes 11 MiB and is rarely needed, so a service with a current schema does not load it.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def version_of(connection: Connection) -> str | None:
    """Return the version of a database's schema, or None if it has no tables.

    Raises CannotUse if takmail can neither use nor upgrade it.
    """
    tables = inspect(connection).get_table_names()
    if "alembic_version" not in tables:
        if tables:
            raise CannotUse(DatabaseFault.FOREIGN)
        return None
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalars().first()
    if found is not None:
        check_version(found)
    return found


def check_version(version: str, file: Path | None = None) -> None:
    """Raise CannotUse if takmail can neither use nor upgrade a schema of this version. `file` is the database's."""
    if version < OLDEST:
        raise CannotUse(DatabaseFault.OLDER, file)
    if version > HEAD:
        raise CannotUse(DatabaseFault.NEWER, file)
