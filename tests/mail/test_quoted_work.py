"""Extracting the typed text takes linear time for any mail."""

from typing import Any

import pytest

from takmail.limits.mails import MAX_COMPARED_CHARS, MAX_COMPARED_PLACES
from takmail.mail.quotes import alignment, known_letters, reply_text
from takmail.mail.quotes.introduction import Introduction, above_quotes
from takmail.mail.quotes.reply_text import typed_text
from tests.support.cost import assert_in_proportion
from tests.support.tables import each_row
from tests.support.width import combined

_MAX_CHARS = 256 * 1_024

NONE: frozenset[int] = frozenset()


def test_lines_above_one_quote_are_taken_out_once_however_many_introductions_stand_there() -> None:
    introductions = [Introduction(number, number + 3) for number in range(0, 3_000, 3)]
    for marked, ours in [(frozenset({3_000}), NONE), (NONE, frozenset({3_000}))]:
        found = above_quotes(["x"] * 3_001, introductions, marked, ours)
        assert [(one.first, quote) for one, quote in found] == [(at, at + 3) for at in range(0, 3_000, 3)]


def test_an_introduction_within_another_one_takes_no_lines_of_its_own() -> None:
    around, within, last = Introduction(0, 5), Introduction(2, 4), Introduction(6, 7)
    lines = ["x"] * 8
    found = above_quotes(lines, [around, within, last], frozenset({5}), NONE)
    assert list(found) == [(around, 5), (last, None)]


def test_an_introduction_with_no_quote_right_below_it_ends_the_mail() -> None:
    above, below = Introduction(0, 3), Introduction(5, 8)
    lines = ["From: Ben", "To: Ada", "", "", "> rs", "From: Ada", "To: Ben", "", "Hello"]
    assert list(above_quotes(lines, [above, below], frozenset({4}), NONE)) == [(above, 4), (below, None)]


@pytest.mark.parametrize("shown", ["text", "html"])
def test_the_other_side_is_not_looked_for_where_the_first_is_all_that_is_quoted(
    monkeypatch: pytest.MonkeyPatch, shown: str
) -> None:
    sides = {
        "text": "Hello Ada,\nit is your turn.",
        "html": "Your turn\nHello Ada,\nit is your turn.\na1 flat",
    }
    looked: list[str] = []
    quoted_from = known_letters.quoted_lines

    def noted(letter: str, *how: Any) -> frozenset[int]:
        looked.append(letter)
        return quoted_from(letter, *how)

    monkeypatch.setattr(reply_text, "quoted_lines", noted)
    marked = "".join(f"> {line}\n" for line in sides[shown].splitlines())
    mail = f"ps a1\n\nOn Saturday Tak <tak@example.test> wrote:\n\n{marked}"
    assert typed_text(mail, sides["text"], None, sides["html"]) == "ps a1"
    assert looked == [sides[shown]]


def test_places_in_the_letter_are_tried_so_often_only_where_every_line_stands_everywhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tries = 0
    word_at = alignment.LetterWords.word_at

    def counted(letter: alignment.LetterWords, char: int) -> int | None:
        nonlocal tries
        tries += 1
        return word_at(letter, char)

    monkeypatch.setattr(alignment.LetterWords, "word_at", counted)
    lines = 100
    typed_text("\n".join("a" * (length + 1) for length in range(lines)), "a" * MAX_COMPARED_CHARS)
    # Both ends of a position are examined. A position that continues the line above is examined once more.
    assert 0 < tries <= 3 * MAX_COMPARED_PLACES + 2 * lines


@pytest.mark.many
@each_row(
    ("piece", "answered"),
    combined(
        [
            "On x wrote:\n",
            "On Mon, Nov 3, 2025 at 10:00 AM Tak <tak@example.org> wrote\n",
            "On On On 3 Nov 2025 ",
            "> ",
            ">\n",
            "a",
            "a@",
            "a@b\n> wrote:\n",
            "<",
            "1/1/11 <a@b ",
            "1" * 490 + ":\n",
            ":" * 60 + "\n",
            " " * 10 + ":\n",
            "-----x-----\n",
            "-- x ",
            "-----Original Message-----\n\n\n",
            "To: a@b\n",
            "轮到你了，",
            "的\n",
            "To: a\nSubject: b\n",
            "From: a@b\n\n\n\n> x\n",
            "From: a To: b Date: 1 Subject: x ",
            "Subject: x\n" + "a@b\n" * 11,
            "|",
            "_" * 299 + "\n",
            "sent from " + "a " * 120 + "\n",
            "!" * 290 + "\n",
            "\u200b\n",
            "\n",
        ],
        ["Hello Ada, it is your turn.\nrs\n" * 50, None],
    ),
)
def test_the_longest_mail_takes_a_moment_whatever_it_is_made_of(piece: str, answered: str | None) -> None:
    # A pattern that backtracks would take minutes.
    assert_in_proportion(lambda size: typed_text(piece * (size // len(piece)), answered), _MAX_CHARS)
