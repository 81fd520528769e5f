"""The database schema: run migrations, and read the version of an existing database."""

from enum import StrEnum
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, func, inspect, select, text

MIGRATIONS = Path(__file__).parent / "migrations"
BUSY_SECONDS = 10
"""The maximum number of seconds that a writer waits for another one (SQLite has one writer at a time)."""
HEAD = "0021"
"""The version of the current schema."""
_MIGRATION_LOCK = 7_827_106
"""The key of PostgreSQL's advisory lock on changes of the schema."""
OLDEST = "0015"
"""The version of the oldest schema that `takmail.store.upgrade` can upgrade."""


class SchemaFault(StrEnum):
    """Why a database can't be used. `takmail.cli.settings_check` words each reason."""

    OLDER = "older"
    NEWER = "newer"
    FOREIGN = "foreign"
    IN_USE = "in use"
    NOT_UPGRADED = "not upgraded"


class CannotOpen(Exception):  # noqa: N818 - an answer to the operator, not a bug
    """The database can't be used, and nothing in it was changed. `why` are details for the operator, or ''."""

    def __init__(self, fault: SchemaFault, why: str = "") -> None:
        super().__init__(fault)
        self.fault = fault
        self.why = why


def lock_schema(connection: Connection) -> None:
    """Wait until no other process changes the schema, and let none do so in this transaction.

    SQLite needs no lock: nobody else may have the file open.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(_MIGRATION_LOCK)))


def migrate(connection: Connection, revision: str = "head") -> None:
    """Migrate the schema to `revision` in the connection's transaction."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def version_of(connection: Connection) -> str | None:
    """Return the version of a database's schema, or None if it has no tables.

    Raises CannotOpen if takmail can neither use nor upgrade it.
    """
    tables = inspect(connection).get_table_names()
    if "alembic_version" not in tables:
        if tables:
            raise CannotOpen(SchemaFault.FOREIGN)
        return None
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalars().first()
    if found is None or OLDEST <= found <= HEAD:
        return found
    raise CannotOpen(SchemaFault.OLDER if found < OLDEST else SchemaFault.NEWER)
