"""Keys of processes: the id of the key that each running process uses."""

import sqlalchemy as sa
from alembic import op

revision = "r0005"
down_revision = "r0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("lease", sa.Column("key_id", sa.String(length=16), nullable=True))
