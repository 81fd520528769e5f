"""Digests: what each player wants, letters that wait for one, and work that is due about other things than games."""

import sqlalchemy as sa
from alembic import op

from takmail.store.tables.column_types import Moment as _Moment

revision = "r0007"
down_revision = "r0006"
branch_labels = None
depends_on = None

_WORD, _NAME = sa.String(length=16), sa.String(length=255)


def upgrade() -> None:
    """Add the column. Let `due` have a row about anything that has a number, in place of a game."""
    op.add_column("player", sa.Column("digest", _WORD, nullable=True))
    # SQLite can't drop a foreign key.
    op.rename_table("due", "due_of_games")
    op.drop_index("ix_due_due_at", "due_of_games")
    op.create_table(
        "due",
        sa.Column("subject", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("work", _WORD, primary_key=True),
        sa.Column("due_at", _Moment(), nullable=False),
        sa.Column("claimed_by", _NAME, server_default=sa.text("''"), nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
    )
    op.execute(
        "INSERT INTO due (subject, work, due_at, claimed_by, attempts) "
        "SELECT game_id, work, due_at, claimed_by, attempts FROM due_of_games"
    )
    op.drop_table("due_of_games")
    op.create_index("ix_due_due_at", "due", ["due_at"])
