"""An index for the first and the last letter to a seat, however many the game has."""

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_outbox_seat", "outbox", ["game_id", "seat", "id"])
    op.drop_index("ix_outbox_game_id", "outbox")


def downgrade() -> None:
    op.create_index("ix_outbox_game_id", "outbox", ["game_id"])
    op.drop_index("ix_outbox_seat", "outbox")
