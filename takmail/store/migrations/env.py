"""Alembic's entry point. Migrations run on takmail's connection, in its transaction."""

from alembic import context
from sqlmodel import SQLModel

import takmail.store.tables  # noqa: F401  (fills the metadata)

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    render_as_batch=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
