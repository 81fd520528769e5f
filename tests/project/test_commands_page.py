"""The table of docs/commands.md agrees with the list of commands, and each command has a summary."""

import re

from takmail.commands.command_list import COMMANDS
from takmail.letters.text import WIDTH
from tests.project.commands_page import PAGE, summary, with_table
from tests.support.tables import each_row

TEXT = PAGE.read_text(encoding="utf-8")
MOST_WORDS = 5500


def test_the_table_is_that_of_the_commands() -> None:
    assert with_table(TEXT) == TEXT, "run: make commands"


def test_a_table_that_is_not_would_be_seen() -> None:
    changed = TEXT.replace("| offers a draw", "| offers a drink")
    assert changed != TEXT
    assert with_table(changed) == TEXT


@each_row("word", COMMANDS.words)
def test_each_command_has_a_summary_of_one_line(word: str) -> None:
    assert re.fullmatch(r"[A-Z][^{}]*\.", summary(word))
    assert len(summary(word)) <= WIDTH


def test_the_page_stays_short() -> None:
    assert len(TEXT.split()) <= MOST_WORDS
