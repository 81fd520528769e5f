"""An unmarked piece of a letter is no answer, however short it is."""

import pytest

from takmail.mail.quotes.known_letters import compared_lines, quoted_lines
from takmail.mail.quotes.reply_text import typed_text

PLAYED = "ms b2 p1 1"
CHAT = "Ben says that he has all the time of the world."
BOARD = """    A    B    C    D    E
1   0    s    cSS  0    S
2   0    0    0    s    0
3   S    0    sS   0    0"""
FACTS = "White has 17 pieces and a capstone left, black has 18 pieces and both of the capstones."
WORDS = """Answer this mail with a move such as the next line, or with another word:

ps b4

rs
resign
help"""
LETTER = (
    f"Hello Ada!\n\n{PLAYED}\n\n{CHAT}\n\n{BOARD}\n\n{FACTS}\n\n{FACTS[::-1]}\n\n{WORDS}\n\n--\nTak by mail\n"
)


@pytest.mark.parametrize("typed", ["pc d4", "draw", "Nice one, Ben!"])
class TestAPiecePastedUnmarked:
    def test_of_prose_with_moves_in_it_goes(self, typed: str) -> None:
        assert typed_text(f"{typed}\n\n{WORDS}", LETTER) == typed
        assert typed_text(f"{WORDS}\n\n{typed}", LETTER) == typed

    def test_of_a_move_and_the_chat_to_it_goes(self, typed: str) -> None:
        assert typed_text(f"{typed}\n\n{PLAYED}\n\n{CHAT}", LETTER) == typed

    def test_of_the_board_leaves_out_the_move_above_it(self, typed: str) -> None:
        assert typed_text(f"{typed}\n\n{PLAYED}\n\n{BOARD}", LETTER) == f"{typed}\n\n{BOARD}"

    def test_of_the_board_leaves_what_stands_below_it(self, typed: str) -> None:
        for answer in (typed, "rs", "resign", PLAYED):
            assert typed_text(f"{BOARD}\n\n{answer}", LETTER) == f"{BOARD}\n\n{answer}"


def test_a_move_typed_anew_stays_with_other_words_around_it() -> None:
    for typed in (PLAYED, f"{PLAYED}\nThanks", f"Hello\n{PLAYED}", "resign\nhelp", f"{CHAT}\nps b4"):
        assert typed_text(typed, LETTER) == typed


def test_a_letter_of_nothing_but_a_move_and_a_board_goes() -> None:
    letter = f"{PLAYED}\n\n{BOARD}\n"
    assert typed_text(f"pc d4\n\n{letter}", letter) == "pc d4"
    assert typed_text(f"{letter}\npc d4", letter) == "pc d4"
    assert typed_text(PLAYED, letter) == PLAYED


@pytest.mark.parametrize(
    "introduction",
    [
        "From: Tak <tak@example.org>\nSent: Monday, 3 November 2025\nTo: Ada\nSubject: [tak #12]",
        "-----Original Message-----\nFrom: Tak <tak@example.org>\nTo: Ada",
        "On Mon, 3 Nov 2025 at 10:00, Tak <tak@example.org> wrote:",
        "Begin forwarded message:",
    ],
)
def test_an_answer_below_the_known_letter_is_heard_though_nothing_marks_the_letter(introduction: str) -> None:
    assert typed_text(f"{introduction}\n\n{LETTER}\n\npc d4", LETTER) == "pc d4"
    assert typed_text(f"Hi\n\n{introduction}\n\n[a picture]\n{LETTER}\n\npc d4", LETTER) == "Hi\n\npc d4"
    unknown = "pw c3\n\nYour turn!\n\nme b2"
    assert typed_text(f"Hi\n\n{introduction}\n\n{unknown}\n\nagree", LETTER) == "Hi"


def test_an_answer_that_begins_like_the_quoted_line_below_it_is_heard() -> None:
    lines = ["ps b4     places a flat on B4", "rs        shows the board", "resign    gives the game up"]
    letter = "\n".join(["You wrote: help", "Each of these words stands on a line of its own:", "", *lines])
    head, words = letter.split("\n\n")
    attribution = "On Mon, 3 Nov 2025 at 10:00, Tak <tak@example.org> wrote:"
    assert typed_text(f"{attribution}\n{head}\n\nps b4\n\n{words}", letter) == "ps b4"


def test_a_long_address_below_its_mark_is_quoted_wherever_it_is_broken_off() -> None:
    address = f"https://example.org/{'NoBQNghgngpgTgRg' * 8}"
    letter = f"The game so far, in the record:\n\n{address}\n\nIt is your turn."
    quote = "> The game so far, in the record:\n>\n>\n" + "\n".join(
        address[at : at + 70] for at in range(0, len(address), 70)
    )
    assert typed_text(f"ps b4\n\n{quote}\n>\n> It is your turn.", letter) == "ps b4"
    bare = "\n".join(
        ("The game so far, in the record:", "", address[:70], address[70:], "", "It is your turn.")
    )
    assert typed_text(f"ps b4\n\n{bare}", letter) == "ps b4"


def test_of_a_letter_without_words_nothing_is_quoted() -> None:
    assert quoted_lines("\u200b", compared_lines({0: "ps b4"}), frozenset(), hinted=True) == frozenset()
