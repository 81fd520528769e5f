"""Add the table of addresses that belong to no player, of which only a digest is stored."""

import sqlalchemy as sa
from alembic import op

from takmail.store.tables import Moment

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "remembered_address",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("verified_at", Moment()),
        sa.Column("left_at", Moment()),
    )
