"""Let the rate limits count letters in an index alone: counting by game had to read the row of each letter."""

from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the game to the index."""
    op.drop_index("ix_outbox_purpose", "outbox")
    op.create_index("ix_outbox_purpose", "outbox", ["mail_to", "purpose", "created_at", "game_id"])
