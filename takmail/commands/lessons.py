"""Carry out the commands by which players learn: `learn`, `review` and `hint`.

`learn` gives a lesson in a game, and says what a turn does in it. Nothing is stored: each line names its lesson, or
answers a letter whose Message-ID does. `review` and `hint` have a process think. What it finds out comes in a letter.
"""

from collections.abc import Callable, Mapping

from takmail.commands.after_lessons import AGAIN, BACK, FIRST, KEYWORD, NEXT, PLAYS, RESUMES, SEEKS
from takmail.commands.answers import Answer, Reported, Said, refused, told
from takmail.commands.command import Order, Unclear
from takmail.commands.context import CommandServices, Context, beyond
from takmail.commands.grammar.answers import QUESTION, YesOrNo, read_answer
from takmail.commands.grammar.arguments import Help, Learn, OneTurn, Rules
from takmail.commands.grammar.line_reader import anywhere
from takmail.commands.grammar.normalize import clipped, plain
from takmail.commands.grammar.signatures import unsigned
from takmail.commands.grammar.spoken import (
    TO_TEACHERS,
    asks,
    asks_what,
    courtesy_of,
    is_small_talk,
    lesson_named,
    meaning_of,
    refuses_all_mail,
    said_to_teacher,
    told_and_asked,
)
from takmail.commands.grammar.understand import named_games, understand
from takmail.commands.grammar.understood import Understood, of_orders
from takmail.games.interface import ReadTurn
from takmail.games.readonly import replace
from takmail.games.teaching import (
    ALL_RULES,
    ASKED,
    ASKED_TURN,
    EARLIER,
    EXPLAINED,
    GREETED,
    HELPED,
    HERE,
    LATER,
    UNREAD,
    WHICH,
    Lesson,
    LessonAnswer,
    LessonMark,
    Teacher,
)
from takmail.games.thinking import Reviewer
from takmail.limits.games import MAX_HINTS
from takmail.limits.words import MAX_CAREFUL_LINES, MAX_NAME_CHARS
from takmail.vocabulary import table, word_in, words_of
from takmail.world import Queries, Task, TaskKind, events, operations

_ANSWERS = {
    "help": HELPED,
    "hint": HELPED,
    "why": ASKED,
    "turn": ASKED_TURN,
    "rules": EXPLAINED,
    "rs": EXPLAINED,
}
"""The names of the answers to what is asked in a lesson, by the keywords of the commands that ask it elsewhere."""
_ALL_MAIL = "stop"
"""The keyword of the command that ends all mail."""
_LOST = ("", "moves")
"""The words behind `help` of who needs help with the lesson: none, or how to move."""
SOLUTION, STOPPED, DONE = "solution", "stop", "done"
"""What is said to a teacher in place of a turn, by the keys of the vocabulary."""
_STEPS: Mapping[str, Callable[[LessonMark], LessonMark]] = {
    AGAIN: LessonMark.afresh,
    RESUMES: lambda mark: mark.afresh() if mark.is_paused else LessonMark(mark.number + 1),
    NEXT: lambda mark: LessonMark(mark.number + 1),
    BACK: lambda mark: LessonMark(max(1, mark.number - 1)),
    FIRST: lambda _: LessonMark(1),
}
"""What leads to a lesson, and to which, by the mark of the one in which it is said."""
_KIND = (LATER, "tired", HERE)
"""What is said to a teacher that gets a kind word, and the lesson again."""
_LESSON = "lesson"
"""The reason of an answer that gives a lesson."""


def learn(context: Context, command: Learn) -> Answer:
    """Give a lesson, or say what a turn does in it, and give the next one if it is solved."""
    games = context.services.games
    kind = games.default if context.game_number is None else context.game.record.kind
    teacher = games.teacher(kind)
    if teacher is None:
        return refused("no_lessons")
    if step := _STEPS.get(command.said):
        command = Learn(step(command.mark), "")
    lessons, number = teacher.lessons, command.mark.number
    is_behind_last = number == len(lessons) + 1 and not (command.text or command.said)
    if not (0 < number <= len(lessons) or command.mark.is_ended or is_behind_last):
        return refused("no_such_lesson", count=len(lessons))
    lesson = lessons[min(number, len(lessons)) - 1]
    answer = _answered(teacher, lesson, command)
    is_shown = command.said == SOLUTION or (answer is not None and command.mark.shows_answer(answer))
    solution = teacher.solution(lesson) if is_shown else None
    leaves = command.mark.is_ended or is_behind_last or command.said in (STOPPED, DONE, PLAYS, SEEKS)
    following = None if leaves else teacher.after(lesson, solution or answer)
    mark = command.mark if answer is None else command.mark.after(answer)
    if following is not lesson:
        mark = LessonMark(number if leaves else number + 1, is_ended=following is None)
    return told(
        _LESSON,
        kind=kind,
        lesson=following,
        count=len(lessons),
        asked=lesson,
        answer=answer,
        solution=solution,
        mark=mark,
    )


def _answered(teacher: Teacher, lesson: Lesson, command: Learn) -> LessonAnswer | None:
    """Return the answer to what is played or said in a lesson, None if nothing is.

    Whoever names a thing of the game, as a question or alone, has it explained.
    """
    text = command.text
    if command.said in _KIND:
        return LessonAnswer(GREETED, is_solved=False, facts={"kind": command.said})
    if command.answer == UNREAD and not (command.said or command.mark.is_ended):
        # Words in which something else was sought may describe a turn, but break no rule.
        played = _played(teacher, lesson, text)
        is_found = played.turn is not None or played.name == WHICH
        answer = played if is_found else LessonAnswer(UNREAD, is_solved=False)
    elif name := command.said or command.answer:
        answer = LessonAnswer(name, is_solved=False)
    elif text:
        answer = _played(teacher, lesson, text)
    else:
        return None
    topic = ""
    if answer.name in (ASKED, ASKED_TURN, UNREAD, WHICH, EXPLAINED):
        is_asked, asks_turn = answer.name == EXPLAINED or asks_what(text), answer.name == ASKED_TURN
        topic = teacher.topic(text, is_asked=is_asked, asks_turn=asks_turn)
    if answer.name == EXPLAINED or topic:
        return LessonAnswer(EXPLAINED, is_solved=False, facts={"topic": topic or ALL_RULES})
    return replace(answer, facts={"kind": courtesy_of(text)}) if answer.name == GREETED else answer


def _played(teacher: Teacher, lesson: Lesson, text: str) -> LessonAnswer:
    """Return what a text does in a lesson. What asks or doubts something is no turn, but may stand beside one.

    What it asks beside a turn is told below it.
    """
    told, asked = _turn_and_question(lesson.state.exact, text)
    answer = teacher.answer(lesson, told)
    if _is_of_lesson_before(teacher, lesson, told, answer):
        return LessonAnswer(EARLIER, is_solved=False)
    is_vague = answer.name == UNREAD or not any(map(str.isdecimal, text))
    if (answer.turn is None and told != text) or (is_vague and asks(text)):
        return LessonAnswer(ASKED, is_solved=False)
    topic = teacher.topic(asked, is_asked=True) if asked and answer.turn is not None else ""
    return replace(answer, facts={**answer.facts, "topic": topic}) if topic else answer


def _turn_and_question(exact: Callable[[str], ReadTurn | None], text: str) -> tuple[str, str]:
    """Return what a text tells, and what it asks. An exact turn at its beginning is told, and the rest may ask.

    `exact` returns the turn that a line is in its exact form, None if it is none.
    """
    words = () if exact(text) else text.split()
    for count in range(len(words) - 1, 1, -1):
        told, rest = " ".join(words[:count]).rstrip(",.!;:"), " ".join(words[count:])
        is_turn = exact(told) is not None
        if is_turn and not (any(map(str.isdecimal, rest)) or table("turning").matches(words_of(rest))):
            return told, rest if asks_what(rest) else ""
    return told_and_asked(text)


def _is_of_lesson_before(teacher: Teacher, lesson: Lesson, told: str, answer: LessonAnswer) -> bool:
    """Tell whether a text is the turn that solves the lesson before, and nobody would touch that in this one."""
    if lesson.number == 1 or answer.is_solved or answer.turn in lesson.touches.values():
        return False
    before = teacher.lessons[lesson.number - 2]
    return teacher.answer(before, told).turn == teacher.solution(before).turn and bool(
        lesson.state.exact(told)
    )


def lesson_in(report: Reported) -> str | None:
    """Return the mark of the lesson that the answer to a line gives or ends, None if it does neither."""
    answer = report.answer
    if not isinstance(answer, Said) or answer.reason != _LESSON:
        return None
    return str(answer.facts["mark"])


def with_lesson(services: CommandServices, language: str, mark: LessonMark, text: str) -> str:
    """Return the text of an answer to the letter with a lesson. A turn on its first line is played in the lesson.

    So is what is said there to the teacher: a wish for the next lesson, for the answer. Lines of small talk above it
    are left out, and other words above one in its exact form. A turn that names a game is played there. The language
    of the letter is kept: the keyword is in it.
    """
    lines = text.strip().split("\n")
    told = next((place for place, line in enumerate(lines[:MAX_CAREFUL_LINES]) if not is_small_talk(line)), 0)
    first, rest = lines[told].strip(), "\n".join(lines[told + 1 :])
    reader, keyword = anywhere(services.games, services.commands), word_in(language, "keywords", KEYWORD)
    orders = understand(first, reader).orders
    is_elsewhere = any(not order.needs_game for order in orders)
    is_said = bool(said_to_teacher(first))
    is_game_named = bool(named_games(first, reader))
    if not (is_game_named or is_said) and _gives_lesson(orders) and not any(map(str.isdecimal, first)):
        return f"{keyword} {mark}\n{rest}"  # No lesson is named, so that this one is meant.
    if is_game_named:
        return text
    if number := lesson_named(first):
        return f"{keyword} {number}\n{rest}"
    if is_elsewhere and not is_said:
        return text
    line = f"{keyword} {mark} {first}"
    taught = (order.arguments for order in understand(line, reader).orders)
    is_taught = any(isinstance(learn, Learn) and (learn.text or learn.said) for learn in taught)
    if is_taught and (is_said or _turn_and_question(services.games.exact_anywhere, plain(first))[0]):
        return f"{line}\n{rest}"
    # Below other words only a turn in its exact form is one.
    for place, below in enumerate(map(plain, lines[:MAX_CAREFUL_LINES])):
        if place > told and services.games.exact_anywhere(below):
            return "\n".join((f"{keyword} {mark} {below}", *lines[place + 1 :]))
    return text


def _gives_lesson(orders: tuple[Order, ...]) -> bool:
    return any(isinstance(order.arguments, Learn) for order in orders)


def given_again(
    services: CommandServices, language: str, mark: LessonMark, understood: Understood, name: str
) -> Understood:
    """Return what an answer to the letter with a lesson means. The lesson is given again if nothing else can be done.

    Whoever asks something asks about the lesson. Other words that are no turn are from somebody who needs help. `name`
    is that of the sender, who may sign with it.
    """
    asked = [(answer, order.line) for order in understood.orders if (answer := _asked_of_teacher(order))]
    if len(asked) < len(understood.orders) and any(map(_leads_elsewhere, understood.orders)):
        return understood
    line = f"{word_in(language, 'keywords', KEYWORD)} {mark}"
    lines = "\n".join(order.line for order in understood.orders)
    words = unsigned(understood.held or understood.beside or lines, name)
    is_asked = asks(plain(words))
    is_kind = bool(courtesy_of(words)) and all(
        order.is_doubt or courtesy_of(order.line) for order in understood.orders
    )
    unread = GREETED if is_kind else ASKED if is_asked else UNREAD
    meant, text = next(iter(asked), (unread, words))
    if meant == HELPED and asks(plain(text)):
        meant = ASKED
    text = clipped(" ".join(text.split()), MAX_NAME_CHARS)
    return of_orders([services.commands.order(line, Learn(mark, text, answer=meant))])


def offered_again(services: CommandServices, language: str, mark: LessonMark, words: str) -> Understood:
    """Return what words mean that answer a letter which ended the lessons, and pick nothing of what it offers.

    It is offered again. Whoever says no is told that the lessons are over.
    """
    text = clipped(" ".join(words.split()), MAX_NAME_CHARS)
    line = f"{word_in(language, 'keywords', KEYWORD)} {mark.number}"
    said = meaning_of(plain(words), TO_TEACHERS)
    if read_answer(plain(words), QUESTION) is YesOrNo.NO:
        said = STOPPED
    answer = GREETED if courtesy_of(words) else UNREAD
    learn = Learn(mark, text, said=said if said in (STOPPED, *_KIND) else "", answer=answer)
    return of_orders([services.commands.order(line, learn)])


def needs_offer(understood: Understood) -> bool:
    """Tell whether an answer to a letter which ended the lessons picks nothing: it has no orders, or asks for help."""
    return all(_asked_of_teacher(order) in (HELPED, ASKED) for order in understood.orders)


def _asked_of_teacher(order: Order) -> str:
    """Return the name of the answer to an order that asks what a teacher tells, '' if it asks for something else."""
    arguments = order.arguments
    if isinstance(arguments, Help) and arguments.word not in _LOST:
        return ""
    if isinstance(arguments, Rules) and arguments.name:
        return ""
    offers = arguments.offers if isinstance(arguments, Unclear) else (order.command.keyword,)
    return next((_ANSWERS[offer] for offer in offers if offer in _ANSWERS), "")


def _leads_elsewhere(order: Order) -> bool:
    """Tell whether an order in an answer to a lesson is about something else, and can be done, or offers what can.

    Who asks whether a program writes asks for no list of bots.
    """
    is_empty = isinstance(order.arguments, Unclear) and not order.arguments.offers
    is_here = order.needs_game or is_empty or _only_stops(order) or courtesy_of(order.line)
    return not (is_here or _asked_of_teacher(order))


def _only_stops(order: Order) -> bool:
    """Tell whether a doubt offers the end of all mail for words that name no mail, such as "can we stop?"."""
    arguments = order.arguments
    is_offered = isinstance(arguments, Unclear) and arguments.offers == (_ALL_MAIL,)
    return is_offered and not refuses_all_mail(order.line)


def stands_for_words(order: Order) -> bool:
    """Tell whether an order only stands for words in answer to a lesson, which its sender did not give as an order.

    Who asks for help or about the game may do so in each lesson.
    """
    learn = order.arguments
    if not isinstance(learn, Learn):
        return False
    return learn.answer in (UNREAD, ASKED, ASKED_TURN, GREETED) or (
        learn.said in (PLAYS, STOPPED) and bool(learn.text)
    )


def asks_in_lesson(order: Order) -> bool:
    """Tell whether an order asks for help in a lesson, or about the game."""
    learn = order.arguments
    return isinstance(learn, Learn) and not {HELPED, EXPLAINED}.isdisjoint((learn.answer, learn.said))


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
