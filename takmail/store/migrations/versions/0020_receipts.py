"""Add the column for players who want no receipts."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column. Every player gets receipts."""
    receipts = sa.Column("wants_no_receipts", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("player", receipts)
