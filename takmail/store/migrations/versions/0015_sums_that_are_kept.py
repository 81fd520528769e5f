"""What finished games have scored, and when a player last got all that is held about them."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

_OF_GAME = (
    ("counted", sa.String(64)),
    ("winner", sa.Integer()),
    ("first_points", sa.Integer()),
    ("second_points", sa.Integer()),
)


def upgrade() -> None:
    # Of the games that have ended so far it is counted when a letter first shows it.
    for name, kind in _OF_GAME:
        op.add_column("game", sa.Column(name, kind, nullable=True))
    op.add_column("player", sa.Column("data_sent_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("player", "data_sent_at")
    for name, _ in reversed(_OF_GAME):
        op.drop_column("game", name)
