"""The HTML part of a letter is rendered from the templates of its text."""

from pathlib import Path

import pytest

from takmail.commands.view import look
from takmail.games.interface import Seat
from takmail.letters.html import Page
from takmail.letters.html import _drawable_blocks as drawable
from takmail.letters.markup import Block, Kind, Slot, blocks
from takmail.letters.templates import Templates
from takmail.limits.letters import MAX_PICTURES
from tests.commands.build import game as table

FRAME = """\
{% for block in blocks %}
{% if block.kind == "slot" %}{% with it = block.slot.it %}{% include "html/" ~ block.slot.name ~ ".html" %}{% endwith %}
{% else %}
<{{ block.kind }}>{{ block.lines|join("/") }}</{{ block.kind }}>
{% endif %}
{% endfor %}
"""


def page(folder: Path, text: str, **facts: object) -> Page:
    (folder / "one").mkdir()
    (folder / "one" / "text.txt").write_text(text, encoding="utf-8")
    (folder / "html").mkdir()
    (folder / "html" / "letter.html").write_text(FRAME, encoding="utf-8")
    (folder / "html" / "board.html").write_text("<img src={{ it|pictured }}>", encoding="utf-8")
    (folder / "html" / "text_board.html").write_text("<pre>{{ it }}</pre>", encoding="utf-8")
    return Templates(folder).letter("one", **facts).page()


def html(folder: Path, text: str, **facts: object) -> str:
    return page(folder, text, **facts).html.strip()


def test_entries_of_a_list_are_one_block_and_are_wrapped_in_the_text(tmp_path: Path) -> None:
    text = "{% for one in ['a', 'b ' * 40] %}\n{% filter item %}\n{{ one }}\n{% endfilter %}\n\n{% endfor %}"
    assert html(tmp_path, text) == f"<items>a/{' '.join('b' * 40)}</items>"
    assert (
        Templates(tmp_path).letter("one").text
        == f"  - a\n  - {' '.join('b' * 34)}\n    {' '.join('b' * 6)}\n"
    )


def test_prose_is_a_paragraph_whatever_its_lines_are(tmp_path: Path) -> None:
    text = "{% filter fill %}\nIt is\nyour turn.\n\nWrite.\n{% endfilter %}"
    assert (
        html(tmp_path, text)
        == "<paragraph>It is your turn.</paragraph>\n<paragraph>Write.</paragraph>".strip()
    )


def test_a_filled_part_of_a_filled_part_is_prose_of_the_same_paragraph(tmp_path: Path) -> None:
    text = "{% filter fill %}\nOne {{ 'two\nthree'|fill }} four\n{% endfilter %}"
    assert html(tmp_path, text) == "<paragraph>One two three four</paragraph>"


def test_rows_are_kept_as_they_are_and_what_stands_right_below_belongs_to_them(tmp_path: Path) -> None:
    text = '{{ ["0  s", "S  0"]|join("\\n")|pre }}\n{{ "A  B"|pre }}\n\n{{ "1"|pre }}'
    assert html(tmp_path, text) == "<pre>0  s/S  0/A  B</pre>\n<pre>1</pre>"


def test_lines_lists_and_columns_are_told_by_their_form(tmp_path: Path) -> None:
    text = "Last turns:\n  1. Ada: ps b4\n  2. Ben: ps c3\n\nWhat you can do:\n  - move\n  - wait\n\nps b4   a flat\n"
    assert html(tmp_path, text).splitlines() == [
        "<lines>Last turns:</lines>",
        "<indented>1. Ada: ps b4/2. Ben: ps c3</indented>",
        "<lines>What you can do:</lines>",
        "<items>move/wait</items>",
        "<columns>ps b4  a flat</columns>",
    ]


def test_a_second_column_goes_on_below_itself_and_more_than_two_are_kept_as_they_are(tmp_path: Path) -> None:
    text = "  ps b4      a flat\n  ms b2 p3   three,\n             to the south\n\na  b  c\nd  e  f\n"
    assert html(tmp_path, text).splitlines() == [
        "<columns>ps b4  a flat/ms b2 p3  three, to the south</columns>",
        "<pre>a  b  c/d  e  f</pre>",
    ]


def test_indented_prose_is_a_line_of_a_list_however_long_it_is(tmp_path: Path) -> None:
    text = "The rules:\n{{ long|fill('  ') }}\n{{ long|fill('  ') }}\n\n{{ long|fill('  ') }}"
    one = "word " * 29 + "word"
    assert html(tmp_path, text, long=one).splitlines() == [
        "<lines>The rules:</lines>",
        f"<indented>{one}/{one}</indented>",
        f"<indented>{one}</indented>",
    ]


def test_nothing_of_what_somebody_wrote_is_a_tag(tmp_path: Path) -> None:
    said = html(tmp_path, "{{ words|barred }}\n\n{{ name }}", words="<b>hi</b>\n\n& you", name='"<img>')
    assert said == ("<words>&lt;b&gt;hi&lt;/b&gt;//&amp; you</words>\n<lines>&#34;&lt;img&gt;</lines>")


def test_nobody_can_write_a_mark(tmp_path: Path) -> None:
    forged = "\ufdd0slot\ufdd17\ufdd2\ufdd0 x"
    said = html(tmp_path, "{{ name }}\n\n{{ words|barred }}\n\n{{ words|fill }}", name=forged, words=forged)
    assert said == "<lines>slot7 x</lines>\n<words>slot7 x</words>\n<paragraph>7 x</paragraph>"


def test_an_address_is_behind_words_here_and_stands_by_itself_in_the_text(tmp_path: Path) -> None:
    text = '{{ address|linked("Open\\ufdd0 <it>") }}'
    assert (
        html(tmp_path, text, address="https://example.org/a&b")
        == "<link>Open &lt;it&gt;/https://example.org/a&amp;b</link>"
    )
    assert (
        Templates(tmp_path).letter("one", address="https://example.org/a&b").text
        == "https://example.org/a&b\n"
    )


def test_letters_beyond_ascii_are_written_by_their_numbers(tmp_path: Path) -> None:
    assert html(tmp_path, "{{ name }}", name="Jürgen 雨") == "<lines>J&#252;rgen &#38632;</lines>"


def test_of_many_boards_the_first_are_drawn(tmp_path: Path) -> None:
    names = [str(number) for number in range(MAX_PICTURES + 3)]
    text = '{% for one in names %}{{ "board"|slot(one) }}\n\n{% endfor %}'
    (tmp_path / "many").mkdir()
    made = page(tmp_path / "many", text, names=names)
    assert made.pictures == tuple(names[:MAX_PICTURES])
    assert [f"<pre>{one}</pre>" in made.html for one in names] == [one not in made.pictures for one in names]
    assert page(tmp_path, text, names=names[:MAX_PICTURES]).pictures == tuple(names[:MAX_PICTURES])
    letter = Templates(tmp_path).letter("one", names=names)
    assert letter.page(most_boards=1).pictures == (names[0],)


def test_the_current_board_is_drawn_before_all_others() -> None:
    now = look(table("ps a1", "ps e5"), Seat.FIRST)
    before = now.showing(now.state, 1, None) if now.state else now
    views = [*[before] * MAX_PICTURES, now, before]
    blocks = tuple(Block(Kind.SLOT, (), Slot("board", one)) for one in views)
    drawn = [one.slot.name for one in drawable(blocks, 2) if one.slot]
    assert drawn == ["board", *["text_board"] * (MAX_PICTURES - 1), "board", "text_board"]


def test_a_slot_is_filled_where_it_stands_and_a_picture_shown_twice_is_named_once(tmp_path: Path) -> None:
    made = page(tmp_path, 'Look:\n\n{{ "board"|slot("b4") }}\n\n{{ "board"|slot("b4") }}')
    assert (
        made.html.replace("\n", "") == "<lines>Look:</lines><img src=cid:b4@takmail><img src=cid:b4@takmail>"
    )
    assert made.pictures == ("b4",)


def test_each_part_has_what_is_for_it_alone(tmp_path: Path) -> None:
    text = """\
{% filter text_only %}
{% filter fill %}
Answer with a line.
{% endfilter %}
{% endfilter %}

{% filter html_only %}
{% filter fill %}
Touch a square.
{% endfilter %}
{% endfilter %}

Always."""
    assert html(tmp_path, text) == "<paragraph>Touch a square.</paragraph>\n<lines>Always.</lines>"
    assert Templates(tmp_path).letter("one").text == "Answer with a line.\n\nAlways.\n"


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_of_nothing_there_are_no_blocks(text: str) -> None:
    assert list(blocks(text, ())) == []


def test_a_block_says_what_it_is() -> None:
    slot = Slot("picture", None)
    found = list(blocks("Hi\n\ufdd0slot\ufdd10\ufdd2\n  there", [slot]))
    assert [(one.kind, one.lines, one.slot) for one in found] == [
        (Kind.LINES, ("Hi",), None),
        (Kind.SLOT, (), slot),
        (Kind.INDENTED, ("there",), None),
    ]
