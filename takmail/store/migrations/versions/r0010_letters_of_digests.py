"""Letters of digests: which letter has told what a held one tells, as a digest may come back."""

import sqlalchemy as sa
from alembic import op

revision = "r0010"
down_revision = "r0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("outbox", sa.Column("told_by", sa.Integer(), nullable=True))
