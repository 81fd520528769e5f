"""Proposals to continue from a board that one of the players shows."""

import pytest

from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN, said
from tests.support.proposals import ADA_AS, BEN_AS, BOARD, FOUR, ROWS, TURN, ada, ben, board, log
from tests.support.scenes import played_once
from tests.support.width import some_of


@pytest.fixture
@played_once
def middle(harness: MemoryHarness) -> None:
    """Ada and Ben have played four turns, and Ada is to move."""
    harness.begin_and_play(*FOUR)


def test_both_go_on_from_a_board_that_one_of_them_has(middle: MemoryHarness) -> None:
    answer, news = ada(middle, f"propose board black\n{BOARD}")
    for letter in (answer, news):
        assert board(letter)[3] == "0 0 S 0 0"
        assert " ".join(ROWS) in said(letter)
    assert "Ada proposes this board, with your turn next" in said(news)
    assert turns(middle) == FOUR
    letters = ben(middle, "agree")
    assert len(letters) == 2
    for letter in letters:
        assert board(letter) == ROWS
        _, happened, rest = said(letter).partition("goes on from the proposed board, which counts as turn 5")
        assert happened
        above, _, below = rest.partition("(White)")
        assert "S 0 0 0 0 0" in (below if letter.to == BEN else above)
        assert "5. both agreed on a board, which Ada proposed" in said(letter)
        assert "board S" not in said(letter)
    assert turns(middle) == [*FOUR, f"{TURN} b"]
    ben(middle, "ps a5")
    ada(middle, "ps b5")
    assert turns(middle) == [*FOUR, f"{TURN} b", "ps a5", "ps b5"]


@pytest.mark.parametrize(
    ("whose", "side"),
    some_of(
        [
            *(
                ("white", "w"),
                ("Black", "b"),
                ("me", "w"),
                ("them", "b"),
                ("you", "b"),
                ("Ben", "b"),
                ("ada", "w"),
            ),
            *(("black to move", "b"), ("Ben's turn", "b")),
        ],
        4,
    ),
)
def test_whose_turn_it_would_be_is_said_in_several_ways(middle: MemoryHarness, whose: str, side: str) -> None:
    ada(middle, f"propose board {whose}\n\n{BOARD}")
    ben(middle, "agree")
    assert turns(middle)[-1] == f"{TURN} {side}"


def test_who_says_not_whose_turn_it_would_be_is_asked_and_need_not_write_the_board_again(
    middle: MemoryHarness,
) -> None:
    (answer,) = ada(middle, f"propose board\n{BOARD}")
    assert 'say whose turn it would be on that board, for example "propose board white"' in said(answer)
    (answer,) = ada(middle, "propose board Other")
    assert 'I know of nobody here called "Other"' in said(answer)
    answer, _ = ada(middle, "propose board black")
    assert "you propose to go on from another board" in said(answer)
    ben(middle, "agree board")
    assert turns(middle)[-1] == f"{TURN} b"


def test_the_board_may_stand_above_the_command_or_in_a_mail_before(middle: MemoryHarness) -> None:
    ada(middle, f"rs\n{BOARD}")
    ada(middle, "propose board me")
    ben(middle, f"{BOARD}\npropose board them")
    assert turns(middle)[-1] == f"{TURN} w"


def test_a_board_from_before_is_proposed_as_the_one_that_it_is(middle: MemoryHarness) -> None:
    ada(middle, f"rs\n{BOARD}")
    answer, news = ada(middle, "propose board black")
    assert "It is the board that you showed after turn 4." in said(answer)
    assert "It is the board that Ada showed after turn 4." in said(news)
    for letter in ada(middle, f"propose board white\n{BOARD}"):
        assert "It is the board that" not in said(letter)


@pytest.mark.parametrize("below", ["my rows:\n0 0 0\nand so on", "S 0 hm 0 0\nI can't write the others"])
def test_with_words_below_that_are_no_board_no_other_is_proposed(middle: MemoryHarness, below: str) -> None:
    ada(middle, f"rs\n{BOARD}")
    answer = ada(middle, f"propose board black\n{below}")[0]
    assert "what stands below the command is no board that I can read" in said(answer)
    (answer,) = ben(middle, "rs")
    assert "proposes" not in said(answer)


def test_words_below_do_not_hide_the_board_above_them(middle: MemoryHarness) -> None:
    answer = ada(middle, f"propose board black\n{BOARD}\n\nWhat do you think?")[0]
    assert "you propose" in said(answer)
    answer = ada(middle, f"{BOARD}\npropose board white\nOr so?")[0]
    assert "you propose" in said(answer)


def test_without_any_board_it_is_asked_for(middle: MemoryHarness) -> None:
    (answer,) = ada(middle, "propose board white")
    assert "you have shown me no board yet" in said(answer)


def test_an_impossible_board_is_named_by_square(middle: MemoryHarness) -> None:
    (answer,) = ada(middle, f"propose board white\n{BOARD.replace('wS', 'Sw')}")
    assert "C4: Sw has a wall under another piece" in said(answer)
    (letter,) = ben(middle, "rs")
    assert "proposes" not in said(letter)


def test_the_board_as_it_is_needs_no_proposal(middle: MemoryHarness) -> None:
    (answer,) = ada(middle, f"propose board white\n{BOARD.replace('wS', 'S')}")
    assert "that is the board as it is" in said(answer)
    answer, _ = ada(middle, f"propose board black\n{BOARD.replace('wS', 'S')}")
    assert "you propose" in said(answer)


NOW = BOARD.replace("wS", "S")
UPSIDE_DOWN = "\n".join(reversed(NOW.splitlines()))
EMPTY = "\n".join(["0 0 0 0 0"] * 5)


@pytest.mark.parametrize(
    ("shown", "beside"),
    [
        (NOW, "The proposed board is the board as it is now: only whose turn it is would change."),
        (
            UPSIDE_DOWN,
            "Look twice: the proposed board is the board as it is now, only written another way. Its rows stand "
            "upside down, with A1 in the south-west corner, as in PTN. By the book A1 is the north-west corner and "
            "rows count south.",
        ),
        (
            NOW.replace("0 0 S 0 0", "0 0 0 0 0"),
            "The proposed board is the board after turn 3. Turn 4 is not on it: 4 ps c4",
        ),
        (
            NOW.replace("S 0 0 0 0", "S 0 0 s 0"),
            "The proposed board is the board as it is now with one move more, ps d1, which has not been played.",
        ),
        (
            BOARD.replace("wS", "W"),
            "The proposed board is what you get if turn 4 had been pw c4 and not ps c4.",
        ),
        (
            BOARD,
            "The proposed board comes nearest to the board as it is now; one square differs. "
            "C4: proposed wS, now S (last changed by turn 4: ps c4)",
        ),
        (EMPTY, "The proposed board is the empty board. Turns 1 to 4 are not on it:"),
    ],
)
def test_both_read_what_a_proposed_board_is_beside_the_game(
    middle: MemoryHarness, shown: str, beside: str
) -> None:
    for letter in ada(middle, f"propose board black\n{shown}"):
        assert beside in said(letter)
    assert turns(middle) == FOUR


def test_a_board_that_lies_otherwise_is_warned_of_to_both(middle: MemoryHarness) -> None:
    answer, news = ada(middle, f"propose board white\n{UPSIDE_DOWN}")
    assert 'If you have not meant to turn the game round, write "withdraw"' in said(answer)
    assert "Agree only if you both want to turn the game round." in said(news)
    nearly = UPSIDE_DOWN.replace("0 0 0 0 s", "0 0 0 w s")
    answer, news = ada(middle, f"propose board white\n{nearly}")
    for letter in (answer, news):
        assert "Its rows stand upside down" in said(letter)


def test_for_the_board_of_an_earlier_turn_there_is_a_shorter_way(middle: MemoryHarness) -> None:
    answer, news = ada(middle, "propose board white\n" + NOW.replace("0 0 S 0 0", "0 0 0 0 0"))
    assert 'To go back to it, "propose back 3" is enough.' in said(answer)
    assert "propose back" not in said(news)
    answer, news = ada(middle, f"propose board white\n{EMPTY}")
    assert (
        'To begin anew, with the two first turns as at the start, write "propose restart" instead.'
        in said(answer)
    )
    assert "propose restart" not in said(news)


def test_the_same_board_of_both_is_an_agreement_however_it_is_written(middle: MemoryHarness) -> None:
    before = middle.last(BEN)
    ada(middle, f"propose board black\n{BOARD}")
    spread = "\n".join("   ".join(row.replace("0", "o").split()) for row in ROWS)
    middle.send(BEN_AS, f"propose board me\n{spread}", before)
    assert turns(middle) == [*FOUR, f"{TURN} b"]


def test_the_same_board_with_another_to_move_is_no_agreement(middle: MemoryHarness) -> None:
    ada(middle, f"propose board black\n{BOARD}")
    ben(middle, f"propose board white\n{BOARD}")
    assert turns(middle) == FOUR


def test_an_agreed_board_is_undone_by_both_only(middle: MemoryHarness) -> None:
    ada(middle, f"propose board black\n{BOARD}")
    ben(middle, "agree")
    for player in (ada, ben):
        (answer,) = player(middle, "undo")
        assert "a board that you both agreed on" in said(answer)
        assert '"propose back 4"' in said(answer)
    ada(middle, "propose back 4")
    ben(middle, "agree")
    assert turns(middle) == FOUR
    assert log(middle)[-1] == (
        "Run 1, turn 5, given up on 2026-11-21, as both agreed to go back to turn 4:"
        " 5. both agreed on a board, which Ada proposed"
    )
    (answer,) = ada(middle, "show 5")
    assert board(answer) == ROWS


def test_a_move_in_answer_to_the_board_before_is_not_played_on_the_agreed_one(middle: MemoryHarness) -> None:
    old = [letter for letter in middle.box if letter.subject.startswith("[tak #1]")]
    ada(middle, f"propose board white\n{BOARD}")
    old.append(middle.last(BEN))
    old.append(middle.last(ADA))
    ben(middle, "agree")
    for letter in old:
        middle.send(ADA_AS if letter.to == ADA else BEN_AS, "ps d1", letter)
    assert turns(middle) == [*FOUR, f"{TURN} w"]
    ada(middle, "ps d1")
    assert turns(middle)[-1] == "ps d1"


def test_an_agreed_board_is_no_turn_that_is_played_already(middle: MemoryHarness) -> None:
    before = middle.last(ADA)
    ada(middle, "propose board black\n" + BOARD.replace("wS", "S").replace("S 0 0 0 0", "S 0 0 s 0"))
    ben(middle, "agree")
    (answer,) = middle.send(ADA_AS, "ps d1", before)
    assert "already played" not in said(answer)
    assert "Not done" in said(answer)


def test_what_is_held_for_a_proposal_of_a_board_has_the_board_in_it(middle: MemoryHarness) -> None:
    (asked,) = middle.send(ADA_AS, f"#1 propose board black\n{BOARD}")
    middle.send(ADA_AS, "yes", asked)
    ben(middle, "agree")
    assert turns(middle)[-1] == f"{TURN} b"


def test_an_agreed_board_keeps_the_checksum_of_its_position(middle: MemoryHarness) -> None:
    ada(middle, f"propose board black\n{BOARD}")
    ben(middle, "agree")
    table = middle.table()
    assert table.turns[-1].checksum == table.state.checksum


def test_different_boards_with_the_same_turn_next_are_no_agreement(middle: MemoryHarness) -> None:
    ada(middle, f"propose board white\n{BOARD}")
    ben(middle, "propose board white\n" + "\n".join([*ROWS[:4], "0 0 0 s s"]))
    assert turns(middle) == FOUR
    (letter,) = ada(middle, "rs")
    assert "Ben proposes this board" in said(letter)
    assert "You propose this board" in said(letter)


def test_an_agreed_board_ends_what_was_asked_about_the_board_before(middle: MemoryHarness) -> None:
    ada(middle, f"propose board white\n{BOARD}")
    proposal = middle.last(BEN)
    (held,) = middle.send(ADA_AS, "#1 ps d4")
    (resigns,) = ada(middle, "resign")
    middle.send(BEN_AS, "agree", proposal)
    for letter in (held, resigns):
        (answer,) = middle.send(ADA_AS, "yes", letter)
        assert 'nothing is waiting for a "yes"' in said(answer)
        assert turns(middle) == [*FOUR, f"{TURN} w"]
    (letter,) = ada(middle, "rs")
    assert ", your turn: " in said(letter)
