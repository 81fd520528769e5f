"""The tables of games, turns, chat messages and what waits for a word."""

from datetime import datetime

from sqlalchemy import Index, Text, false, text
from sqlmodel import Field

from takmail.store.tables.column_types import ADDRESS, HASH, NAME, SEAT, WORD, Moment, OneOf, TableRow
from takmail.world import PendingEnd, PendingKind, Ruling, Standing, TakenBackBy

NOT_DECLINED = text("standing <> 'declined'")


class GameRow(TableRow, table=True):
    """A game. Its number (`id`) is never reused, because letters show it.

    `kind` names the rules in the registry of games, and `setup` is the start position in canonical form. `subject` is
    the Subject of the game's letters and never changes.

    Each event increments `version`. An update requires that the stored version is the one before the event.

    `pace` is the agreed time for turns as an option of `new`, such as `days=3`, or None. If `is_strict` is true, who
    runs out of time loses. `clock_from` is the number of the last turn before the clock began, or None if no clock
    runs. The current turn's time does not begin before `turn_since`. Reminders and the end of the time are handled up
    to `alarmed_until`. `rested_at` is when the game was put to rest, or None. `hints` are the checksums of the
    positions in which a player has had one. Each change of what the players have prepared in advance increments
    `in_advance_version` and not `version`, and each update of the game requires the version that it has read.

    `guest_label` is the host's name for the guest until the
    guest accepts. It keeps the host from learning whether an address is known to takmail. `invited_at` is when the
    invitation was written. It is None while the invitation waits until the guest has answered another one.
    `tournament_id` is the tournament that has drawn the game, or None.
    `rematch_of` is the number of the finished game in which a command began this game, or None. It is unique among
    games that are not declined. `series` is the match with an end that the game belongs to, or None: the number of its
    first game, and its terms. If `is_relay` is true, takmail passes on moves without checking them.
    If `is_unrated` is true, the game does not count for ratings.

    When the game is over, `winner` is the winning seat, or None for a draw. `first_points` and `second_points` are
    the points of the two seats, or None if the turns do not end the game. All three are valid only while
    `score_digest` equals the digest of the data from which they were computed.
    """

    __table_args__ = (
        Index(
            "ix_game_rematch_of",
            "rematch_of",
            unique=True,
            sqlite_where=NOT_DECLINED,
        ),
        {"sqlite_autoincrement": True},
    )

    id: int | None = Field(default=None, primary_key=True)
    version: int
    kind: str = Field(sa_type=WORD)
    setup: str = Field(sa_type=Text)
    subject: str = Field(sa_type=Text)
    standing: Standing = Field(index=True, sa_type=OneOf(Standing))
    invited_by: int = Field(foreign_key="player.id")
    resigned: int | None = Field(default=None, sa_type=SEAT)
    ruling: Ruling | None = Field(default=None, sa_type=OneOf(Ruling))
    score: str | None = Field(default=None, sa_type=WORD)
    pace: str | None = Field(default=None, sa_type=NAME)
    is_strict: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    clock_from: int | None = None
    turn_since: datetime | None = Field(default=None, sa_type=Moment)
    alarmed_until: datetime | None = Field(default=None, sa_type=Moment)
    rested_at: datetime | None = Field(default=None, sa_type=Moment)
    hints: str = Field(default="", sa_type=NAME, sa_column_kwargs={"server_default": text("''")})
    rematch_of: int | None = None
    in_advance_version: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    series: str | None = Field(default=None, sa_type=NAME)
    guest_label: str | None = Field(default=None, sa_type=NAME)
    is_relay: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    invited_at: datetime | None = Field(default=None, sa_type=Moment)
    tournament_id: int | None = None
    is_unrated: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    score_digest: str | None = Field(default=None, sa_type=HASH)
    winner: int | None = Field(default=None, sa_type=SEAT)
    first_points: int | None = None
    second_points: int | None = None
    created_at: datetime = Field(sa_type=Moment)


class SeatRow(TableRow, table=True):
    """One of the two seats of a game, and its player. Seat 0 begins.

    `asks_board` is true after the player has asked for the opponent's board, until the opponent writes.
    `token_number` is the number of the token that proves the seat now. `bid` is what the player bids for the first
    turn, until the game begins. `gift` is how many seconds the opponent has given for the player's next turn.
    `zone` is the time zone of the player when the clock began, if weekends don't count. `in_advance` are the moves that
    the player has prepared, one branch a line, and nobody else is shown them.
    """

    game_id: int = Field(foreign_key="game.id", primary_key=True)
    seat: int = Field(primary_key=True, sa_type=SEAT)
    player_id: int = Field(foreign_key="player.id", index=True)
    asks_board: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    token_number: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    bid: int | None = None
    gift: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    zone: str | None = Field(default=None, sa_type=NAME)
    in_advance: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": text("''")})


class TurnRow(TableRow, table=True):
    """A turn of a game. `text` is its canonical form, and `written` is what the player wrote.

    `version` is the game's version after the turn. If `is_agreed` is true, the turn is not a move but a board from
    which both players agreed to continue, and `seat` is the seat that proposed it. `checksum` is the checksum of the
    position after the turn, or None if none was stored. `mail_id` is the mail that played the turn.
    `spent` is how many seconds of its player's time the turn took, or None if no clock ran.
    """

    game_id: int = Field(foreign_key="game.id", primary_key=True)
    number: int = Field(primary_key=True)
    version: int
    seat: int = Field(sa_type=SEAT)
    text: str = Field(sa_type=Text)
    written: str = Field(sa_type=Text)
    is_agreed: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    checksum: str | None = Field(default=None, sa_type=WORD)
    played_at: datetime = Field(sa_type=Moment)
    mail_id: int | None = Field(default=None, foreign_key="inbox.id", index=True)
    spent: int | None = None


class TakenBackRow(TableRow, table=True):
    """A turn that was taken back. Columns that a played turn also has are as in `TurnRow`.

    Turns that were taken back together are a run: they have the same `branch`, a number that counts from 1 in each
    game. `how` tells how they were taken back: by the kind of the accepted offer, or by right. `version` is the game's
    version after the turn was played, and `ended_version` its version after the turn was taken back.
    """

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    number: int
    seat: int = Field(sa_type=SEAT)
    text: str = Field(sa_type=Text)
    written: str = Field(sa_type=Text)
    is_agreed: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    branch: int = Field(sa_column_kwargs={"server_default": "1"})
    how: TakenBackBy = Field(
        default=TakenBackBy.UNDO, sa_type=OneOf(TakenBackBy), sa_column_kwargs={"server_default": "undo"}
    )
    played_at: datetime = Field(sa_type=Moment)
    taken_back_at: datetime = Field(sa_type=Moment)
    version: int
    ended_version: int


class OperatorLogRow(TableRow, table=True):
    """A line of the operator's log: who did what to a game or a player, and why.

    `fault` is the digest of the corruption for which the game was frozen. It is None for other actions, and in rows
    that are older than this column.
    """

    id: int | None = Field(default=None, primary_key=True)
    game_id: int | None = Field(default=None, foreign_key="game.id", index=True)
    player_id: int | None = Field(default=None, foreign_key="player.id", index=True)
    at: datetime = Field(sa_type=Moment)
    who: str = Field(sa_type=NAME)
    what: str = Field(sa_type=Text)
    why: str = Field(default="", sa_type=Text)
    fault: str | None = Field(default=None, sa_type=WORD)


class ChatRow(TableRow, table=True):
    """A chat message to the opponent. `letter_id` is the letter that contains it, or None before there is one.

    `version` is the game's version after the message. `is_postponed` is true if that letter contains only chat and
    was postponed. Until a postponed letter is sent, any other letter to the opponent can take over its messages.
    """

    game_id: int = Field(foreign_key="game.id", primary_key=True)
    version: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    seat: int = Field(sa_type=SEAT)
    words: str = Field(sa_type=Text)
    said_at: datetime = Field(sa_type=Moment)
    letter_id: int | None = Field(default=None, foreign_key="outbox.id", index=True)
    is_postponed: bool = Field(default=False, sa_column_kwargs={"server_default": false()})


class PendingRow(TableRow, table=True):
    """Something that waits for a word. `yes` carries out `words`, or does what `kind` says.

    An offer was made by `seat` to the other seat after turn `turn`. `version` is the game's version after it, `target`
    the turn to go back to, and `words` the board to continue from. `ended` is how it ended, and `ended_version` the
    game's version after that. Both are None while it is open.

    A question goes to a seat (`game_id` and `seat`) or to an `address`, whose owner may be unknown. `version` and
    `turn` are the game's version and last turn that the author of `words` had seen. `player_id` is set if the question
    is whether the address belongs to that player. `letter_id` is the letter that asks the question. If `is_replaced`
    is true, a newer question has replaced this one, but `yes` to its letter is still accepted. A question is deleted
    when it is closed.
    """

    __table_args__ = (Index("ix_pending_game", "game_id"),)

    id: int | None = Field(default=None, primary_key=True)
    kind: PendingKind = Field(sa_type=OneOf(PendingKind))
    game_id: int | None = Field(default=None, foreign_key="game.id")
    seat: int | None = Field(default=None, sa_type=SEAT)
    version: int = 0
    turn: int = 0
    target: int | None = None
    words: str = Field(default="", sa_type=Text)
    address: str | None = Field(default=None, index=True, sa_type=ADDRESS)
    player_id: int | None = Field(default=None, foreign_key="player.id", index=True)
    letter_id: int | None = Field(default=None, foreign_key="outbox.id")
    asked_at: datetime = Field(sa_type=Moment)
    is_replaced: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    ended: PendingEnd | None = Field(default=None, sa_type=OneOf(PendingEnd))
    ended_version: int | None = None


class DisputeRow(TableRow, table=True):
    """A claim of `seat` that turn `turn` was invalid. `version` is the game's version after the claim.

    `ended_at` is when a later turn or taking back ended the dispute, and `ended_version` the game's version after
    that. Both are None while the dispute is open.
    """

    game_id: int = Field(foreign_key="game.id", primary_key=True)
    version: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    seat: int = Field(sa_type=SEAT)
    turn: int
    reason: str = Field(sa_type=Text)
    opened_at: datetime = Field(sa_type=Moment)
    ended_at: datetime | None = Field(default=None, sa_type=Moment)
    ended_version: int | None = None


class ShownBoardRow(TableRow, table=True):
    """The last board that a seat sent to its opponent, after turn `turn`, as one line in the game's notation."""

    game_id: int = Field(foreign_key="game.id", primary_key=True)
    seat: int = Field(primary_key=True, sa_type=SEAT)
    board: str = Field(sa_type=Text)
    turn: int
    shown_at: datetime = Field(sa_type=Moment)
