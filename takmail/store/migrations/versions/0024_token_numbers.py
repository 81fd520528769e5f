"""Number the tokens of seats and addresses, so that a token that others have read can be replaced."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns. Every token that is in use has the number 0."""
    for table in ("seat", "address"):
        op.add_column(table, sa.Column("token_number", sa.Integer, nullable=False, server_default="0"))
