"""Define the data about one player as the store loads it for `mydata`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

from takmail.commands.records import GameRecord, PlayerId, Question, Seek
from takmail.games.readonly import read_only

One = TypeVar("One", covariant=True)


@dataclass(frozen=True, slots=True)
class Newest(Generic[One]):
    """The newest rows of one kind, by number. `older` is the number of rows before them."""

    rows: Sequence[One]
    older: int


@dataclass(frozen=True, slots=True)
class StoredMail:
    """A mail or a letter.

    * `state` is the state of the mail or the letter
    * `head` is its first 8,192 bytes, empty if they are deleted. Only the Subject is read from it.
    * `size` is the size of a mail in bytes, None for a letter
    * `game` is the game of a letter, None if it has none
    """

    at: datetime
    state: str
    head: bytes
    size: int | None = None
    game: int | None = None


Row = Mapping[str, object]
"""A row as `mydata` shows it: column names and values, in order.

Times are datetimes. The columns in `TYPED` contain typed text as stored.
"""
TYPED = ("words", "reason", "why")
"""The columns with typed text. `mydata` shows them without tokens, and with addresses masked."""


@dataclass(frozen=True, slots=True)
class PersonalData:
    """The stored data about a player by kind. Events of the current cause are not included.

    * `games` are the games in which the player has a seat, whatever their standing
    * `opponents` are the names of the other players
    * `questions` are those to an address of the player, or about an address that the player wants to add
    * `blocks` are the names of the players whom the player blocked, by number, with the time
    * `mails` are the mails from the player's addresses
    * `letters` are the letters to an address or a seat of the player

    The following are rows of the player's own seats, with these columns:

    * `turns`: game, turn, at, you_wrote
    * `taken_back`: game, turn, at, taken_back, given_up_by, you_wrote
    * `chat`: game, at, passed_on (whether a letter delivered it), words
    * `offers`: game, offer (its kind), after_turn, back_to_turn, board, at, ended. Ended offers are included.
    * `boards_shown`: game, after_turn, at, you_wrote
    * `disputes`: game, turn, at, ended (a time), reason

    `questions_in_games` are the questions to the player's seats. Both kinds of questions include those that newer ones
    replaced.

    `log` has the columns game, at, done, why. It contains decisions about the player and their games, except those
    about another player. If takmail froze a game, `why` is '': the reason is only for the operator, as it may quote the
    opponent.
    """

    games: Newest[GameRecord]
    opponents: Mapping[PlayerId, str]
    turns: Newest[Row]
    taken_back: Newest[Row]
    chat: Newest[Row]
    offers: Newest[Row]
    boards_shown: Newest[Row]
    disputes: Newest[Row]
    questions_in_games: Newest[Question]
    questions: Newest[Question]
    seeks: Newest[Seek]
    blocks: Sequence[tuple[str, datetime]]
    log: Newest[Row]
    mails: Newest[StoredMail]
    letters: Newest[StoredMail]

    def __post_init__(self) -> None:
        read_only(self, "opponents")
