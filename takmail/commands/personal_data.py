"""All that is held about one player, as it is loaded for `mydata`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

from takmail.commands.records import GameRecord, PlayerId, Question, Seek
from takmail.games.readonly import read_only

One = TypeVar("One", covariant=True)


@dataclass(frozen=True, slots=True)
class Newest(Generic[One]):
    """The newest of some rows, by number, oldest first; `older` is how many more there are."""

    rows: Sequence[One]
    older: int


@dataclass(frozen=True, slots=True)
class StoredMail:
    """A mail or a letter: `head` are its first bytes, none where they are no longer kept.

    8,192 bytes are enough, as only the Subject is read. `state` is where it has ended; `size` is that of a mail in
    bytes, and `game` that of a letter about a game.
    """

    at: datetime
    state: str
    head: bytes
    size: int | None = None
    game: int | None = None


Row = Mapping[str, object]
"""A row by the names under which `mydata` shows its columns, in that order.

A moment is given as a datetime. What somebody has typed stands under one of the names in `TYPED` as it is stored:
it is shown without tokens and addresses.
"""
TYPED = ("words", "reason", "why")
"""Columns whose words are shown without tokens, and of an address in them only the beginning."""


@dataclass(frozen=True, slots=True)
class PersonalData:
    """What is held about a player by its kind, as it was stored before this cause.

    `games` are those that the player sits in, in any standing, and `opponents` are the names of the other players.
    What hangs on the player's own seats (`seat` is theirs, not only `game`):
    `turns`: game, turn, at, you_wrote;
    `taken_back`: game, turn, at, taken_back, given_up_by, you_wrote;
    `chat`: game, at, passed_on (a letter has brought it), words;
    `offers`: game, offer (its kind), after_turn, back_to_turn, board, at, ended (those that have ended, too);
    `boards_shown`: game, after_turn, at, you_wrote;
    `disputes`: game, turn, at, ended (a moment), reason;
    `questions_in_games`: those to a seat of theirs.
    `questions` are those to one of their addresses, or about another address for their sake; those that were replaced
    are among both. `blocks` are names, by the number of their players, and since when.
    `log`: game, at, done, why: what was done to the player, and to games of theirs but for another player's sake. `why`
    is '' for a game that takmail has frozen: it is for the operator alone, as the opponent's words may be in it.
    `mails` are those from their addresses, `letters` those to an address or to a seat of theirs.
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
