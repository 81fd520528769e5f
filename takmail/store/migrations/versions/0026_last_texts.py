"""Remember the last text of each address, to recognise automatic replies."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns. No text is known."""
    for name in ("last_text", "last_frame"):
        op.add_column("address", sa.Column(name, sa.String(16)))
    for name in ("similar_texts", "texts_in_a_row"):
        op.add_column("address", sa.Column(name, sa.Integer, nullable=False, server_default="0"))
