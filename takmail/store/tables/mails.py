"""The tables of the inbox and the outbox."""

from datetime import datetime

from sqlalchemy import BigInteger, Index, Text, UniqueConstraint, false, text
from sqlmodel import Field, SQLModel

from takmail.commands.kinds import LetterPurpose, LetterState, MailState
from takmail.store.tables.column_types import ADDRESS, HASH, MAIL, NAME, WORD, Moment, Note

IS_CLAIMED = text("claimed_by <> ''")
"""Whether a mail is claimed, as literally in its index. With a parameter the index isn't used."""


class InboxRow(SQLModel, table=True):
    """An incoming mail. `uid_validity` and `uid` are None for one that came without a mailbox.

    `size` is its length in bytes. `raw` is the whole mail, or the beginning of one over the limit.
    `is_from_person`: the
    operator says that a person wrote it, even if it looks automatic. `is_reduced`: `raw` is empty, as the mail is old
    or its player has left.

    `sender` is the normalised address in its From, as long as `raw` is kept; None if there is none.

    `queue` is shared by mails that are handled in order: the game that the mail names, or else its sender. None once
    the mail is handled.

    While it waits, `claimed_by` is the process that has claimed it since `claimed_at`, or ''. `attempts` counts
    claims, each before the mail is parsed; `errors` counts failures of handling it. `is_costly`: it was shunted because
    its body is too expensive to read.

    Once it is handled, `game_id` is its game, and `turn` the last turn that it played there.

    `unique_fingerprint` is the fingerprint again, in the one row that is not a duplicate. It is unique, so that two
    processes
    can't both store a mail as the first of its kind.
    """

    __tablename__ = "inbox"
    __table_args__ = (
        UniqueConstraint("mailbox", "uid_validity", "uid"),
        Index("ix_inbox_state_id", "state", "id"),
        Index("ix_inbox_queue", "queue", "state", "id"),
        # Only few mails are claimed at a time.
        Index("ix_inbox_claimed_by", "claimed_by", sqlite_where=IS_CLAIMED, postgresql_where=IS_CLAIMED),
    )

    id: int | None = Field(default=None, primary_key=True)
    mailbox: str = Field(sa_type=NAME)
    uid_validity: int | None = Field(default=None, sa_type=BigInteger)
    uid: int | None = Field(default=None, sa_type=BigInteger)
    raw: bytes = Field(sa_type=MAIL)
    size: int = Field(sa_type=BigInteger, sa_column_kwargs={"server_default": "0"})
    sender: str | None = Field(default=None, index=True, sa_type=ADDRESS)
    queue: str | None = Field(default=None, sa_type=ADDRESS)
    fingerprint: str = Field(index=True, sa_type=NAME)
    unique_fingerprint: str | None = Field(default=None, unique=True, sa_type=NAME)
    received_at: datetime = Field(sa_type=Moment)
    state: MailState = Field(default=MailState.NEW, sa_type=WORD)
    is_from_person: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    attempts: int = 0
    errors: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    claimed_by: str = Field(default="", sa_type=NAME, sa_column_kwargs={"server_default": text("''")})
    claimed_at: datetime | None = Field(default=None, sa_type=Moment)
    is_costly: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    note: str = Field(default="", sa_type=Note)
    game_id: int | None = None
    turn: int | None = None
    is_filed: bool = False
    is_reduced: bool = Field(default=False, sa_column_kwargs={"server_default": false()})


class OutboxRow(SQLModel, table=True):
    """An outgoing letter as finished bytes. `text` is used to recognise it in quotes.

    `html_text` is the same for its HTML part, or None.

    `sha256` is the hash of its bytes in hexadecimal, once they are deleted and `raw` is empty. `purge_after_send`: the
    bytes are deleted once it is sent or has failed, as it names an erased player.

    `version` is its game's version as it shows it, and `turn` the last turn on its board. `reported_turn` is the
    turn that it
    reports, if it reports only that and chat.

    `mail_from` is the address for bounces, or ''. `attempts` counts refusals by the server that asked for a retry.
    `due_at` is the time of the next attempt or, during one, the end of its lease. `claimed_by` is the process that
    claimed it last.
    """

    __tablename__ = "outbox"
    __table_args__ = (
        Index("ix_outbox_seat", "game_id", "seat", "id"),
        Index("ix_outbox_state_due", "state", "due_at"),
        Index("ix_outbox_reader", "mail_to", "state", "id"),
        Index("ix_outbox_purpose", "mail_to", "purpose", "created_at"),
    )

    id: int | None = Field(default=None, primary_key=True)
    message_id: str = Field(unique=True, sa_type=NAME)
    game_id: int | None = Field(default=None, foreign_key="game.id")
    seat: int | None = None
    version: int | None = None
    turn: int | None = None
    reported_turn: int | None = None
    mail_from: str = Field(sa_type=ADDRESS)
    mail_to: str = Field(sa_type=ADDRESS)
    raw: bytes = Field(sa_type=MAIL)
    sha256: str | None = Field(default=None, sa_type=HASH)
    purge_after_send: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    text: str = Field(sa_type=Text)
    html_text: str | None = Field(default=None, sa_type=Text)
    purpose: LetterPurpose = Field(
        default=LetterPurpose.NOTHING, sa_type=WORD, sa_column_kwargs={"server_default": "nothing"}
    )
    state: LetterState = Field(default=LetterState.QUEUED, sa_type=WORD)
    attempts: int = 0
    claimed_by: str = Field(default="", sa_type=NAME)
    due_at: datetime = Field(sa_type=Moment)
    created_at: datetime = Field(sa_type=Moment)
    error: str = Field(default="", sa_type=Note)
    mail_id: int | None = Field(default=None, foreign_key="inbox.id")


class LeaseRow(SQLModel, table=True):
    """A lease on a task, or the sign that a process is running: its holder and, by the database's clock, its end."""

    __tablename__ = "lease"

    name: str = Field(primary_key=True, sa_type=NAME)
    holder: str = Field(sa_type=NAME)
    expires_at: datetime = Field(sa_type=Moment)


class WatermarkRow(SQLModel, table=True):
    """The last UID that a mailbox had before takmail's first start. Mails up to it are left alone.

    `last_contact_at` is when its server last answered, to about a minute; None: not since this is stored.
    """

    __tablename__ = "watermark"

    mailbox: str = Field(primary_key=True, sa_type=NAME)
    uid_validity: int = Field(sa_type=BigInteger)
    uid: int = Field(sa_type=BigInteger)
    first_started_at: datetime = Field(sa_type=Moment)
    last_contact_at: datetime | None = Field(default=None, sa_type=Moment)
