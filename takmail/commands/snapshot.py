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
"""The sender's mailbox in the snapshot of a cause that is not a mail."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Something that starts work.

    * `name` is unique and permanent, such as `mail 12`
    * `mail` is the number of the mail, None if the cause is not a mail
    * `is_from_person`: the operator confirmed that a person wrote the mail, although it looks generated
    """

    name: str
    mail: int | None = None
    is_from_person: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """The games, players and questions after all events so far.

    * `players` and `games` are those that were loaded or created
    * `seeks` and `closed_seeks` are the seeks that this cause opened or closed
    * `blocks` tells whether one player blocks another, for the pairs where this has changed since loading
    * `pending` are the open questions that the mail may answer
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
        """Return a game that is loaded and not corrupt."""
        game = self.games[number]
        assert isinstance(game, Table)
        return game


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All data that a cause needs, loaded at once.

    * `now` is the time of the cause, which is read only once
    * `seed` is the only source of randomness
    * `state` contains the sender, the games that the mail may be about, and their players
    * `sender` is the sender's mailbox, even if it belongs to no player, and `player` is its owner
    * `answered` is the newest letter of takmail that the mail answers
    * `known_letters` are the letters named in the mail that are stored
    * `was_notified_of_costly`: within the last day, the player was notified that a mail was too expensive to read
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
