"""The states and kinds of games, mails, letters and questions, as commands, letters and tables use them."""

from enum import StrEnum


class Standing(StrEnum):
    """The stage that a game is at; `adjourned`: suspended by the operator or as it is corrupt."""

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
    """The state of an outgoing letter; `failed` ones wait for the operator.

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


class First(StrEnum):
    """Who has the first turn, as seen by the one who asks for a game."""

    ME = "me"
    THEM = "them"
    RANDOM = "random"


class LetterView(StrEnum):
    """The forms of letters that a player can choose: plain text alone, HTML alone, or both."""

    TEXT = "text"
    HTML = "html"
    BOTH = "both"


class LetterPurpose(StrEnum):
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
        return self in (LetterPurpose.SURE, *UNPROVEN)


UNPROVEN = (LetterPurpose.UNSURE, LetterPurpose.NONSENSE)
"""Letters that follow from mails whose sender is not certain."""


class Ruling(StrEnum):
    """The ends of a game that was neither played out nor given up: by agreement, or as the operator has decided."""

    AGREED = "agreed"
    FIRST = "first"
    SECOND = "second"
    DRAW = "draw"
    VOID = "void"


class OfferKind(StrEnum):
    """The kinds of offers.

    back: to go back to an earlier turn; board: to go on from a board that one of them has; restart: to begin anew.
    """

    DRAW = "draw"
    UNDO = "undo"
    BACK = "back"
    BOARD = "board"
    RESTART = "restart"


REMEDIES = (OfferKind.BACK, OfferKind.BOARD, OfferKind.RESTART)
"""Offers that bring boards together which have parted; each player has at most one of them open."""


class OfferEnd(StrEnum):
    """The ends of an offer; `lapsed`: the game or a week has gone on; `replaced`: by another of its maker."""

    AGREED = "agreed"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"
    LAPSED = "lapsed"
    REPLACED = "replaced"


class PlayerKind(StrEnum):
    """The kinds of players: a person, a program, or somebody who has left for good."""

    PERSON = "person"
    ENGINE = "engine"
    GONE = "gone"


class AskedAgain(StrEnum):
    """Why a question about commands is asked once more.

    no: it is new; unclear: what its reader has answered is neither a `yes` nor a command; loose: it is not sure what a
    `yes` or `no` was meant for.
    """

    NO = ""
    UNCLEAR = "unclear"
    LOOSE = "loose"


class QuestionKind(StrEnum):
    """The kinds of questions, by what a `yes` does.

    resign: give the game up; held: run commands in a game whose sender was not sure; doubt: play a turn that its game
    asks about first; commands: run commands outside any game; address: let an address be one of a player's.
    """

    RESIGN = "resign"
    HELD = "held"
    DOUBT = "doubt"
    COMMANDS = "commands"
    ADDRESS = "address"


class LogWord(StrEnum):
    """The operator's deeds, as the log names them; `frozen` is takmail's own."""

    ADJOURNED = "adjourned"
    RESUMED = "resumed"
    ENDED = "ended"
    BLOCKED = "blocked"
    UNBLOCKED = "unblocked"
    MERGED = "merged"
    WITHDRAWN = "withdrawn"
    FROZEN = "frozen"
    DROPPED = "dropped"
