"""Where each mail ends, what each letter answers, and how often an address has sent one back."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("intake", sa.Column("size", sa.BigInteger(), nullable=False, server_default="0"))
    op.add_column("address", sa.Column("bounces", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("intake", sa.Column("is_persons", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("outbox", sa.Column("answers", sa.String(16), nullable=False, server_default="nothing"))
    op.create_index("ix_outbox_answers", "outbox", ["mail_to", "created_at"])
    op.execute("UPDATE intake SET size = length(raw)")
    op.execute("UPDATE intake SET state = 'older' WHERE state = 'ignored' AND size = 0")
    op.execute("UPDATE intake SET state = 'machine' WHERE state = 'ignored'")
    op.execute(
        "UPDATE intake SET state = 'played' WHERE state = 'done' AND EXISTS "
        "(SELECT 1 FROM turn WHERE turn.intake_id = intake.id)"
    )
    op.execute("UPDATE intake SET state = 'answered' WHERE state = 'done'")


def downgrade() -> None:
    op.execute("UPDATE intake SET state = 'done' WHERE state IN ('played', 'answered')")
    op.execute("UPDATE intake SET state = 'ignored' WHERE state IN ('machine', 'rejected', 'older')")
    op.execute("UPDATE outbox SET state = 'failed' WHERE state IN ('bounced', 'resting')")
    op.drop_index("ix_outbox_answers", table_name="outbox")
    op.drop_column("outbox", "answers")
    op.drop_column("address", "bounces")
    op.drop_column("intake", "is_persons")
    op.drop_column("intake", "size")
