"""People with names of their own, what they are asked and offered, and what was done to a game beside its turns."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_NEW_TABLES = ("offer", "log", "taken_back", "confirmation", "seek", "block")


def upgrade() -> None:
    _people()
    _games()
    _mails()
    _heard()


def _people() -> None:
    # Names that were there before are nobody's own: each gets one with the next mail that is surely its player's.
    op.add_column("player", sa.Column("skeleton", sa.String(255), nullable=True))
    op.add_column("player", sa.Column("is_blocked", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_index("ix_player_skeleton", "player", ["skeleton"], unique=True)
    op.add_column("address", sa.Column("heard_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("address", sa.Column("stopped_at", sa.DateTime(timezone=True), nullable=True))
    op.create_table(
        "block",
        sa.Column("player_id", sa.Integer(), sa.ForeignKey("player.id"), primary_key=True),
        sa.Column("blocked_id", sa.Integer(), sa.ForeignKey("player.id"), primary_key=True),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_block_blocked_id", "block", ["blocked_id"])
    op.create_table(
        "seek",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("player_id", sa.Integer(), sa.ForeignKey("player.id"), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("setup", sa.Text(), nullable=False),
        sa.Column("first", sa.String(16), nullable=True),
        sa.Column("days", sa.Integer(), nullable=True),
        sa.Column("sought_at", sa.DateTime(timezone=True), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_seek_player_id", "seek", ["player_id"])
    op.create_table(
        "confirmation",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("address", sa.String(320), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("player_id", sa.Integer(), sa.ForeignKey("player.id"), nullable=True),
        sa.Column("letter_id", sa.Integer(), sa.ForeignKey("outbox.id"), nullable=True),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_confirmation_address", "confirmation", ["address"])


def _games() -> None:
    op.add_column("game", sa.Column("ruling", sa.String(16), nullable=True))
    op.add_column("game", sa.Column("days", sa.Integer(), nullable=True))
    op.add_column("game", sa.Column("rematch_of", sa.Integer(), nullable=True))
    op.add_column("game", sa.Column("guest_label", sa.String(255), nullable=True))
    op.add_column("game", sa.Column("asked_at", sa.DateTime(timezone=True), nullable=True))
    op.execute("UPDATE game SET asked_at = created_at")
    op.create_table(
        "taken_back",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("written", sa.Text(), nullable=False),
        sa.Column("played_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("taken_back_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("since", sa.Integer(), nullable=False),
    )
    op.create_index("ix_taken_back_game_id", "taken_back", ["game_id"])
    op.create_table(
        "log",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), nullable=True),
        sa.Column("player_id", sa.Integer(), sa.ForeignKey("player.id"), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("who", sa.String(255), nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
    )
    op.create_index("ix_log_game_id", "log", ["game_id"])
    op.create_index("ix_log_player_id", "log", ["player_id"])
    op.create_table(
        "offer",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("offered_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("since", sa.Integer(), nullable=False),
        sa.Column("ended", sa.String(16), nullable=True),
    )
    op.create_index("ix_offer_game", "offer", ["game_id", "seat"])


def _mails() -> None:
    op.add_column("intake", sa.Column("is_reduced", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("intake", sa.Column("sender", sa.String(320), nullable=True))
    op.create_index("ix_intake_sender", "intake", ["sender"])
    op.add_column("outbox", sa.Column("sha256", sa.String(64), nullable=True))
    op.add_column("outbox", sa.Column("turn", sa.Integer(), nullable=True))
    op.add_column("outbox", sa.Column("is_fleeting", sa.Boolean(), nullable=False, server_default=sa.false()))


def _heard() -> None:
    """Whoever has played a turn or accepted an invitation has surely written from where they are."""
    op.execute(
        "UPDATE address SET heard_at = (SELECT max(turn.played_at) FROM turn JOIN seat "
        "ON turn.game_id = seat.game_id AND turn.seat = seat.seat WHERE seat.player_id = address.player_id)"
    )
    op.execute(
        "UPDATE address SET heard_at = (SELECT max(game.created_at) FROM game JOIN seat ON seat.game_id = game.id "
        "WHERE seat.player_id = address.player_id AND game.invited_by <> address.player_id "
        "AND game.standing IN ('open', 'over')) WHERE heard_at IS NULL"
    )


def downgrade() -> None:
    op.execute("UPDATE outbox SET state = 'failed' WHERE state = 'withdrawn'")
    op.execute("UPDATE outbox SET state = 'queued' WHERE state = 'postponed'")
    op.execute("UPDATE game SET standing = 'open' WHERE standing = 'adjourned'")
    op.drop_column("outbox", "turn")
    op.drop_column("outbox", "is_fleeting")
    op.drop_column("outbox", "sha256")
    op.drop_index("ix_intake_sender", "intake")
    op.drop_column("intake", "sender")
    op.drop_column("intake", "is_reduced")
    for table in _NEW_TABLES:
        op.drop_table(table)
    for column in ("asked_at", "guest_label", "rematch_of", "days", "ruling"):
        op.drop_column("game", column)
    op.drop_column("address", "stopped_at")
    op.drop_column("address", "heard_at")
    op.drop_index("ix_player_skeleton", "player")
    op.drop_column("player", "is_blocked")
    op.drop_column("player", "skeleton")
