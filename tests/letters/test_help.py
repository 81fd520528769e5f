"""Help pages are found by the names of their messages, and each is about a command or a topic of a game."""

import pytest

from takmail.blocks import Blocks, Message, Paragraph
from takmail.commands.answers import Told
from takmail.commands.command_list import COMMANDS
from takmail.commands.grammar.arguments import Help
from takmail.commands.show import explain
from takmail.games.registry import GAMES
from takmail.letters.answers.builders import help_page
from takmail.letters.catalogue import ENGLISH, LOCALES
from takmail.letters.reader import Lobby, Reader
from takmail.letters.templates import Templates, folder
from takmail.vocabulary import commands_in
from tests.commands.build import context
from tests.support.tables import each_row

MACROS = Templates(folder()).words(ENGLISH).macros
PAGES = [name for name in MACROS if name.startswith("help_")]
SUMMARIES = [name for name in MACROS if name.startswith("summary_")]
LINES = {"help_propose": ("proposal", "whose")}
"""The lines to type of other games that a page of all games gives as its parameters."""


def page(word: str, language: str = ENGLISH) -> Blocks:
    """Return the blocks of `help WORD`."""
    answer = explain(context(), Help(word))
    assert isinstance(answer, Told)
    return help_page(Reader(None, "tak", Lobby(GAMES), language=language), **answer.facts)


@each_row("name", PAGES)
def test_a_page_is_found_and_has_no_parameters_but_lines_to_type(name: str) -> None:
    assert MACROS[name].arguments == LINES.get(name, ())
    kind, _, topic = name.removeprefix("help_").rpartition("_")
    answer = explain(context(), Help(topic, kind))
    assert isinstance(answer, Told)
    assert answer.facts["page"] in (name, f"help_{GAMES.default}_{topic}")


@each_row("name", SUMMARIES)
def test_a_summary_is_that_of_a_command(name: str) -> None:
    word = name.removeprefix("summary_")
    assert word == "quit" or COMMANDS.pages(word)[-1] == word


def test_a_page_has_the_words_of_the_readers_language() -> None:
    assert [block for block in page("resign") if block not in page("resign", "ru")] == []
    (block,) = (block for block in page("resign", "ru") if block not in page("resign"))
    assert isinstance(block, Paragraph)
    (sentence,) = block.sentences
    assert isinstance(sentence, Message)
    assert sentence.name == "words_of_your_language"
    assert "сдаюсь" in sentence.values["words"]
    assert sentence.values["may_change"]
    assert page("show", "ru") == page("show")


@pytest.mark.parametrize("language", LOCALES)
def test_words_of_a_language_are_known_by_the_command(language: str) -> None:
    assert commands_in(language, "resign")
    assert commands_in(language, "seek") == commands_in(language, "seek 5")
    assert commands_in(language, "xyzzy") == ()


def test_a_language_without_a_vocabulary_has_no_words() -> None:
    assert commands_in("xx", "resign") == ()
