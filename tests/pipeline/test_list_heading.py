"""The line above the moves of a touched stack is removed, however mail programs change it."""

import pytest

from takmail.blocks import message
from takmail.commands.command_list import COMMANDS
from takmail.commands.grammar.line_reader import anywhere
from takmail.games.registry import GAMES
from takmail.letters.catalogue import LOCALES
from takmail.letters.templates import Templates, folder
from takmail.pipeline.typed_text import LIST_HEADINGS, without_list_heading
from tests.support.tables import each_row

HEADING = "Keep one line and delete the others"


@each_row(
    ("text", "left"),
    [
        ("", ""),
        (HEADING, ""),
        (f"{HEADING}\nms c3 p1 1 #7", "ms c3 p1 1 #7"),
        (f"\n{HEADING}\n\nms c3 p1 1 #7\n", "\n\nms c3 p1 1 #7"),
        (f"  {HEADING.upper()}. \nms c3 p1 1", "ms c3 p1 1"),
        (f"{HEADING}:\nms c3 p1 1", "ms c3 p1 1"),
        ("Keep  one line\u00a0and delete the others\nms c3 p1 1", "ms c3 p1 1"),
        (f"{HEADING} ms c3 p1 1 #7", "ms c3 p1 1 #7"),
        (f"ms c3 p1 1\n{HEADING}", "ms c3 p1 1"),
        (f'ms c3 p1 1\n\nWhat is "{HEADING}"?', f'ms c3 p1 1\n\nWhat is "{HEADING}"?'),
        (f"{HEADING} moves c3", "moves c3"),
        (f"{HEADING} next time", f"{HEADING} next time"),
        (f"{HEADING}: that is what I read.", f"{HEADING}: that is what I read."),
        (f"{HEADING}, what is that?", f"{HEADING}, what is that?"),
        ("Keep one line", "Keep one line"),
        ("留下一行并删掉其余各行\nms c3 p1 1 #7", "ms c3 p1 1 #7"),
        ("留下一行并删掉其余各行：\nms c3 p1 1 #7", "ms c3 p1 1 #7"),
        ("  two\n   blanks", "  two\n   blanks"),
    ],
)
def test_only_the_heading_is_removed(text: str, left: str) -> None:
    assert without_list_heading(text, anywhere(GAMES, COMMANDS)) == left


@pytest.mark.parametrize("language", LOCALES)
def test_the_heading_that_links_write_is_known(language: str) -> None:
    assert Templates(folder()).said(message("keep_one_line"), language) in LIST_HEADINGS
