"""Authorize a mail with a table of rules. The first matching row decides what to do with the mail.

The columns are the assurance about the author, the letter that the mail answers, its content, and what is open.
"""

from dataclasses import dataclass
from enum import Enum, auto

from takmail.commands.grammar.answers import INVITATION, Expected
from takmail.commands.grammar.understand import ANSWERS_NOTHING
from takmail.commands.records import Question
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
    * `unclear`: an answer that may be `yes` or `no`, to a question that is open, and anything else
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
class Questions:
    """The open questions that a mail answers or may answer.

    * `answered` is the question that a `yes` confirms, or None. It is None unless the sender is verified.
    * `likely` is the question that is asked again if it is uncertain what a bare answer refers to, or None. No newer
      question replaced it.
    * `is_resigning`: a resignation waits for the sender's `yes`, and no offer is open that the `yes` may refer to
    * `is_offered`: the opponent has an open offer
    * `expected` is what the first line may answer
    """

    replies_to: RepliesTo
    answered: Question | None = None
    likely: Question | None = None
    is_resigning: bool = False
    is_offered: bool = False
    expected: Expected = ANSWERS_NOTHING

    @property
    def asks_for_answer(self) -> bool:
        """Whether the answered letter asks a question that is open, or an invitation waits for the sender."""
        is_asked = self.replies_to in (RepliesTo.OPEN, RepliesTo.RESIGNATION)
        return is_asked or self.expected.waits is INVITATION


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table: the conditions and the resulting action. A condition that is None always matches.

    `resignation`, `offer` and `question` tell whether such a thing waits for the likely sender's answer.
    """

    who: tuple[Assurance, ...]
    answers: tuple[RepliesTo, ...] | None
    says: tuple[Says, ...] | None
    action: Action
    resignation: bool | None = None
    offer: bool | None = None
    question: bool | None = None

    def matches(self, who: Assurance, says: Says, asked: Questions) -> bool:
        """Return whether all conditions of the row match."""
        return (
            who in self.who
            and (self.answers is None or asked.replies_to in self.answers)
            and (self.says is None or says in self.says)
            and self.resignation in (None, asked.is_resigning)
            and self.offer in (None, asked.is_offered)
            and self.question in (None, asked.likely is not None)
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


def authorize(who: Assurance, says: Says, asked: Questions) -> Action:
    """Return the action of the first row that matches."""
    return next(row.action for row in TABLE if row.matches(who, says, asked))
