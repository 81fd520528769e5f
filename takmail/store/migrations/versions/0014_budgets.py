"""Questions that newer ones have replaced, and words whose letter was put off."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

_MARKS = (("question", "is_replaced"), ("confirmation", "is_replaced"), ("chat", "is_put_off"))


def upgrade() -> None:
    for table, column in _MARKS:
        op.add_column(table, sa.Column(column, sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    for table, column in _MARKS:
        with op.batch_alter_table(table) as batch:
            batch.drop_column(column)
