"""Clocks: the agreed time for turns and what has run of it, time off, outages, and what is due."""

import sqlalchemy as sa
from alembic import op

from takmail.store.tables.column_types import Moment as _Moment

revision = "r0002"
down_revision = "r0001"
branch_labels = None
depends_on = None

_WORD, _NAME = sa.String(length=16), sa.String(length=255)


def _flag(name: str) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean(), server_default=sa.false(), nullable=False)


def upgrade() -> None:
    """Add the columns and tables. The agreed days of running games become an option, with no clock."""
    for table in ("game", "seek"):
        op.add_column(table, sa.Column("pace", _NAME, nullable=True))
        op.add_column(table, _flag("is_strict"))
        # Who was invited, or seeks a game, was told that nobody is made to keep to the days.
        begun = " AND standing <> 'invited'" if table == "game" else " AND 1 = 0"
        op.execute(f"UPDATE \"{table}\" SET pace = 'days=' || days WHERE days IS NOT NULL{begun}")
        op.drop_column(table, "days")
    op.add_column("game", sa.Column("clock_from", sa.Integer(), nullable=True))
    for name in ("turn_since", "alarmed_until", "rested_at"):
        op.add_column("game", sa.Column(name, _Moment(), nullable=True))
    op.add_column("seat", sa.Column("gift", sa.Integer(), server_default="0", nullable=False))
    op.add_column("seat", sa.Column("zone", _NAME, nullable=True))
    op.add_column("turn", sa.Column("spent", sa.Integer(), nullable=True))
    op.add_column("player", sa.Column("zone", _NAME, nullable=True))
    op.add_column("player", _flag("wants_no_reminders"))
    op.add_column("player", _flag("announces_holidays"))
    op.add_column("player", sa.Column("time_off", sa.Text(), server_default=sa.text("''"), nullable=False))
    op.add_column("inbox", sa.Column("arrived_at", _Moment(), nullable=True))
    op.add_column("outbox", sa.Column("returned_at", _Moment(), nullable=True))
    op.create_index("ix_outbox_turn", "outbox", ["game_id", "seat", "turn", "id"])
    op.add_column("clock", sa.Column("well_at", _Moment(), nullable=True))
    op.create_table(
        "outage",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("began_at", _Moment(), nullable=False),
        sa.Column("ended_at", _Moment(), nullable=False),
    )
    op.create_index("ix_outage_ended_at", "outage", ["ended_at"])
    op.create_table(
        "due",
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("work", _WORD, primary_key=True),
        sa.Column("due_at", _Moment(), nullable=False),
        sa.Column("claimed_by", _NAME, server_default=sa.text("''"), nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
    )
    op.create_index("ix_due_due_at", "due", ["due_at"])
    # The quiet days of before don't count, so that nobody gets many reminders after the upgrade.
    op.execute("UPDATE game SET turn_since = CURRENT_TIMESTAMP WHERE standing = 'open'")
    # Each open game is looked at once, which computes when it is due.
    op.execute(
        "INSERT INTO due (game_id, work, due_at) SELECT id, 'clock', created_at FROM game WHERE standing = 'open'"
    )
