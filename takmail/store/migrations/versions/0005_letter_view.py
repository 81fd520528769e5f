"""What a player's letters are made of: text, HTML or both."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("player", sa.Column("letter_view", sa.String(16), nullable=True))


def downgrade() -> None:
    op.drop_column("player", "letter_view")
