"""Bytes of mails: the limit that a mail exceeded when it came, and the budget of bytes in which it counts."""

import sqlalchemy as sa
from alembic import op

revision = "r0004"
down_revision = "r0003"
branch_labels = None
depends_on = None

_HAS_BUDGET = sa.text("budget IS NOT NULL")


def upgrade() -> None:
    """Add the columns. A mail of which less is stored than it had was over the limit of a whole mail."""
    op.add_column("inbox", sa.Column("excess", sa.String(length=16), nullable=True))
    op.add_column("inbox", sa.Column("budget", sa.String(length=320), nullable=True))
    op.create_index(
        "ix_inbox_budget",
        "inbox",
        ["budget", "received_at"],
        sqlite_where=_HAS_BUDGET,
        postgresql_where=_HAS_BUDGET,
    )
    op.execute("UPDATE inbox SET excess = 'mail_bytes' WHERE size > length(raw) AND NOT is_reduced")
