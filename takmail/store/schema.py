"""Create the database schema, or check the version of an existing one."""

from enum import StrEnum
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, inspect, text

MIGRATIONS = Path(__file__).parent / "migrations"
BUSY_SECONDS = 10
"""How long a writer waits for another transaction to end (SQLite has one writer at a time)."""
HEAD = "0017"
"""The schema of this takmail."""
OLDEST = "0015"
"""The oldest schema that `takmail.store.upgrade` can upgrade."""


class SchemaFault(StrEnum):
    """Why a database can't be used. Its wording is in `takmail.cli.settings_check`."""

    OLDER = "older"
    NEWER = "newer"
    FOREIGN = "foreign"
    IN_USE = "in use"
    NOT_UPGRADED = "not upgraded"


class CannotOpen(Exception):  # noqa: N818 - a sentence for the operator, no error of the program's
    """The database can't be used, and nothing in it was changed. `why` has details, if any."""

    def __init__(self, fault: SchemaFault, why: str = "") -> None:
        super().__init__(fault)
        self.fault = fault
        self.why = why


def migrate(connection: Connection, revision: str = "head") -> None:
    """Migrate the schema to `revision` in the connection's transaction."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def version_of(connection: Connection) -> str | None:
    """Return the schema's version, or None without tables. Raises CannotOpen if takmail can't use or upgrade it."""
    tables = inspect(connection).get_table_names()
    if "alembic_version" not in tables:
        if tables:
            raise CannotOpen(SchemaFault.FOREIGN)
        return None
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalars().first()
    if found is None or OLDEST <= found <= HEAD:
        return found
    raise CannotOpen(SchemaFault.OLDER if found < OLDEST else SchemaFault.NEWER)
