"""Whose invitations have had to wait: who has none need not be looked for in all of their games."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "player", sa.Column("has_to_be_asked", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.execute(
        "UPDATE player SET has_to_be_asked = true WHERE id IN ("
        "SELECT seat.player_id FROM seat JOIN game ON game.id = seat.game_id "
        "WHERE game.standing = 'invited' AND game.asked_at IS NULL AND game.invited_by <> seat.player_id)"
    )


def downgrade() -> None:
    op.drop_column("player", "has_to_be_asked")
