"""Define the states and kinds of games, mails, letters and questions."""

from enum import StrEnum


class Standing(StrEnum):
    """The stage of a game. `adjourned`: suspended by the operator, or because it is corrupt."""

    INVITED = "invited"
    OPEN = "open"
    OVER = "over"
    DECLINED = "declined"
    ADJOURNED = "adjourned"


BEGUN = (Standing.OPEN, Standing.ADJOURNED, Standing.OVER)
"""Games that both players accepted."""
RUNNING = (Standing.OPEN, Standing.ADJOURNED)
"""Accepted games that are not over."""


class MailState(StrEnum):
    """The final state of an incoming mail. The row's note says why.

    * `played`: it played a turn
    * `answered`: a letter was written in reply
    * `machine`: a program wrote it
    * `rejected`: it exceeds a limit, comes from a blocked player or needs no reply
    * `shunted`: it raised an exception and is kept for the operator
    * `older`: it was in the mailbox before takmail first ran
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
    """The state of an outgoing letter. `failed` letters wait for the operator.

    * `bounced`: it came back and will be sent again when due
    * `resting`: its address takes no mail, and it waits until the owner writes
    * `postponed`: the reader's daily limit is reached
    * `withdrawn`: it was cancelled because its news was taken back
    """

    QUEUED = "queued"
    SENT = "sent"
    FAILED = "failed"
    BOUNCED = "bounced"
    RESTING = "resting"
    POSTPONED = "postponed"
    WITHDRAWN = "withdrawn"


class First(StrEnum):
    """Who has the first turn, from the point of view of the player who asks for a game."""

    ME = "me"
    THEM = "them"
    RANDOM = "random"


class LetterView(StrEnum):
    """The letter formats that a player can choose: plain text, HTML, or both."""

    TEXT = "text"
    HTML = "html"
    BOTH = "both"


class LetterPurpose(StrEnum):
    """Why a letter is written. Each purpose has its own rate limit, so that one cannot use up another's.

    * `sure`: it answers a verified mail
    * `unsure`: it answers a mail that may be forged
    * `nonsense`: it answers a stranger's mail without a valid command
    * `news`: it reports an event in a game that has begun
    * `chat`: it contains only chat
    * `nothing`: any other letter that answers no mail, such as an invitation
    """

    SURE = "sure"
    UNSURE = "unsure"
    NONSENSE = "nonsense"
    NEWS = "news"
    CHAT = "chat"
    NOTHING = "nothing"

    @property
    def is_an_answer(self) -> bool:
        """Whether the letter goes to the sender of a mail."""
        return self in (LetterPurpose.SURE, *UNVERIFIED)


UNVERIFIED = (LetterPurpose.UNSURE, LetterPurpose.NONSENSE)
"""Letters that answer mails from unverified senders."""


class Ruling(StrEnum):
    """How a game ended that was neither finished nor resigned: by agreement, or by the operator's decision."""

    AGREED = "agreed"
    FIRST = "first"
    SECOND = "second"
    DRAW = "draw"
    VOID = "void"


class OfferKind(StrEnum):
    """The kinds of offers.

    * `back`: return to an earlier turn
    * `board`: continue from a board that one of the players has
    * `restart`: start again
    """

    DRAW = "draw"
    UNDO = "undo"
    BACK = "back"
    BOARD = "board"
    RESTART = "restart"


BOARD_PROPOSALS = (OfferKind.BACK, OfferKind.BOARD, OfferKind.RESTART)
"""Offers that reconcile boards that differ. Each player has at most one of them open."""


class OfferEnd(StrEnum):
    """How an offer ended. `lapsed`: the game moved on or a week passed; `replaced`: its maker made another one."""

    AGREED = "agreed"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"
    LAPSED = "lapsed"
    REPLACED = "replaced"


class PlayerKind(StrEnum):
    """The kinds of players: a person, a program, or a player whose data was erased."""

    PERSON = "person"
    ENGINE = "engine"
    ERASED = "erased"


class AskedAgain(StrEnum):
    """Why a question about commands is asked again.

    * `no`: the question is new
    * `unclear`: the answer was neither `yes` nor a command
    * `loose`: it is uncertain which question a `yes` or `no` refers to
    """

    NO = ""
    UNCLEAR = "unclear"
    LOOSE = "loose"


class QuestionKind(StrEnum):
    """The kinds of questions, by the effect of a `yes`.

    * `resign`: resign the game
    * `held`: run commands in a game whose sender was not verified
    * `doubt`: play a turn that its game asks to confirm
    * `commands`: run commands outside any game
    * `address`: add an address to a player
    """

    RESIGN = "resign"
    HELD = "held"
    DOUBT = "doubt"
    COMMANDS = "commands"
    ADDRESS = "address"


class LogWord(StrEnum):
    """The operator's actions, as the log names them. `frozen` is an action of takmail itself."""

    ADJOURNED = "adjourned"
    RESUMED = "resumed"
    ENDED = "ended"
    BLOCKED = "blocked"
    UNBLOCKED = "unblocked"
    MERGED = "merged"
    WITHDRAWN = "withdrawn"
    FROZEN = "frozen"
    DROPPED = "dropped"
