"""No message that a mail program quotes without marks, alone on a line, is an order or an answer to a question."""

from functools import cache

import pytest

from takmail.commands.command import Effect
from takmail.commands.command_list import COMMANDS
from takmail.commands.grammar.line_reader import in_game
from takmail.commands.grammar.understand import understand
from takmail.games.registry import GAMES
from tests.commands.grammar.reading import ASKED
from tests.letters.test_catalogue import CATALOGUE, LANGUAGES, macros, samples
from tests.support.tak import start
from tests.support.width import some_of
from tests.support.wording import COMMON

READER = in_game(GAMES, COMMANDS, GAMES.rules("tak"), start(5))
LONGEST = 72
"""The most columns of a line in a letter."""
HARMLESS = {"say"}
"""A line that is passed on to the opponent, as other words are."""
NO_LINES = {"tak_thing_named"}
"""A message that no letter has alone on a line: the name of a piece."""


@cache
def lines(language: str) -> dict[str, str]:
    """Return what messages of a language say on one line, and the name of each message."""
    words = CATALOGUE.words(language)
    found: dict[str, str] = {}
    for macro in macros(language):
        for values in samples(macro):
            common = {name: value for name, value in COMMON.items() if name in values}
            line = " ".join(words.macros[macro.name](**values | common).split())
            if len(line) <= LONGEST and macro.name != "title":
                found.setdefault(line, macro.name)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_line_of_a_letter_does_nothing(language: str) -> None:
    for line, name in some_of(lines(language).items(), 60):
        for order in understand(line, READER, expected=ASKED).orders:
            is_harmless = order.command.effect is Effect.LOOKS or order.command.keyword in HARMLESS
            assert order.is_doubt or is_harmless or name in NO_LINES, (name, line)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_label_of_a_button_is_no_order(language: str) -> None:
    labels = {line: name for line, name in lines(language).items() if name.startswith("label_")}
    assert len(labels) >= 16
    for line, name in labels.items():
        for before in ("", "Hello,\n", "> 1\n\n"):
            orders = understand(before + line, READER, expected=ASKED).orders
            assert all(order.is_doubt for order in orders), (name, line)
