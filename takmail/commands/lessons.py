"""Carry out the commands by which players learn: `learn`, `review` and `hint`.

`learn` gives a lesson in a game, and says what a turn does in it. Nothing is stored: each line names its lesson, or
answers a letter whose Message-ID does. `review` and `hint` have a process think. What it finds out comes in a letter.
"""

from takmail.commands.answers import Answer, Reported, Said, refused, told
from takmail.commands.command import Order, Unclear
from takmail.commands.context import CommandServices, Context, beyond
from takmail.commands.grammar.arguments import Help, Learn, OneTurn
from takmail.commands.grammar.descriptions import is_courtesy
from takmail.commands.grammar.line_reader import anywhere
from takmail.commands.grammar.normalize import bare
from takmail.commands.grammar.understand import named_games, understand
from takmail.commands.grammar.understood import Understood, of_orders
from takmail.games.thinking import (
    ASKED_TURN,
    GREETED,
    HELPED,
    UNREAD,
    Lesson,
    LessonAnswer,
    Reviewer,
    lesson_of,
    mark_of,
)
from takmail.limits.games import MAX_HINTS
from takmail.vocabulary import table, word_in, words_of
from takmail.world import Queries, Task, TaskKind, events, operations

KEYWORD = "learn"
_ANSWERS = {"help": HELPED, "hint": HELPED, "turn": ASKED_TURN}
"""The names of the answers to what is asked in a lesson, by the keywords of the commands that ask it elsewhere."""
_LOST = ("", "moves")
"""The words behind `help` of who needs help with the lesson: none, or how to move."""
_LESSON = "lesson"
"""The reason of an answer that gives a lesson."""


def learn(context: Context, command: Learn) -> Answer:
    """Give a lesson, or say what a turn does in it, and give the next one if it is solved."""
    games = context.services.games
    kind = games.default if context.game_number is None else context.game.record.kind
    teacher = games.teacher(kind)
    if teacher is None:
        return refused("no_lessons")
    lessons = teacher.lessons
    if command.number == len(lessons) + 1 and not command.text:
        # Whoever goes on after the last lesson has done them.
        return told(
            _LESSON,
            kind=kind,
            lesson=None,
            count=len(lessons),
            asked=lessons[-1],
            answer=None,
            solution=None,
            is_second=False,
        )
    if not 0 < command.number <= len(lessons):
        return refused("no_such_lesson", count=len(lessons))
    lesson = lessons[command.number - 1]
    answer = teacher.answer(lesson, command.text) if command.text else None
    if command.asks:
        answer = LessonAnswer(command.asks, is_solved=False)
    has_failed = answer is not None and answer.has_failed
    solution = teacher.solution(lesson) if has_failed and command.is_second else None
    following = teacher.after(lesson, solution or answer)
    return told(
        _LESSON,
        kind=kind,
        lesson=following,
        count=len(lessons),
        asked=lesson,
        answer=answer,
        solution=solution,
        is_second=following is lesson and (has_failed or command.is_second),
    )


def lesson_in(report: Reported) -> str | None:
    """Return the mark of the lesson that the answer to a line gives, '' after the last one, None if it gives none."""
    answer = report.answer
    if not isinstance(answer, Said) or answer.reason != _LESSON:
        return None
    lesson, is_second = answer.facts["lesson"], bool(answer.facts["is_second"])
    return mark_of(lesson.number, is_second=is_second) if isinstance(lesson, Lesson) else ""


def with_lesson(services: CommandServices, language: str, mark: str, text: str) -> str:
    """Return the text of an answer to the letter with a lesson. A turn on its first line is played in the lesson.

    A turn that names a game is played there. A wish to go on is one for the next lesson. The language of the letter is
    kept: the keyword is in it.
    """
    first, _, rest = text.strip().partition("\n")
    reader, keyword = anywhere(services.games, services.commands), word_in(language, "keywords", KEYWORD)
    if table("onward").meaning(words_of(bare(first))):
        return f"{keyword} {lesson_of(mark)[0] + 1}\n{rest}"
    if named_games(first, reader) or any(not order.needs_game for order in understand(first, reader).orders):
        return text
    line = f"{keyword} {mark} {first}"
    played = (order.arguments for order in understand(line, reader).orders)
    is_turn = any(isinstance(learn, Learn) and learn.text for learn in played)
    return f"{line}\n{rest}" if is_turn else text


def given_again(services: CommandServices, language: str, mark: str, understood: Understood) -> Understood:
    """Return what an answer to the letter with a lesson means. The lesson is given again if nothing else can be done.

    Whoever asks something asks about the lesson. Other words that are no turn are from somebody who needs help.
    """
    if any(map(_leads_elsewhere, understood.orders)):
        return understood
    line = f"{word_in(language, 'keywords', KEYWORD)} {mark}"
    asked = (asks for order in understood.orders if (asks := _asked_of_teacher(order)))
    is_kind = not understood.orders and is_courtesy(understood.beside)
    asks = next(asked, GREETED if is_kind else UNREAD)
    number, is_second = lesson_of(mark)
    return of_orders([services.commands.order(line, Learn(number, "", asks=asks, is_second=is_second))])


def _asked_of_teacher(order: Order) -> str:
    """Return the name of the answer to an order that asks for help or a hint or whose turn it is, '' if it does not."""
    offers = order.arguments.offers if isinstance(order.arguments, Unclear) else (order.command.keyword,)
    return next((_ANSWERS[offer] for offer in offers if offer in _ANSWERS), "")


def _leads_elsewhere(order: Order) -> bool:
    """Tell whether an order in an answer to a lesson is about something else, and can be done, or offers what can."""
    arguments = order.arguments
    is_lost = isinstance(arguments, Help) and arguments.word in _LOST
    is_empty = isinstance(arguments, Unclear) and not arguments.offers
    return not (order.needs_game or is_lost or is_empty)


def stands_for_words(order: Order) -> bool:
    """Tell whether an order only stands for words in answer to a lesson, which its sender did not give as an order.

    Who asks for help may do so in each lesson.
    """
    return isinstance(order.arguments, Learn) and order.arguments.asks not in ("", HELPED)


def asks_in_lesson(order: Order) -> bool:
    """Tell whether an order asks for help in a lesson."""
    return isinstance(order.arguments, Learn) and order.arguments.asks == HELPED


# What a process thinks about.

_THOUGHT_ABOUT = ("hint", "review")


def asks_for_thought(order: Order) -> bool:
    """Tell whether an order has a process think, which changes no game, and whose letter only its sender reads."""
    return order.command.keyword in _THOUGHT_ABOUT


def review(context: Context, command: OneTurn | None = None) -> Answer:
    """Have a finished game reviewed, or one turn of it."""
    game, turn = context.game, None if command is None else command.number
    if not isinstance(game.rules, Reviewer):
        return refused("no_review")
    if not game.record.is_over:
        return refused("review_after_the_end")
    if turn is not None and turn > len(game.turns):
        return beyond(context, turn)
    return _asked(context, TaskKind.REVIEW, turn)


def hint(context: Context) -> Answer:
    """Have a hint found for the sender, who is to move against a bot."""
    game, you = context.game, context.you
    if not game.players[you.other].is_bot:
        return refused("hints_against_bots")
    if not isinstance(game.rules, Reviewer):
        return refused("no_hints")
    if not game.waits_for(you):
        return refused("not_your_turn")
    known = game.record.hints.split()
    if game.state.checksum not in known and len(known) >= MAX_HINTS:
        return refused("no_hints_left", most=MAX_HINTS)
    return _asked(context, TaskKind.HINT)


def _asked(context: Context, kind: TaskKind, turn: int | None = None) -> Answer:
    """Have something thought about, one thing of a kind at a time, so that nobody can order hours of it."""
    game, you = context.game, context.you
    waiting = {(task.kind, task.seat) for task in context.world.ask(Queries.waiting_tasks, game.number)}
    ordered = {
        operation.task.kind
        for operation in context.world.operations
        if isinstance(operation, operations.RunTask)
    }
    if kind in ordered or (kind, you) in waiting:
        return refused("still_thinking")
    asked = events.ThoughtAsked(game=game.number, seat=you, kind=kind)
    task = Task(game.number, kind, you, turn)
    return asked, events.TaskDue(game=game.number, task=task)
