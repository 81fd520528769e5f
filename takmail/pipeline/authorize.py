"""Authorize a mail with a table of rules. The first matching row decides what to do with the mail.

The columns are the assurance about the author, the letter that the mail answers, its content, and what is open.
"""

from dataclasses import dataclass
from enum import Enum, auto

from takmail.commands.result import Assurance
from takmail.pipeline.values import Action


class RepliesTo(Enum):
    """The kind of letter that a mail answers.

    * `open`: a question that a `yes` can still answer
    * `resignation`: the letter that asks to confirm a resignation
    * `closed`: a letter whose question is closed
    * `lost`: a letter with a question that is not stored
    * `other`: a letter without a question
    * `nothing`: the mail answers no letter
    """

    OPEN = auto()
    RESIGNATION = auto()
    CLOSED = auto()
    LOST = auto()
    OTHER = auto()
    NOTHING = auto()


class Says(Enum):
    """The kind of request that a mail makes.

    * `yes`, `no`: only that word
    * `more`: `yes` and other commands
    * `unclear`: an answer that may be `yes` or `no`, to a question that is open
    * `acts`: commands that act in a player's name or, in a game, chat for the opponent
    * `looks`: only commands that show something
    * `words`: outside any game, chat without a command
    * `nothing`: no content
    """

    YES = auto()
    NO = auto()
    MORE = auto()
    UNCLEAR = auto()
    ACTS = auto()
    LOOKS = auto()
    WORDS = auto()
    NOTHING = auto()


@dataclass(frozen=True, slots=True)
class Open:
    """The questions and offers that the likely sender can still answer.

    * `resignation`: a resignation waits for the sender's `yes`, and no offer is open that the `yes` may refer to
    * `offer`: the opponent has an open offer
    * `question`: a question is open that no newer one replaced
    """

    resignation: bool
    offer: bool
    question: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table: the conditions and the resulting action. A condition that is None always matches."""

    who: tuple[Assurance, ...]
    answers: tuple[RepliesTo, ...] | None
    says: tuple[Says, ...] | None
    action: Action
    resignation: bool | None = None
    offer: bool | None = None
    question: bool | None = None

    def matches(self, who: Assurance, answers: RepliesTo, says: Says, is_open: Open) -> bool:
        """Return whether all conditions of the row match."""
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
_ONLY_YES_OR_NO, _ANY_YES = (Says.YES, Says.NO), (Says.YES, Says.MORE)
_BARE = (*_ONLY_YES_OR_NO, Says.UNCLEAR)
_QUESTIONS = (RepliesTo.OPEN, RepliesTo.RESIGNATION, RepliesTo.CLOSED, RepliesTo.LOST)

TABLE = (
    # The mail is a bare answer, but its question or its author is uncertain. The open question is asked again.
    Row((*_FROM, *_TOKEN), _QUESTIONS, _BARE, Action.ASK_AGAIN, resignation=False),
    Row((*_PLAYER, *_ADDRESS), (RepliesTo.OPEN,), (Says.UNCLEAR,), Action.ASK_AGAIN),
    Row(_PLAYER, (RepliesTo.LOST,), _ONLY_YES_OR_NO, Action.ASK_AGAIN, resignation=False, question=True),
    Row(
        (*_PLAYER, *_FROM, *_TOKEN),
        (RepliesTo.NOTHING,),
        _ONLY_YES_OR_NO,
        Action.ASK_AGAIN,
        resignation=False,
        offer=False,
        question=True,
    ),
    Row(_ADDRESS, None, (Says.WORDS,), Action.ASK_AGAIN, question=True),
    # The author is uncertain. Commands that only show something run, and everything else is asked about first.
    Row(_FROM, None, (Says.LOOKS, Says.NOTHING), Action.RUN),
    Row((*_FROM, *_TOKEN), None, None, Action.ASK),
    Row(_NOBODY, None, (Says.YES, Says.NO, Says.MORE, Says.ACTS), Action.ASK),
    Row(_NOBODY, None, None, Action.RUN),
    # In the rows below, the author is verified.
    Row((*_PLAYER, *_ADDRESS), (RepliesTo.OPEN,), _ANY_YES, Action.CONFIRM),
    Row(_PLAYER, (RepliesTo.CLOSED,), _ANY_YES, Action.LATE),
    Row(_PLAYER, (RepliesTo.LOST,), _ANY_YES, Action.LATE, resignation=False),
    Row(_PLAYER, (RepliesTo.LOST,), _ANY_YES, Action.LATE, question=True),
    Row((*_PLAYER, *_ADDRESS), None, None, Action.RUN),
)
"""The rules in order of precedence. Nothing is done in a player's name unless the sender is verified."""


def authorize(who: Assurance, answers: RepliesTo, says: Says, is_open: Open) -> Action:
    """Return the action of the first row that matches."""
    return next(row.action for row in TABLE if row.matches(who, answers, says, is_open))
