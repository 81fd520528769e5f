"""The tables of players, addresses, blocks and seeks."""

from datetime import datetime

from sqlalchemy import Text, false, text
from sqlmodel import Field

from takmail.store.tables.column_types import ADDRESS, HASH, NAME, WORD, Moment, OneOf, TableRow, TimesOff
from takmail.world import First, LetterView, PlayerKind, TimeOff


class PlayerRow(TableRow, table=True):
    """A person, an engine or an erased player. Their number (`id`) is never reused, as letters and logs show it.

    `skeleton` is the form of the name in which look-alike names are equal, or None if the name is not registered. It is
    `#` and the number if the name looked like that of an older player at an upgrade. If `is_blocked` is true, the
    operator has blocked the player, and none of their commands runs. `language` and `letter_view` are the language and
    the format of the player's letters, or None for the default. If `wants_no_receipts` is true, the player gets no
    answer to a mail that is only a move. If `reads_ptn` is true, the player writes moves of Tak in PTN. `zone` is the
    player's time zone: a name such as `Europe/Berlin` that they chose, or the offset of their last mail. If
    `wants_no_reminders` is true, no letter reminds the player. If `announces_holidays` is true, no holidays are taken
    for them. `digest` says when the letters about turns come together (`takmail.world.digests`), or is None if each
    comes by itself. If `hears_of_tournaments` is true, a letter tells the player of each new one. `rating_seen_by` is
    `all` or `nobody`, or None if those may see the player's ratings who have played them. `time_off` are the intervals
    in which their clocks stand. `invitations_wait` is true while an invitation to the player waits to be
    written. `data_sent_at` is when the player last received their personal data, or None.
    """

    __table_args__ = ({"sqlite_autoincrement": True},)

    id: int | None = Field(default=None, primary_key=True)
    kind: PlayerKind = Field(
        default=PlayerKind.PERSON, sa_type=OneOf(PlayerKind), sa_column_kwargs={"server_default": "person"}
    )
    name: str = Field(sa_type=NAME)
    skeleton: str | None = Field(default=None, unique=True, index=True, sa_type=NAME)
    is_blocked: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    language: str | None = Field(default=None, sa_type=WORD)
    letter_view: LetterView | None = Field(default=None, sa_type=OneOf(LetterView))
    wants_no_receipts: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    reads_ptn: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    zone: str | None = Field(default=None, sa_type=NAME)
    wants_no_reminders: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    announces_holidays: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    digest: str | None = Field(default=None, sa_type=WORD)
    hears_of_tournaments: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    rating_seen_by: str | None = Field(default=None, sa_type=WORD)
    time_off: tuple[TimeOff, ...] = Field(
        default=(), sa_type=TimesOff, sa_column_kwargs={"server_default": text("''")}
    )
    invitations_wait: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    data_sent_at: datetime | None = Field(default=None, sa_type=Moment)
    created_at: datetime = Field(sa_type=Moment)


class LastTextColumns(TableRow):
    """The last text from an address, as `LastText` describes it. The columns are empty after an order."""

    last_text: str = Field(default="", sa_type=WORD, sa_column_kwargs={"server_default": text("''")})
    last_frame: str = Field(default="", sa_type=WORD, sa_column_kwargs={"server_default": text("''")})
    similar_texts: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    texts_in_a_row: int = Field(default=0, sa_column_kwargs={"server_default": "0"})


class AddressRow(LastTextColumns, table=True):
    """A normalised mail address and the player who owns it.

    `bounces` counts the letters to the address that came back since the owner last wrote. `verified_at` is when the
    owner last verifiably wrote from the address, or None. `stopped_at` is when the owner asked for no more mail, or
    None. After that, takmail writes to the address only in answer to the owner's mails. `token_number` is the number of
    the personal token that proves the address now.
    If `is_unsigned` is true, the owner has confirmed that mails from the address come without a valid signature.
    `added_at` is when the player added the address, or None for the first one.
    """

    address: str = Field(primary_key=True, sa_type=ADDRESS)
    player_id: int = Field(foreign_key="player.id", index=True)
    bounces: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    verified_at: datetime | None = Field(default=None, sa_type=Moment)
    stopped_at: datetime | None = Field(default=None, sa_type=Moment)
    token_number: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    is_unsigned: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    added_at: datetime | None = Field(default=None, sa_type=Moment)


class RememberedAddressRow(LastTextColumns, table=True):
    """What is remembered of an address that belongs to no player. Only its `digest` is stored (`SeatKey.marks`).

    Either its owner last verifiably wrote at `verified_at`, or has left for good at `left_at`.
    """

    digest: str = Field(primary_key=True, sa_type=HASH)
    verified_at: datetime | None = Field(default=None, sa_type=Moment)
    left_at: datetime | None = Field(default=None, sa_type=Moment)


class BlockRow(TableRow, table=True):
    """A block: `player_id` wants no contact with `blocked_id`."""

    player_id: int = Field(foreign_key="player.id", primary_key=True)
    blocked_id: int = Field(foreign_key="player.id", primary_key=True, index=True)
    blocked_at: datetime = Field(sa_type=Moment)


class BlockedDomainRow(TableRow, table=True):
    """A domain from which the operator takes no mail, its subdomains included. `why` is the reason for its players."""

    domain: str = Field(primary_key=True, sa_type=NAME)
    why: str = Field(sa_type=Text)
    blocked_at: datetime = Field(sa_type=Moment)


class SeekRow(TableRow, table=True):
    """A seek, with the options of its game as in the command `new`.

    The number (`id`) is never reused, so that a late `join` can't begin the wrong game.
    """

    __table_args__ = ({"sqlite_autoincrement": True},)

    id: int | None = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    kind: str = Field(sa_type=WORD)
    setup: str = Field(sa_type=Text)
    first: First | None = Field(default=None, sa_type=OneOf(First))
    pace: str | None = Field(default=None, sa_type=NAME)
    is_strict: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    is_relay: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    sought_at: datetime = Field(sa_type=Moment)
    is_unrated: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
