"""When each mailbox was last heard from."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("watermark", sa.Column("in_touch_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("watermark", "in_touch_at")
