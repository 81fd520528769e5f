"""Define the immutable values that the stages pass on. Each is created by one stage."""

from dataclasses import dataclass
from enum import StrEnum

from takmail.commands.answers import Events
from takmail.commands.game.table import Corrupt, Table
from takmail.commands.grammar.understand import Understood
from takmail.commands.kinds import MailState
from takmail.commands.records import GameNumber, Question, SentLetter
from takmail.letters.letter import NewLetter


@dataclass(frozen=True, slots=True)
class Reply:
    """The letter that a mail answers.

    `asks`: the letter asked for a `yes`. `unknown_parent`: the letter is not stored any more.
    """

    letter: SentLetter | None = None
    asks: bool = False
    unknown_parent: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """The request of a mail: `typed` is what its sender typed, and `understood` the parsed result."""

    typed: str
    understood: Understood


class Deed(StrEnum):
    """The kinds of decisions on a request.

    * `run`: carry it out
    * `confirm`: carry out what the answered letter asked about, and then the rest
    * `late`: the question is closed
    * `ask`: hold it and ask the player whether they wrote it
    * `ask again`: ask again what a bare answer refers to
    """

    RUN = "run"
    CONFIRM = "confirm"
    LATE = "late"
    ASK = "ask"
    ASK_AGAIN = "ask again"


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision on a request, and the question that it answers or may answer."""

    deed: Deed
    request: Request
    question: Question | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """Everything that follows from a cause, stored in one transaction: events, letters, and the mail's final state.

    * `ended` are the games that it ended, in their current state
    * `game` is the game of the mail, and `turn` the last turn that the mail played
    * `is_costly`: its body is too expensive to read
    """

    events: Events = ()
    letters: tuple[NewLetter, ...] = ()
    ended: tuple[Table | Corrupt, ...] = ()
    state: MailState | None = None
    note: str = ""
    game: GameNumber | None = None
    turn: int | None = None
    is_costly: bool = False


class Conflict(Exception):  # noqa: N818 - a conflict between two transactions is not an error
    """A precondition of the outcome no longer holds. The cause is decided again on a new snapshot."""
