"""Add the columns that tell which address of a player is the oldest, and whose mails come unsigned."""

import sqlalchemy as sa
from alembic import op

from takmail.store.tables.column_types import Moment as _Moment

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns. When an address was added is not known of those that are there, so that all count as oldest."""
    op.add_column("address", sa.Column("is_unsigned", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("address", sa.Column("added_at", _Moment(), nullable=True))
