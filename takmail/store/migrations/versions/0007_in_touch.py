"""When each mailbox was last heard from, and a way to count the games that run."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("watermark", sa.Column("in_touch_at", sa.DateTime(timezone=True), nullable=True))
    op.create_index("ix_game_standing", "game", ["standing"])


def downgrade() -> None:
    op.drop_index("ix_game_standing", "game")
    op.drop_column("watermark", "in_touch_at")
