"""What two players whose boards have parted agree on: branches, boards, disputes; and games that are only passed on."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("game", "seek"):
        op.add_column(table, sa.Column("is_relay", sa.Boolean(), nullable=False, server_default=sa.false()))
    for table in ("turn", "taken_back"):
        op.add_column(table, sa.Column("is_agreed", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("seat", sa.Column("asks_board", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("turn", sa.Column("checksum", sa.String(16), nullable=True))
    op.add_column("taken_back", sa.Column("branch", sa.Integer(), nullable=False, server_default="1"))
    op.add_column("taken_back", sa.Column("how", sa.String(16), nullable=False, server_default="undo"))
    # Until now each turn was taken back by itself.
    op.execute("UPDATE taken_back SET branch = id")
    op.add_column("offer", sa.Column("target", sa.Integer(), nullable=True))
    op.add_column("offer", sa.Column("board", sa.Text(), nullable=True))
    op.add_column("offer", sa.Column("told_until", sa.Integer(), nullable=True))
    op.add_column("question", sa.Column("known", sa.Integer(), nullable=True))
    # Until now what was held counted as written in answer to the letter that asked.
    op.execute("UPDATE question SET known = letter_id")
    op.create_table(
        "dispute",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
    )
    op.create_index("ix_dispute_game_id", "dispute", ["game_id"])
    op.create_table(
        "shown_board",
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("seat", sa.Integer(), primary_key=True),
        sa.Column("board", sa.Text(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("shown_at", sa.DateTime(timezone=True), nullable=False),
    )


_NOT_BEFORE = {
    "agreed boards in the log": "SELECT COUNT(*) FROM turn WHERE is_agreed",
    "agreed boards that were given up": "SELECT COUNT(*) FROM taken_back WHERE is_agreed",
    "relay games": "SELECT COUNT(*) FROM game WHERE is_relay",
    "seeks of relay games": "SELECT COUNT(*) FROM seek WHERE is_relay",
}
"""What would be something else without its columns: a turn that can't be played, a game by the rules."""


def downgrade() -> None:
    counted = {
        what: op.get_bind().execute(sa.text(query)).scalar_one() for what, query in _NOT_BEFORE.items()
    }
    there = ", ".join(f"{count} {what}" for what, count in counted.items() if count)
    if there:
        raise RuntimeError(
            f"the schema before {revision} can't hold what is there: {there}; nothing was changed"
        )
    op.drop_table("shown_board")
    op.drop_table("dispute")
    op.drop_column("question", "known")
    op.execute("DELETE FROM offer WHERE kind NOT IN ('draw', 'undo')")
    op.execute("UPDATE offer SET ended = 'lapsed' WHERE ended = 'replaced'")
    for column in ("told_until", "board", "target"):
        op.drop_column("offer", column)
    for column in ("how", "branch", "is_agreed"):
        op.drop_column("taken_back", column)
    for column in ("checksum", "is_agreed"):
        op.drop_column("turn", column)
    op.drop_column("seat", "asks_board")
    for table in ("seek", "game"):
        op.drop_column(table, "is_relay")
