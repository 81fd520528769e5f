"""Read the answer to a letter that ends the lessons. It offers what to do next, and "yes" or "2" picks one of that.

Nothing is stored: the Message-ID of the letter says that it ended the lessons, and with which one they go on.
"""

from takmail.commands.command import is_certain
from takmail.commands.context import CommandServices
from takmail.commands.grammar.answers import QUESTION, YesOrNo, read_answer
from takmail.commands.grammar.invitation_forms import BOT
from takmail.commands.grammar.line_reader import anywhere
from takmail.commands.grammar.normalize import plain
from takmail.commands.grammar.picks import picked
from takmail.commands.grammar.spoken import TO_TEACHERS, meaning_of, only_small
from takmail.commands.grammar.understand import understand
from takmail.games.bots import Bots
from takmail.games.registry import Games
from takmail.vocabulary import table, word_in, words_of
from takmail.vocabulary.taught import in_language

KEYWORD = "learn"
PLAYS, _AGAIN = "game", ("again", "back")
"""What is said to a teacher in place of a turn, by the keys of the vocabulary."""
_ENDED = "e"


def end_mark(number: int) -> str:
    """Return the mark of a letter that ends the lessons and offers to go on with the lesson of this number."""
    return f"{number}{_ENDED}"


def has_ended(mark: str) -> bool:
    """Tell whether a mark is that of a letter that ends the lessons."""
    return mark.endswith(_ENDED)


def lesson_to_go_on(mark: str) -> int:
    """Return the number of the lesson with which it goes on after a letter with this mark."""
    return int(mark.removesuffix(_ENDED))


def ways_on(games: Games, bots: Bots, kind: str, language: str, number: int) -> tuple[str, ...]:
    """Return the lines that a letter offers which ends the lessons.

    They begin a game with the weakest bot on the board of the last lesson if there are bots, seek an opponent, or give
    the lesson of this number.
    """
    teacher = games.teacher(kind)
    setup = "" if teacher is None else teacher.lessons[-1].setup
    playing = bots.playing(games, kind, setup)
    lines = (game.line_against(name, games.default) for name, game in playing.items())
    against = next(lines, games.wording(kind).bot_example)
    # The word for a bot in the language of the letter keeps that language.
    first = against.replace(f" vs {BOT}", f" vs {word_in(language, 'bots', BOT)}", 1)
    again = f"{word_in(language, 'keywords', KEYWORD)} {number}"
    return (*((first,) if bots.every else ()), games.wording(kind).seek_example, again)


def with_choice(services: CommandServices, language: str, mark: str, text: str) -> str:
    """Return the text of an answer to a letter that ends the lessons, with the offered line that its first one means.

    A yes, or a wish to play, means the first of them. An order is taken as it is.
    """
    first, _, rest = text.strip().partition("\n")
    reader, line = anywhere(services.games, services.commands), plain(first)
    if any(map(is_certain, understand(first, reader).orders)):
        return text
    kind = services.games.default
    choices = ways_on(services.games, services.bots, kind, language, lesson_to_go_on(mark))
    said, inviting = meaning_of(line, TO_TEACHERS), table("inviting")
    is_play = bool(inviting.matches(words := words_of(line))) and only_small(inviting.others(words))
    if read_answer(line, QUESTION) is YesOrNo.YES or said == PLAYS or is_play:
        choice = choices[0]
    else:
        choice = choices[-1] if said in _AGAIN else picked(line, choices, reader)
    return f"{in_language(choice, language)}\n{rest}" if choice else text
