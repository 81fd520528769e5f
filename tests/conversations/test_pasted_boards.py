"""A pasted board is compared with the game, in every form and from every mail program. Nothing changes."""

from email.message import EmailMessage

import pytest

from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN, TAK, Received, quote, said
from tests.support.scenes import played_once
from tests.support.width import combined, some_of

MOVES = ("ps b4", "ps c3", "pw d1", "ps a1")
OURS = ["S 0 0 w 0", "0 0 0 0 0", "0 0 s 0 0", "0 S 0 0 0", "0 0 0 0 0"]
BEFORE = ["0 0 0 w 0", *OURS[1:]]
BOARD = "\n".join(OURS)
EARLIER = "\n".join(BEFORE)
SAME = "Your board is the same as mine, in step at turn 4"
BEHIND = "You have not played turn 4 on it: 4 ps a1"
OTHER = [*OURS[:4], "0 0 0 0 S"]
INSTEAD = "one square differs. E5: yours S, mine 0"
COMPARED = ("your board", "nothing has changed by this")


@pytest.fixture
@played_once
def played(harness: MemoryHarness) -> None:
    """A game of four turns; it is Ada's turn."""
    harness.begin_and_play(*MOVES)


def answer(harness: MemoryHarness, text: str, **how: object) -> str:
    """Return the answer to Ada when she sends this in reply to her last letter."""
    (letter,) = harness.send(f"Ada <{ADA}>", text, harness.last(ADA), **how)
    assert letter.to == ADA
    return said(letter)


def is_compared(letter: Received) -> bool:
    return any(word in said(letter).lower() for word in COMPARED)


@pytest.mark.parametrize(
    "text",
    some_of(
        [
            BOARD,
            f"rs\n{BOARD}",
            f"RS.\n\n{BOARD}",
            f"rs\n\n{BOARD}\n\n-- \nAda",
            BOARD.replace("0", "o"),
            BOARD.replace("0", "O").replace(" ", "   "),
            BOARD.replace(" ", "\t"),
            BOARD.replace("\n", "\n\n"),
            BOARD.replace(" ", "\u00a0"),
            "\n".join(f"   {row}   " for row in OURS),
            "\n".join(["  A B C D E", *(f"{number} {row}" for number, row in enumerate(OURS, 1))]),
            "\n".join([*(f"{row} {5 - number}" for number, row in enumerate(OURS)), "a b c d e"]),
        ],
        5,
    ),
)
def test_a_board_is_compared_however_it_is_written(played: MemoryHarness, text: str) -> None:
    assert SAME in answer(played, text)
    assert turns(played) == list(MOVES)


@pytest.mark.parametrize("mark", some_of(["> ", ">", ">> ", "> > ", "| ", "  > ", "One> "], 3))
def test_a_quoted_board_that_no_letter_of_ours_holds_is_compared(played: MemoryHarness, mark: str) -> None:
    quoted = "\n".join(f"{mark}{row}" for row in OTHER)
    someone = "On Sat, 21 Nov 2026 at 10:00, Someone <someone@example.net> wrote:"
    for text in (quoted, f"rs\n\n{quoted}", f"{someone}\n{quoted}", f"Here it is.\n\n{someone}\n\n{quoted}"):
        for quoting in (False, True):
            assert INSTEAD in answer(played, text, quoting=quoting)
    assert turns(played) == list(MOVES)


def older_letter(harness: MemoryHarness) -> Received:
    """Return the letter to Ben with the board before the last turn."""
    return next(one for one in harness.box if one.to == BEN and EARLIER in one.text)


@pytest.mark.parametrize(
    ("letters", "above"),
    combined([False, True], ["Ada's program says:\n", "rs\n\n", "", "> Here is what my program shows:\n"]),
)
def test_a_quoted_board_of_an_earlier_turn_is_compared(
    played: MemoryHarness, above: str, letters: bool
) -> None:
    rows = ["  A B C D E", *BEFORE] if letters else BEFORE
    assert EARLIER in older_letter(played).text  # that a letter contains it, too, proves nothing
    quoted = above + "\n".join(f"> {row}" for row in rows)
    for quoting in (False, True):
        assert BEHIND in answer(played, quoted, quoting=quoting)


def test_a_quoted_board_of_an_earlier_turn_is_ours_with_more_of_its_letter(played: MemoryHarness) -> None:
    older = older_letter(played)
    at = next(number for number, line in enumerate(older.lines) if line == BEFORE[0])
    near = older.lines[at - 4 : at + 12]
    board = older.lines[at : at + 5]
    head = f"On Fri, 20 Nov 2026 at 10:00, Tak by Mail <{TAK}> wrote:\n"
    for text in ("\n".join(f"> {line}" for line in near), head + "\n".join(f"> {line}" for line in board)):
        letters = played.send(f"Ada <{ADA}>", f"Hm.\n\n{text}", played.last(ADA), quoting=False)
        assert not any(map(is_compared, letters))


def test_a_board_that_is_behind_is_told_what_is_missing(played: MemoryHarness) -> None:
    assert BEHIND in answer(played, EARLIER)


def test_the_answer_has_the_board_as_it_stands_with_its_checksum(played: MemoryHarness) -> None:
    (letter,) = played.send(f"Ada <{ADA}>", EARLIER, played.last(ADA))
    at = letter.lines.index("Now the board is:")
    assert letter.lines[at + 2].startswith("Ben (Black): ")
    assert letter.lines[at + 4 : at + 9] == OURS
    assert "The checksum of this position is" in said(letter)


def test_only_who_shows_a_board_hears_of_it(played: MemoryHarness) -> None:
    letters = played.send(f"Ada <{ADA}>", f"rs\n{EARLIER}", played.last(ADA))
    assert [letter.to for letter in letters] == [ADA]


def test_a_move_beside_a_board_is_played(played: MemoryHarness) -> None:
    assert "played as turn 5" in answer_of_two(played, f"ps e5\n\n{BOARD}")
    assert turns(played) == [*MOVES, "ps e5"]


def test_a_move_below_a_board_is_played_after_it(played: MemoryHarness) -> None:
    heard = answer_of_two(played, f"{BOARD}\n\nps e5")
    assert heard.index(SAME) < heard.index("played as turn 5")


def test_a_board_is_looked_at_where_the_move_above_it_failed(played: MemoryHarness) -> None:
    heard = answer(played, f"ps a1\n\n{EARLIER}")
    assert BEHIND in heard
    assert turns(played) == list(MOVES)


def test_a_board_of_another_size_keeps_no_move_from_being_played(played: MemoryHarness) -> None:
    heard = answer_of_two(played, "s 0 0\n0 0 0\n0 0 0\n\nps e5")
    assert "this game is played on 5x5: 5 lines of 5 spots" in heard
    assert turns(played)[-1] == "ps e5"


def answer_of_two(harness: MemoryHarness, text: str) -> str:
    letters = harness.send(f"Ada <{ADA}>", text, harness.last(ADA))
    return next(said(letter) for letter in letters if letter.to == ADA)


@pytest.mark.parametrize("text", ["ps e5", "Thank you!", "rs", "log", "", "im why", "propose board"])
def test_a_quoted_letter_is_never_taken_for_a_pasted_board(played: MemoryHarness, text: str) -> None:
    letter = played.last(ADA)
    for how in ({}, {"threaded": False}):
        for answered in played.send(f"Ada <{ADA}>", text, letter, **how):
            assert not is_compared(answered)


@pytest.mark.parametrize(
    ("depth", "head"),
    combined([1, 2, 3], ["", "On Sat, 21 Nov 2026 at 10:00, Someone <someone@example.net> wrote:\n"]),
)
def test_an_older_letter_in_a_longer_thread_is_none_either(
    played: MemoryHarness, depth: int, head: str
) -> None:
    old = next(letter for letter in played.box if letter.to == ADA and "ps c3" in letter.text)
    for letter in (old, played.last(BEN)):
        text = head + "\n".join(f"{'> ' * depth}{line}" for line in letter.lines)
        answered = played.send(f"Ada <{ADA}>", f"What do you think?\n\n{text}", played.last(ADA))
        assert not any(map(is_compared, answered))


def test_a_letter_that_is_too_old_to_be_known_is_known_by_who_is_said_to_have_written_it(
    played: MemoryHarness,
) -> None:
    board = "\n".join(["0 0 0 0 s", *OURS[1:]])
    head = f"On Sat, 21 Nov 2026 at 10:00, Tak by Mail <{TAK}> wrote:"
    inner = "\n".join(f"> {line}" for line in (head, *(f"> {row}" for row in board.split("\n"))))
    outer = f"On Sun, 22 Nov 2026 at 10:00, Ada <{ADA}> wrote:\n{inner}"
    assert not any(map(is_compared, played.send(f"Ada <{ADA}>", f"rs\n\n{outer}", played.last(ADA))))
    alone = f"{head}\n" + "\n".join(f"> {row}" for row in board.split("\n"))
    letters = played.send(f"Ada <{ADA}>", f"rs\n\n{alone}", None)
    assert not any(map(is_compared, letters))


def test_a_board_that_is_altered_within_the_quoted_letter_is_compared(played: MemoryHarness) -> None:
    letter = played.last(ADA)
    quoted = quote(letter).replace("> 0 0 0 0 0", "> 0 0 0 0 C", 1)
    assert quoted != quote(letter)
    heard = answer(played, f"rs\n\n{quoted}", quoting=False)
    assert "yours C" in heard


def test_a_quoted_letter_whose_lines_were_broken_anew_is_none(harness: MemoryHarness) -> None:
    harness.begin_and_play("ps a1", "ps c3", "ps b2", "ps a2", words="3")
    letter = harness.last(ADA)
    broken = quote(letter).replace("> S 0 0\n> S", "> S\n> 0 0\n> S")
    for quoted in (broken, quote(letter).replace("\n> ", "\n>\n> ")):
        assert not any(
            map(is_compared, harness.send(f"Ada <{ADA}>", f"rs\n\n{quoted}", letter, quoting=False))
        )


def test_a_typed_board_counts_and_the_quoted_letter_below_does_not(played: MemoryHarness) -> None:
    heard = answer(played, EARLIER)
    assert heard.count(BEHIND) == 1
    assert SAME not in heard


def test_two_boards_in_one_mail_are_both_compared(played: MemoryHarness) -> None:
    heard = answer(played, f"mine\n{BOARD}\nhers\n{EARLIER}")
    assert SAME in heard
    assert BEHIND in heard


def test_of_many_boards_the_first_are_looked_at(played: MemoryHarness) -> None:
    heard = answer(played, "\n\nand\n\n".join([BOARD] * 9))
    assert heard.count(SAME) == 3
    assert "Of the boards in one mail I look at the first 3 only" in heard


def page(body: str) -> str:
    return f"<html><head><style>p {{margin:0}}</style></head><body>{body}</body></html>"


CELLS = "".join("<tr>" + "".join(f"<td>{spot}</td>" for spot in row.split()) + "</tr>" for row in BEFORE)
HTML = {
    "gmail": "".join(f"<div>{row}</div>" for row in BEFORE),
    "gmail with a blank line": "<div dir=ltr>rs<div><br></div>" + "".join(f"<div>{r}</div>" for r in BEFORE),
    "outlook": "".join(f"<p class=MsoNormal>{row.replace(' ', '&nbsp;')}<o:p></o:p></p>" for row in BEFORE),
    "paragraphs": "<p>rs</p>" + "".join(f"<p>{row}</p>" for row in BEFORE),
    "breaks": "rs<br>" + "<br>\n".join(BEFORE),
    "pre": f"<p>Mine:</p><pre>{EARLIER}</pre>",
    "table": f"<p>rs</p><table><tbody>{CELLS}</tbody></table>",
    "spans": "".join(f"<div><span style='font-family:monospace'>{row}</span></div>" for row in BEFORE),
    "list of lines": "<div>" + "".join(f"<font face=courier>{row}</font><br/>" for row in BEFORE) + "</div>",
}


@pytest.mark.parametrize("name", HTML)
def test_a_board_in_an_html_mail_is_compared(played: MemoryHarness, name: str) -> None:
    mail = answering(played)
    mail.set_content(page(HTML[name]), subtype="html", cte="quoted-printable")
    (heard,) = played.deliver(mail.as_bytes())
    assert BEHIND in said(heard)


@pytest.mark.parametrize("name", ["gmail", "pre", "table"])
def test_a_board_above_a_quoted_html_letter_is_compared_alone(played: MemoryHarness, name: str) -> None:
    letter = played.last(ADA)
    mail = answering(played)
    rows = "<br>".join(line.replace(" ", "&nbsp;") for line in letter.lines)
    head = f"<div class=gmail_attr>On Sat, 21 Nov 2026, Tak by Mail &lt;{TAK}&gt; wrote:</div>"
    mail.set_content(page(f"{HTML[name]}{head}<blockquote>{rows}</blockquote>"), subtype="html")
    (heard,) = played.deliver(mail.as_bytes())
    assert said(heard).count(BEHIND) == 1
    assert SAME not in said(heard)


def test_flowed_text_keeps_its_rows(played: MemoryHarness) -> None:
    for mark in ("", " ", ">", "> "):
        mail = answering(played)
        mail.set_content("\n".join(f"{mark}{row}" for row in OTHER), params={"format": "flowed"}, cte="7bit")
        (heard,) = played.deliver(mail.as_bytes())
        assert INSTEAD in said(heard)


def answering(harness: MemoryHarness) -> EmailMessage:
    """Return a mail of Ada's without text, in reply to her last letter."""
    mail = harness.mail(f"Ada <{ADA}>", "", harness.last(ADA), quoting=False)
    mail.clear_content()
    return mail


@pytest.mark.parametrize("above", ["", "rs\n", "propose board white\n"])
@pytest.mark.parametrize(
    ("rows", "named"),
    [
        (["S 0 0 0", "0 0 0 0 0", "0 0 s 0", "0 0 0 0 0", "0 0 0 0 S"], "Row 1 has 4 spots"),
        (["0 0 0 0 0"] * 6, "board has 6 rows, most with 5 spots"),
    ],
)
def test_a_board_with_rows_that_do_not_fit_is_told_what_is_wrong_and_goes_to_nobody(
    played: MemoryHarness, above: str, rows: list[str], named: str
) -> None:
    assert named in answer(played, above + "\n".join(rows))


@pytest.mark.parametrize("above", ["rs", "#1 rs", "*propose board white*"])
def test_below_a_command_that_wants_a_board_any_rows_are_one(played: MemoryHarness, above: str) -> None:
    assert "board has 2 rows, most with 5 spots" in answer(played, f"Hi,\n{above}\n\n0 0 0 0 0\n0 0 s 0 0")
