"""Letters teach commands in words of their reader's language, and such a word is read as the command."""

import re

import pytest

from takmail.commands.command_list import COMMANDS
from takmail.commands.grammar import answers
from takmail.commands.grammar.answers import Expected
from takmail.commands.grammar.clerk import read_line
from takmail.commands.grammar.line_reader import LineReader, anywhere, in_game
from takmail.commands.grammar.understand import understand
from takmail.games.registry import GAMES
from takmail.letters.catalogue import ENGLISH, UNBROKEN
from takmail.vocabulary import section
from takmail.vocabulary.taught import in_english, in_language
from tests.letters.test_catalogue import CATALOGUE, LANGUAGES, macros, samples
from tests.support.tables import each_row
from tests.support.tak import start
from tests.support.translations import sources
from tests.support.wording import COMMON

OTHERS = [language for language in LANGUAGES if language != ENGLISH]
READERS = (anywhere(GAMES, COMMANDS), in_game(GAMES, COMMANDS, GAMES.rules("tak"), start(5)))
NOT_TYPED = re.compile(r"[“«]\{\{[^}]*\b(?:line|agree|refuse|example|\w+_example|proposal)\|unbroken")
QUOTED = re.compile("[“«「]([a-z][^”»」]*)[”»」]")
LINES = (
    "new 5 vs ben@example.org",
    "new 5 vs bot strong",
    "new 5 relay vs ben@example.org",
    "seek 5",
    "join 31",
    "unseek 31",
    "bid 4",
    "moves b2",
    "show 7",
    "why 14",
    "im #14",
    "propose back 17",
    "new 5 vs ben@example.org days=3 weekdays strict",
    "propose days=3",
    "propose days=3 weekdays",
    "rematch days=3 weekdays",
    "agree back 17",
    "refuse back 17",
    "gift 2d",
    "away 2026-12-24",
    "away cancel 2026-12-24",
    "learn 3",
    "learn 3 ps b4",
    "help bid",
    "help board",
    "help relay",
    "help clock",
    "address add ada@example.org",
    "block Ben",
    "name Ada",
    "say Hello, Ben!",
)
"""Lines with arguments, as letters and links have them."""
CONTEXTS = {
    "wait": answers.TIME_OVER,
    "yes": answers.QUESTION,
    "no": answers.QUESTION,
}
"""What waits for the lines that are only answers."""


def taught() -> list[tuple[str, str]]:
    return [(language, line) for language in OTHERS for line in (*section(language, "keywords"), *LINES)]


@pytest.mark.parametrize("language", OTHERS)
def test_no_message_has_an_english_command_for_which_there_is_a_word(language: str) -> None:
    words = CATALOGUE.words(language)
    for macro in macros(language):
        for values in samples(macro):
            common = {name: value for name, value in COMMON.items() if name in values}
            worded = words.macros[macro.name](**values | common).replace(UNBROKEN, " ")
            for line in QUOTED.findall(worded):
                assert in_language(line, language) == line, (macro.name, line)


@pytest.mark.parametrize("language", OTHERS)
def test_a_line_that_a_message_is_given_is_worded(language: str) -> None:
    """It is written `line|typed|unbroken`."""
    assert [one.name for one in sources(language) if NOT_TYPED.search(one.text)] == []


@each_row(("language", "line"), taught())
def test_a_taught_line_is_read_as_its_command(language: str, line: str) -> None:
    native = in_language(line, language)
    assert native != line
    waits = CONTEXTS.get(line)
    for reader in READERS:
        if waits is not None:
            expected = Expected(waits)
            assert _orders(native, reader, expected) == _orders(line, reader, expected) != []
            continue
        plain, read = (read_line(text, reader, is_first=True).order for text in (line, native))
        assert read is not None, native
        assert plain is not None, line
        assert (read.command, read.arguments, read.is_doubt) == (
            plain.command,
            plain.arguments,
            plain.is_doubt,
        )


def _orders(text: str, reader: LineReader, expected: Expected) -> list[tuple[object, object]]:
    return [(order.command, order.arguments) for order in understand(text, reader, expected=expected).orders]


@pytest.mark.parametrize("language", OTHERS)
def test_each_command_has_a_word(language: str) -> None:
    words = {key.partition(" ")[0] for key in section(language, "keywords")}
    assert words >= COMMANDS.words.keys() - {"challenge", "invite"}


def test_a_game_and_a_mark_stay_before_the_word() -> None:
    assert in_language("#12 accept", "zh") == "#12 接受"
    assert in_language("/say Hello", "ru") == "/передай Hello"
    assert in_language("bid ", "ru") == "ставка "


@pytest.mark.parametrize("line", ["ps b4", "ps b4 t #7", "b4", "ms b2 p3 2 1", "quit", "me", "resignation"])
def test_what_has_no_word_stays(line: str) -> None:
    assert {in_language(line, language) for language in OTHERS} == {line}
    assert in_english(line) == line


@pytest.mark.parametrize("language", OTHERS)
def test_a_bid_stands_beside_the_word(language: str) -> None:
    both = [in_language("accept bid=4", language), "accept bid=4"]
    native, plain = (_orders(text, READERS[0], Expected(answers.INVITATION)) for text in both)
    assert native == plain
    assert len(plain) == 2
