"""Define what deciding on a cause leads to: an outcome, or a conflict when it is stored."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from takmail.commands.answers import Events
from takmail.commands.game.table import Corrupt, Table
from takmail.commands.kinds import MailState
from takmail.commands.records import GameNumber
from takmail.letters.letter import NewLetter


@dataclass(frozen=True, slots=True)
class Outcome:
    """Everything that a cause leads to. It is stored in one transaction.

    * `games` are the games that were loaded or created, in their state after the cause
    * `state` is the final state of the mail, and `note` the reason for it, for the operator
    * `game` is the game of the mail, and `turn` the last turn that the mail played
    * `is_costly`: the mail's body is too expensive to read
    """

    events: Events = ()
    letters: tuple[NewLetter, ...] = ()
    games: Mapping[GameNumber, Table | Corrupt] = field(default_factory=dict)
    state: MailState | None = None
    note: str = ""
    game: GameNumber | None = None
    turn: int | None = None
    is_costly: bool = False


class Conflict(Exception):  # noqa: N818 - a conflict between two transactions is not an error
    """A precondition of the outcome was no longer true when it was stored.

    The cause is decided again on a new snapshot.
    """
