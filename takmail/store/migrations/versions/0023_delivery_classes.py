"""Send letters in classes. Letters that wait are in the first one, as it is not known what caused them."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column, and put it into the index of letters that are due."""
    op.add_column(
        "outbox", sa.Column("delivery_class", sa.SmallInteger(), nullable=False, server_default="0")
    )
    op.drop_index("ix_outbox_state_due", "outbox")
    op.create_index("ix_outbox_due", "outbox", ["state", "delivery_class", "due_at"])
