"""Which mails are in whose hand, and how often each was, noted before it is read."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("intake", sa.Column("raised", sa.Integer(), nullable=False, server_default="0"))
    op.execute("UPDATE intake SET raised = attempts")
    op.add_column(
        "intake", sa.Column("claimed_by", sa.String(255), nullable=False, server_default=sa.text("''"))
    )
    op.add_column("intake", sa.Column("claimed_at", sa.DateTime(timezone=True), nullable=True))
    is_claimed = sa.text("claimed_by <> ''")
    op.create_index(
        "ix_intake_claimed_by", "intake", ["claimed_by"], sqlite_where=is_claimed, postgresql_where=is_claimed
    )
    op.add_column("intake", sa.Column("is_costly", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    op.execute("UPDATE intake SET attempts = raised")
    op.drop_index("ix_intake_claimed_by", "intake")
    for column in ("is_costly", "claimed_at", "claimed_by", "raised"):
        op.drop_column("intake", column)
