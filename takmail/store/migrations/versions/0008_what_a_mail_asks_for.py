"""Indexes for what each mail asks for: the turns that it has played, and the answers that its sender has had."""

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_turn_intake_id", "turn", ["intake_id"])
    op.drop_index("ix_outbox_answers", "outbox")
    op.create_index("ix_outbox_answers", "outbox", ["mail_to", "answers", "created_at"])


def downgrade() -> None:
    op.drop_index("ix_outbox_answers", "outbox")
    op.create_index("ix_outbox_answers", "outbox", ["mail_to", "created_at"])
    op.drop_index("ix_turn_intake_id", "turn")
