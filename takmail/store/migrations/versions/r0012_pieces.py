"""Pieces of answers to mails about several games: a state of their own, which they shared with letters of digests."""

import sqlalchemy as sa
from alembic import op

revision = "r0012"
down_revision = "r0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Rename the state of pieces."""
    op.execute(sa.text("UPDATE outbox SET state = 'piece' WHERE state = 'gathered' AND purpose = 'piece'"))
