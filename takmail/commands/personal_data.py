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
    """The newest rows of a kind, by number, oldest first. `older` is the number of rows before them."""

    rows: Sequence[One]
    older: int


@dataclass(frozen=True, slots=True)
class StoredMail:
    """A mail or a letter. `head` is its first 8,192 bytes, empty if they are deleted; only the Subject is read.

    `state` is its final state. `size` is the size of a mail in bytes. `game` is the game of a letter.
    """

    at: datetime
    state: str
    head: bytes
    size: int | None = None
    game: int | None = None


Row = Mapping[str, object]
"""A row as `mydata` shows it: column names and values, in order.

Times are datetimes. Typed text is under one of the names in `TYPED`, as stored. It is shown without tokens and
addresses.
"""
TYPED = ("words", "reason", "why")
"""Columns with typed text. It is shown without tokens, and with addresses shortened."""


@dataclass(frozen=True, slots=True)
class PersonalData:
    """The stored data about a player by kind, without the changes of the current cause.

    * `games` are those in which the player has a seat, in any standing
    * `opponents` are the names of the other players
    * `questions` are those to one of the player's addresses, or about an address that they want to add
    * `blocks` are the names of blocked players, by number, with the time of the block
    * `mails` are those from the player's addresses
    * `letters` are those to an address or a seat of the player

    Rows of the player's own seats, with their columns:

    * `turns`: game, turn, at, you_wrote
    * `taken_back`: game, turn, at, taken_back, given_up_by, you_wrote
    * `chat`: game, at, passed_on (a letter delivered it), words
    * `offers`: game, offer (its kind), after_turn, back_to_turn, board, at, ended (including ended offers)
    * `boards_shown`: game, after_turn, at, you_wrote
    * `disputes`: game, turn, at, ended (a time), reason
    * `questions_in_games`: questions to one of the seats

    Both kinds of questions include replaced ones.

    `log` has the columns game, at, done, why. It holds decisions about the player and their games, but not those
    about another player. `why` is '' for a frozen game: it is for the operator only, as it may quote the opponent.
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
