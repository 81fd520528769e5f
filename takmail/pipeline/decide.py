"""Look up the decision on a mail in the `authorize` table."""

from takmail.commands.command_list import NO, YES, here
from takmail.commands.context import Context
from takmail.commands.grammar.answers import QUESTION, Answer, read_answer
from takmail.commands.grammar.faults import LineFault, Unclear
from takmail.commands.grammar.normalize import plain
from takmail.commands.grammar.understand import Understood
from takmail.commands.kinds import QuestionKind
from takmail.commands.records import Question
from takmail.commands.result import Assurance
from takmail.pipeline import doubts
from takmail.pipeline.authorize import Says, authorize
from takmail.pipeline.interpret import Interpreted
from takmail.pipeline.values import Action

_PROVED_BY_ANSWER = {Assurance.FROM: Assurance.PLAYER, Assurance.NOBODY: Assurance.ADDRESS}


def decide(interpreted: Interpreted) -> Action:
    """Return what to do with what a mail asks for."""
    questions = interpreted.questions
    said = says(interpreted.context, interpreted.understood)
    if _chooses(questions.answered, said, interpreted.understood):
        said = Says.YES
    who = interpreted.assurance
    if questions.answered is not None and said in (Says.YES, Says.NO, Says.MORE, Says.UNCLEAR):
        # Only the reader of the letter with the question knows its Message-ID, so that the answer proves its author.
        who = _PROVED_BY_ANSWER.get(who, who)
    return authorize(who, said, questions)


def _chooses(asked: Question | None, said: Says, understood: Understood) -> bool:
    """Return whether a mail is an answer to the question which offered line is meant, though it is no `yes`."""
    if asked is None or asked.kind is not QuestionKind.MEANT:
        return False
    return said is Says.UNCLEAR or bool(doubts.chosen(asked, understood))


def says(context: Context, understood: Understood) -> Says:
    """Return the value of the column `says`."""
    commands = [one.command for one in understood.orders]
    is_yes = YES in commands
    if commands and all(one in (YES, NO) for one in commands):
        return Says.YES if is_yes else Says.NO
    if is_yes:
        return Says.MORE
    unclear = Unclear(LineFault.MEANT, offers=(QUESTION.yes, QUESTION.no))
    if any(one.arguments == unclear for one in understood.orders):
        return Says.UNCLEAR
    if context.game is None:
        if any(one.command.needs_proof and not one.needs_game for one in understood.orders):
            return Says.ACTS
        if not commands and understood.chat:
            return Says.WORDS
    else:
        # Names and polite phrases beside the answer don't count.
        chat = "" if commands else ", ".join(filter(None, map(plain, understood.chat.splitlines())))
        answer = read_answer(chat.removeprefix("/"), names=(*context.table.names, context.sender_name))
        if answer in (Answer.YES, Answer.NO):
            return Says.YES if answer is Answer.YES else Says.NO
        if understood.chat or any(here(context, one).needs_proof for one in commands):
            return Says.ACTS
    return Says.LOOKS if commands else Says.NOTHING
