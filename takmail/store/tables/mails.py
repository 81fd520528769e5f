"""The tables of the inbox and the outbox."""

from datetime import datetime

from sqlalchemy import BigInteger, Index, SmallInteger, Text, UniqueConstraint, false, text
from sqlmodel import Field

from takmail.limits.mails import Excess
from takmail.store.tables.column_types import (
    ADDRESS,
    HASH,
    MAIL,
    NAME,
    SEAT,
    WORD,
    Moment,
    Note,
    OneOf,
    TableRow,
)
from takmail.world import DeliveryClass, LetterPurpose, LetterState, MailState, StrangerBudget

IS_CLAIMED = text("claimed_by <> ''")
"""The condition that a mail is claimed. A query must repeat the index's text: with a parameter, it isn't used."""


HAS_BUDGET = text("budget IS NOT NULL")
"""The condition that a letter counts in a budget of letters to strangers, or a mail in one of bytes."""


IS_PART = text("part_of IS NOT NULL")
"""The condition that a mail is a part of another one."""


class InboxRow(TableRow, table=True):
    """An incoming mail. `uid_validity` and `uid` are None for a mail that did not come from an IMAP mailbox.

    `size` is the mail's length in bytes. `raw` is the mail, without what is not read of a long one, such as
    attachments. If the mail exceeded the limit `excess` when it came, `raw` is only its beginning. If `is_reduced` is
    true, `raw` and `sender` were deleted, because the mail is old or concerns an erased player.
    `received_at` is when the mail was stored here, and `arrived_at` when the mailbox's server got it, or None if it is
    not from a mailbox. `sender` is the normalised address in From, or None. If `is_from_person` is true, the operator
    says that a person wrote the mail, even if it looks automatic. `is_filed` is true once the mail is moved out of the
    mailbox.

    `budget` is the budget of bytes in which the mail counts: '' for that of all strangers, or the player's address in
    whose name anybody may have written it. It is None for any other mail.

    Waiting mails with the same `queue` are handled in order. The queue is the game that the mail names, or its sender
    if it names none. It is None once the mail is handled.

    While the mail waits, `claimed_by` is the process that claimed it at `claimed_at`, or ''. `attempts` counts the
    claims, and `errors` the attempts that failed with an exception. If `is_costly` is true, the mail was shunted
    because its body is too expensive to read.

    Once the mail is handled, `game_id` is its game, and `turn` is the last turn that it played in that game. A part of
    a mail has the number that it names from the beginning, even if there is no such game.

    `part_of` is the mail of which this one is the part with the number `part`, None if it is none. Once a part is
    handled, `piece` is what the answer to its mail tells of it (`store/split_mails`), and `is_told` is true once a
    letter has told it, and in its mail once there was such a letter. `left_out` are the games of a mail with too many
    parts, with commas between them, and 0 for words that are for no game.

    `unique_fingerprint` equals `fingerprint` in the first mail with this fingerprint, and is None in its duplicates.
    It is unique, so that two processes can't both store a mail as the first one.
    """

    __table_args__ = (
        UniqueConstraint("mailbox", "uid_validity", "uid"),
        Index("ix_inbox_state_id", "state", "id"),
        Index("ix_inbox_queue", "queue", "state", "id"),
        # Partial indexes stay small, as few mails are claimed at a time, or have a budget.
        Index(
            "ix_inbox_budget",
            "budget",
            "received_at",
            sqlite_where=HAS_BUDGET,
        ),
        Index("ix_inbox_part_of", "part_of", sqlite_where=IS_PART),
        Index("ix_inbox_claimed_by", "claimed_by", sqlite_where=IS_CLAIMED),
    )

    id: int | None = Field(default=None, primary_key=True)
    mailbox: str = Field(sa_type=NAME)
    uid_validity: int | None = Field(default=None, sa_type=BigInteger)
    uid: int | None = Field(default=None, sa_type=BigInteger)
    raw: bytes = Field(sa_type=MAIL)
    size: int = Field(sa_type=BigInteger, sa_column_kwargs={"server_default": "0"})
    excess: Excess | None = Field(default=None, sa_type=OneOf(Excess))
    sender: str | None = Field(default=None, index=True, sa_type=ADDRESS)
    budget: str | None = Field(default=None, sa_type=ADDRESS)
    queue: str | None = Field(default=None, sa_type=ADDRESS)
    fingerprint: str = Field(index=True, sa_type=NAME)
    unique_fingerprint: str | None = Field(default=None, unique=True, sa_type=NAME)
    received_at: datetime = Field(sa_type=Moment)
    arrived_at: datetime | None = Field(default=None, sa_type=Moment)
    state: MailState = Field(default=MailState.NEW, sa_type=OneOf(MailState))
    is_from_person: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    attempts: int = 0
    errors: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    claimed_by: str = Field(default="", sa_type=NAME, sa_column_kwargs={"server_default": text("''")})
    claimed_at: datetime | None = Field(default=None, sa_type=Moment)
    is_costly: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    note: str = Field(default="", sa_type=Note)
    game_id: int | None = None
    turn: int | None = None
    part_of: int | None = None
    part: int | None = None
    piece: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": text("''")})
    is_told: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    left_out: str = Field(default="", sa_type=Note, sa_column_kwargs={"server_default": text("''")})
    is_filed: bool = False
    is_reduced: bool = Field(default=False, sa_column_kwargs={"server_default": false()})


class OutboxRow(TableRow, table=True):
    """An outgoing letter. `raw` is the mail without its pictures, which `drawings` names (`Drawings.as_text`).

    `text` and `html_text` are the text of its two parts, by which takmail recognises quotes from the letter.
    `html_text` is None if there is no HTML part. Once `raw` is deleted, `sha256` is its hash in hexadecimal, without
    the pictures. If `purge_after_send` is true, the letter names an erased player, and its content is deleted once it
    is sent or has failed.

    `version` is the game's version that the letter shows, and `turn` is the last turn on its board. `reported_turn` is
    the turn that the letter reports, or None if it reports anything but one turn and chat. `mail_id` is the mail
    that led to the letter.

    `mail_from` is the address for bounces, or ''. `attempts` counts the times that the server asked to retry later.
    `due_at` is the time of the next attempt, or the end of the lease while a process has claimed the letter. It stays
    when the letter is sent, and so tells when it left. Of due
    letters, those with the lowest `delivery_class` leave first (`DeliveryClass`). `budget` is the budget of letters to
    strangers in which it counts, or None.
    `claimed_by` is the process that claimed it last, or ''. `error` is the reason of the last failed attempt, or ''.
    `returned_at` is when the letter first came back, or None. `told_by` is the number of the digest that tells what
    this letter tells, or None.
    """

    __table_args__ = (
        Index("ix_outbox_seat", "game_id", "seat", "id"),
        Index("ix_outbox_turn", "game_id", "seat", "turn", "id"),
        # The order of delivery.
        Index("ix_outbox_due", "state", "delivery_class", "due_at"),
        # Few letters have a budget, so a partial index costs the others nothing.
        Index("ix_outbox_budget", "budget", "due_at", sqlite_where=HAS_BUDGET),
        Index("ix_outbox_reader", "mail_to", "state", "id"),
        # All that rate limits count by.
        Index("ix_outbox_purpose", "mail_to", "purpose", "created_at", "game_id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    message_id: str = Field(unique=True, sa_type=NAME)
    game_id: int | None = Field(default=None, foreign_key="game.id")
    seat: int | None = Field(default=None, sa_type=SEAT)
    version: int | None = None
    turn: int | None = None
    reported_turn: int | None = None
    mail_from: str = Field(sa_type=ADDRESS)
    mail_to: str = Field(sa_type=ADDRESS)
    raw: bytes = Field(sa_type=MAIL)
    drawings: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": text("''")})
    sha256: str | None = Field(default=None, sa_type=HASH)
    purge_after_send: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    text: str = Field(sa_type=Text)
    html_text: str | None = Field(default=None, sa_type=Text)
    purpose: LetterPurpose = Field(
        default=LetterPurpose.NOTHING,
        sa_type=OneOf(LetterPurpose),
        sa_column_kwargs={"server_default": "nothing"},
    )
    state: LetterState = Field(default=LetterState.QUEUED, sa_type=OneOf(LetterState))
    delivery_class: int = Field(
        default=DeliveryClass.GAMES, sa_type=SmallInteger, sa_column_kwargs={"server_default": "0"}
    )
    attempts: int = 0
    claimed_by: str = Field(default="", sa_type=NAME)
    due_at: datetime = Field(sa_type=Moment)
    created_at: datetime = Field(sa_type=Moment)
    error: str = Field(default="", sa_type=Note)
    returned_at: datetime | None = Field(default=None, sa_type=Moment)
    told_by: int | None = None
    mail_id: int | None = Field(default=None, foreign_key="inbox.id")
    budget: StrangerBudget | None = Field(default=None, sa_type=OneOf(StrangerBudget))


class LeaseRow(TableRow, table=True):
    """A lease on a task, or the lease that shows that a process is running.

    `expires_at` is a time of the database's clock. `key_id` is the id of the key that a running process uses, and
    `outages` are its tasks that have stopped, as JSON, or None if none has (`takmail.store.leases`).
    """

    name: str = Field(primary_key=True, sa_type=NAME)
    holder: str = Field(sa_type=NAME)
    expires_at: datetime = Field(sa_type=Moment)
    key_id: str | None = Field(default=None, sa_type=WORD)
    outages: str | None = Field(default=None, sa_type=Text)


class MachineTimeRow(TableRow, table=True):
    """The only row (`id` is 1) tells how far the machine's clock is believed (`takmail.store.machine_time`).

    `known_at` is the last time that is known. `read_at` is what the clock showed last, and `stood_seconds` is for how
    long processes have run since the clock last leapt or its time became known. `well_at` is when takmail last could
    read mails and send letters, or None.
    """

    __tablename__ = "clock"  # that of the machine; players have others

    id: int = Field(default=1, primary_key=True)
    known_at: datetime = Field(sa_type=Moment)
    read_at: datetime = Field(sa_type=Moment)
    stood_seconds: float = 0
    well_at: datetime | None = Field(default=None, sa_type=Moment)


class OutageRow(TableRow, table=True):
    """A time in which takmail could not read mails or send letters. No player's clock ran."""

    id: int | None = Field(default=None, primary_key=True)
    began_at: datetime = Field(sa_type=Moment)
    ended_at: datetime = Field(sa_type=Moment, index=True)


class DueRow(TableRow, table=True):
    """Something that is to be done at `due_at`, such as a reminder.

    `work` names what, and `subject` is the number of what it is about: of a game, of a player for a digest, or of a
    mail whose parts are to be answered. That of a tournament's step is the player who is to be told. It is 0 for
    ratings.
    `claimed_by` is the process that has claimed the row, or '', and `due_at` is then the end of its lease. `attempts`
    counts the claims that led to nothing.
    """

    __table_args__ = (Index("ix_due_due_at", "due_at"),)

    subject: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    work: str = Field(primary_key=True, sa_type=WORD)
    due_at: datetime = Field(sa_type=Moment)
    claimed_by: str = Field(default="", sa_type=NAME, sa_column_kwargs={"server_default": text("''")})
    attempts: int = Field(default=0, sa_column_kwargs={"server_default": "0"})


class WatermarkRow(TableRow, table=True):
    """The highest UID (`uid`) in a mailbox before takmail's first start. takmail ignores mails up to this UID.

    `last_contact_at` is when the mailbox's server last answered, to about a minute, or None if it never has.
    """

    mailbox: str = Field(primary_key=True, sa_type=NAME)
    uid_validity: int = Field(sa_type=BigInteger)
    uid: int = Field(sa_type=BigInteger)
    first_started_at: datetime = Field(sa_type=Moment)
    last_contact_at: datetime | None = Field(default=None, sa_type=Moment)


class MarkerRow(TableRow, table=True):
    """The only row (`id` is 1) tells which marker in the mailbox is this database's (`takmail.mail.marker`).

    `database`, `generation`, `token` and `previous` are an `Ownership`. `place` is where the database was when its
    service last took the mailbox over (`takmail.store.marker.place`). `is_taken` is true once the marker of this
    generation is in the mailbox. If `takes_over` is true, the operator says that the service may take the mailbox over,
    whosever its marker is.

    `stopped` is why the service may not read the mailbox, since `stopped_at`, or ''. `unmarked` is why the mailbox has
    no marker, such as a refusal of the server, or ''.
    """

    id: int = Field(default=1, primary_key=True)
    database: str = Field(default="", sa_type=WORD, sa_column_kwargs={"server_default": text("''")})
    generation: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    token: str = Field(default="", sa_type=WORD, sa_column_kwargs={"server_default": text("''")})
    previous: str = Field(default="", sa_type=WORD, sa_column_kwargs={"server_default": text("''")})
    place: str = Field(default="", sa_type=NAME, sa_column_kwargs={"server_default": text("''")})
    is_taken: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    takes_over: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    stopped: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": text("''")})
    stopped_at: datetime | None = Field(default=None, sa_type=Moment)
    unmarked: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": text("''")})
