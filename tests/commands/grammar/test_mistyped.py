"""Typing errors in the first word of a command."""

import pytest

from takmail.commands.grammar.misspellings import meant
from takmail.games.registry import GAMES


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
    assert meant(line, first=True, games=GAMES) == expected


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
    assert meant(line, first=True, games=GAMES) is None
