"""Whatever stands around a move in a mail, nothing is played that no line orders."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.examples import examples
from tests.support.phrases import Phrase, came_of
from tests.support.tables import each_row
from tests.support.width import IS_WIDE, some_of

MOVES = ("ps b4", "ps d2", "pw c4", "pc d3", "me c3 p1 1", "mn e5 p1 1", "ps f3", "ps c2")
"""Turns by the book. The last two are not legal for Ada in the context `turn`."""

NOTHING_ORDERED = {
    "corrections": (
        "ps b4, no wait",
        "ps b4, no wait, ps c4",
        "ps b4, no, d4",
        "ps b4. No, not there!",
        "ps b4, or d2?",
        "ps b4 or ps d2",
        "ps b4 instead of ps d2",
        "not ps b4",
        "Not ps b4 but ps d2",
        "ps b4? no",
        "no, ps b4",
        "ps b4 - oh wait, that loses",
        "ps b4, but only if you don't mind",
        "ps b4; I mean ps d2",
        "ps b4 (or maybe a wall)",
        "ps b4 => ps d2",
        "ps b4 / ps d2",
        "~~ps b4~~ ps d2",
        "ps b4, scratch that, ps d2",
        "ps b4, hang on",
        "ps b4, let me think about it",
        "ps b4 (joke)",
        "ps b4\n\nHang on, let me think again.",
        "ps b4\nI changed my mind",
        "ps b4\noops",
        "ps b4\nNever ps b4!",
        "ps b4\nI take ps b4 back",
        "ps b4\nForget ps b4",
        "ps b4\nps b4 would lose",
        'ps b4\nI meant "ps d2"',
        "ps b4\nOr I could play ps b4 tomorrow.",
        "ps b4\nps d2",
        "ps b4\n\nps d2, sorry, that one",
    ),
    "prose": (
        "I was about to write ps b4 when the telephone rang.",
        "If I play ps b4 you will answer ps d2.",
        "Should I have played ps b4?",
        "ps b4 would lose at once",
        "ps b4 is what my brother wants me to play",
        "After ps b4 and ps d2 there is a road for you.",
        "Don't play ps b4!",
        "My brother says: ps b4",
        "Everybody else would write ps b4, I think about it until tomorrow.",
        "You wrote ps b4 in your last game.",
        "ps b4 ps d2 ps a5",
        "What about ps b4?",
        "ps b4?",
        "ps b4, draw?",
        "ps b4, resign",
        "Never ps b4.",
    ),
    "quotes": (
        "> ps b4",
        "> Ada wrote:\n> ps b4\n\nThat was long ago.",
        '"Play ps b4," he said, and I laughed.',
        "On Fri, 20 Nov 2026 at 10:00, Ben <ben@example.org> wrote:\n> ps b4\n> Good luck!",
        "Ben wrote:\n\n| ps b4",
    ),
    "signatures": (
        "Good luck!\n-- \nAda\nps b4",
        "Good luck!\n--\nps b4 is my favourite move",
        "Good luck!\nquit\nps b4",
        "Good luck!\n.\nps b4",
    ),
    "boards": (
        "S 0 0 0 0\n0 0 W 0 0\n0 0 s 0 0\n0 s 0 0 0\n0 0 0 0 s",
        "Board after ps b4:\nS 0 0 0 0\n0 0 W 0 0\n0 0 s 0 0\n0 s 0 0 0\n0 0 0 0 s",
    ),
    "disclaimers": (
        "This message (ps b4) may be confidential. If you are not the intended recipient, delete it.",
        "Sent from my phone. Please excuse ps b4 typos.",
    ),
}

DISCLAIMER = (
    "This e-mail and any attachments are confidential. If you are not the intended recipient, stop reading, "
    "do not move or copy it, and help us by deleting it. Any draw on our account is void."
)

PLAYED = {
    "ps b4\n\nSent from my iPhone": "ps b4",
    "ps b4\n\nGet Outlook for Android": "ps b4",
    "ps b4\n-- \nAda, Norway\nps d2": "ps b4",
    f"ps b4\n\n{DISCLAIMER}": "ps b4",
    f"Hi Ben,\n\nps b4\n\nBest wishes, Ada\n\n{DISCLAIMER}": "ps b4",
    "ps b4\n\nI was afraid of d2 the whole time.": "ps b4",
    "ps b4\nps b4": "ps b4",
    "ps b4\nps b4?": "ps b4",
    "ps b4\nI'd have played ps d2 myself.": "ps b4",
    "**ps b4**": "ps b4",
    "ps b4 - tak!": "ps b4 t",
    'ps b4\n\nown. "ps a1" places a flat on A1, "pw a1" a wall, "pc a1" a capstone;\nS 0 0 s S s S 0': "ps b4",
    "ps b4, talk to you later": "ps b4",
    "- ps b4": "ps b4",
    "\u201cps b4\u201d": "ps b4",
    "ps b4, and greetings to Nora!": "ps b4",
    "ps\u00a0b4": "ps b4",
}


@each_row("text", some_of((text for texts in NOTHING_ORDERED.values() for text in texts), 20))
def test_no_line_orders_a_move(text: str) -> None:
    assert played(text) == ()


@each_row("text, move", some_of(PLAYED.items(), 8))
def test_a_line_orders_a_move(text: str, move: str) -> None:
    assert played(text) == (move,)


POLITE = ("please", "pls", "thanks", "thank you", "thx", "ok", "hi", "hello", "ben", "sorry", "then")
TURNING = ("no", "not", "wait", "or", "instead", "but", "but not", "i mean", "don't", "never")
COMMANDS = ("draw", "undo", "resign", "stop", "rs", "log", "accept", "forget me")
PLAIN_WORDS = ("I", "think", "the", "cat", "it", "is", "on", "holiday", "and", "good", "luck", "if", "you")
MARKS = (",", ".", ";", ":", "!", "?", " -", " (", ")", "...", " /", " >")

_MOVE = r"(?:p[swc] [a-f][1-5]|m[nsew] [a-f][1-5](?: p\d(?: ?\d)+)?)"
_POLITE = r"(?:" + "|".join(POLITE) + r")\b[^\w]*"
_CLOSING = r"(?:[\s,.;:!)(>/-]|" + _POLITE + ")*"
_WHOLE = re.compile(rf"(?:{_POLITE}|[\s\-*]+)*({_MOVE})(?: \(?t(?:ak)?\)?)?{_CLOSING}")
_WITH_WORDS = re.compile(rf"(?:{_POLITE}|[\s\-*]+)*({_MOVE}) ?[,.;:!(-](.*)")
_SECOND = re.compile(
    rf"{_MOVE}|\b[a-f][1-5]\b|\b(?:no|not|wait|or|instead|mean|don't|never)\b|\b(?:{'|'.join(COMMANDS)})\b"
)


def ordered_by(line: str) -> str | None:
    """Return the move that a line may order, read as generously as the rule allows."""
    line = line.lower().strip()
    if whole := _WHOLE.fullmatch(line):
        return whole[1]
    begun = _WITH_WORDS.fullmatch(line)
    return None if begun is None or _SECOND.search(begun[2]) else begun[1]


@st.composite
def lines(draw: st.DrawFn) -> str:
    """Moves, polite words, words that turn them over, commands and other words, in any order, with marks between."""
    words = st.one_of(
        st.sampled_from(MOVES), *map(st.sampled_from, (MOVES, POLITE, TURNING, COMMANDS, PLAIN_WORDS))
    )
    marks = st.sampled_from(("", "", "", *MARKS))
    return " ".join(word + mark for word, mark in draw(st.lists(st.tuples(words, marks), max_size=6)))


@pytest.mark.many
@given(st.lists(lines(), min_size=1, max_size=3))
@settings(max_examples=examples(60 if IS_WIDE else 24, 3000))
def test_only_what_a_line_orders_is_played(written: list[str]) -> None:
    came = came_of(Phrase("turn", "\n".join(written), ()))
    orders = {move for move in map(ordered_by, written) if move is not None}
    canonical = {re.sub(r"^(m[nsew] ..)$", r"\1 p1 1", one) for one in orders}
    assert {one.removesuffix(" t") for one in came.played} <= canonical, came.phrase.text
    if len({line for line in written if line in MOVES}) > 1:
        assert came.played == (), came.phrase.text


@pytest.mark.many
@given(
    st.text(min_size=1, max_size=12),
    st.sampled_from(MOVES),
    st.text(max_size=12),
    st.booleans(),
    st.booleans(),
)
@settings(max_examples=examples(60 if IS_WIDE else 24, 3000))
def test_letters_at_a_move_are_not_overlooked(
    before: str, move: str, behind: str, has_space: bool, has_order: bool
) -> None:
    """A word or part of a word stands directly before a move or with a space between: the move is not played."""
    line = f"{before}{' ' if has_space else ''}{move} {behind}"
    came = came_of(Phrase("turn", f"{line}\nps a5" if has_order else line, ()))
    is_a_word = re.search(r"[^\W\d]", before) and before.lower().strip() not in (*POLITE, "move")
    if is_a_word and len(line.splitlines()) == 1:
        assert set(came.played) <= ({"ps a5"} if has_order else set()), came.phrase.text


def played(text: str) -> tuple[str, ...]:
    return came_of(Phrase("turn", text, ())).played
