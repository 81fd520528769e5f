"""Outages of processes: the tasks of each running process that have stopped, for monitoring."""

import sqlalchemy as sa
from alembic import op

revision = "r0011"
down_revision = "r0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("lease", sa.Column("outages", sa.Text(), nullable=True))
