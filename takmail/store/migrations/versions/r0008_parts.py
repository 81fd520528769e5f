"""Parts of mails about several games: which mail they are of, and what is told of them."""

import sqlalchemy as sa
from alembic import op

revision = "r0008"
down_revision = "r0007"
branch_labels = None
depends_on = None

_EMPTY, _IS_PART = sa.text("''"), sa.text("part_of IS NOT NULL")


def upgrade() -> None:
    """Add the columns. No stored mail is a part."""
    with op.batch_alter_table("inbox") as inbox:
        inbox.add_column(sa.Column("part_of", sa.Integer(), nullable=True))
        inbox.add_column(sa.Column("part", sa.Integer(), nullable=True))
        inbox.add_column(sa.Column("piece", sa.Text(), server_default=_EMPTY, nullable=False))
        inbox.add_column(sa.Column("is_told", sa.Boolean(), server_default=sa.false(), nullable=False))
        inbox.add_column(sa.Column("left_out", sa.Text(), server_default=_EMPTY, nullable=False))
    op.create_index(
        "ix_inbox_part_of", "inbox", ["part_of"], sqlite_where=_IS_PART, postgresql_where=_IS_PART
    )
