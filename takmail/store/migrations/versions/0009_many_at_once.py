"""Several processes on one database: in what order their mails are dealt with, and what only one of them does."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("intake", sa.Column("queue", sa.String(320), nullable=True))
    op.execute("UPDATE intake SET queue = sender WHERE state = 'new'")
    op.create_index("ix_intake_queue", "intake", ["queue", "state", "id"])
    op.create_table(
        "lease",
        sa.Column("what", sa.String(255), primary_key=True),
        sa.Column("holder", sa.String(255), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("lease")
    op.drop_index("ix_intake_queue", "intake")
    op.drop_column("intake", "queue")
