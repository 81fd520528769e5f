"""Define a cause and the snapshot of stored data on which it is decided."""

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
"""The sender's mailbox of a cause that is not a mail."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Something that takmail reacts to. `name` is unique and permanent, such as `mail 12`; `mail` is a mail's number.

    `is_from_person`: the operator confirmed that a person wrote the mail, even if it looks generated.
    """

    name: str
    mail: int | None = None
    is_from_person: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """Games, players and questions after all events so far.

    * `players` and `games` hold those that were loaded or created
    * `seeks` are the seeks that this cause opened, and `closed_seeks` those that it closed
    * `blocks` holds the blocks that changed since loading
    * `pending` are the open questions that the mail may be about
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
        """Return a loaded game that is not corrupt."""
        found = self.games[number]
        assert isinstance(found, Table)
        return found


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All data that a cause needs, loaded at once. `now` is read once, and `seed` is the only source of randomness.

    * `state` holds the sender, the games that the mail may be about, and their players
    * `sender` is the sender's mailbox, even if it belongs to no player; `player` is its owner
    * `answered` is the newest letter of takmail that the mail answers
    * `known_letters` are the stored ones among the letters that the mail names
    * `was_notified_of_costly`: within the last day the player was notified of a mail that was too expensive to read
    """

    cause: Cause
    now: datetime
    seed: bytes
    state: State
    sender: Mailbox = NO_MAILBOX
    player: Player | None = None
    answered: SentLetter | None = None
    known_letters: frozenset[MessageId] = frozenset()
    was_notified_of_costly: bool = False
