"""Name the pictures of a letter, which are drawn when it is sent. Older letters have theirs in their bytes."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column. Letters that wait have no names, because their pictures are drawn already."""
    op.add_column("outbox", sa.Column("drawings", sa.Text(), nullable=False, server_default=sa.text("''")))
