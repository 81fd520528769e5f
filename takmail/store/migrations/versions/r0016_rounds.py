"""The form of a tournament, its rounds, and who is still in it."""

import sqlalchemy as sa
from alembic import op

revision = "r0016"
down_revision = "r0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns. All tournaments so far are leagues, whose seasons have one round."""
    op.add_column("tournament", sa.Column("form", sa.String(16), server_default="league", nullable=False))
    op.add_column("tournament", sa.Column("round_days", sa.Integer(), server_default="0", nullable=False))
    op.add_column("entry", sa.Column("seed", sa.Integer(), server_default="0", nullable=False))
    op.add_column("pairing", sa.Column("round", sa.Integer(), server_default="1", nullable=False))
