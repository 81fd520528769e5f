"""Proposals that arrive late or twice, that cross other mails, or that come from an unverified sender."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN, said
from tests.support.proposals import ADA_AS, BEN_AS, BOARD, FOUR, ada, ben, board, given_up
from tests.support.scenes import played_once
from tests.support.width import combined, some_of

CAPTIONS = ("The board that you propose:", "The board that Ada proposes:")
"""The captions of the boards in the letters to Ada, who proposes, and to Ben."""


@pytest.fixture
@played_once
def middle(harness: MemoryHarness) -> None:
    """Ada and Ben have played four turns, and Ada is to move."""
    harness.begin_and_play(*FOUR)


def test_a_proposal_shows_both_the_board_that_would_hold_below_the_one_that_does(
    middle: MemoryHarness,
) -> None:
    for letter, caption in zip(ada(middle, "propose back 3"), CAPTIONS, strict=True):
        assert board(letter)[2:4] == ["0 0 s 0 0", "0 0 S 0 0"]
        _, _, now = said(letter).partition("Now the board is: ")
        assert now.partition(" on top.")[2].startswith(" S 0 0 0 0 ")
        _, _, proposed = said(letter).partition(f"which stands above. {caption}")
        rows = proposed.partition(" on top.")[2]
        assert rows.startswith(" S 0 0 0 0 0 0 0 0 0 0 0 s 0 0 0 0 0 0 0 0 0 0 0 s ")
    assert "Ada proposes this board, with your turn next" in said(middle.last(BEN))
    assert "You propose this board, with Ben's turn next" in said(middle.last(ADA))


@pytest.mark.parametrize(("who", "move"), [("ada", "ps d4"), ("ben", "ps d4")])
def test_a_move_ends_a_proposal_whoever_makes_it(middle: MemoryHarness, who: str, move: str) -> None:
    if who == "ben":
        ada(middle, "ps d3")
    ada(middle, "propose back 2")
    mover, other = (ada, ben) if who == "ada" else (ben, ada)
    for letter in mover(middle, move):
        proposer = "You" if letter.to == ADA else "Ada"
        lapsed = f"{proposer} proposed to go back to the board after turn 2; that has lapsed with this."
        assert lapsed in said(letter)
    for writer in (other, ben):
        (answer,) = writer(middle, "agree")
        assert "offers nothing now" in said(answer)
    assert given_up(middle) == []


def lapses(harness: MemoryHarness) -> None:
    harness.now += timedelta(days=7)


def is_withdrawn(harness: MemoryHarness) -> None:
    ada(harness, "withdraw back")


def is_replaced_and_withdrawn(harness: MemoryHarness) -> None:
    ada(harness, "propose restart")
    ada(harness, "withdraw restart")


def is_over_with_a_move(harness: MemoryHarness) -> None:
    ada(harness, "ps d4")


ENDED = {
    lapses: "is over",
    is_withdrawn: "was withdrawn",
    is_replaced_and_withdrawn: "gave way to another proposal",
    is_over_with_a_move: "has lapsed",
}
"""How a proposal ends, and what a late answer to it is told."""


@pytest.mark.parametrize(("ends", "verb"), combined(ENDED, ["agree", "refuse"]))
def test_an_answer_to_a_proposal_that_has_ended_is_none_to_the_draw_that_stands(
    middle: MemoryHarness, ends: Callable[[MemoryHarness], None], verb: str
) -> None:
    ada(middle, "draw")
    ada(middle, "propose back 2")
    letter = middle.last(BEN)
    ends(middle)
    stands = f"If you mean what Ada offers now, answer this letter with this line: {verb} draw "
    (answer,) = middle.send(BEN_AS, verb, letter)
    assert f"you can mean more than one offer. {stands}" in said(answer)
    (answer,) = middle.send(BEN_AS, f"{verb} back", letter)
    assert f"Ada offers to go back to the board after turn 2, but that {ENDED[ends]}. {stands}" in said(
        answer
    )
    assert turns(middle)[:4] == FOUR
    ben(middle, f"{verb} draw")
    assert ("The game is over" in said(middle.last(BEN))) == (verb == "agree")


def test_an_answer_to_a_letter_that_told_that_a_proposal_has_ended_is_about_what_stands(
    middle: MemoryHarness,
) -> None:
    ada(middle, "draw")
    ada(middle, "propose back 2")
    ada(middle, "withdraw back")
    ben(middle, "agree")
    assert "The game is over" in said(middle.last(BEN))


def test_who_has_refused_one_of_two_offers_means_the_other_one(middle: MemoryHarness) -> None:
    ada(middle, "draw")
    ada(middle, "propose back 2")
    letter = middle.last(BEN)
    middle.send(BEN_AS, "refuse back", letter)
    middle.send(BEN_AS, "agree", letter)
    assert "The game is over" in said(middle.last(BEN))


def test_an_undo_ends_a_proposal(middle: MemoryHarness) -> None:
    ben(middle, "propose back 1")
    ben(middle, "undo")
    ada(middle, "agree undo")
    (answer,) = ada(middle, "agree back")
    assert "Ben offers nothing now" in said(answer)
    assert turns(middle) == FOUR[:3]


def test_one_agreement_ends_the_other_proposal(middle: MemoryHarness) -> None:
    ada(middle, "propose back 2")
    ben(middle, "propose restart")
    ada(middle, "draw")
    letter = middle.last(BEN)
    ada(middle, "agree restart")
    assert turns(middle) == []
    (answer,) = middle.send(BEN_AS, "agree back", letter)
    assert "Ada offers to go back to the board after turn 2, but that has lapsed" in said(answer)
    assert len(given_up(middle)) == 4


def test_a_proposal_lapses_after_seven_days_and_the_late_one_is_told(middle: MemoryHarness) -> None:
    ada(middle, "propose back 2")
    letter = middle.last(BEN)
    middle.now += timedelta(days=7)
    (answer,) = middle.send(BEN_AS, "agree", letter)
    assert "Ada offers to go back to the board after turn 2, but that is over" in said(answer)
    (answer,) = ada(middle, "withdraw")
    assert "you offer to go back to the board after turn 2, but that is over" in said(answer)
    assert turns(middle) == FOUR


def test_until_then_it_stands(middle: MemoryHarness) -> None:
    ada(middle, "propose back 2")
    middle.now += timedelta(days=7, seconds=-1)
    ben(middle, "agree")
    assert turns(middle) == FOUR[:2]


def test_a_draw_outlasts_seven_days(middle: MemoryHarness) -> None:
    ada(middle, "draw")
    middle.now += timedelta(days=8)
    (letter,) = ben(middle, "rs")
    assert "Ada offers a draw" in said(letter)


def test_another_proposal_takes_the_place_of_the_first(middle: MemoryHarness) -> None:
    ada(middle, "propose back 2")
    first = middle.last(BEN)
    answer, news = ada(middle, "propose restart")
    for letter in (answer, news):
        assert "in place of what" in said(letter)
    for words in ("agree", "agree back"):
        (answer,) = middle.send(BEN_AS, words, first)
        assert "but that gave way to another proposal" in said(answer)
        assert "answer this letter with this line: agree restart " in said(answer)
    (answer,) = ben(middle, "agree back")
    assert "your mail answers no letter that shows such an offer" in said(answer)
    assert turns(middle) == FOUR
    ben(middle, "agree")
    assert turns(middle) == []


def test_the_same_proposal_twice_is_made_once(middle: MemoryHarness) -> None:
    ada(middle, "propose back 2")
    (answer,) = ada(middle, "propose back 2")
    assert "you propose to go back to the board after turn 2 already" in said(answer)


def test_the_same_proposal_of_both_is_an_agreement_even_if_they_cross(middle: MemoryHarness) -> None:
    before = middle.last(BEN)
    ada(middle, "propose back 2")
    middle.send(BEN_AS, "propose back 2", before)
    assert turns(middle) == FOUR[:2]


def test_different_proposals_that_cross_both_stand(middle: MemoryHarness) -> None:
    before = middle.last(BEN)
    ada(middle, "propose back 2")
    letters = middle.send(BEN_AS, "propose back 1", before)
    assert turns(middle) == FOUR
    assert "Ada proposes to go back to the board after turn 2" in said(letters[0])
    assert "You propose to go back to the board after turn 1" in said(letters[0])
    ada(middle, "agree")
    assert turns(middle) == FOUR[:1]


def test_a_proposal_that_a_move_has_crossed_is_not_made(middle: MemoryHarness) -> None:
    before = middle.last(BEN)
    ada(middle, "ps d4")
    (answer,) = middle.send(BEN_AS, "propose back 3", before)
    assert "shows the board after turn 4, and 5 turns have been played by now" in said(answer)
    (letter,) = ada(middle, "rs")
    assert "proposes" not in said(letter)


def test_a_proposal_about_a_board_that_is_given_up_is_not_made(middle: MemoryHarness) -> None:
    before = middle.last(BEN)
    ada(middle, "propose back 2")
    ben(middle, "agree")
    middle.play("ps b2", "ps b3")
    (answer,) = middle.send(BEN_AS, "propose back 2", before)
    assert "shows a board that is no more" in said(answer)
    (letter,) = ada(middle, "rs")
    assert "proposes" not in said(letter)


def test_agreeing_twice_does_it_once(middle: MemoryHarness) -> None:
    ada(middle, "propose back 3")
    letter, proposed = middle.last(BEN), middle.last(ADA)
    middle.send(BEN_AS, "agree", letter)
    (answer,) = middle.send(BEN_AS, "agree", letter)
    assert "Ada offers to go back to the board after turn 3, but that was agreed to" in said(answer)
    (answer,) = middle.send(ADA_AS, "withdraw", proposed)
    assert "you offer to go back to the board after turn 3, but that was agreed to" in said(answer)
    (answer,) = ada(middle, "withdraw")
    assert "you offer nothing now" in said(answer)
    assert turns(middle) == FOUR[:3]


def test_only_a_letter_that_can_have_told_of_it_is_agreed_with(middle: MemoryHarness) -> None:
    older = middle.last(BEN)
    ada(middle, "propose restart")
    (answer,) = middle.send(BEN_AS, "agree", older)
    assert "answer this letter with this line: agree restart " in said(answer)
    assert turns(middle) == FOUR


@pytest.mark.parametrize(("words", "goes"), [("propose back 2", "ps d1"), ("propose restart", "ps d1")])
def test_a_move_that_answers_an_older_letter_is_never_played_on_the_new_board(
    middle: MemoryHarness, words: str, goes: str
) -> None:
    old = [letter for letter in middle.box if letter.subject.startswith("[tak #1]")]
    ada(middle, words)
    ben(middle, "agree")
    kept = turns(middle)
    for letter in some_of(old, 2):
        sender = ADA_AS if letter.to == ADA else BEN_AS
        for move in (goes, *FOUR, f"ps d1 #{len(kept) + 1}"):
            middle.send(sender, move, letter)
            assert turns(middle) == kept
    middle.send(ADA_AS, goes, middle.last(ADA))
    assert turns(middle) == [*kept, goes]
    # Nor after the turn numbers were reached again.
    middle.play("ps d2", start=1)
    kept = turns(middle)
    for letter in old:
        middle.send(ADA_AS if letter.to == ADA else BEN_AS, "ps e1", letter)
    assert turns(middle) == kept


def test_a_proposal_in_a_mail_with_a_move_is_about_the_board_after_it(middle: MemoryHarness) -> None:
    _, news = ada(middle, "ps d4\npropose back 1")
    assert news.lines[0] == "ps d4"
    ben(middle, "agree")
    assert turns(middle) == FOUR[:1]


def test_a_move_below_a_proposal_is_not_played(middle: MemoryHarness) -> None:
    answer, _ = ada(middle, "propose back 2\nps d4")
    assert "a move would end what you propose in this same mail" in said(answer)
    assert turns(middle) == FOUR
    ben(middle, "agree")
    assert turns(middle) == FOUR[:2]


@pytest.mark.parametrize(
    ("words", "move"),
    combined(["propose back 2", f"propose board black\n{BOARD}"], ["ps d4", "ps d4 #3", "ps d4 #6"]),
)
def test_a_move_below_an_agreement_is_not_played(middle: MemoryHarness, words: str, move: str) -> None:
    ada(middle, words)
    answer, _ = ben(middle, f"agree\n{move}")
    assert "A move on it is an answer to this letter" in said(answer)
    assert "ps d4" not in turns(middle)


def test_what_was_held_is_dropped_with_the_board_that_it_was_for(middle: MemoryHarness) -> None:
    (asked,) = middle.send(ADA_AS, "#1 ps d4")
    ben(middle, "propose back 2")
    middle.send(ADA_AS, "agree", middle.last(ADA))
    middle.send(ADA_AS, "yes", asked)
    assert turns(middle) == FOUR[:2]


def test_who_takes_no_words_hears_of_a_proposal_in_the_next_letter(middle: MemoryHarness) -> None:
    ben(middle, "block Ada")
    letters = ada(middle, "propose back 2")
    assert [one.to for one in letters] == [ADA]
    (letter,) = ben(middle, "rs")
    assert "Ada proposes to go back to the board after turn 2" in said(letter)


def test_who_has_stopped_reads_it_when_they_play_on(middle: MemoryHarness) -> None:
    ben(middle, "stop")
    ada(middle, "propose back 3")
    middle.send(BEN_AS, "agree", middle.last(BEN))
    assert turns(middle) == FOUR[:3]


def test_a_move_below_a_proposal_that_stands_already_is_not_played(middle: MemoryHarness) -> None:
    ada(middle, "propose back 2")
    (answer,) = ada(middle, "propose back 2\nps d4")
    assert "a move would end what you propose in this same mail" in said(answer)
    assert turns(middle) == FOUR
    ben(middle, "agree")
    assert turns(middle) == FOUR[:2]


def test_of_several_proposals_in_one_mail_the_other_one_hears_of_the_last(middle: MemoryHarness) -> None:
    _, news = ada(middle, "propose back 1\npropose back 3\ndraw\npropose back 2\nwithdraw draw")
    assert said(news).count("Ada proposes to go back") == 2  # as news, and below the board
    assert "to the board after turn 2" in said(news)
    assert "draw no more" not in said(news)
    assert "in place of" not in said(news)
    _, news = ada(middle, "propose back 1\npropose restart")
    assert "Ada proposes to begin this game anew, in place of what was proposed before" in said(news)


def test_a_proposal_that_is_withdrawn_in_its_own_mail_is_no_news(middle: MemoryHarness) -> None:
    assert [one.to for one in ada(middle, "propose back 1\nwithdraw")] == [ADA]
    ada(middle, "propose back 2")
    _, news = ada(middle, "propose back 1\nwithdraw")
    assert "Ada proposes to go back to the board after turn 2 no more" in said(news)


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("propose back 3", "propose restart"),
        ("propose back 3", "propose back 2"),
        ("draw\nwithdraw", "propose restart"),
        ("propose restart\nwithdraw", "draw"),
    ],
)
def test_without_a_sign_of_the_letter_the_only_offer_that_stands_is_agreed_to(
    middle: MemoryHarness, first: str, then: str
) -> None:
    ada(middle, first)
    ada(middle, then)
    middle.send(BEN_AS, "agree", middle.last(BEN), threaded=False)
    assert "The game is over" in said(middle.last(BEN)) or turns(middle) == FOUR[:2] * (then[-1] == "2")


def test_without_a_sign_of_the_letter_one_of_several_offers_is_named(middle: MemoryHarness) -> None:
    ada(middle, "propose back 3")
    ada(middle, "draw")
    letter = middle.last(BEN)
    for words in ("agree", "refuse"):
        (answer,) = middle.send(BEN_AS, words, letter, threaded=False)
        assert f"with one of these lines: {words} back 3 {words} draw " in said(answer)
    (answer,) = middle.send(BEN_AS, "agree back 2", letter, threaded=False)
    assert "your mail answers no letter that shows such an offer" in said(answer)
    assert turns(middle) == FOUR
    middle.send(BEN_AS, "agree back 3", letter, threaded=False)
    assert turns(middle) == FOUR[:3]


def test_a_letter_about_something_else_is_no_sign_of_one(middle: MemoryHarness) -> None:
    ada(middle, "propose back 3")
    (about_games,) = middle.send(BEN_AS, "help")
    middle.send(BEN_AS, "#1 agree", about_games)
    assert turns(middle) == FOUR[:3]
