"""Carry out the command `learn`: give a lesson in a game, and say what a turn does in it.

Nothing is stored: each line names its lesson, or answers a letter whose Message-ID does.
"""

from takmail.commands.answers import Answer, Said, refused, told
from takmail.commands.context import Context
from takmail.commands.grammar.arguments import Learn
from takmail.commands.grammar.line_reader import anywhere
from takmail.commands.grammar.understand import understand
from takmail.commands.result import Reported
from takmail.commands.services import CommandServices
from takmail.games.thinking import Lesson
from takmail.vocabulary import keyword_in

KEYWORD = "learn"
_LESSON = "lesson"
"""The reason of an answer that gives a lesson."""


def learn(context: Context, command: Learn) -> Answer:
    """Give a lesson, or say what a turn does in it, and give the next one if it is solved."""
    games = context.services.games
    kind = games.default if context.game is None else context.table.record.kind
    teacher = games.teacher(kind)
    if teacher is None:
        return refused("no_lessons")
    lessons = teacher.lessons
    if not 0 < command.number <= len(lessons):
        return refused("no_such_lesson", count=len(lessons))
    lesson = lessons[command.number - 1]
    answer = teacher.answer(lesson, command.text) if command.text else None
    return told(
        _LESSON,
        kind=kind,
        lesson=teacher.after(lesson, answer),
        count=len(lessons),
        asked=lesson,
        answer=answer,
    )


def lesson_in(report: Reported) -> int | None:
    """Return the number of the lesson that the answer to a line gives, 0 after the last one, None if it gives none."""
    answer = report.answer
    if not isinstance(answer, Said) or answer.reason != _LESSON:
        return None
    lesson = answer.facts["lesson"]
    return lesson.number if isinstance(lesson, Lesson) else 0


def with_lesson(services: CommandServices, language: str, number: int, text: str) -> str:
    """Return the text of an answer to the letter with a lesson. A turn on its first line is played in the lesson.

    The language of the letter is kept: the keyword is in it.
    """
    first, _, rest = text.strip().partition("\n")
    reader = anywhere(services.games, services.commands)
    if any(not order.needs_game for order in understand(first, reader).orders):
        return text
    line = f"{keyword_in(language, KEYWORD)} {number} {first}"
    played = (order.arguments for order in understand(line, reader).orders)
    is_turn = any(isinstance(learn, Learn) and learn.text for learn in played)
    return f"{line}\n{rest}" if is_turn else text
