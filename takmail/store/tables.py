"""The tables. Turns are the truth about a game; intake and outbox are the truth about its mails."""

from datetime import UTC, datetime
from enum import StrEnum

from sqlalchemy import (
    BigInteger,
    DateTime,
    Dialect,
    Index,
    LargeBinary,
    String,
    Text,
    UniqueConstraint,
    false,
)
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, SQLModel

WORD = String(16)
NAME = String(255)
ADDRESS = String(320)
MAIL = LargeBinary(2**24 - 1)
"""Kinds of column; some databases need to know how long a key or a mail can get."""


class Moment(TypeDecorator[datetime]):
    """A UTC-aware datetime; SQLite keeps no zone, so it is put back on reading."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """To UTC on the way in; a naive datetime is an error in the program."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment needs a zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """UTC-aware on the way out."""
        return value if value is None or value.tzinfo else value.replace(tzinfo=UTC)


class Standing(StrEnum):
    """Where a game stands in its life."""

    INVITED = "invited"
    OPEN = "open"
    OVER = "over"
    DECLINED = "declined"


class MailState(StrEnum):
    """The one place where an incoming mail ends; the row's note says why.

    played: it has played a turn; answered: it has had a letter written; machine: no person wrote it; rejected: it is
    over a limit, or nothing was to be said to it; shunted: it raised, and is kept for the operator; older: it was
    there before takmail.
    """

    NEW = "new"
    PLAYED = "played"
    ANSWERED = "answered"
    DUPLICATE = "duplicate"
    MACHINE = "machine"
    REJECTED = "rejected"
    SHUNTED = "shunted"
    OLDER = "older"


class LetterState(StrEnum):
    """What became of an outgoing letter; `failed` ones wait for the operator.

    bounced: it came back, and goes out once more when it is due; resting: its reader's address takes no mail, and
    it waits until they write.
    """

    QUEUED = "queued"
    SENT = "sent"
    FAILED = "failed"
    BOUNCED = "bounced"
    RESTING = "resting"


class Answers(StrEnum):
    """What a letter answers: a mail that its reader surely wrote, one that may be forged, a stranger's nonsense, none.

    Each has its own limit, so that nobody uses up what is another's.
    """

    SURE = "sure"
    UNSURE = "unsure"
    NONSENSE = "nonsense"
    NOTHING = "nothing"


class QuestionKind(StrEnum):
    """What a `yes` would do: give the game up, or run commands whose sender was not sure."""

    RESIGN = "resign"
    HELD = "held"


class Player(SQLModel, table=True):
    """A person; their addresses are in `Address`."""

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(sa_type=NAME)
    created_at: datetime = Field(sa_type=Moment)


class Address(SQLModel, table=True):
    """A mail address, in normal form, and whose it is; `bounces` are the letters that came back since they wrote."""

    address: str = Field(primary_key=True, sa_type=ADDRESS)
    player_id: int = Field(foreign_key="player.id", index=True)
    bounces: int = Field(default=0, sa_column_kwargs={"server_default": "0"})


class GameRow(SQLModel, table=True):
    """A game: `kind` names it in the registry; `setup` is canonical; `subject` stays the same for ever."""

    __tablename__ = "game"

    id: int | None = Field(default=None, primary_key=True)
    kind: str = Field(sa_type=WORD)
    setup: str = Field(sa_type=Text)
    subject: str = Field(sa_type=Text)
    standing: Standing = Field(sa_type=WORD)
    invited_by: int = Field(foreign_key="player.id")
    resigned: int | None = None
    score: str | None = Field(default=None, sa_type=WORD)
    created_at: datetime = Field(sa_type=Moment)


class SeatRow(SQLModel, table=True):
    """Who sits where; seat 0 begins."""

    __tablename__ = "seat"

    game_id: int = Field(foreign_key="game.id", primary_key=True)
    seat: int = Field(primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)


class TurnRow(SQLModel, table=True):
    """A turn that was played: `text` in canonical form, `written` as the player wrote it."""

    __tablename__ = "turn"

    game_id: int = Field(foreign_key="game.id", primary_key=True)
    number: int = Field(primary_key=True)
    seat: int
    text: str = Field(sa_type=Text)
    written: str = Field(sa_type=Text)
    played_at: datetime = Field(sa_type=Moment)
    intake_id: int | None = Field(default=None, foreign_key="intake.id")


class Chat(SQLModel, table=True):
    """Words of one player to the other; `letter_id` is the letter that brought them, None while they wait."""

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    seat: int
    words: str = Field(sa_type=Text)
    said_at: datetime = Field(sa_type=Moment)
    letter_id: int | None = Field(default=None, foreign_key="outbox.id")


class Question(SQLModel, table=True):
    """A question open to a seat: `yes` to the letter that asked runs `words`, meant for after turn `shown`."""

    __table_args__ = (Index("ix_question_seat", "game_id", "seat", "kind"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    seat: int
    kind: QuestionKind = Field(sa_type=WORD)
    words: str = Field(default="", sa_type=Text)
    shown: int | None = None
    letter_id: int | None = Field(default=None, foreign_key="outbox.id")
    asked_at: datetime = Field(sa_type=Moment)


class IntakeRow(SQLModel, table=True):
    """An incoming mail; `uid_validity` and `uid` are None for one that came without a mailbox.

    `size` is its length in bytes; `raw` is the whole of it, or the beginning of one that is over the limit.
    `is_persons`: the operator says so, whatever looks like a machine's.

    `original` is the fingerprint again, in the one row that is no duplicate: no two processes can both take a
    mail for the first of its kind.
    """

    __tablename__ = "intake"
    __table_args__ = (
        UniqueConstraint("mailbox", "uid_validity", "uid"),
        Index("ix_intake_state_id", "state", "id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    mailbox: str = Field(sa_type=NAME)
    uid_validity: int | None = Field(default=None, sa_type=BigInteger)
    uid: int | None = Field(default=None, sa_type=BigInteger)
    raw: bytes = Field(sa_type=MAIL)
    size: int = Field(sa_type=BigInteger, sa_column_kwargs={"server_default": "0"})
    fingerprint: str = Field(index=True, sa_type=NAME)
    original: str | None = Field(default=None, unique=True, sa_type=NAME)
    received_at: datetime = Field(sa_type=Moment)
    state: MailState = Field(default=MailState.NEW, sa_type=WORD)
    is_persons: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    attempts: int = 0
    note: str = Field(default="", sa_type=Text)
    filed: bool = False


class OutboxRow(SQLModel, table=True):
    """An outgoing letter as finished bytes; `text` serves to know it again when it is quoted.

    `mail_from` is where it comes back to, '' where it may not.
    `attempts` counts those that the server answered.
    `due_at` is both the time of the next attempt and, while an attempt runs, the end of its lease; `claimed_by`
    names the last one who held it.
    """

    __tablename__ = "outbox"
    __table_args__ = (
        Index("ix_outbox_state_due", "state", "due_at"),
        Index("ix_outbox_reader", "mail_to", "state", "id"),
        Index("ix_outbox_answers", "mail_to", "created_at"),
    )

    id: int | None = Field(default=None, primary_key=True)
    message_id: str = Field(unique=True, sa_type=NAME)
    game_id: int | None = Field(default=None, foreign_key="game.id", index=True)
    seat: int | None = None
    mail_from: str = Field(sa_type=ADDRESS)
    mail_to: str = Field(sa_type=ADDRESS)
    raw: bytes = Field(sa_type=MAIL)
    text: str = Field(sa_type=Text)
    answers: Answers = Field(
        default=Answers.NOTHING, sa_type=WORD, sa_column_kwargs={"server_default": "nothing"}
    )
    state: LetterState = Field(default=LetterState.QUEUED, sa_type=WORD)
    attempts: int = 0
    claimed_by: str = Field(default="", sa_type=NAME)
    due_at: datetime = Field(sa_type=Moment)
    created_at: datetime = Field(sa_type=Moment)
    error: str = Field(default="", sa_type=Text)
    intake_id: int | None = Field(default=None, foreign_key="intake.id")


class Watermark(SQLModel, table=True):
    """The last UID of a mailbox that was there before takmail's first start and is left alone."""

    mailbox: str = Field(primary_key=True, sa_type=NAME)
    uid_validity: int = Field(sa_type=BigInteger)
    uid: int = Field(sa_type=BigInteger)
    first_started_at: datetime = Field(sa_type=Moment)
