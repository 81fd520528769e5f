"""Commands with a slip in their first word: offered, not guessed at, and not passed on as chat."""

import pytest

from takmail.service.reading.mistyped import meant
from tests.office import ADA, BEN, Office, said


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("acept", "accept"),
        ("Acceptt", None),
        ("reisgn", "resign"),
        ("agre", "agree"),
        ("agree undoo", None),
        ("nwe 5 vs ben@example.org", "new 5 vs ben@example.org"),
        ("adress add ada@example.org", "address add ada@example.org"),
        ("addres remove ada@example.org", "address remove ada@example.org"),
        ("Nmae Benny", "name Benny"),
        ("seke 5", "seek 5"),
        ("jion 31", "join 31"),
        ("rematc", "rematch"),
        ("forgte me", "forget me"),
        ("rmatch", "rematch"),
        ("gaems", "games"),
    ],
)
def test_a_slip_in_the_first_word_is_seen(line: str, expected: str | None) -> None:
    assert meant(line, first=True) == expected


@pytest.mark.parametrize(
    "line",
    [
        *(
            "Agreed",
            "accepted",
            "games!",
            "names",
            "rulesy",
            "drawn",
            "I resign",
            "well played",
            "knew it was 5",
        ),
        *(
            "now 5 to go",
            "news of the day",
            "he",
            "log",
            "same here",
            "some words",
            "the game",
            "stops",
            "top",
        ),
        *("joint venture", "seen", "Black is winning", "lame excuse", "undone", "few moves left", "game on"),
    ],
)
def test_words_are_words(line: str) -> None:
    assert meant(line, first=True) is None


def test_the_answer_offers_the_line_that_would_do_and_nothing_is_passed_on(office: Office) -> None:
    office.begin()
    (answer,) = office.send(f"Ada <{ADA}>", "adress add ada.secret@example.org", office.last(ADA))
    assert "If this is what you mean, send this: address add ada.secret@example.org" in said(answer)
    assert all("secret" not in letter.text for letter in office.box if letter.to == BEN)


def test_a_stranger_s_slip_is_answered(office: Office) -> None:
    (answer,) = office.send(f"Ada <{ADA}>", f"nwe 5 vs {BEN}")
    assert f"send this: new 5 vs {BEN}" in said(answer)
