"""Help pages are found by the names of their messages, and each is about a command or a topic of a game."""

from takmail.blocks import Blocks, message, paragraph
from takmail.commands.answers import Told
from takmail.commands.command_list import COMMANDS
from takmail.commands.grammar.arguments import Help
from takmail.commands.show import explain
from takmail.games.registry import GAMES
from takmail.letters.answers.builders import help_page
from takmail.letters.catalogue import ENGLISH
from takmail.letters.reader import Lobby, Reader
from takmail.letters.templates import Templates, folder
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


def test_a_page_has_the_word_of_the_readers_language() -> None:
    assert page("resign", "ru") == (
        *page("resign"),
        *paragraph(message("word_of_your_language", line="resign")),
    )
    assert page("quit", "ru") == page("quit")
