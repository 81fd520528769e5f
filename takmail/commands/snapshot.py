"""A cause, and the Snapshot that it is decided on."""

from dataclasses import dataclass
from datetime import datetime

from takmail.commands.records import Mailbox, MessageId, Player, SentLetter
from takmail.commands.state import State

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
