"""Whom to look for in mails and letters, a few at a time, once they have left."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "forgetting",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("addresses", sa.Text(), nullable=False),
        sa.Column("names", sa.Text(), nullable=False),
        sa.Column("label", sa.String(255), nullable=False),
        sa.Column("mails", sa.Integer(), nullable=False),
        sa.Column("letters", sa.Integer(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("forgetting")
