"""The values that the stages hand on: each is frozen, and made by one stage."""

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
    """The letter of ours that a mail answers.

    `asks`: that letter, or one that is no longer known (`unknown_parent`), asked for a `yes`.
    """

    letter: SentLetter | None = None
    asks: bool = False
    unknown_parent: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """The request of a mail: `typed` is what its sender typed now, read as `understood`."""

    typed: str
    understood: Understood


class Deed(StrEnum):
    """The kinds of decisions on a request.

    run: carry it out; confirm: carry out what the answered letter asks, and then the rest; late: nothing is asked any
    more; ask: keep it and ask whether it is the player's own; again: ask once more what a bare answer may be meant for.
    """

    RUN = "run"
    CONFIRM = "confirm"
    LATE = "late"
    ASK = "ask"
    ASK_AGAIN = "ask again"


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision on a request, and the question that it answers or may be meant for."""

    deed: Deed
    request: Request
    question: Question | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """All that a cause leads to, to be stored at once: events, letters, and where the mail ends, and why.

    `ended` are the games that have ended by it, as they are now. `game` is the one that a mail was about, and `turn`
    the last one that it has played. `is_costly`: its body takes too much to read.
    """

    events: Events = ()
    letters: tuple[NewLetter, ...] = ()
    ended: tuple[Table | Corrupt, ...] = ()
    state: MailState | None = None
    note: str = ""
    game: GameNumber | None = None
    turn: int | None = None
    is_costly: bool = False


class Conflict(Exception):  # noqa: N818 - two transactions were in each other's way, which is no error
    """A precondition of the outcome no longer holds: the cause is decided again on a new snapshot."""
