"""What the HTML side of a letter reads as, to know it again when it is quoted."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("outbox", sa.Column("html_text", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("outbox", "html_text")
