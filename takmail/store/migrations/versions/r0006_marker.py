"""The marker in the mailbox: what the database knows of it."""

import sqlalchemy as sa
from alembic import op

from takmail.store.tables.column_types import Moment as _Moment

revision = "r0006"
down_revision = "r0005"
branch_labels = None
depends_on = None

_WORD, _NAME, _EMPTY = sa.String(length=16), sa.String(length=255), sa.text("''")


def upgrade() -> None:
    """Add the table. Its row is made when a service first reads the mailbox."""
    op.create_table(
        "marker",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("database", _WORD, server_default=_EMPTY, nullable=False),
        sa.Column("generation", sa.Integer(), server_default="0", nullable=False),
        sa.Column("token", _WORD, server_default=_EMPTY, nullable=False),
        sa.Column("previous", _WORD, server_default=_EMPTY, nullable=False),
        sa.Column("place", _NAME, server_default=_EMPTY, nullable=False),
        sa.Column("is_taken", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("takes_over", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("stopped", sa.Text(), server_default=_EMPTY, nullable=False),
        sa.Column("stopped_at", _Moment(), nullable=True),
        sa.Column("unmarked", sa.Text(), server_default=_EMPTY, nullable=False),
    )
