"""Define the numbers, states and kinds of games, players, mails, letters, offers and questions."""

from enum import IntEnum, StrEnum
from typing import NewType

PlayerId = NewType("PlayerId", int)
GameNumber = NewType("GameNumber", int)
SeekNumber = NewType("SeekNumber", int)
PendingId = NewType("PendingId", int)
MessageId = NewType("MessageId", str)
"""A Message-ID in lower case, with its angle brackets."""


class Standing(StrEnum):
    """The stage of a game.

    In a `bidding` game, the guest has accepted, and the players bid for the first turn. An `adjourned` game is
    suspended by the operator, or because it is corrupt.
    """

    INVITED = "invited"
    BIDDING = "bidding"
    OPEN = "open"
    OVER = "over"
    DECLINED = "declined"
    ADJOURNED = "adjourned"


BEGUN = (Standing.OPEN, Standing.ADJOURNED, Standing.OVER)
"""The standings of games that both players have accepted, and bid in if they do. Such a game has a board."""
TIMED = (Standing.OPEN,)
"""The standings of games in which the time of a player may run."""
RUNNING = (Standing.BIDDING, Standing.OPEN, Standing.ADJOURNED)
"""The standings of games that both players have accepted and that are not over."""
UNFINISHED = (Standing.INVITED, *RUNNING)
"""The standings of games that are neither over nor declined."""
NOT_ACCEPTED = (Standing.INVITED, Standing.DECLINED)
"""The standings of invitations, and of those that were declined. A game that was declined later is among them."""


class MailState(StrEnum):
    """The state of an incoming mail. The note in its row says why it has this state.

    * `new`: it is not handled yet
    * `played`: it played a turn
    * `answered`: a letter answers it
    * `duplicate`: it was delivered before
    * `machine`: a program wrote it
    * `rejected`: it exceeds a limit, comes from a blocked player or needs no reply
    * `shunted`: handling it raised an exception, and it is kept for the operator
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
    """The state of an outgoing letter.

    * `queued`: it is sent as soon as possible
    * `failed`: it cannot be sent, and waits for the operator
    * `bounced`: it came back, and is sent again later
    * `resting`: it is suspended until its reader writes, because their address takes no mail
    * `postponed`: it waits because the reader's daily limit is reached
    * `withdrawn`: it is never sent, because what it reports was taken back, or because its reader wants no receipts
    * `held`: a digest will tell what it tells. For the clock it has left when it was due.
    * `gathered`: it was held, and a digest or another letter has told what it tells
    * `piece`: it is a piece of the answer to a mail about several games
    """

    QUEUED = "queued"
    SENT = "sent"
    FAILED = "failed"
    BOUNCED = "bounced"
    RESTING = "resting"
    POSTPONED = "postponed"
    WITHDRAWN = "withdrawn"
    HELD = "held"
    GATHERED = "gathered"
    PIECE = "piece"


UNTHREADED = (LetterState.WITHDRAWN, LetterState.HELD, LetterState.GATHERED, LetterState.PIECE)
"""The states of letters that never reach their reader themselves, so that nobody can quote or answer them."""


class First(StrEnum):
    """Who has the first turn, from the point of view of the player who asks for a game."""

    ME = "me"
    THEM = "them"
    RANDOM = "random"


class NewPlayers(StrEnum):
    """Who may begin to play here: anyone, those whom a player invites, or nobody.

    In any case, everybody who has a seat plays on, and may accept an invitation that was sent.
    """

    ANYONE = "anyone"
    INVITED = "invited"
    NOBODY = "nobody"


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
    * `piece`: the answer to a mail about several games tells it, and counts in its place
    * `nothing`: it answers no mail and has no other purpose from this list, such as an invitation
    """

    SURE = "sure"
    UNSURE = "unsure"
    NONSENSE = "nonsense"
    NEWS = "news"
    CHAT = "chat"
    PIECE = "piece"
    NOTHING = "nothing"

    @property
    def is_an_answer(self) -> bool:
        """Whether the letter answers a mail, so that it goes to the mail's sender."""
        return self in (LetterPurpose.SURE, *UNVERIFIED)


UNVERIFIED = (LetterPurpose.UNSURE, LetterPurpose.NONSENSE)
"""The purposes of letters that answer mails whose sender is not verified."""


class StrangerBudget(StrEnum):
    """The budgets of letters to all strangers together.

    * `answers`: answers to mails that may be forged, to addresses that never wrote provably
    * `invitations`: letters to addresses that players typed, to invite somebody or to add an address
    """

    ANSWERS = "answers"
    INVITATIONS = "invitations"


class DeliveryClass(IntEnum):
    """The classes of letters in the order of delivery.

    * `games`: letters about games that have begun, to proven players
    * `players`: other letters to proven players
    * `others`: letters that a possibly forged mail caused, and all to addresses that never wrote provably
    """

    GAMES = 0
    PLAYERS = 1
    OTHERS = 2


class Ruling(StrEnum):
    """How a game ended that was neither played to the end nor resigned.

    * `agreed`: the players agreed on a draw
    * `first_on_time`, `second_on_time`: this seat won, as the time of the other one was over
    * all others: the operator's decision
    """

    AGREED = "agreed"
    FIRST_ON_TIME = "first_on_time"
    SECOND_ON_TIME = "second_on_time"
    FIRST = "first"
    SECOND = "second"
    DRAW = "draw"
    VOID = "void"


ON_TIME = (Ruling.FIRST_ON_TIME, Ruling.SECOND_ON_TIME)
"""The rulings by which each seat wins because the time of the other one is over, in the order of the seats."""


class TakenBackBy(StrEnum):
    """How turns were taken back: by an offer of this kind, or by the right to take back one's last turn."""

    UNDO = "undo"
    BACK = "back"
    RESTART = "restart"
    RIGHT = "right"

    @property
    def is_of_last_turn(self) -> bool:
        """Whether only a player's last turn was taken back, so that older letters still show a board of the game."""
        return self in (TakenBackBy.UNDO, TakenBackBy.RIGHT)


class PendingEnd(StrEnum):
    """How an offer ended.

    * `lapsed`: the game moved on, or the time to answer a proposal is over
    * `replaced`: the same player made another proposal
    """

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
    """Why a letter asks a question about commands again.

    * `no`: the question is new
    * `unclear`: the answer to the question was neither `yes` nor a command
    * `loose`: it is unclear which question a `yes` or `no` answers
    """

    NO = ""
    UNCLEAR = "unclear"
    LOOSE = "loose"


class LogWord(StrEnum):
    """The actions in the operator's log that are looked for in it. Others are named where their line is made.

    All are the operator's, except `frozen`, which is takmail's own, and `ended` if a tournament's name is who did it.
    """

    ADJOURNED = "adjourned"
    RESUMED = "resumed"
    ENDED = "ended"
    CORRECTED = "corrected"
    BLOCKED = "blocked"
    FROZEN = "frozen"
