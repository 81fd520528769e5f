"""However a mail program reformats a quoted letter, exactly the typed lines remain."""

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from takmail.mail.quotes.reply_text import typed_text

SPOTS = ["0", "0", "0", "s", "S", "cSS", "Wss", "sSsS", "w"]
NOUNS = ["road", "wall", "capstone", "corner", "edge", "stack", "reserve", "neighbour"]
VERBS = ["blocks", "crosses", "covers", "leaves", "guards", "threatens"]
HINTS = ["rs", "resign", "draw", "undo", "help", "show 3", "log"]
MOVES = ["ps b4", "pw a1 t", "ms b2 p3 2 1", "me c3", "rs", "resign", "draw", "ms b2 p1 1", "agree"]

moves = st.sampled_from(MOVES)
sentences = st.builds(
    lambda a, verb, b, n: f"The {a} at move {n} {verb} the {b} — isn't it “nice”?",
    st.sampled_from(NOUNS),
    st.sampled_from(VERBS),
    st.sampled_from(NOUNS),
    st.integers(1, 60),
)


@st.composite
def letters(draw: st.DrawFn) -> list[str]:
    """Generate the paragraphs of a letter: a move, chat, a board, facts, hints."""
    size = draw(st.integers(3, 8))
    row = st.lists(st.sampled_from(SPOTS), min_size=size, max_size=size).map(" ".join)
    board = draw(st.lists(row, min_size=size, max_size=size))
    facts = (
        f"{draw(st.sampled_from(['White', 'Black']))} to move. Reserves: {draw(st.integers(0, 50))} flats."
    )
    hints = [
        "You can answer with a move or with one of these words:",
        *draw(st.lists(st.sampled_from(HINTS))),
    ]
    return [
        draw(moves),
        " ".join(draw(st.lists(sentences, min_size=1, max_size=4))),
        "\n".join(board),
        f"{facts} {draw(sentences)}",
        "\n".join(hints),
    ]


def rewrapped(text: str, width: int) -> str:
    """Return the text with long lines wrapped, as a mail program does; short lines stay."""
    return "\n".join(
        textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False)
        for line in text.split("\n")
    )


def in_one(text: str, width: int) -> str:
    """Return the lines of a paragraph wrapped anew."""
    return textwrap.fill(text, width, break_long_words=False, break_on_hyphens=False)


def marked(text: str, levels: int) -> str:
    return "\n".join(f"{'> ' * levels}{line}".rstrip() for line in text.split("\n"))


STYLES = {
    "marked": lambda text, _: marked(text, 1),
    "marked, broken": lambda text, width: marked(rewrapped(text, width), 1),
    "marked twice": lambda text, _: marked(text, 2),
    "bare": lambda text, _: text,
    "bare, broken": lambda text, width: rewrapped(text, width),
    "bare, run together": in_one,
    "bare, indented": lambda text, _: textwrap.indent(text, "    "),
    "bare, spaces changed": lambda text, _: text.replace(" ", "\u00a0 "),
}


@pytest.mark.parametrize("style", STYLES)
@given(
    letter=letters(),
    typed=moves,
    chat=st.sampled_from(["", "Nice one, Ben!", "Thanks"]),
    place=st.integers(0, 5),
    width=st.integers(60, 76),
    blanks=st.booleans(),
)
def test_exactly_the_typed_lines_are_left(
    style: str, letter: list[str], typed: str, chat: str, place: int, width: int, blanks: bool
) -> None:
    text = "\n".join([typed, chat]).strip()
    parts = [STYLES[style](paragraph, width) for paragraph in letter]
    mail = ("\n\n" if blanks else "\n").join([*parts[:place], text, *parts[place:]])
    # If two neighbouring lines differ only in spaces, either may be the typed one.
    left = typed_text(mail, "\n\n".join(letter))
    assert [line.split() for line in left.split("\n")] == [line.split() for line in text.split("\n")]


@given(letter=letters(), typed=moves, width=st.integers(60, 76), marks=st.integers(0, 2))
def test_an_attribution_leaves_the_answer_above_it(
    letter: list[str], typed: str, width: int, marks: int
) -> None:
    quote = marked(rewrapped("\n\n".join(letter), width), marks)
    mail = f"{typed}\n\nOn Mon, 3 Nov 2025 at 10:00, Tak\n<tak+12.abc@example.org> wrote:\n\n{quote}\n"
    assert typed_text(mail, "\n\n".join(letter)) == typed


@given(st.text(max_size=400), st.none() | st.text(max_size=400))
def test_no_text_breaks_the_reading(text: str, answered: str | None) -> None:
    assert len(typed_text(text, answered)) <= len(text)
