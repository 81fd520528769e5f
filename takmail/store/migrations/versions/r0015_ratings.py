"""Ratings, who may see them, games that are not rated, and how often the first player wins."""

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

from takmail.store.tables.column_types import Moment as _Moment

revision = "r0015"
down_revision = "r0014"
branch_labels = None
depends_on = None

_WORD, _NAME = sa.String(length=16), sa.String(length=255)
_DUE = sa.table(
    "due",
    sa.column("subject", sa.Integer()),
    sa.column("work", _WORD),
    sa.column("due_at", _Moment()),
    sa.column("claimed_by", _NAME),
    sa.column("attempts", sa.Integer()),
)


def upgrade() -> None:
    """Add the tables and columns. All games so far are rated, and ratings are computed at once."""
    op.add_column("player", sa.Column("rating_seen_by", _WORD, nullable=True))
    for table in ("game", "seek"):
        op.add_column(table, sa.Column("is_unrated", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.create_table(
        "rating",
        sa.Column("player_id", sa.Integer(), sa.ForeignKey("player.id"), primary_key=True),
        sa.Column("kind", _WORD, primary_key=True),
        sa.Column("board", _WORD, primary_key=True),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("points", "deviation", "games")),
    )
    op.create_table(
        "first_turn",
        *(sa.Column(name, _WORD, primary_key=True) for name in ("kind", "board", "komi")),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("games", "won", "drawn")),
    )
    long_ago = datetime(2026, 1, 1, tzinfo=UTC)
    op.execute(_DUE.insert().values(subject=0, work="ratings", due_at=long_ago, claimed_by="", attempts=0))
