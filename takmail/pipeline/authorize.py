"""Authorization: a table from assurance, reply, content and open questions to a decision. First match wins."""

from dataclasses import dataclass
from enum import Enum, auto

from takmail.commands.result import Assurance
from takmail.pipeline.values import Deed


class RepliesTo(Enum):
    """The kind of letter that a mail answers.

    open: a question that a `yes` to it still answers; resignation: the letter that asks whether its reader gives the
    game up; closed: a letter that has asked something else, which is open no more; lost: such a letter that nobody
    knows any more; other: a letter that has asked nothing; nothing: no letter of ours.
    """

    OPEN = auto()
    RESIGNATION = auto()
    CLOSED = auto()
    LOST = auto()
    OTHER = auto()
    NOTHING = auto()


class Says(Enum):
    """The kind of request that a mail makes.

    yes, no: that and nothing else; more: `yes`, and other things; acts: something that is done in a player's name, or
    in a game words for the other one; looks: nothing but things to look at; words: outside any game, words and no
    command; nothing: nothing at all.
    """

    YES = auto()
    NO = auto()
    MORE = auto()
    ACTS = auto()
    LOOKS = auto()
    WORDS = auto()
    NOTHING = auto()


@dataclass(frozen=True, slots=True)
class Open:
    """The questions and offers that are open to the likely sender.

    resignation: they are asked whether they give the game up, and there is no offer that a `yes` may be meant for;
    offer: the other one offers something; question: a question was asked, and no newer one has taken its place.
    """

    resignation: bool
    offer: bool
    question: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table: who, answering what, says what, with what open; None matches anything."""

    who: tuple[Assurance, ...]
    answers: tuple[RepliesTo, ...] | None
    says: tuple[Says, ...] | None
    deed: Deed
    resignation: bool | None = None
    offer: bool | None = None
    question: bool | None = None

    def matches(self, who: Assurance, answers: RepliesTo, says: Says, is_open: Open) -> bool:
        """Whether the row is about such a mail."""
        return (
            who in self.who
            and (self.answers is None or answers in self.answers)
            and (self.says is None or says in self.says)
            and self.resignation in (None, is_open.resignation)
            and self.offer in (None, is_open.offer)
            and self.question in (None, is_open.question)
        )


_PLAYER, _FROM, _TOKEN = (Assurance.PLAYER,), (Assurance.FROM,), (Assurance.TOKEN,)
_ADDRESS, _NOBODY = (Assurance.ADDRESS,), (Assurance.NOBODY,)
_BARE, _ANY_YES = (Says.YES, Says.NO), (Says.YES, Says.MORE)
_QUESTIONS = (RepliesTo.OPEN, RepliesTo.RESIGNATION, RepliesTo.CLOSED, RepliesTo.LOST)

TABLE = (
    # A bare answer, and it is not sure to what, or whose it is: what is open is asked once more.
    Row((*_FROM, *_TOKEN), _QUESTIONS, _BARE, Deed.ASK_AGAIN, resignation=False),
    Row(_PLAYER, (RepliesTo.LOST,), _BARE, Deed.ASK_AGAIN, resignation=False, question=True),
    Row(
        (*_PLAYER, *_FROM, *_TOKEN),
        (RepliesTo.NOTHING,),
        _BARE,
        Deed.ASK_AGAIN,
        resignation=False,
        offer=False,
        question=True,
    ),
    Row(_ADDRESS, None, (Says.WORDS,), Deed.ASK_AGAIN, question=True),
    # Not sure whose it is: only looking is free, and what is seen goes to the player's own address.
    Row(_FROM, None, (Says.LOOKS, Says.NOTHING), Deed.RUN),
    Row((*_FROM, *_TOKEN), None, None, Deed.ASK),
    Row(_NOBODY, None, (Says.YES, Says.NO, Says.MORE, Says.ACTS), Deed.ASK),
    Row(_NOBODY, None, None, Deed.RUN),
    # From here on it is sure.
    Row((*_PLAYER, *_ADDRESS), (RepliesTo.OPEN,), _ANY_YES, Deed.CONFIRM),
    Row(_PLAYER, (RepliesTo.CLOSED,), _ANY_YES, Deed.LATE),
    Row(_PLAYER, (RepliesTo.LOST,), _ANY_YES, Deed.LATE, resignation=False),
    Row(_PLAYER, (RepliesTo.LOST,), _ANY_YES, Deed.LATE, question=True),
    Row((*_PLAYER, *_ADDRESS), None, None, Deed.RUN),
)
"""Nothing is done in a player's name unless the sender is verified."""


def authorize(who: Assurance, answers: RepliesTo, says: Says, is_open: Open) -> Deed:
    """Return the deed of the first row that matches."""
    return next(row.deed for row in TABLE if row.matches(who, answers, says, is_open))
