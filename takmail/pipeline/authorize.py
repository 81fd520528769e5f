"""Authorize a mail with a table of rules. The first matching row decides what to do with the mail.

The columns are the assurance about the author, the letter that the mail answers, its content, and what is open.
"""

from dataclasses import dataclass
from enum import Enum, StrEnum, auto

from takmail.commands.answers import Assurance, Sender
from takmail.commands.command import LineFault, Unclear
from takmail.commands.context import Context
from takmail.commands.grammar.answers import QUESTION, YesOrNo, read_answer
from takmail.commands.grammar.normalize import plain
from takmail.commands.grammar.understood import Understood
from takmail.limits.words import MAX_MOVE_CHARS
from takmail.pipeline import doubts
from takmail.pipeline.authenticate import RepliesTo
from takmail.pipeline.confirmation import Questions
from takmail.pipeline.interpret import Interpreted
from takmail.pipeline.results import here
from takmail.world import Pending, PendingKind

_PROVED_BY_ANSWER = {Assurance.FROM: Assurance.PLAYER, Assurance.NOBODY: Assurance.ADDRESS}


class Action(StrEnum):
    """What to do with what a mail asks for.

    * `run`: carry it out
    * `confirm`: carry out the commands that the answered letter asked about, and then the rest of the mail
    * `late`: refuse the `yes`, because the question is closed
    * `ask`: hold the mail, and ask the player to confirm it
    * `ask again`: ask the question again that a bare answer may refer to
    """

    RUN = "run"
    CONFIRM = "confirm"
    LATE = "late"
    ASK = "ask"
    ASK_AGAIN = "ask again"


class Says(Enum):
    """The kind of request that a mail makes.

    * `yes`, `no`: only that word
    * `more`: `yes` and other commands
    * `unclear`: an answer that may be `yes` or `no`, to a question that is open, and anything else
    * `acts`: commands that act in a player's name or, in a game, chat for the opponent
    * `sets`: only commands that change a setting of somebody who plays here, or show something
    * `looks`: only commands that show something
    * `words`: outside any game, chat without a command
    * `nothing`: no content
    """

    YES = auto()
    NO = auto()
    MORE = auto()
    UNCLEAR = auto()
    ACTS = auto()
    SETS = auto()
    LOOKS = auto()
    WORDS = auto()
    NOTHING = auto()


@dataclass(frozen=True, slots=True)
class AuthorityRule:
    """One row of the table: the conditions and the resulting action. A condition that is None always matches.

    `offer` and `question` tell whether such a thing waits for the likely sender's answer.
    """

    who: tuple[Assurance, ...]
    answers: tuple[RepliesTo, ...] | None
    says: tuple[Says, ...] | None
    action: Action
    offer: bool | None = None
    question: bool | None = None

    def matches(self, who: Assurance, says: Says, asked: Questions) -> bool:
        """Return whether all conditions of the row match."""
        return (
            who in self.who
            and (self.answers is None or asked.replies_to in self.answers)
            and (self.says is None or says in self.says)
            and self.offer in (None, asked.is_offered)
            and self.question in (None, asked.likely is not None)
        )


_PLAYER, _FROM, _TOKEN = (Assurance.PLAYER,), (Assurance.FROM,), (Assurance.TOKEN,)
_ADDRESS, _NOBODY = (Assurance.ADDRESS,), (Assurance.NOBODY,)
_ONLY_YES_OR_NO, _ANY_YES = (Says.YES, Says.NO), (Says.YES, Says.MORE)
_BARE = (*_ONLY_YES_OR_NO, Says.UNCLEAR)
_QUESTIONS = (RepliesTo.OPEN, RepliesTo.CLOSED, RepliesTo.LOST)

TABLE = (
    # The mail is a bare answer, but its question or its author is uncertain. The open question is asked again.
    AuthorityRule((*_FROM, *_TOKEN), _QUESTIONS, _BARE, Action.ASK_AGAIN),
    AuthorityRule((*_PLAYER, *_ADDRESS), (RepliesTo.OPEN,), (Says.UNCLEAR,), Action.ASK_AGAIN),
    AuthorityRule(_PLAYER, (RepliesTo.LOST,), _ONLY_YES_OR_NO, Action.ASK_AGAIN, question=True),
    AuthorityRule(
        (*_PLAYER, *_FROM, *_TOKEN),
        (RepliesTo.NOTHING,),
        _ONLY_YES_OR_NO,
        Action.ASK_AGAIN,
        offer=False,
        question=True,
    ),
    AuthorityRule(_ADDRESS, None, (Says.WORDS,), Action.ASK_AGAIN, question=True),
    # The author is uncertain. Commands that only show something run, and so do those that change what a line undoes.
    # Everything else is asked about first.
    AuthorityRule(_FROM, None, (Says.SETS, Says.LOOKS, Says.NOTHING), Action.RUN),
    AuthorityRule((*_FROM, *_TOKEN), None, None, Action.ASK),
    AuthorityRule(_NOBODY, None, (Says.YES, Says.NO, Says.MORE, Says.ACTS), Action.ASK),
    AuthorityRule(_NOBODY, None, None, Action.RUN),
    # In the rows below, the author is verified.
    AuthorityRule((*_PLAYER, *_ADDRESS), (RepliesTo.OPEN,), _ANY_YES, Action.CONFIRM),
    AuthorityRule(_PLAYER, (RepliesTo.CLOSED,), _ANY_YES, Action.LATE),
    AuthorityRule((*_PLAYER, *_ADDRESS), None, None, Action.RUN),
)
"""The rules in order of precedence. Nothing is done in a player's name unless the sender is verified.

A setting is not done in anybody's name: only its owner sees it.
"""


def authorize(who: Assurance, says: Says, asked: Questions) -> Action:
    """Return the action of the first row that matches."""
    return next(row.action for row in TABLE if row.matches(who, says, asked))


def decide(interpreted: Interpreted) -> Action:
    """Return what to do with what a mail asks for."""
    questions, understood, who = interpreted.questions, interpreted.understood, interpreted.assurance
    asked, answer = questions.answered, says(interpreted.context, understood)
    if _settles_doubt(asked, answer, understood):
        answer = Says.YES
    if answer is Says.SETS and not _is_likely(interpreted.sender):
        answer = Says.ACTS
    if asked is not None and answer in (Says.YES, Says.NO, Says.MORE, Says.UNCLEAR):
        # Only the reader of the letter with the question knows its Message-ID, so that the answer proves its author.
        who = _PROVED_BY_ANSWER.get(who, who)
    return authorize(who, answer, questions)


def _is_likely(sender: Sender) -> bool:
    """Tell whether a mail surely or probably comes from the player whose address it has.

    A mail that proves nothing has to come from the address to which the player's letters go, so that they hear at once
    of what is changed.
    """
    player = sender.player
    if sender.is_verified:
        return True
    if player is None or not player.has_written or sender.is_refuted:
        return False
    return sender.address == player.main_mailbox.address


def _settles_doubt(asked: Pending | None, answer: Says, understood: Understood) -> bool:
    """Tell whether an answer chooses an offered line without a `yes`, or is unclear, so that it is asked again."""
    if asked is None or asked.kind is not PendingKind.MEANT:
        return False
    return answer is Says.UNCLEAR or bool(doubts.chosen(asked, understood))


def says(context: Context, understood: Understood) -> Says:
    """Return the value of the column `says`."""
    commands = [order.command for order in understood.orders]
    if commands and all(command.is_answer for command in commands):
        return Says.YES if understood.says_yes else Says.NO
    if understood.says_yes:
        return Says.MORE
    unclear = Unclear(LineFault.MEANT, offers=(QUESTION.yes, QUESTION.no))
    if any(order.arguments == unclear for order in understood.orders):
        return Says.UNCLEAR
    is_heard = context.game_number is not None and bool(understood.chat)
    is_harmless = not is_heard and all(here(context, command).is_harmless for command in commands)
    if is_harmless and any(command.is_setting for command in commands):
        return Says.SETS
    if context.game_number is None:
        if any(order.command.needs_proof and not order.needs_game for order in understood.orders):
            return Says.ACTS
        if not commands and understood.chat:
            return Says.WORDS
    else:
        # Names and polite phrases beside the answer don't count.
        chat = "" if commands else ", ".join(filter(None, map(plain, understood.chat.splitlines())))
        is_short = len(chat) <= MAX_MOVE_CHARS  # No plain answer has more words.
        names = (*context.game.names, context.author.name)
        answer = read_answer(chat.removeprefix("/"), names=names) if is_short else None
        if answer in (YesOrNo.YES, YesOrNo.NO):
            return Says.YES if answer is YesOrNo.YES else Says.NO
        if understood.chat or any(here(context, command).needs_proof for command in commands):
            return Says.ACTS
    return Says.LOOKS if commands else Says.NOTHING
