"""Rename tables, columns and the kind of erased players to the names that the code uses."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

_TABLES = (("forgetting", "erasure"), ("intake", "inbox"), ("log", "operator_log"))
_COLUMNS = (
    ("address", "heard_at", "verified_at"),
    ("block", "since", "blocked_at"),
    ("chat", "is_put_off", "is_postponed"),
    ("dispute", "gone", "ended_version"),
    ("game", "asked_at", "invited_at"),
    ("game", "counted", "score_digest"),
    ("inbox", "filed", "is_filed"),
    ("inbox", "is_persons", "is_from_person"),
    ("inbox", "original", "unique_fingerprint"),
    ("inbox", "raised", "errors"),
    ("lease", "until", "expires_at"),
    ("lease", "what", "name"),
    ("offer", "gone", "ended_version"),
    ("outbox", "answers", "purpose"),
    ("outbox", "intake_id", "mail_id"),
    ("outbox", "is_fleeting", "purge_after_send"),
    ("outbox", "turn", "reported_turn"),
    ("outbox", "shown", "turn"),
    ("player", "has_to_be_asked", "invitations_wait"),
    ("taken_back", "gone", "ended_version"),
    ("turn", "intake_id", "mail_id"),
    ("watermark", "in_touch_at", "last_contact_at"),
)
_CLAIMED = sa.text("claimed_by <> ''")
_INDEXES = (
    ("inbox", "ix_intake_claimed_by", "ix_inbox_claimed_by", ["claimed_by"], _CLAIMED),
    ("inbox", "ix_intake_fingerprint", "ix_inbox_fingerprint", ["fingerprint"], None),
    ("inbox", "ix_intake_queue", "ix_inbox_queue", ["queue", "state", "id"], None),
    ("inbox", "ix_intake_sender", "ix_inbox_sender", ["sender"], None),
    ("inbox", "ix_intake_state_id", "ix_inbox_state_id", ["state", "id"], None),
    ("operator_log", "ix_log_game_id", "ix_operator_log_game_id", ["game_id"], None),
    ("operator_log", "ix_log_player_id", "ix_operator_log_player_id", ["player_id"], None),
    ("outbox", "ix_outbox_answers", "ix_outbox_purpose", ["mail_to", "purpose", "created_at"], None),
    ("turn", "ix_turn_intake_id", "ix_turn_mail_id", ["mail_id"], None),
)


def upgrade() -> None:
    """Rename in place. SQLite and PostgreSQL update references by themselves."""
    for old, new in _TABLES:
        op.rename_table(old, new)
    for table, old, new in _COLUMNS:
        # Alembic would copy a whole table of SQLite, which neither database needs.
        op.execute(f'ALTER TABLE "{table}" RENAME COLUMN "{old}" TO "{new}"')
    for table, old, new, columns, where in _INDEXES:
        op.drop_index(old, table_name=table)
        op.create_index(new, table, columns, sqlite_where=where, postgresql_where=where)
    if op.get_bind().dialect.name == "postgresql":
        for old, new in _TABLES:
            op.execute(f"ALTER SEQUENCE {old}_id_seq RENAME TO {new}_id_seq")
            op.execute(f"ALTER INDEX {old}_pkey RENAME TO {new}_pkey")
    op.execute("UPDATE player SET kind = 'erased' WHERE kind = 'gone'")
