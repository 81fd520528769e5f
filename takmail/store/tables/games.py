"""The tables of games, turns, questions and chat messages."""

from datetime import datetime

from sqlalchemy import Index, Text, false, text
from sqlmodel import Field, SQLModel

from takmail.commands.kinds import OfferEnd, OfferKind, QuestionKind, Ruling, Standing
from takmail.store.tables.column_types import ADDRESS, HASH, NAME, WORD, Moment

NOT_DECLINED = text("standing <> 'declined'")


class GameRow(SQLModel, table=True):
    """A game. `kind` is its name in the registry; `setup` is canonical; `subject` never changes.

    Each event raises `version`, and an update requires the version before. Numbers are never reused, as letters show
    them.

    `days` is the agreed time for a turn, if any. `guest_label` is the host's name for the guest until the guest
    accepts, so that the host doesn't learn whether an address is known. `invited_at` is when the invitation was
    written; None: it waits until the guest has answered another one. `rematch_of` is the finished game that this one
    continues, if a command in that game began it. It is unique except for declined games. `is_relay`: takmail passes
    on moves without checking them.

    After the end, `winner` is the winning seat, or None for a draw. The points are those of both seats, or None if
    the turns don't end the game. They are valid while `score_digest` is the digest of all that they depend on.
    """

    __tablename__ = "game"
    __table_args__ = (
        Index(
            "ix_game_rematch_of",
            "rematch_of",
            unique=True,
            sqlite_where=NOT_DECLINED,
            postgresql_where=NOT_DECLINED,
        ),
        {"sqlite_autoincrement": True},
    )

    id: int | None = Field(default=None, primary_key=True)
    version: int
    kind: str = Field(sa_type=WORD)
    setup: str = Field(sa_type=Text)
    subject: str = Field(sa_type=Text)
    standing: Standing = Field(index=True, sa_type=WORD)
    invited_by: int = Field(foreign_key="player.id")
    resigned: int | None = None
    ruling: Ruling | None = Field(default=None, sa_type=WORD)
    score: str | None = Field(default=None, sa_type=WORD)
    days: int | None = None
    rematch_of: int | None = None
    guest_label: str | None = Field(default=None, sa_type=NAME)
    is_relay: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    invited_at: datetime | None = Field(default=None, sa_type=Moment)
    score_digest: str | None = Field(default=None, sa_type=HASH)
    winner: int | None = None
    first_points: int | None = None
    second_points: int | None = None
    created_at: datetime = Field(sa_type=Moment)


class SeatRow(SQLModel, table=True):
    """A player at a seat. Seat 0 begins.

    `asks_board`: they have asked for the opponent's board, and the opponent has not written since.
    """

    __tablename__ = "seat"

    game_id: int = Field(foreign_key="game.id", primary_key=True)
    seat: int = Field(primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    asks_board: bool = Field(default=False, sa_column_kwargs={"server_default": false()})


class TurnRow(SQLModel, table=True):
    """A played turn: `text` in canonical form, `written` as the player wrote it.

    `version` is the game's version after it. `is_agreed`: it is no move but a board from which both players agreed to
    continue; `seat` proposed it. `checksum` is that of the position after it, or None if none was stored.
    """

    __tablename__ = "turn"

    game_id: int = Field(foreign_key="game.id", primary_key=True)
    number: int = Field(primary_key=True)
    version: int
    seat: int
    text: str = Field(sa_type=Text)
    written: str = Field(sa_type=Text)
    is_agreed: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    checksum: str | None = Field(default=None, sa_type=WORD)
    played_at: datetime = Field(sa_type=Moment)
    mail_id: int | None = Field(default=None, foreign_key="inbox.id", index=True)


class TakenBackRow(SQLModel, table=True):
    """A turn that was taken back.

    Turns that were given up together form one `branch` of the game, counted from 1; `how` is the offer that did it.
    `version` is the game's version that played the turn, and `ended_version` the one that gave it up.
    """

    __tablename__ = "taken_back"

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    number: int
    seat: int
    text: str = Field(sa_type=Text)
    written: str = Field(sa_type=Text)
    is_agreed: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    branch: int = Field(sa_column_kwargs={"server_default": "1"})
    how: OfferKind = Field(default=OfferKind.UNDO, sa_type=WORD, sa_column_kwargs={"server_default": "undo"})
    played_at: datetime = Field(sa_type=Moment)
    taken_back_at: datetime = Field(sa_type=Moment)
    version: int
    ended_version: int


class OperatorLogRow(SQLModel, table=True):
    """An action on a game or player that is not a turn: by whom, and why.

    `fault` is the digest of the fault for which a game was frozen. None: the row is older than this column.
    """

    __tablename__ = "operator_log"

    id: int | None = Field(default=None, primary_key=True)
    game_id: int | None = Field(default=None, foreign_key="game.id", index=True)
    player_id: int | None = Field(default=None, foreign_key="player.id", index=True)
    at: datetime = Field(sa_type=Moment)
    who: str = Field(sa_type=NAME)
    what: str = Field(sa_type=Text)
    why: str = Field(default="", sa_type=Text)
    fault: str | None = Field(default=None, sa_type=WORD)


class ChatRow(SQLModel, table=True):
    """A chat message to the opponent. `letter_id` is the letter that contains it, or None while it waits.

    `version` is the game's version after it. `is_postponed`: that letter contains only chat and was postponed. While it
    waits, any other letter takes the message over.
    """

    __tablename__ = "chat"

    game_id: int = Field(foreign_key="game.id", primary_key=True)
    version: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    seat: int
    words: str = Field(sa_type=Text)
    said_at: datetime = Field(sa_type=Moment)
    letter_id: int | None = Field(default=None, foreign_key="outbox.id", index=True)
    is_postponed: bool = Field(default=False, sa_column_kwargs={"server_default": false()})


class QuestionRow(SQLModel, table=True):
    """An open question: `yes` to the letter that asks it runs `words`, or does what `kind` says.

    It is asked of a seat (`game_id` and `seat`) or of an `address`, whose owner may be unknown. `version` and `turn`
    are the game's version and last turn that the author of the words had seen. `player_id` is the player who claims
    the address, if that is the question. `is_replaced`: newer questions have replaced it and it no longer counts, but
    a `yes` to its letter is still accepted.
    """

    __tablename__ = "question"

    __table_args__ = (Index("ix_question_seat", "game_id", "seat"),)

    id: int | None = Field(default=None, primary_key=True)
    kind: QuestionKind = Field(sa_type=WORD)
    game_id: int | None = Field(default=None, foreign_key="game.id")
    seat: int | None = None
    version: int | None = None
    turn: int | None = None
    address: str | None = Field(default=None, index=True, sa_type=ADDRESS)
    player_id: int | None = Field(default=None, foreign_key="player.id")
    words: str = Field(default="", sa_type=Text)
    letter_id: int | None = Field(default=None, foreign_key="outbox.id")
    asked_at: datetime = Field(sa_type=Moment)
    is_replaced: bool = Field(default=False, sa_column_kwargs={"server_default": false()})


class OfferRow(SQLModel, table=True):
    """An offer of a seat to the other one, made after turn `turn` by the game's version `version`.

    `target` is the turn to go back to, and `board` the turn that sets the board to continue from, if that is offered.
    `ended` is how it ended, by version `ended_version`; both are None while it is open.
    """

    __tablename__ = "offer"

    game_id: int = Field(foreign_key="game.id", primary_key=True)
    version: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    seat: int
    kind: OfferKind = Field(sa_type=WORD)
    turn: int
    target: int | None = None
    board: str | None = Field(default=None, sa_type=Text)
    offered_at: datetime = Field(sa_type=Moment)
    ended: OfferEnd | None = Field(default=None, sa_type=WORD)
    ended_version: int | None = None


class DisputeRow(SQLModel, table=True):
    """A turn that a seat calls invalid, with the reason, since the game's version `version`.

    `ended_at` is when the game went on, by version `ended_version`, if it has.
    """

    __tablename__ = "dispute"

    game_id: int = Field(foreign_key="game.id", primary_key=True)
    version: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    seat: int
    turn: int
    reason: str = Field(sa_type=Text)
    opened_at: datetime = Field(sa_type=Moment)
    ended_at: datetime | None = Field(default=None, sa_type=Moment)
    ended_version: int | None = None


class ShownBoardRow(SQLModel, table=True):
    """The board that a seat showed last, as one line of the game's notation, after turn `turn`."""

    __tablename__ = "shown_board"

    game_id: int = Field(foreign_key="game.id", primary_key=True)
    seat: int = Field(primary_key=True)
    board: str = Field(sa_type=Text)
    turn: int
    shown_at: datetime = Field(sa_type=Moment)
