"""The tables of games, and of what is asked and said in them; the turns are the truth."""

from datetime import datetime

from sqlalchemy import Index, Text, false, text
from sqlmodel import Field, SQLModel

from takmail.commands.kinds import OfferEnd, OfferKind, QuestionKind, Ruling, Standing
from takmail.store.tables.column_types import ADDRESS, HASH, NAME, WORD, Moment

NOT_DECLINED = text("standing <> 'declined'")


class GameRow(SQLModel, table=True):
    """A game: `kind` names it in the registry; `setup` is canonical; `subject` stays the same for ever.

    Each event in it raises `version`, and what it changes is changed only while that is still the one before. No
    number is given twice: letters show it.

    `days` are those that a player may think about a turn, if any were agreed on. `guest_label` is what the host calls
    who is invited, until they accept: no host learns from it whether an address is known. `asked_at` is when
    the invitation was written, None: it waits until its reader has answered another one. `rematch_of` is the finished
    game that this one follows on, if it was begun by a word in that one; no two follow on the same, but for declined
    ones. `is_relay`: takmail passes on what is written and checks nothing.

    Once it is over, `winner` is the seat that has won it, None for a draw, and the points are those of the two seats,
    None where its turns don't end it. They hold while `counted` is the digest of all that they follow from.
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
    asked_at: datetime | None = Field(default=None, sa_type=Moment)
    counted: str | None = Field(default=None, sa_type=HASH)
    winner: int | None = None
    first_points: int | None = None
    second_points: int | None = None
    created_at: datetime = Field(sa_type=Moment)


class SeatRow(SQLModel, table=True):
    """Who sits where; seat 0 begins.

    `asks_board`: they have asked for the other one's board, and that one has not written since.
    """

    __tablename__ = "seat"

    game_id: int = Field(foreign_key="game.id", primary_key=True)
    seat: int = Field(primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    asks_board: bool = Field(default=False, sa_column_kwargs={"server_default": false()})


class TurnRow(SQLModel, table=True):
    """A turn that was played: `text` in canonical form, `written` as the player wrote it.

    `version` is the game's by it. `is_agreed`: it is no move, but the board from which both players have agreed to go
    on, `seat` having proposed it. `checksum` is that of the position after it, None where none was kept.
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
    intake_id: int | None = Field(default=None, foreign_key="intake.id", index=True)


class TakenBackRow(SQLModel, table=True):
    """A turn that was played and taken back: the log forgets nothing.

    Those that were given up together are one `branch` of the game, counted from 1; `how` tells by what.
    `version` is the game's by which it was played, and `gone` the one by which it was given up.
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
    gone: int


class LogRow(SQLModel, table=True):
    """What was done to a game or a player that is no turn: by whom, and why.

    `fault` is the digest of the fault for which a game was frozen, None if that was before it was kept.
    """

    __tablename__ = "log"

    id: int | None = Field(default=None, primary_key=True)
    game_id: int | None = Field(default=None, foreign_key="game.id", index=True)
    player_id: int | None = Field(default=None, foreign_key="player.id", index=True)
    at: datetime = Field(sa_type=Moment)
    who: str = Field(sa_type=NAME)
    what: str = Field(sa_type=Text)
    why: str = Field(default="", sa_type=Text)
    fault: str | None = Field(default=None, sa_type=WORD)


class ChatRow(SQLModel, table=True):
    """Words of one player to the other; `letter_id` is the letter that brought them, None while they wait.

    `version` is the game's by which they were said. `is_put_off`: that letter has nothing but words and was put off;
    while it waits, any other letter takes them along.
    """

    __tablename__ = "chat"

    game_id: int = Field(foreign_key="game.id", primary_key=True)
    version: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    seat: int
    words: str = Field(sa_type=Text)
    said_at: datetime = Field(sa_type=Moment)
    letter_id: int | None = Field(default=None, foreign_key="outbox.id", index=True)
    is_put_off: bool = Field(default=False, sa_column_kwargs={"server_default": false()})


class QuestionRow(SQLModel, table=True):
    """A question that is open: `yes` to the letter that asked it runs `words`, or does what `kind` says.

    It is asked of a seat (`game_id` and `seat`) or of an `address`, be its owner known or not. `version` and `turn` are
    the game's version and last turn that whoever wrote the words had seen. `player_id` is whose address it becomes,
    where that is what is asked. `is_replaced`: newer ones have taken its place, and it counts no more; but a `yes` to
    its letter is still one.
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
    """What the player of a seat offers the other one, made after turn `turn` and by the game's version `version`.

    `target` is the turn to go back to, and `board` the turn that sets the board to go on from, where that is offered.
    `ended` is how it has ended, by version `gone`; both are None while it stands.
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
    gone: int | None = None


class DisputeRow(SQLModel, table=True):
    """A turn that the player of a seat holds to be invalid, and why, since the game's version `version`.

    `ended_at` is when the game went on, by version `gone`, if it has.
    """

    __tablename__ = "dispute"

    game_id: int = Field(foreign_key="game.id", primary_key=True)
    version: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    seat: int
    turn: int
    reason: str = Field(sa_type=Text)
    opened_at: datetime = Field(sa_type=Moment)
    ended_at: datetime | None = Field(default=None, sa_type=Moment)
    gone: int | None = None


class ShownBoardRow(SQLModel, table=True):
    """The board that the player of a seat has shown last, in a line of text of the game's, after turn `turn`."""

    __tablename__ = "shown_board"

    game_id: int = Field(foreign_key="game.id", primary_key=True)
    seat: int = Field(primary_key=True)
    board: str = Field(sa_type=Text)
    turn: int
    shown_at: datetime = Field(sa_type=Moment)
