"""The schema: made anew, or found to be the one of today."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, inspect, text

MIGRATIONS = Path(__file__).parent / "migrations"
BUSY_SECONDS = 10
"""How long a writer waits for another one's transaction to end (SQLite has one writer at a time)."""
HEAD = "0016"
"""The schema of this takmail."""
BEFORE = "0015"
"""The schema before it, which `takmail.store.upgrade` knows."""


def migrate(connection: Connection, revision: str = "head") -> None:
    """Bring the schema to `revision` within the connection's transaction."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def version_of(connection: Connection) -> str | None:
    """The schema of a database, None: nothing was ever made in it."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all()
    return found[0] if found else None
