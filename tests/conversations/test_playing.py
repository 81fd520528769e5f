"""Turns by mail: played, misplaced, repeated and refused."""

import pytest

from takmail.mail.address import mask_addresses
from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN, quote, said


def test_a_move_is_answered_to_the_mover_and_brought_to_the_opponent(harness: MemoryHarness) -> None:
    harness.begin()
    answer, news = harness.send(f"Ada <{ADA}>", "ps b4", harness.last(ADA))
    assert answer.to == ADA
    assert "played as turn 1 (ps b4)" in answer.text
    assert news.to == BEN
    assert news.lines[0] == "ps b4"
    assert turns(harness) == ["ps b4"]


def test_a_letter_shows_the_board_in_rows_of_spots(harness: MemoryHarness) -> None:
    harness.begin_and_play("ps b4")
    rows = [line.split() for line in harness.last(BEN).lines if len(line.split()) == 5]
    start = rows.index(["0", "0", "0", "0", "0"])
    assert rows[start : start + 5] == [
        ["0"] * 5,
        ["0"] * 5,
        ["0"] * 5,
        ["0", "S", "0", "0", "0"],
        ["0"] * 5,
    ]


def test_greetings_around_a_move_are_passed_on_as_chat(harness: MemoryHarness) -> None:
    harness.begin()
    _, news = harness.send(f"Ada <{ADA}>", "Hi Ben,\n\nps b4\n\nThanks", harness.last(ADA))
    assert turns(harness) == ["ps b4"]
    assert "Ada writes:\n\n  | Hi Ben,\n  |\n  | Thanks\n" in news.text


@pytest.mark.parametrize("quoting", [True, False])
def test_the_quoted_letter_is_not_played_again(harness: MemoryHarness, quoting: bool) -> None:
    harness.begin_and_play("ps b4")
    letter = harness.last(BEN)
    assert letter.lines[0] == "ps b4"
    below = letter.text if not quoting else ""
    harness.send(f"Ben <{BEN}>", f"ps c3\n\n{below}", letter, quoting=quoting)
    assert turns(harness) == ["ps b4", "ps c3"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("ps z9", "there is no square Z9 on this board"),
        ("ps b4", "B4 is not empty"),
        ("pz b3", '"pz" is no piece'),
        ("mx b4", '"mx" is no direction'),
        ("psb3", "not quite how a move is typed"),
        ("ms c3 p3 2", "you pick 3 up and leave 2 on the way"),
        ("me e1", "E1 is empty, so there is nothing to move"),
        ("mn b4", "the stack on B4 is not White's to move: a black flat is on top of it"),
        ("mw a5 p1", "that way leads off the board. There is no space to the west of A5"),
        ("ps b3 quickly", 'some words that do not belong to it: "quickly"'),
        ("ms c3 1", "the number of pieces that you pick up has a p before it"),
        ("ptn zz", '"zz" is no move in PTN'),
        ("ps b", '"b" is only half a square'),
        ("p b3", "the move does not say which piece to place on B3"),
        ("рs b3", 'the "р" in this line belongs to another alphabet'),
        ("show 99", "there is no turn 99"),
        ("new 5", "I could not tell whom you want to play"),
        ("new 9 vs other@example.org", 'there is no board of size "9"'),
        ("new 5 vs other", 'nobody called "other" plays here'),
        ("help nonsense", 'no help about "nonsense"'),
    ],
)
def test_a_wrong_line_gets_its_own_answer_and_changes_nothing(
    harness: MemoryHarness, line: str, said: str
) -> None:
    harness.begin_and_play("ps b4", "ps a5", "ps c3", "ps d3")
    letters = harness.send(f"Ada <{ADA}>", line, harness.last(ADA))
    assert [letter.to for letter in letters] == [ADA]
    assert said in " ".join(letters[0].text.split())
    assert f"You wrote: {mask_addresses(line)}" in letters[0].text
    assert len(turns(harness)) == 4


def test_a_move_out_of_turn_is_told_so_with_the_board(harness: MemoryHarness) -> None:
    harness.begin_and_play("ps b4")
    (answer,) = harness.send(f"Ada <{ADA}>", "ps c3", harness.last(ADA))
    assert "it is not your turn. Ben is to move" in answer.text
    assert "0 S 0 0 0" in answer.text
    assert turns(harness) == ["ps b4"]


def test_a_move_after_the_end_is_told_so_with_the_result(harness: MemoryHarness) -> None:
    harness.begin_and_play("ps a1", "ps c3", "ps b3", "ps b1", "ps a3", words="3")
    assert "Result: R-0" in harness.last(BEN).text
    (answer,) = harness.send(f"Ben <{BEN}>", "ps c1", harness.last(BEN))
    assert "Not done: this game is over." in answer.text
    assert "Ada wins with a road" in answer.text


def test_an_answer_to_an_older_letter_is_not_played(harness: MemoryHarness) -> None:
    harness.begin_and_play("ps b4")
    older = harness.last(ADA)
    harness.play("ps c3", start=1)
    (answer,) = harness.send(f"Ada <{ADA}>", "ps d4", older)
    text = " ".join(answer.text.split())
    assert "your move was meant for turn 2, but 2 turns have been played by now" in text
    assert "0 0 s 0 0" in text
    assert turns(harness) == ["ps b4", "ps c3"]


def test_another_move_for_a_turn_that_is_played_is_told_what_was_played(harness: MemoryHarness) -> None:
    harness.begin()
    older = harness.last(ADA)
    harness.play("ps b4", "ps c3")
    (answer,) = harness.send(f"Ada <{ADA}>", "ps d4", older)
    assert "you have already played turn 1, and it was ps b4" in " ".join(answer.text.split())
    assert turns(harness) == ["ps b4", "ps c3"]


def test_the_same_move_in_a_second_mail_is_no_error(harness: MemoryHarness) -> None:
    harness.begin()
    letter = harness.last(ADA)
    harness.send(f"Ada <{ADA}>", "ps b4", letter)
    (answer,) = harness.send(f"Ada <{ADA}>", "PS B4.", letter)
    assert "That move is already played" in answer.text
    assert turns(harness) == ["ps b4"]


def test_a_turn_number_decides_whatever_letter_is_answered(harness: MemoryHarness) -> None:
    harness.begin()
    old = harness.last(ADA)
    harness.play("ps b4", "ps c3")
    harness.send(f"Ada <{ADA}>", "ps d4 #3", old)
    assert turns(harness)[-1] == "ps d4"
    (answer,) = harness.send(f"Ben <{BEN}>", "ps e4 #6", harness.last(BEN))
    assert "meant for turn 6, and only 3 turns" in " ".join(answer.text.split())


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("ps d4 #2 t", "meant for turn 2, but 2 turns have been played by now"),
        ("ps d4 #9 t", "meant for turn 9, and only 2 turns"),
        ("ps d4 #0", "meant for turn 0, but 2 turns"),
        ("ps d4 #9 #3", "not quite how a move is typed"),
    ],
)
def test_a_turn_number_counts_wherever_it_stands_behind_the_move(
    harness: MemoryHarness, line: str, answer: str
) -> None:
    harness.begin_and_play("ps b4", "ps c3")
    (letter,) = harness.send(f"Ada <{ADA}>", line, harness.last(ADA))
    assert answer in said(letter)
    assert turns(harness) == ["ps b4", "ps c3"]


def test_two_different_moves_for_one_turn_are_not_played(harness: MemoryHarness) -> None:
    harness.begin()
    (answer,) = harness.send(f"Ada <{ADA}>", "ps b4\nps b3", harness.last(ADA))
    assert "two different moves for one turn" in " ".join(answer.text.split())
    assert turns(harness) == []


def test_the_same_move_twice_in_one_mail_is_one_move(harness: MemoryHarness) -> None:
    harness.begin()
    harness.send(f"Ada <{ADA}>", "ps b4\nps b4 t", harness.last(ADA))
    assert turns(harness) == ["ps b4"]


def test_commands_after_one_that_fails_are_listed_as_not_tried(harness: MemoryHarness) -> None:
    harness.begin()
    answer, news = harness.send(f"Ada <{ADA}>", "ps b4\nshow 9\nlog", harness.last(ADA))
    text = " ".join(answer.text.split())
    assert "You wrote: ps b4 Your move is played as turn 1 (ps b4)." in text
    assert "You wrote: show 9 Not done" in text
    assert "You wrote: log Not tried" in text
    assert news.lines[0] == "ps b4"


def test_a_move_help_and_rules_are_answered_in_one_letter(harness: MemoryHarness) -> None:
    harness.begin()
    letters = harness.send(f"Ada <{ADA}>", "ps b4\nhelp\nrules", harness.last(ADA))
    assert [letter.to for letter in letters] == [ADA, BEN]
    assert "played as turn 1 (ps b4)" in letters[0].text
    assert "To go on, answer with a move or with one of these lines:" in letters[0].text
    assert "Tak, the rules in short" in letters[0].text


def test_a_call_of_tak_is_shown_and_never_refused(harness: MemoryHarness) -> None:
    harness.begin()
    _, news = harness.send(f"Ada <{ADA}>", "Ps B4 TAK!", harness.last(ADA))
    assert news.lines[0] == "ps b4 t"


def test_ptn_is_read_behind_its_word_and_turned(harness: MemoryHarness) -> None:
    harness.begin()
    _, news = harness.send(f"Ada <{ADA}>", "ptn a1", harness.last(ADA))
    assert news.lines[0] == "ps a5"


@pytest.mark.parametrize(
    "line", ["move ps b4", "Move PS B4.", "/ps b4", "  ps  b4 ,", "ps\u00a0b4", "ps b4 #1", "1. ps b4"]
)
def test_habits_around_a_move_do_no_harm(harness: MemoryHarness, line: str) -> None:
    harness.begin()
    harness.send(f"Ada <{ADA}>", line, harness.last(ADA))
    assert turns(harness) == ["ps b4"]


@pytest.mark.parametrize(
    ("line", "fix"),
    [
        ("psb3", "or with the line itself: ps b3 "),
        ("ps b3?", "or with the line itself: ps b3 "),
        ("12.Ps B3 t or so", "or with the line itself: ps b3 t "),
        ("#1ps b3", "or with the line itself: ps b3 "),
        ("#1 ps b3?", "or with the line itself: ps b3 "),
        ("PTN: b2", "or with the line itself: ps b4 "),
        ("ptn:Sb2", "or with the line itself: pw b4 "),
        ("1. ps z9", "there is no square Z9"),
        ("me c3 1", "or with the line itself: me c3 p1 1 "),
        (
            "ps b3 ps b2",
            "If you mean one of these, answer with that line: ps b3 You place a flat on B3. ps b2 ",
        ),
    ],
)
def test_the_answer_to_a_near_miss_offers_what_may_have_been_meant(
    harness: MemoryHarness, line: str, fix: str
) -> None:
    harness.begin_and_play("ps e5", "ps c3")
    (answer,) = harness.send(f"Ada <{ADA}>", line, harness.last(ADA))
    assert fix in said(answer)
    assert len(turns(harness)) == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ps b3 please", ""),
        ("Ps b3, thanks :-)", ""),
        ("ps b3, sorry, I was away", "sorry, I was away"),
        ("ps b3 - what a game", "what a game"),
        ("ps b3. And how is your mother?", "And how is your mother?"),
    ],
)
def test_a_move_may_have_polite_and_harmless_words_behind_it(
    harness: MemoryHarness, text: str, words: str
) -> None:
    harness.begin_and_play("ps e5", "ps c3")
    _, news = harness.send(f"Ada <{ADA}>", text, harness.last(ADA))
    assert news.lines[0] == "ps b3"
    assert (f"  | {words}\n" in news.text) if words else " writes:" not in news.text


@pytest.mark.parametrize(
    "text",
    [
        "ps b3, no wait, ps b2",
        "ps b3. Or shall I wait?",
        "ps b3, not b2",
        "ps b3\nI mean ps b2",
        "ps b3\nps z9",
        "ps b3\n\nno, wait",
        "ps b3, draw?",
    ],
)
def test_a_move_that_is_turned_over_is_not_played(harness: MemoryHarness, text: str) -> None:
    harness.begin_and_play("ps e5", "ps c3")
    letters = harness.send(f"Ada <{ADA}>", text, harness.last(ADA))
    assert [letter.to for letter in letters] == [ADA]
    assert len(turns(harness)) == 2


@pytest.mark.parametrize("line", ["1. I am thinking", "#1 fan of yours", "10.30 then", "PS: b4 is nice"])
def test_a_number_or_a_word_before_words_leaves_them_words(harness: MemoryHarness, line: str) -> None:
    harness.begin()
    _, news = harness.send(f"Ada <{ADA}>", f"Hi\n{line}", harness.last(ADA))
    assert f"  | {line}\n" in news.text


@pytest.mark.parametrize("line", ["1. a3 or c1", "PS: I think b4", "Ben: b4 is mine"])
def test_a_number_or_a_word_hides_no_place(harness: MemoryHarness, line: str) -> None:
    harness.begin()
    letters = harness.send(f"Ada <{ADA}>", f"Hi\n{line}", harness.last(ADA))
    assert [letter.to for letter in letters] == [ADA]


def test_two_different_moves_are_reported_once_and_what_stands_below_is_not_tried(
    harness: MemoryHarness,
) -> None:
    harness.begin()
    (answer,) = harness.send(f"Ada <{ADA}>", "log\nps b4\nps b3\nrules", harness.last(ADA))
    assert answer.text.count("You wrote: ps b4 / ps b3\nNot done") == 1
    assert answer.text.count("Not tried") == 2


def test_of_very_many_commands_the_rest_is_told_to_be_unread(harness: MemoryHarness) -> None:
    harness.begin()
    (answer,) = harness.send(f"Ada <{ADA}>", "show 0\n" * 10_000, harness.last(ADA))
    assert "only the first 50 commands of a mail are read" in answer.text
    assert len(answer.text) < 50_000


def test_a_move_between_quotes_of_both_kinds_of_letter_is_the_only_one(harness: MemoryHarness) -> None:
    harness.begin_and_play("ps b4")
    news, answer = harness.last(BEN), harness.last(ADA)
    harness.send(f"Ben <{BEN}>", f"ps c3\n\n{quote(news)}\n{quote(answer)}", news, quoting=False)
    assert turns(harness) == ["ps b4", "ps c3"]


def test_quit_ends_the_reading(harness: MemoryHarness) -> None:
    harness.begin()
    harness.send(f"Ada <{ADA}>", "quit\nps b4", harness.last(ADA))
    assert turns(harness) == []


def test_what_is_stored_is_never_played_from_memory_alone(harness: MemoryHarness) -> None:
    """The state is computed only from the stored turns."""
    harness.begin_and_play("ps b4", "ps c3")
    table = harness.table()
    assert table.state.turns == 2
    assert table.state.board()[3].split() == ["0", "S", "0", "0", "0"]


def test_another_move_for_an_old_turn_of_a_finished_game_is_told_that_the_game_is_over(
    harness: MemoryHarness,
) -> None:
    harness.begin_and_play("ps a1", "ps c3", "ps b3", words="3")
    older = harness.last(BEN)
    harness.play("ps b1", "ps a3", start=1)
    harness.send(f"Ada <{ADA}>", "ps a3", harness.last(ADA))
    (answer,) = harness.send(f"Ben <{BEN}>", "ps b2", older)
    assert "this game is over" in answer.text


@pytest.mark.parametrize(
    "line", ["ps b4 \U0001f389", "*ps b4*", "*Ps b4.*", "ps b4! \u2764\ufe0f", "ps b4 \U0001f44d\U0001f3fd"]
)
def test_bold_letters_and_a_closing_emoji_are_no_part_of_a_move(harness: MemoryHarness, line: str) -> None:
    harness.begin()
    harness.send(f"Ada <{ADA}>", line, harness.last(ADA))
    assert turns(harness) == ["ps b4"]
