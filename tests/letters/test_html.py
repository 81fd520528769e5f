"""The text and the HTML part of a letter are rendered from the same blocks."""

import re
from collections.abc import Iterable

import pytest

from takmail.blocks import (
    Block,
    Button,
    Cells,
    Code,
    Columns,
    Drawing,
    Indented,
    Items,
    Lines,
    Link,
    Paragraph,
    Quote,
    Rule,
    Small,
    SmallLinks,
    buttons,
    message,
    only_html,
    only_text,
)
from takmail.commands.view import View, look
from takmail.games.interface import Seat
from takmail.games.registry import GAMES
from takmail.letters.catalogue import Speaker
from takmail.letters.mailto_links import mailto_links
from takmail.letters.page import HtmlPage
from takmail.letters.templates import Templates, folder
from takmail.letters.text import as_text
from takmail.limits.letters import MOST_BOARDS, MostBoards
from tests.commands.build import game as table

TEMPLATES = Templates(folder())
SPEAKER = Speaker(
    TEMPLATES.words("en"), {"opponent": "Ben", "service": "takmail", "address": "tak@example.org"}
)
TOUCH = mailto_links("tak@example.org", "Tak", 1, "Keep one")


def page(blocks: Iterable[Block], most_boards: int = MOST_BOARDS[0].pictures) -> HtmlPage:
    return TEMPLATES.pages.page(
        blocks, SPEAKER, GAMES.wording, TOUCH, "Tak", MostBoards(most_boards, most_boards)
    )


def html(*blocks: Block) -> str:
    """Return the HTML part below a first paragraph, without styles."""
    body = page((Paragraph(("It is about this.",)), *blocks)).html
    inner = body.partition("</h1>")[2].partition("</td>\n</tr>\n</table>\n</body>")[0]
    return "\n".join(line for line in inner.splitlines() if line.strip())


def text(*blocks: Block) -> str:
    return as_text(blocks, SPEAKER)


def view() -> View:
    return look(table("ps a1", "ps e5"), Seat.FIRST)


def test_a_list_is_wrapped_in_the_text_and_stands_right_below_its_heading() -> None:
    entries = Items((("a",), ("b " * 39 + "b",)))
    assert (
        text(Paragraph(("What there is:",)), entries)
        == f"What there is:\n  - a\n  - {' '.join('b' * 34)}\n    {' '.join('b' * 6)}\n"
    )
    assert html(entries).count("<li>") == 2


def test_a_blank_line_stands_between_two_blocks_but_for_a_small_line_above_its_answer() -> None:
    assert (
        text(Small("You wrote: ps b4"), Paragraph(("Done.",)), Paragraph(("Two", "sentences.")))
        == "You wrote: ps b4\nDone.\n\nTwo sentences.\n"
    )


def test_lines_and_rows_are_kept_as_they_are() -> None:
    assert text(Lines(("White: Ada.", "Black: Ben.")), Code(("0  s", "S  0 "))) == (
        "White: Ada.\nBlack: Ben.\n\n0  s\nS  0\n"
    )
    assert ">0  s\nS  0</pre>" in html(Code(("0  s", "S  0 ")))


def test_columns_are_as_wide_as_the_widest_line_to_type() -> None:
    rows = (("ps b4", "places a flat"), ("a longer line to type", "does more"))
    assert text(Columns(rows)) == (
        "  ps b4                  places a flat\n  a longer line to type  does more\n"
    )


def test_short_texts_stand_side_by_side() -> None:
    assert text(Cells(("ps b4", "pw b4", "mn a3 p1 1"))) == "  ps b4        pw b4        mn a3 p1 1\n"


def test_nothing_of_what_somebody_wrote_is_a_tag() -> None:
    touched = SmallLinks((Button("<u>", "<s>"),))
    said = html(Quote("<b>hi</b>\n\n& you"), Paragraph(('"<img>"',)), Indented(("<i>",)), touched)
    assert "<b>" not in said
    assert "&lt;b&gt;hi&lt;/b&gt;" in said
    assert "&amp; you" in said
    assert "<img" not in said
    assert not {"<i>", "<u>", "<s>"} & set(re.findall("<[^>]*>", said))
    assert ">&lt;u&gt;</a>" in said
    assert text(Quote("<b>hi</b>\n\n& you")) == "  | <b>hi</b>\n  |\n  | & you\n"


def test_an_address_is_behind_words_in_html_and_stands_by_itself_in_the_text() -> None:
    link = Link("https://example.org/a&b", message("opponent_offers_draw"))
    assert text(link) == "https://example.org/a&b\n"
    assert 'href="https://example.org/a&amp;b"' in html(link)
    assert "Ben offers a draw." in html(link)


def test_letters_beyond_ascii_are_written_by_their_numbers() -> None:
    assert "J&#252;rgen &#38632;" in html(Paragraph(("Jürgen 雨",)))


def test_buttons_are_for_html_alone_and_open_a_mail_with_their_line() -> None:
    row = buttons((message("label_log"), "log"))
    assert text(Paragraph(("Yes?",)), row) == "Yes?\n"
    assert "body=log%0D%0A" in html(row)


def test_each_part_has_what_is_for_it_alone() -> None:
    blocks = (
        only_text((Paragraph(("Answer with a line.",)),)),
        only_html((Paragraph(("Touch a square.",)),)),
        Rule(),
    )
    assert text(*blocks) == "Answer with a line.\n\n--------\n"
    assert "Touch a square." in html(*blocks)
    assert "Answer with" not in html(*blocks)


@pytest.mark.parametrize(
    ("first", "headline"),
    [
        ("Ben offers a draw. You may agree.", "Ben offers a draw."),
        ("Done: it is 5.5 long", "Done: it is 5.5 long"),
        ("轮到你了，请走下一步。回复这封信。", "轮到你了，请走下一步。"),
        ("轮到你了。Ada在B3放了一枚。剩7枚。", "轮到你了。Ada在B3放了一枚。"),
        ("Yes. That is it. So it is.", "Yes. That is it."),
        ("word " * 40, None),
    ],
)
def test_the_first_sentence_is_the_headline_with_the_next_beside_a_short_one_unless_it_is_long(
    first: str, headline: str | None
) -> None:
    found = page((Paragraph((first,)),)).html.partition("<h1")[2].partition("</h1>")[0].partition(">")[2]
    wanted = "" if headline is None else headline.encode("ascii", "xmlcharrefreplace").decode()
    assert found == wanted


def test_of_many_boards_the_first_are_drawn() -> None:
    boards = [Drawing("board", view())] * (MOST_BOARDS[0].pictures + 2)
    assert page(boards).html.count('<table class="t-board"') == MOST_BOARDS[0].pictures
    assert page(boards, most_boards=1).html.count('<table class="t-board"') == 1
    assert page(boards, most_boards=1).html.count("<pre") == MOST_BOARDS[0].pictures + 1


def test_the_current_board_is_drawn_before_all_others() -> None:
    now = view()
    assert now.shown.state is not None
    before = now.showing(now.shown.state, 1, None)
    made = page([Drawing("board", shown) for shown in (before, before, now)], most_boards=1).html
    assert made.rindex("<pre") < made.index('<table class="t-board"')


def test_a_picture_that_is_shown_twice_is_named_once() -> None:
    made = page([Drawing("board", view())] * 2)
    assert len(set(made.pictures)) == len(made.pictures)
    assert all(f"cid:{name}" in made.html for name in made.pictures)


def test_of_nothing_there_is_nothing() -> None:
    assert text() == "\n"
    assert text(only_html(()), buttons()) == "\n"
