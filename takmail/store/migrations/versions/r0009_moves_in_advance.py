"""What players have prepared in advance, and its version."""

import sqlalchemy as sa
from alembic import op

revision = "r0009"
down_revision = "r0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns. Nothing is prepared in any game."""
    op.add_column("seat", sa.Column("in_advance", sa.Text(), server_default=sa.text("''"), nullable=False))
    op.add_column("game", sa.Column("in_advance_version", sa.Integer(), server_default="0", nullable=False))
