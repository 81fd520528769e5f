"""Quotes with prefixes other than `>`, and text above and below a quote."""

import pytest

from takmail.mail.quotes.own_letters import OwnAddress
from takmail.mail.quotes.quoted_blocks import marked_lines
from takmail.mail.quotes.reply_text import typed_text
from tests.mail.test_quoted import LETTER
from tests.support.cost import assert_in_proportion

OWN = OwnAddress("tak@example.org", "Tak by Mail")
INTRODUCTION = "On Sat, 21 Nov 2026 at 12:00, Tak by Mail <tak+1.abc@example.org> wrote:"


def quoted(mark: str, lines: int | None = None) -> str:
    return "\n".join(f"{mark}{line}".rstrip() for line in LETTER.splitlines()[:lines])


@pytest.mark.parametrize("mark", ["| ", ": ", " | ", "TM> ", "B> ", "TM>> "])
class TestAMark:
    def test_in_front_of_the_known_letter_goes(self, mark: str) -> None:
        assert typed_text(f"ps b4\nHello\n\n{quoted(mark)}\n", LETTER, OWN) == "ps b4\nHello"
        assert typed_text(f"{INTRODUCTION}\n\n{quoted(mark)}\n\nps b4", LETTER, OWN) == "ps b4"

    @pytest.mark.parametrize("lines", [3, 9, None])
    def test_goes_below_what_introduces_a_quote(self, mark: str, lines: int | None) -> None:
        mail = f"{INTRODUCTION}\n\n{quoted(mark, lines)}\n\nps b4\nHello"
        assert typed_text(mail, None, OWN) == "ps b4\nHello"


def test_one_line_behind_initials_is_quoted_where_the_letter_has_it() -> None:
    mail = "Saturday, November 21, 2026, 12:00:00 PM, you wrote:\n\nTM> ms b2 p1 1\n\nps b4\n"
    assert typed_text(mail, LETTER, OWN) == "ps b4"


@pytest.mark.parametrize(
    "typed",
    [
        "| 0 s 0\n| 0 0 0\n| S S S\nps b4",
        ": one\n: two\n: three\nps b4",
        "a> first\nb> second\nps b4",
        "My board:\n| 0 s |\n| S 0 |\n| 0 0 |\nps b4",
        "| ms b2 p1 1\nps b4",
    ],
)
def test_a_person_may_draw_such_marks(typed: str) -> None:
    for answered in (LETTER, None):
        assert typed_text(f"{typed}\n\n{INTRODUCTION}\n{quoted('> ')}", answered, OWN) == typed


@pytest.mark.parametrize("answered", [LETTER, None])
def test_a_signature_above_the_quote_ends_there(answered: str | None) -> None:
    mail = f"-- \nBen\n\n{INTRODUCTION}\n{quoted('> ')}\n\nps b4\n\n-- \nA list of mails\n"
    assert typed_text(mail, answered, OWN) == "ps b4"
    assert typed_text("ps b4\n-- \nBen\n> Be wise\nin all\n", answered, OWN) == "ps b4"


@pytest.mark.parametrize("answered", [LETTER, None])
def test_a_player_may_tell_who_said_what(answered: str | None) -> None:
    typed = "On 2026-11-20 at 10:00 Ada said:\n\nhello\nps b4"
    assert typed_text(f"{typed}\n\n{INTRODUCTION}\n{quoted('> ')}", answered, OWN) == typed
    # A program's line may be above the player's earlier mail, which contains a quote.
    for written in ("Ben wrote:", "Ben <ben@example.org> said:"):
        mail = f"On 2026-11-20 at 10:00 {written}\n\nhello\nps b4\n\n{INTRODUCTION}\n{quoted('> ')}"
        assert typed_text(mail, answered, OWN) == ""


@pytest.mark.many
@pytest.mark.parametrize("lines", [f"{INTRODUCTION}\n| a\n| b\n| c", "AB> x", "| a\n| b\n: c", "ab> " * 5])
def test_many_marks_take_no_long_time(lines: str) -> None:
    assert_in_proportion(lambda size: typed_text(f"{lines}\n" * (size // len(lines)), LETTER, OWN), 100_000)


@pytest.mark.parametrize(
    ("sender", "is_ours"), [("Tak <tak@example.org>", True), ("Ben <ben@example.org>", False)]
)
def test_a_quote_below_headers_is_ours_where_they_name_us(sender: str, is_ours: bool) -> None:
    headers = f"> From: {sender}\n> Date: Mon, 3 Nov 2025\n> To: ada@example.org\n"
    quoted = marked_lines(f"{headers}>\n> w 0 0 0 0", OwnAddress("tak@example.org", "Tak"), keeps_ours=False)
    assert ("w 0 0 0 0" in [line.text for line in quoted]) == (not is_ours)
