"""A database as an older takmail left it."""

from alembic import command
from alembic.config import Config

from takmail.store.database import MIGRATIONS, Store


def set_back(url: str, revision: str) -> None:
    """Take the migrations after `revision` out of a database."""
    store = Store.untouched(url)
    with store.engine.begin() as connection:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.attributes["connection"] = connection
        command.downgrade(config, revision)
    store.close()
