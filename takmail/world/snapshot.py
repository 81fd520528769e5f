"""Define a cause and the snapshot of stored data on which it is decided."""

from dataclasses import dataclass, replace
from datetime import datetime

from takmail.world.ids import MessageId
from takmail.world.letters import SentLetter
from takmail.world.players import Mailbox, Player
from takmail.world.queries import Lacks, Queries
from takmail.world.world import World

NO_MAILBOX = Mailbox("")
"""The sender's mailbox in the snapshot of a cause that is not a mail."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Something that starts work.

    * `name` is unique and permanent, such as `mail 12`
    * `mail` is the number of the mail, None if the cause is not a mail
    * `arrived_at` is when the mailbox got the mail, or else when takmail stored it, None if the cause is not a mail
    * `is_from_person`: the operator confirmed that a person wrote the mail, although it looks generated
    """

    name: str
    mail: int | None = None
    is_from_person: bool = False
    arrived_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All data that a cause needs, loaded at once.

    * `now` is the time of the cause, which is read only once
    * `seed` is the only source of randomness
    * `world` contains the sender, the games that the mail may be about, and their players
    * `sender` is the sender's mailbox, even if it belongs to no player, and `player` is its owner
    * `answered` is the newest letter of takmail that the mail answers
    * `known_letters` are the letters named in the mail that are stored
    * `was_notified_of_costly`: within the last day, the player was notified that a mail was too expensive to read
    """

    cause: Cause
    now: datetime
    seed: bytes
    world: World
    sender: Mailbox = NO_MAILBOX
    player: Player | None = None
    answered: SentLetter | None = None
    known_letters: frozenset[MessageId] = frozenset()
    was_notified_of_costly: bool = False

    def with_lookups(self, queries: Queries, lacks: Lacks) -> "Snapshot":
        """Return the snapshot with the results of the lookups that a decision has lacked."""
        world = self.world
        for name, key in lacks.lookups:
            world = world.knowing((name, key), getattr(queries, name)(*key))
        return replace(self, world=world)
