"""A reply that consists only of a quote of the whole letter is recognised."""

from takmail.mail.quotes.known_letters import text_above_quote
from tests.support.tables import each_row

LETTER = "Ben played b2.\n\n  a b c\n1 . . .\n\nYour turn.\n"
TYPED = "ps a1\n\nOn Saturday Tak wrote:\n"


def quoted(letter: str) -> str:
    return "".join(f"> {line}\n" if line else ">\n" for line in letter.splitlines())


def test_what_stands_above_the_whole_letter_is_left() -> None:
    assert text_above_quote(TYPED + quoted(LETTER), LETTER) == TYPED.rstrip("\n")


def test_the_ends_of_lines_do_not_count() -> None:
    broken = LETTER.replace("Ben played", "Ben\nplayed")
    assert text_above_quote(TYPED + quoted(broken) + "\n\n", LETTER) == TYPED.rstrip("\n")


def test_the_words_for_a_picture_may_be_missing() -> None:
    picture = "Tak board, 3x3; A1 is the north-west corner. " + "A2 white flat on black; " * 6
    with_picture = LETTER.replace("Your turn", f"{picture}\nYour turn")
    assert text_above_quote(TYPED + quoted(LETTER), with_picture) == TYPED.rstrip("\n")


def test_no_row_of_a_board_may_be_missing() -> None:
    assert text_above_quote(TYPED + quoted(LETTER.replace("1 . . .\n", "")), LETTER).endswith("Your turn.\n")


@each_row(
    "mail",
    [
        TYPED + quoted(LETTER.replace("b2", "b3")),
        TYPED + quoted(LETTER.partition("\n")[2]),
        TYPED + quoted("Hello!\n" + LETTER),
        TYPED + quoted(quoted(LETTER)),
        TYPED + quoted(LETTER) + "Thanks!\n",
        TYPED + LETTER,
        TYPED,
        "",
    ],
)
def test_any_other_text_stays_whole(mail: str) -> None:
    assert text_above_quote(mail, LETTER) == mail
