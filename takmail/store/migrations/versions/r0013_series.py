"""Matches with an end: which one a game belongs to."""

import sqlalchemy as sa
from alembic import op

revision = "r0013"
down_revision = "r0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("game", sa.Column("series", sa.String(255), nullable=True))
