"""Hints: in which positions of a game a player has had one."""

import sqlalchemy as sa
from alembic import op

revision = "r0003"
down_revision = "r0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    hints = sa.Column("hints", sa.String(length=255), server_default=sa.text("''"), nullable=False)
    op.add_column("game", hints)
