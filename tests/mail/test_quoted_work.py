"""However a mail is made, finding what was typed takes work in proportion to its length."""

import pytest

from takmail.mail import known
from takmail.mail.quoted import above_quotes, typed_text


def test_lines_above_one_quote_are_taken_out_once_however_many_openings_stand_there() -> None:
    openings = {number: number + 3 for number in range(0, 3_000, 3)}
    spans, cut = above_quotes(openings, [3_000])
    assert cut is None
    assert sorted(number for span in spans for number in span) == list(range(3_000))


def test_below_the_last_quote_an_opening_ends_the_mail() -> None:
    assert above_quotes({0: 3, 5: 8}, [4]) == ([range(4)], 5)


def test_places_in_the_letter_are_tried_so_often_only_even_where_no_word_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tries = 0
    word_at = known._Letter.word_at

    def counted(letter: known._Letter, char: int) -> int | None:
        nonlocal tries
        tries += 1
        return word_at(letter, char)

    monkeypatch.setattr(known._Letter, "word_at", counted)
    lines = 100
    typed_text("\n".join("a" * (length + 1) for length in range(lines)), "a" * known.MAX_LETTER_CHARS)
    assert 0 < tries <= 2 * known.MAX_PLACES + 2 * lines
