"""Read the answer to a letter that ends the lessons. It offers what to do next, and "yes" or "2" picks one of that.

Nothing is stored: the Message-ID of the letter says that it ended the lessons, and with which one they go on.
"""

from takmail.commands.command import is_certain
from takmail.commands.context import CommandServices
from takmail.commands.grammar.answers import QUESTION, YesOrNo, read_answer
from takmail.commands.grammar.line_reader import anywhere
from takmail.commands.grammar.normalize import plain
from takmail.commands.grammar.picks import picked
from takmail.commands.grammar.spoken import TO_TEACHERS, asks, lesson_named, meaning_of, only_small
from takmail.commands.grammar.understand import understand
from takmail.games.bots import Bots
from takmail.games.registry import Games
from takmail.games.teaching import HERE, LessonMark
from takmail.vocabulary import table, word_in, words_of
from takmail.vocabulary.taught import in_language

KEYWORD = "learn"
PLAYS, SEEKS, RESUMES, NEXT, BACK, AGAIN, FIRST = "game", "seek", "resume", "next", "back", "again", "first"
"""What is said to a teacher in place of a turn, by the keys of the vocabulary."""
_GOING_ON = (RESUMES, AGAIN, BACK, HERE)
"""What is said by who wants to go on where the lessons have ended."""


def ways_on(games: Games, bots: Bots, kind: str, language: str, number: int) -> dict[str, str]:
    """Return the lines that a letter offers which ends the lessons, by what is said for them.

    They begin a game with the weakest bot on the board of the last lesson if there are bots, seek an opponent, or give
    the lesson of this number or the next one, and behind the last one the first.
    """
    teacher = games.teacher(kind)
    setup = "" if teacher is None else teacher.lessons[-1].setup
    playing = bots.playing(games, kind, setup)
    lines = (game.line_against(name, games.default) for name, game in playing.items())
    against = next(lines, games.wording(kind).bot_example)
    keyword, count = word_in(language, "keywords", KEYWORD), 0 if teacher is None else len(teacher.lessons)
    lessons = {FIRST: 1} if number > count else {AGAIN: number, NEXT: number + 1}
    return {
        **({PLAYS: against} if bots.every else {}),
        SEEKS: games.wording(kind).seek_example,
        **{said: f"{keyword} {lesson}" for said, lesson in lessons.items() if lesson <= count},
    }


def with_choice(services: CommandServices, language: str, mark: LessonMark, text: str) -> str:
    """Return the text of an answer to a letter that ends the lessons, with the offered line that its first one means.

    Who names a lesson or wants to go on gets it. A yes, or a wish to play, means the first of the offered lines. An
    order is taken as it is.
    """
    first, _, rest = text.strip().partition("\n")
    line = plain(first)
    ways = ways_on(services.games, services.bots, services.games.default, language, mark.number)
    choice = _lesson_meant(ways, language, mark.number, line) or _choice_meant(services, ways, line)
    return f"{in_language(choice, language)}\n{rest}" if choice else text


def _lesson_meant(ways: dict[str, str], language: str, number: int, line: str) -> str:
    """Return the line that gives the lesson which the answer asks for, '' if it asks for none.

    The lessons go on with the one of this `number`; behind the last one it tells that all are done.
    """
    keyword, said = word_in(language, "keywords", KEYWORD), meaning_of(line, TO_TEACHERS)
    if named := lesson_named(line):
        return f"{keyword} {named}"
    going_on = f"{keyword} {number}"
    lessons = {FIRST: f"{keyword} 1", NEXT: going_on, **dict.fromkeys(_GOING_ON, going_on), **ways}
    return lessons[said] if said in (FIRST, NEXT, *_GOING_ON) else ""


def _choice_meant(services: CommandServices, ways: dict[str, str], line: str) -> str:
    """Return the offered line that an answer picks, '' if it picks none, or is an order."""
    reader, said = anywhere(services.games, services.commands), meaning_of(line, TO_TEACHERS)
    if said not in (PLAYS, SEEKS) and any(map(is_certain, understand(line, reader).orders)):
        return ""
    if said not in ("", PLAYS, SEEKS):
        return ""  # a farewell, say, with a yes before it
    choices, inviting, words = tuple(ways.values()), table("inviting"), words_of(line)
    is_play = bool(inviting.matches(words)) and only_small(inviting.others(words))
    if said == SEEKS:
        choice = ways[SEEKS]
    elif said == PLAYS or (is_play and not asks(line)) or read_answer(line, QUESTION) is YesOrNo.YES:
        choice = choices[0]
    else:
        choice = picked(line, choices, reader)
    return "" if choice == ways[SEEKS] and asks(line) else choice  # Nobody seeks in public by a question.
