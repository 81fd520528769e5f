"""`im`: both players see the verdict on a disputed turn, nothing changes, and the game continues."""

import pytest

from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN, Received, said
from tests.support.scenes import played_once

PLAYED = ("ps a5", "ps e1", "ps c3", "ps c2")


@pytest.fixture
@played_once
def game(harness: MemoryHarness) -> None:
    """Four turns are played; turn 4 was Ben's, and it is Ada's turn."""
    harness.begin_and_play(*PLAYED)


def write(harness: MemoryHarness, who: str, words: str) -> list[Received]:
    """Reply to the newest letter. Return the resulting letters, the writer's own first."""
    return harness.send(f"{who[:3].capitalize()} <{who}>", words, harness.last(who))


def disputes(harness: MemoryHarness) -> list[tuple[int, int, str, bool]]:
    """Return seat, turn, reason and whether the dispute is open, for each dispute."""
    standing = {one.version for one in harness.table().disputes}
    every = harness.table().every_dispute
    return [(one.seat, one.turn, one.reason, one.version in standing) for one in every]


def test_both_get_the_reason_the_verdict_and_both_boards(game: MemoryHarness) -> None:
    answer, news = write(game, ADA, "im C2 was mine")
    assert news.lines[0] == "im C2 was mine"
    assert "Ben has been told that you think turn 4 invalid" in said(answer)
    assert "Ada thinks that turn 4 was invalid" in said(news)
    for letter in (answer, news):
        assert "Turn 4 by Ben (ps c2) keeps every rule." in letter.lines[:3]
        assert "The board before it:" in letter.lines
        assert "Now the board is:" in letter.lines
        assert '"propose back 3" asks for that' in said(letter)
    assert turns(game) == list(PLAYED)


def test_an_older_turn_is_named_in_the_first_line(game: MemoryHarness) -> None:
    answer, news = write(game, ADA, "im #2 that was my corner")
    assert news.lines[0] == "im #2 that was my corner"
    assert "turn 2" in said(answer)
    assert "Turn 2 by Ben (ps e1) keeps every rule." in news.text


def test_it_stands_in_every_letter_until_somebody_moves(game: MemoryHarness) -> None:
    write(game, ADA, "im C2 was mine")
    (answer,) = write(game, BEN, "rs")
    assert "Ada thinks that turn 4 was invalid. The game goes on with the next move" in said(answer)
    (answer,) = write(game, ADA, "rs")
    assert "You think that turn 4 was invalid" in said(answer)
    answer, news = write(game, ADA, "ps d4")
    assert "turn 4 was invalid" not in said(answer) + said(news)
    assert disputes(game) == [(0, 4, "C2 was mine", False)]


def test_a_turn_that_both_dispute_is_told_of_once(game: MemoryHarness) -> None:
    write(game, ADA, "im C2 was mine")
    answer, _ = write(game, BEN, "im it was not")
    assert "You both think that turn 4 was invalid. The game goes on" in said(answer)


def test_several_disputes_are_told_of_in_one_sentence(game: MemoryHarness) -> None:
    write(game, ADA, "im #4 C2 was mine")
    write(game, ADA, "im #2 so was E1")
    (answer,) = write(game, BEN, "rs")
    assert (
        "Ada thinks that turns 2 and 4 were invalid. The game goes on with the next move of either of you, or from an "
        'earlier board if you agree on one: "propose back 1" asks for that.'
    ) in said(answer)
    write(game, BEN, "im #3 no")
    (answer,) = write(game, BEN, "rs")
    assert "You think that turn 3 was invalid. Ada thinks that turns 2 and 4 were invalid. The" in said(
        answer
    )
    assert said(answer).count("The game goes on with the next move") == 1
    write(game, BEN, "im #1")
    (answer,) = write(game, ADA, "rs")
    assert "that turns 2 and 4 were invalid. Ben thinks that turns 1 and 3 were invalid" in said(answer)
    assert '"propose restart" asks for that' in said(answer)


def test_the_first_turn_is_gone_back_from_by_beginning_anew(harness: MemoryHarness) -> None:
    harness.begin_and_play("ps a5")
    answer, _ = write(harness, BEN, "im what is that")
    assert '"propose restart" asks for that' in said(answer)


def test_in_a_relay_game_the_turn_is_passed_on_with_the_reason_and_the_same_once(
    harness: MemoryHarness,
) -> None:
    harness.begin_and_play("ps a5", "ps e1", "ps c3", words="5 relay")
    _, news = write(harness, BEN, "im #2 that was my corner")
    assert news.lines[0] == "im #2 that was my corner"
    assert "thinks a move invalid: turn 2 (ps e1, by Ben)" in said(news)
    (answer,) = write(harness, BEN, "im #2 that was my corner")
    assert "has been told of this already" in said(answer)


def test_the_same_again_is_not_told_twice(game: MemoryHarness) -> None:
    write(game, ADA, "im C2 was mine")
    (answer,) = write(game, ADA, "im C2 was mine")
    assert answer.to == ADA
    assert "Ben has been told of this already" in said(answer)
    assert '"why 4" tells you who is right' in said(answer)
    assert len(disputes(game)) == 1


def test_a_new_reason_takes_the_place_of_the_old_one(game: MemoryHarness) -> None:
    write(game, ADA, "im C2 was mine")
    _, news = write(game, ADA, "im it was a wall")
    assert news.lines[0] == "im it was a wall"
    assert disputes(game) == [(0, 4, "C2 was mine", False), (0, 4, "it was a wall", True)]


def test_one_mail_opens_three_disputes_at_most(game: MemoryHarness) -> None:
    answer, news = write(game, ADA, "/im #1 a\n/im #2 b\n/im #3 c\n/im #4 d")
    assert "one mail disputes 3 turns at most" in said(answer)
    assert news.lines[0] == "im #1 a"
    assert len(disputes(game)) == 3


def test_a_slip_of_ones_own_is_told_as_that(game: MemoryHarness) -> None:
    answer, news = write(game, BEN, "im I made a mistake")
    assert 'Turn 4 was your own. If it was a slip, write "undo"; Ada has to agree.' in said(answer)
    assert "Ben thinks that turn 4, a turn of their own, was invalid" in said(news)


@pytest.mark.parametrize(("words", "told"), [("im #5", "no turn 5; 4 have"), ("im #0", "no turn 0; 4 have")])
def test_a_turn_that_does_not_exist_is_not_disputed(game: MemoryHarness, words: str, told: str) -> None:
    (answer,) = write(game, ADA, words)
    assert told in said(answer)
    assert disputes(game) == []


def test_an_agreed_board_is_no_move_and_no_rule_is_about_it(game: MemoryHarness) -> None:
    write(game, BEN, "propose board white\n0 0 0 0 0\n0 0 s 0 0\n0 0 0 0 0\n0 0 0 0 0\nS 0 0 0 s")
    write(game, ADA, "agree")
    for words in ("im no", "why", "why 5"):
        (answer,) = write(game, ADA, words)
        assert "turn 5 is no move, but the board from which both of you have agreed" in said(answer)
    assert disputes(game) == []


def test_nothing_is_disputed_before_the_game_has_begun(harness: MemoryHarness) -> None:
    harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN}")
    (answer,) = write(harness, BEN, "im no")
    assert "not" in said(answer)
    write(harness, BEN, "accept")
    (answer,) = write(harness, BEN, "im no")
    assert "no move has been made yet" in said(answer)
    assert disputes(harness) == []


def test_after_the_end_both_see_the_verdict_and_the_result_stays(game: MemoryHarness) -> None:
    write(game, BEN, "resign")
    write(game, BEN, "yes")
    answer, news = write(game, BEN, "im #3 that was no move")
    assert "keeps every rule" in said(answer)
    assert "The game is over" in said(news)
    assert "propose" not in said(news)
    (answer,) = write(game, BEN, "im #3 that was no move")
    assert "has been told of this already" in said(answer)


def test_to_take_the_turn_back_ends_the_dispute(game: MemoryHarness) -> None:
    write(game, ADA, "im C2 was mine")
    write(game, BEN, "undo")
    write(game, ADA, "agree")
    assert [one[3] for one in disputes(game)] == [False]


def test_who_hears_nothing_of_somebody_gets_no_letter_and_sees_it_later(game: MemoryHarness) -> None:
    write(game, BEN, "block Ada")
    (answer,) = write(game, ADA, "im C2 was mine")
    assert "has not been told" in said(answer)
    (answer,) = write(game, BEN, "rs")
    assert "Ada thinks that turn 4 was invalid" in said(answer)


def test_the_last_turn_is_that_of_the_letter_that_is_answered(harness: MemoryHarness) -> None:
    harness.begin()
    harness.play(*PLAYED[:3])
    older = harness.last(BEN)
    harness.send(f"Ben <{BEN}>", "ps c2", older)
    harness.send(f"Ben <{BEN}>", "im that is not legal", older)
    assert disputes(harness) == [(1, 3, "that is not legal", True)]
    (answer,) = harness.send(f"Ben <{BEN}>", "why", older)
    assert "turn 3" in said(answer)


def test_what_the_letter_shows_and_is_given_up_is_not_disputed(game: MemoryHarness) -> None:
    older = game.last(BEN)
    write(game, ADA, "propose back 3")
    write(game, BEN, "agree")
    write(game, BEN, "ps d4")
    for words in ("im against that", "why"):
        (answer,) = game.send(f"Ben <{BEN}>", words, older)
        assert "shows a board that is no more" in said(answer)
    assert disputes(game) == []


def test_a_letter_from_before_the_first_turn_shows_none_to_dispute(harness: MemoryHarness) -> None:
    harness.begin()
    first = harness.last(ADA)
    harness.play(*PLAYED[:1])
    for words in ("im", "why"):
        (answer,) = harness.send(f"Ada <{ADA}>", words, first)
        assert "the letter that you answered shows no turn yet" in said(answer)
    assert disputes(harness) == []
