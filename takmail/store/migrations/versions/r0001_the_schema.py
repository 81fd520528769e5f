"""The whole schema in one migration, as no version of takmail was released before it."""

import sqlalchemy as sa
from alembic import op

from takmail.store.tables.column_types import Moment as _Moment

revision = "r0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create all tables."""
    op.create_table(
        "clock",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("known_at", _Moment(), nullable=False),
        sa.Column("read_at", _Moment(), nullable=False),
        sa.Column("stood_seconds", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "inbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("mailbox", sa.String(length=255), nullable=False),
        sa.Column("uid_validity", sa.BigInteger(), nullable=True),
        sa.Column("uid", sa.BigInteger(), nullable=True),
        sa.Column("raw", sa.LargeBinary(length=16777215), nullable=False),
        sa.Column("size", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("sender", sa.String(length=320), nullable=True),
        sa.Column("queue", sa.String(length=320), nullable=True),
        sa.Column("fingerprint", sa.String(length=255), nullable=False),
        sa.Column("unique_fingerprint", sa.String(length=255), nullable=True),
        sa.Column("received_at", _Moment(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("is_from_person", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("errors", sa.Integer(), server_default="0", nullable=False),
        sa.Column("claimed_by", sa.String(length=255), server_default=sa.text("''"), nullable=False),
        sa.Column("claimed_at", _Moment(), nullable=True),
        sa.Column("is_costly", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("turn", sa.Integer(), nullable=True),
        sa.Column("is_filed", sa.Boolean(), nullable=False),
        sa.Column("is_reduced", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("mailbox", "uid_validity", "uid"),
        sa.UniqueConstraint("unique_fingerprint"),
    )
    op.create_index(
        "ix_inbox_claimed_by",
        "inbox",
        ["claimed_by"],
        unique=False,
        sqlite_where=sa.text("claimed_by <> ''"),
        postgresql_where=sa.text("claimed_by <> ''"),
    )
    op.create_index(op.f("ix_inbox_fingerprint"), "inbox", ["fingerprint"], unique=False)
    op.create_index("ix_inbox_queue", "inbox", ["queue", "state", "id"], unique=False)
    op.create_index(op.f("ix_inbox_sender"), "inbox", ["sender"], unique=False)
    op.create_index("ix_inbox_state_id", "inbox", ["state", "id"], unique=False)
    op.create_table(
        "lease",
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("holder", sa.String(length=255), nullable=False),
        sa.Column("expires_at", _Moment(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "player",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), server_default="person", nullable=False),
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("skeleton", sa.String(length=255), nullable=True),
        sa.Column("is_blocked", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("letter_view", sa.String(length=16), nullable=True),
        sa.Column("wants_no_receipts", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("invitations_wait", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("data_sent_at", _Moment(), nullable=True),
        sa.Column("created_at", _Moment(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_player_skeleton"), "player", ["skeleton"], unique=True)
    op.create_table(
        "remembered_address",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("verified_at", _Moment(), nullable=True),
        sa.Column("left_at", _Moment(), nullable=True),
        sa.PrimaryKeyConstraint("digest"),
    )
    op.create_table(
        "watermark",
        sa.Column("mailbox", sa.String(length=255), nullable=False),
        sa.Column("uid_validity", sa.BigInteger(), nullable=False),
        sa.Column("uid", sa.BigInteger(), nullable=False),
        sa.Column("first_started_at", _Moment(), nullable=False),
        sa.Column("last_contact_at", _Moment(), nullable=True),
        sa.PrimaryKeyConstraint("mailbox"),
    )
    op.create_table(
        "address",
        sa.Column("address", sa.String(length=320), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("bounces", sa.Integer(), server_default="0", nullable=False),
        sa.Column("verified_at", _Moment(), nullable=True),
        sa.Column("stopped_at", _Moment(), nullable=True),
        sa.Column("token_number", sa.Integer(), server_default="0", nullable=False),
        sa.Column("last_text", sa.String(length=16), nullable=True),
        sa.Column("last_frame", sa.String(length=16), nullable=True),
        sa.Column("similar_texts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("texts_in_a_row", sa.Integer(), server_default="0", nullable=False),
        sa.Column("is_unsigned", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("added_at", _Moment(), nullable=True),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("address"),
    )
    op.create_index(op.f("ix_address_player_id"), "address", ["player_id"], unique=False)
    op.create_table(
        "block",
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("blocked_id", sa.Integer(), nullable=False),
        sa.Column("blocked_at", _Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["blocked_id"],
            ["player.id"],
        ),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("player_id", "blocked_id"),
    )
    op.create_index(op.f("ix_block_blocked_id"), "block", ["blocked_id"], unique=False)
    op.create_table(
        "game",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("setup", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("standing", sa.String(length=16), nullable=False),
        sa.Column("invited_by", sa.Integer(), nullable=False),
        sa.Column("resigned", sa.Integer(), nullable=True),
        sa.Column("ruling", sa.String(length=16), nullable=True),
        sa.Column("score", sa.String(length=16), nullable=True),
        sa.Column("days", sa.Integer(), nullable=True),
        sa.Column("rematch_of", sa.Integer(), nullable=True),
        sa.Column("guest_label", sa.String(length=255), nullable=True),
        sa.Column("is_relay", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("invited_at", _Moment(), nullable=True),
        sa.Column("score_digest", sa.String(length=64), nullable=True),
        sa.Column("winner", sa.Integer(), nullable=True),
        sa.Column("first_points", sa.Integer(), nullable=True),
        sa.Column("second_points", sa.Integer(), nullable=True),
        sa.Column("created_at", _Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["invited_by"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_game_rematch_of",
        "game",
        ["rematch_of"],
        unique=True,
        sqlite_where=sa.text("standing <> 'declined'"),
        postgresql_where=sa.text("standing <> 'declined'"),
    )
    op.create_index(op.f("ix_game_standing"), "game", ["standing"], unique=False)
    op.create_table(
        "seek",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("setup", sa.Text(), nullable=False),
        sa.Column("first", sa.String(length=16), nullable=True),
        sa.Column("days", sa.Integer(), nullable=True),
        sa.Column("is_relay", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("sought_at", _Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_seek_player_id"), "seek", ["player_id"], unique=False)
    op.create_table(
        "dispute",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("opened_at", _Moment(), nullable=False),
        sa.Column("ended_at", _Moment(), nullable=True),
        sa.Column("ended_version", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.PrimaryKeyConstraint("game_id", "version"),
    )
    op.create_table(
        "offer",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("target", sa.Integer(), nullable=True),
        sa.Column("board", sa.Text(), nullable=True),
        sa.Column("offered_at", _Moment(), nullable=False),
        sa.Column("ended", sa.String(length=16), nullable=True),
        sa.Column("ended_version", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.PrimaryKeyConstraint("game_id", "version"),
    )
    op.create_table(
        "operator_log",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column("at", _Moment(), nullable=False),
        sa.Column("who", sa.String(length=255), nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("fault", sa.String(length=16), nullable=True),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_operator_log_game_id"), "operator_log", ["game_id"], unique=False)
    op.create_index(op.f("ix_operator_log_player_id"), "operator_log", ["player_id"], unique=False)
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.String(length=255), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=True),
        sa.Column("turn", sa.Integer(), nullable=True),
        sa.Column("reported_turn", sa.Integer(), nullable=True),
        sa.Column("mail_from", sa.String(length=320), nullable=False),
        sa.Column("mail_to", sa.String(length=320), nullable=False),
        sa.Column("raw", sa.LargeBinary(length=16777215), nullable=False),
        sa.Column("drawings", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=True),
        sa.Column("purge_after_send", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("html_text", sa.Text(), nullable=True),
        sa.Column("purpose", sa.String(length=16), server_default="nothing", nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("delivery_class", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("claimed_by", sa.String(length=255), nullable=False),
        sa.Column("due_at", _Moment(), nullable=False),
        sa.Column("created_at", _Moment(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("mail_id", sa.Integer(), nullable=True),
        sa.Column("budget", sa.String(length=16), nullable=True),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.ForeignKeyConstraint(
            ["mail_id"],
            ["inbox.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("message_id"),
    )
    op.create_index(
        "ix_outbox_budget",
        "outbox",
        ["budget", "due_at"],
        unique=False,
        sqlite_where=sa.text("budget IS NOT NULL"),
        postgresql_where=sa.text("budget IS NOT NULL"),
    )
    op.create_index("ix_outbox_due", "outbox", ["state", "delivery_class", "due_at"], unique=False)
    op.create_index(
        "ix_outbox_purpose", "outbox", ["mail_to", "purpose", "created_at", "game_id"], unique=False
    )
    op.create_index("ix_outbox_reader", "outbox", ["mail_to", "state", "id"], unique=False)
    op.create_index("ix_outbox_seat", "outbox", ["game_id", "seat", "id"], unique=False)
    op.create_table(
        "seat",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("asks_board", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("token_number", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("game_id", "seat"),
    )
    op.create_index(op.f("ix_seat_player_id"), "seat", ["player_id"], unique=False)
    op.create_table(
        "shown_board",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("board", sa.Text(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("shown_at", _Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.PrimaryKeyConstraint("game_id", "seat"),
    )
    op.create_table(
        "taken_back",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("written", sa.Text(), nullable=False),
        sa.Column("is_agreed", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("branch", sa.Integer(), server_default="1", nullable=False),
        sa.Column("how", sa.String(length=16), server_default="undo", nullable=False),
        sa.Column("played_at", _Moment(), nullable=False),
        sa.Column("taken_back_at", _Moment(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("ended_version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_taken_back_game_id"), "taken_back", ["game_id"], unique=False)
    op.create_table(
        "turn",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("written", sa.Text(), nullable=False),
        sa.Column("is_agreed", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("checksum", sa.String(length=16), nullable=True),
        sa.Column("played_at", _Moment(), nullable=False),
        sa.Column("mail_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.ForeignKeyConstraint(
            ["mail_id"],
            ["inbox.id"],
        ),
        sa.PrimaryKeyConstraint("game_id", "number"),
    )
    op.create_index(op.f("ix_turn_mail_id"), "turn", ["mail_id"], unique=False)
    op.create_table(
        "chat",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("said_at", _Moment(), nullable=False),
        sa.Column("letter_id", sa.Integer(), nullable=True),
        sa.Column("is_postponed", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.ForeignKeyConstraint(
            ["letter_id"],
            ["outbox.id"],
        ),
        sa.PrimaryKeyConstraint("game_id", "version"),
    )
    op.create_index(op.f("ix_chat_letter_id"), "chat", ["letter_id"], unique=False)
    op.create_table(
        "question",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=True),
        sa.Column("turn", sa.Integer(), nullable=True),
        sa.Column("address", sa.String(length=320), nullable=True),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("letter_id", sa.Integer(), nullable=True),
        sa.Column("asked_at", _Moment(), nullable=False),
        sa.Column("is_replaced", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.ForeignKeyConstraint(
            ["letter_id"],
            ["outbox.id"],
        ),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_question_address"), "question", ["address"], unique=False)
    op.create_index("ix_question_seat", "question", ["game_id", "seat"], unique=False)
