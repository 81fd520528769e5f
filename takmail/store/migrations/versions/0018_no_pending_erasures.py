"""Drop the table of pending erasures: an erasure is done at once, and retention removes copies."""

from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Drop the table. Copies that were still to be searched go with the ordinary retention."""
    op.drop_table("erasure")
