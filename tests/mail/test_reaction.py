"""Reactions of mail programs, and what resembles them."""

import pytest

from takmail.limits.mails import DEFAULT_LIMITS
from takmail.mail.headers import first_headers
from takmail.mail.mime import leaf_parts
from takmail.mail.reaction import reaction_in, reaction_part
from tests.support.tables import each_row

FAMILY = "👨\u200d👩\u200d👧\u200d👦"


@each_row(
    ("text", "emoji"),
    [
        ("👍", "👍"),
        ("👍🏽 👍🏽", "👍🏽 👍🏽"),
        ("❤️", "❤️"),
        ("♥", "♥"),
        ("🇩🇪", "🇩🇪"),
        (FAMILY, FAMILY),
        ("👍" * 500, "👍" * 8),
        ("[like] Ben reacted to your message:", "👍"),
        ("[sad] Ben reacted to your message:\n\nFrom: Tak by Mail\n\nps c3", "😢"),
        ("[wow] Ben reacted to your message:", ""),
        ("Liked “ps b4 and more”", "👍"),
        ('Laughed at "ps b4"', "😆"),
        ("Questioned “ps b4\n\nAda has played turn 3.”", "❓"),
        ("Reacted 🎲 to “ps b4”", "🎲"),
        ("Reacted <b>x</b> to “ps b4”", ""),
        ("Removed a like from “ps b4”", ""),
        ("Removed an exclamation from “ps b4”", ""),
    ],
)
def test_reactions(text: str, emoji: str) -> None:
    assert reaction_in(text, text) == emoji


@each_row(
    "text",
    [
        "",
        "5",
        ":)",
        "→",
        "│ ■ │",
        "S 0 0 0 0",
        "👍 ps b4",
        "ok 👍",
        "Liked the move",
        "Liked “ps b4”, did you?",
        'Liked "Dune", hated "Alien"',
        "[like] I reacted to your message by playing on",
        "[ps b4] Ben reacted to your message:",
        "Removed a stone from c3",
    ],
)
def test_what_people_write(text: str) -> None:
    assert reaction_in(text, text) is None


@pytest.mark.parametrize(
    ("body", "emoji"),
    [
        ('{"emoji": "👍", "version": 1}', "👍"),
        ('{"emoji": "ps b4", "version": 1}', ""),
        ('{"emoji": ["👍"]}', ""),
        ('{"emoji": "' + "👍" * 200 + '"}', "👍" * 8),
        ("[1]", ""),
        ("[" * 5_000, ""),
        ("no JSON", ""),
    ],
)
def test_the_part_of_gmail(body: str, emoji: str) -> None:
    kind = b"Content-Type: text/vnd.google.email-reaction+json; charset=utf-8\n\n"
    headers, rest = first_headers(kind + body.encode(), DEFAULT_LIMITS)
    assert rest is not None
    assert reaction_part(leaf_parts(headers, rest, DEFAULT_LIMITS)) == emoji
