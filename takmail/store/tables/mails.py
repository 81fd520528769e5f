"""The tables of intake and outbox, which are the truth about the mails of a game."""

from datetime import datetime

from sqlalchemy import BigInteger, Index, Text, UniqueConstraint, false, text
from sqlmodel import Field, SQLModel

from takmail.commands.kinds import LetterPurpose, LetterState, MailState
from takmail.store.tables.column_types import ADDRESS, HASH, MAIL, NAME, WORD, Moment, Note

IN_HAND = text("claimed_by <> ''")
"""Whether a mail is in somebody's hand, in the words of its index: with a parameter the index isn't used."""


class IntakeRow(SQLModel, table=True):
    """An incoming mail; `uid_validity` and `uid` are None for one that came without a mailbox.

    `size` is its length in bytes; `raw` is the whole of it, or the beginning of one that is over the limit.
    `is_persons`: the operator says so, whatever looks like a machine's. `is_reduced`: it is too old for its bytes, or
    they were somebody's who has left, and `raw` is empty.

    `sender` is the address in its From, in normal form, for as long as `raw` is kept; None where there is none.

    `queue` is what it shares with those that are handled before it, one after the other: the game that it
    names, or else its sender; None once it waits no more.

    While it waits, `claimed_by` names the process that has it in hand since `claimed_at`, '' if none has. `attempts`
    counts how often it was claimed, before a byte of it was read; `raised` how often handling it raised. `is_costly`:
    it was shunted because its body takes too much work to read.

    Once it has ended, `game_id` is the game that it was about, and `turn` the last turn that it has played there.

    `original` is the fingerprint again, in the one row that is no duplicate: no two processes can both take a
    mail for the first of its kind.
    """

    __tablename__ = "intake"
    __table_args__ = (
        UniqueConstraint("mailbox", "uid_validity", "uid"),
        Index("ix_intake_state_id", "state", "id"),
        Index("ix_intake_queue", "queue", "state", "id"),
        # Of the few mails that are in hand.
        Index("ix_intake_claimed_by", "claimed_by", sqlite_where=IN_HAND, postgresql_where=IN_HAND),
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
    original: str | None = Field(default=None, unique=True, sa_type=NAME)
    received_at: datetime = Field(sa_type=Moment)
    state: MailState = Field(default=MailState.NEW, sa_type=WORD)
    is_persons: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    attempts: int = 0
    raised: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    claimed_by: str = Field(default="", sa_type=NAME, sa_column_kwargs={"server_default": text("''")})
    claimed_at: datetime | None = Field(default=None, sa_type=Moment)
    is_costly: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    note: str = Field(default="", sa_type=Note)
    game_id: int | None = None
    turn: int | None = None
    filed: bool = False
    is_reduced: bool = Field(default=False, sa_column_kwargs={"server_default": false()})


class OutboxRow(SQLModel, table=True):
    """An outgoing letter as finished bytes; `text` serves to know it again when it is quoted.

    So does `html_text`, what its HTML side reads as, None where it has none.

    `sha256` is the hash of its bytes, in hexadecimal digits, once they are no longer kept and `raw` is empty.
    `is_fleeting`: they are kept no longer than until it has left or failed, as it names somebody who is forgotten.

    `version` is its game's version as it shows it, and `shown` the last turn on its board. `turn` is the turn of
    which it tells, where that and words are all that it tells.

    `mail_from` is where it comes back to, '' where it may not.
    `attempts` counts those after which the server has it come again later.
    `due_at` is both the time of the next attempt and, while an attempt runs, the end of its lease; `claimed_by`
    names the last one who held it.
    """

    __tablename__ = "outbox"
    __table_args__ = (
        Index("ix_outbox_seat", "game_id", "seat", "id"),
        Index("ix_outbox_state_due", "state", "due_at"),
        Index("ix_outbox_reader", "mail_to", "state", "id"),
        Index("ix_outbox_answers", "mail_to", "answers", "created_at"),
    )

    id: int | None = Field(default=None, primary_key=True)
    message_id: str = Field(unique=True, sa_type=NAME)
    game_id: int | None = Field(default=None, foreign_key="game.id")
    seat: int | None = None
    version: int | None = None
    shown: int | None = None
    turn: int | None = None
    mail_from: str = Field(sa_type=ADDRESS)
    mail_to: str = Field(sa_type=ADDRESS)
    raw: bytes = Field(sa_type=MAIL)
    sha256: str | None = Field(default=None, sa_type=HASH)
    is_fleeting: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    text: str = Field(sa_type=Text)
    html_text: str | None = Field(default=None, sa_type=Text)
    answers: LetterPurpose = Field(
        default=LetterPurpose.NOTHING, sa_type=WORD, sa_column_kwargs={"server_default": "nothing"}
    )
    state: LetterState = Field(default=LetterState.QUEUED, sa_type=WORD)
    attempts: int = 0
    claimed_by: str = Field(default="", sa_type=NAME)
    due_at: datetime = Field(sa_type=Moment)
    created_at: datetime = Field(sa_type=Moment)
    error: str = Field(default="", sa_type=Note)
    intake_id: int | None = Field(default=None, foreign_key="intake.id")


class LeaseRow(SQLModel, table=True):
    """What one process alone does, or that a process is there: until when, by the database's clock, and who."""

    __tablename__ = "lease"

    what: str = Field(primary_key=True, sa_type=NAME)
    holder: str = Field(sa_type=NAME)
    until: datetime = Field(sa_type=Moment)


class WatermarkRow(SQLModel, table=True):
    """The last UID of a mailbox that was there before takmail's first start and is left alone.

    `in_touch_at` is when its server last answered, give or take a minute; None: not since that is noted.
    """

    __tablename__ = "watermark"

    mailbox: str = Field(primary_key=True, sa_type=NAME)
    uid_validity: int = Field(sa_type=BigInteger)
    uid: int = Field(sa_type=BigInteger)
    first_started_at: datetime = Field(sa_type=Moment)
    in_touch_at: datetime | None = Field(default=None, sa_type=Moment)
