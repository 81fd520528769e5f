"""The tables of people: who they are, where they read, and what they seek."""

from datetime import datetime

from sqlalchemy import Text, false
from sqlmodel import Field, SQLModel

from takmail.commands.kinds import LetterView, PlayerKind
from takmail.store.tables.column_types import ADDRESS, NAME, WORD, Moment


class PlayerRow(SQLModel, table=True):
    """A person or an engine; their addresses are in `Address`. No number is given twice: letters and logs show it.

    `kind` is `gone` once they have left for good.

    `skeleton` is what all names that look like this one share; None where the name is nobody's own.
    `is_blocked`: the operator wants nothing of theirs carried out. `letter_view`: what their letters are to be made
    of, None: they have not said. `has_to_be_asked`: an invitation of theirs has not been written, as it has to wait.
    `data_sent_at` is when they last got all that is held about them, None: never.
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
    has_to_be_asked: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    data_sent_at: datetime | None = Field(default=None, sa_type=Moment)
    created_at: datetime = Field(sa_type=Moment)


class ErasureRow(SQLModel, table=True):
    """Where somebody who has left may still be named: in the mails and letters up to these numbers, the newest first.

    `addresses` and `names` are what leads to them, one a line, and `label` is what they are called since. Both are
    '' once nothing is left of them but what may stand in the gaps of the database's file.
    """

    __tablename__ = "forgetting"

    id: int | None = Field(default=None, primary_key=True)
    addresses: str = Field(sa_type=Text)
    names: str = Field(sa_type=Text)
    label: str = Field(sa_type=NAME)
    mails: int
    letters: int


class AddressRow(SQLModel, table=True):
    """A mail address, in normal form, and whose it is; `bounces` are the letters that came back since they wrote.

    `heard_at` is when its owner last surely wrote from it, None: never. `stopped_at` is when they asked for no more
    mail; only what they write themselves is answered since.
    """

    __tablename__ = "address"

    address: str = Field(primary_key=True, sa_type=ADDRESS)
    player_id: int = Field(foreign_key="player.id", index=True)
    bounces: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    heard_at: datetime | None = Field(default=None, sa_type=Moment)
    stopped_at: datetime | None = Field(default=None, sa_type=Moment)


class BlockRow(SQLModel, table=True):
    """A player who wants to hear nothing more of another one."""

    __tablename__ = "block"

    player_id: int = Field(foreign_key="player.id", primary_key=True)
    blocked_id: int = Field(foreign_key="player.id", primary_key=True, index=True)
    since: datetime = Field(sa_type=Moment)


class SeekRow(SQLModel, table=True):
    """A game that waits for anybody to join; `setup`, `first`, `days` and `is_relay` as in `new`.

    No number is given twice: a `join` that comes late must not begin another game.
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
