"""The tables of players, addresses, blocks, seeks and erasures."""

from datetime import datetime

from sqlalchemy import Text, false
from sqlmodel import Field, SQLModel

from takmail.commands.kinds import LetterView, PlayerKind
from takmail.store.tables.column_types import ADDRESS, NAME, WORD, Moment


class PlayerRow(SQLModel, table=True):
    """A person or an engine. Addresses are in `AddressRow`. Numbers are never reused, as letters and logs show them.

    `kind` is `gone` after the player has left for good.

    `skeleton` is shared by all names that look alike; None if the name is not registered. `is_blocked`: the operator
    lets none of their commands run. `letter_view` is the format of their letters, or None for the default.
    `invitations_wait`: an invitation to them has to wait. `data_sent_at` is when they last received their personal
    data, or None.
    """

    __tablename__ = "player"

    __table_args__ = {"sqlite_autoincrement": True}

    id: int | None = Field(default=None, primary_key=True)
    kind: PlayerKind = Field(
        default=PlayerKind.PERSON, sa_type=WORD, sa_column_kwargs={"server_default": "person"}
    )
    name: str = Field(sa_type=NAME)
    skeleton: str | None = Field(default=None, unique=True, index=True, sa_type=NAME)
    is_blocked: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    letter_view: LetterView | None = Field(default=None, sa_type=WORD)
    invitations_wait: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    data_sent_at: datetime | None = Field(default=None, sa_type=Moment)
    created_at: datetime = Field(sa_type=Moment)


class ErasureRow(SQLModel, table=True):
    """A pending erasure: mails and letters up to these numbers are still to be searched, the newest first.

    `addresses` and `names` identify the player, one a line, and `label` replaces the name. Both are '' once only the
    gaps in the database's file may hold remains.
    """

    __tablename__ = "erasure"

    id: int | None = Field(default=None, primary_key=True)
    addresses: str = Field(sa_type=Text)
    names: str = Field(sa_type=Text)
    label: str = Field(sa_type=NAME)
    mails: int
    letters: int


class AddressRow(SQLModel, table=True):
    """A normalised mail address and its owner. `bounces` counts returned letters since the owner last wrote.

    `verified_at` is when the owner last verifiably wrote from it, or None. `stopped_at` is when they asked for no more
    mail; since then only their own mails are answered.
    """

    __tablename__ = "address"

    address: str = Field(primary_key=True, sa_type=ADDRESS)
    player_id: int = Field(foreign_key="player.id", index=True)
    bounces: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    verified_at: datetime | None = Field(default=None, sa_type=Moment)
    stopped_at: datetime | None = Field(default=None, sa_type=Moment)


class BlockRow(SQLModel, table=True):
    """A player who wants no contact with another one."""

    __tablename__ = "block"

    player_id: int = Field(foreign_key="player.id", primary_key=True)
    blocked_id: int = Field(foreign_key="player.id", primary_key=True, index=True)
    blocked_at: datetime = Field(sa_type=Moment)


class SeekRow(SQLModel, table=True):
    """A seek: a game that anybody may join. `setup`, `first`, `days` and `is_relay` are as in `new`.

    Numbers are never reused, as a late `join` must not begin another game.
    """

    __tablename__ = "seek"

    __table_args__ = {"sqlite_autoincrement": True}

    id: int | None = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    kind: str = Field(sa_type=WORD)
    setup: str = Field(sa_type=Text)
    first: str | None = Field(default=None, sa_type=WORD)
    days: int | None = None
    is_relay: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    sought_at: datetime = Field(sa_type=Moment)
