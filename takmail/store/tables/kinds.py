"""What the columns hold: moments, and the words for where things stand."""

from datetime import UTC, datetime
from enum import StrEnum

from sqlalchemy import DateTime, Dialect, LargeBinary, String
from sqlalchemy.types import TypeDecorator

LARGEST = 2**31 - 1
"""The largest number that a row has on any of the databases; they raise where they are asked for another one."""

WORD = String(16)
NAME = String(255)
HASH = String(64)
ADDRESS = String(320)
MAIL = LargeBinary(2**24 - 1)
"""Kinds of column; some databases need to know how long a key or a mail can get."""


class Moment(TypeDecorator[datetime]):
    """A UTC-aware datetime; SQLite keeps no zone, so it is put back on reading, and PostgreSQL gives the session's."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """To UTC on the way in; a naive datetime is an error in the program."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment needs a zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """UTC-aware on the way out."""
        if value is None:
            return None
        return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)


class Standing(StrEnum):
    """Where a game stands in its life; `adjourned`: the operator has it stand still."""

    INVITED = "invited"
    OPEN = "open"
    OVER = "over"
    DECLINED = "declined"
    ADJOURNED = "adjourned"


BEGUN = (Standing.OPEN, Standing.ADJOURNED, Standing.OVER)
"""Of the games that both players have wanted."""
RUNNING = (Standing.OPEN, Standing.ADJOURNED)
"""Of those, the ones that are not over."""


class MailState(StrEnum):
    """The one place where an incoming mail ends; the row's note says why.

    played: it has played a turn; answered: it has had a letter written; machine: no person wrote it; rejected: it is
    over a limit or a blocked player's, or nothing was to be said to it; shunted: it raised, and is kept for the
    operator; older: it was there before takmail.
    """

    NEW = "new"
    PLAYED = "played"
    ANSWERED = "answered"
    DUPLICATE = "duplicate"
    MACHINE = "machine"
    REJECTED = "rejected"
    SHUNTED = "shunted"
    OLDER = "older"


class LetterState(StrEnum):
    """What became of an outgoing letter; `failed` ones wait for the operator.

    bounced: it came back, and goes out once more when it is due; resting: its reader's address takes no mail, and
    it waits until they write; postponed: its reader has had enough for a day; withdrawn: what it told of was taken
    back before it left.
    """

    QUEUED = "queued"
    SENT = "sent"
    FAILED = "failed"
    BOUNCED = "bounced"
    RESTING = "resting"
    POSTPONED = "postponed"
    WITHDRAWN = "withdrawn"


class LetterView(StrEnum):
    """How a player wants to see letters: as plain text alone, in HTML alone, or as mails that hold both."""

    TEXT = "text"
    HTML = "html"
    BOTH = "both"


class Answers(StrEnum):
    """What a letter answers: a mail that its reader surely wrote, one that may be forged, a stranger's nonsense, none.

    One that answers none brings what has happened in a game that has begun (`news`), words and nothing else (`chat`),
    or anything else (`nothing`), such as an invitation. Each has its own limit, so that nobody uses up what is
    another's.
    """

    SURE = "sure"
    UNSURE = "unsure"
    NONSENSE = "nonsense"
    NEWS = "news"
    CHAT = "chat"
    NOTHING = "nothing"

    @property
    def is_an_answer(self) -> bool:
        """Whether the letter goes to where a mail came from."""
        return self in (Answers.SURE, *UNPROVEN)


UNPROVEN = (Answers.UNSURE, Answers.NONSENSE)
"""What follows from mails of which it is not sure who wrote them."""


class Ruling(StrEnum):
    """How a game ended that was neither played out nor given up: by agreement, or as the operator has decided."""

    AGREED = "agreed"
    FIRST = "first"
    SECOND = "second"
    DRAW = "draw"
    VOID = "void"


class OfferKind(StrEnum):
    """What one player offers and the other one may agree to.

    back: to go back to an earlier turn; board: to go on from a board that one of them has; restart: to begin anew.
    """

    DRAW = "draw"
    UNDO = "undo"
    BACK = "back"
    BOARD = "board"
    RESTART = "restart"


REMEDIES = (OfferKind.BACK, OfferKind.BOARD, OfferKind.RESTART)
"""What helps two players on whose boards have parted; each has at most one of them on offer."""


class OfferEnd(StrEnum):
    """What becomes of an offer; `lapsed`: the game or a week has gone on; `replaced`: by another of its maker."""

    AGREED = "agreed"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"
    LAPSED = "lapsed"
    REPLACED = "replaced"


class ConfirmationKind(StrEnum):
    """What a `yes` from an address would do: run commands, or let the address be one of a player's."""

    COMMANDS = "commands"
    ADDRESS = "address"


class QuestionKind(StrEnum):
    """What a `yes` would do: give the game up, or run commands whose sender was not sure."""

    RESIGN = "resign"
    HELD = "held"
