"""A cause, and the Snapshot that it is decided on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from takmail.commands.game.table import Corrupt, Table
from takmail.commands.records import (
    GameNumber,
    Mailbox,
    MessageId,
    Player,
    PlayerId,
    Question,
    Seek,
    SeekNumber,
    SentLetter,
)
from takmail.games.readonly import read_only

NO_MAILBOX = Mailbox("")
"""The mailbox that stands for the sender of a cause that is no mail."""


@dataclass(frozen=True, slots=True)
class Cause:
    """What sets things off: `name` is its own for ever, as `mail 12`; `mail` is the mail's number, if it is one.

    `is_persons`: the operator says that a person wrote the mail, whatever looks like a machine's.
    """

    name: str
    mail: int | None = None
    is_persons: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """Games, players and questions as they are after all events so far.

    `players` and `games` are those that were loaded or made. `seeks` are those that this cause has opened, and
    `closed_seeks` those that it has closed. `blocks` are who blocks whom since. `pending` are the open questions that
    the mail may be about.
    """

    players: Mapping[PlayerId, Player] = field(default_factory=dict)
    games: Mapping[GameNumber, Table | Corrupt] = field(default_factory=dict)
    seeks: Mapping[SeekNumber, Seek] = field(default_factory=dict)
    closed_seeks: frozenset[SeekNumber] = frozenset()
    blocks: Mapping[tuple[PlayerId, PlayerId], bool] = field(default_factory=dict)
    pending: tuple[Question, ...] = ()

    def __post_init__(self) -> None:
        read_only(self, "players", "games", "seeks", "blocks")

    def table(self, number: GameNumber) -> Table:
        """A game that is known, and not corrupt."""
        found = self.games[number]
        assert isinstance(found, Table)
        return found


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that one cause can need, loaded at once; `now` is read once, and all chance comes from `seed`.

    `state` has the sender, the games that the mail may be about and their players. `sender` is the sender's mailbox,
    be they anybody's or not; `player` is whose it is. `answered` is the newest letter of ours that the mail answers,
    and `known_letters` are those of the letters that it names which are stored.
    `was_told_of_costly`: the player has heard within a day of a mail that took too much to read.
    """

    cause: Cause
    now: datetime
    seed: bytes
    state: State
    sender: Mailbox = NO_MAILBOX
    player: Player | None = None
    answered: SentLetter | None = None
    known_letters: frozenset[MessageId] = frozenset()
    was_told_of_costly: bool = False
