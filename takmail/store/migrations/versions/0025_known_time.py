"""Add the table of the last known time. Until it is read, it is that of the newest mail."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table, with a row if there are mails."""
    op.create_table(
        "clock",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("known_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("read_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("stood_seconds", sa.Float(), nullable=False),
    )
    op.execute(
        "INSERT INTO clock SELECT 1, max(received_at), max(received_at), 0 FROM inbox HAVING count(*) > 0"
    )
