"""Count the letters to all strangers together. Earlier letters count in no budget."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column, and an index of the letters that count."""
    op.add_column("outbox", sa.Column("budget", sa.String(length=16), nullable=True))
    has_budget = sa.text("budget IS NOT NULL")
    op.create_index(
        "ix_outbox_budget",
        "outbox",
        ["budget", "due_at"],
        sqlite_where=has_budget,
        postgresql_where=has_budget,
    )
