"""A relay game: what the players write is forwarded, and checked only on request."""

import pytest

from takmail.world.kinds import Standing
from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN, said
from tests.support.relays import write
from tests.support.scenes import played_once


@pytest.fixture
@played_once
def relay(harness: MemoryHarness) -> None:
    """Ada, White, and Ben have begun a relay game on 5x5."""
    harness.begin("5 relay")


def test_a_move_goes_on_at_once_as_the_first_line(relay: MemoryHarness) -> None:
    answer, letter = write(relay, ADA, "Ps B4 t.\n\nGood luck!")
    assert letter.lines[0] == "ps b4 t"
    assert "Good luck!" in letter.text
    assert "passed on to Ben as turn 1 (ps b4 t), unchecked" in said(answer)


def test_what_was_not_written_as_on_the_page_is_passed_on_in_the_pages_form_and_as_written(
    relay: MemoryHarness,
) -> None:
    _, letter = write(relay, ADA, "ms b2 g3 21")
    assert letter.lines[0] == "ms b2 p3 2 1"
    assert "written so: ms b2 g3 21" in said(letter)


def test_no_rule_is_held_against_a_move_and_nobody_s_turn_is_asked(relay: MemoryHarness) -> None:
    sent = ["pc b4", "pw b4", "mn a1 p5 5", "ps b4"]
    for who, move in zip((BEN, BEN, ADA, BEN), sent, strict=True):
        _, letter = write(relay, who, move)
        assert letter.lines[0] == move
    assert turns(relay) == sent


def test_letters_show_no_board_of_ours_but_what_was_sent_last(relay: MemoryHarness) -> None:
    answer, letter = write(relay, ADA, "ps a1\n\nGood luck!")
    for one in (answer, letter):
        assert "0 0 0" not in one.text
        assert "1. Ada: ps a1" in one.text
    assert "White: you. Black: Ben." in answer.text
    assert "White: Ada. Black: you." in letter.text
    for one in (answer, letter):
        assert '"rs" asks ' in said(one)


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("ps z9", "there is no square Z9"),
        ("pz b4", '"pz"'),
        ("ms b2 p3 2", "these must be the same"),
        ("mw c3 1", "has a p before it"),
    ],
)
def test_a_line_that_no_other_program_could_read_is_named_and_not_passed_on(
    relay: MemoryHarness, line: str, wrong: str
) -> None:
    (answer,) = write(relay, ADA, line)
    assert wrong in said(answer)
    assert turns(relay) == []


def test_the_same_move_to_the_same_letter_is_passed_on_once(relay: MemoryHarness) -> None:
    begun = relay.last(ADA)
    write(relay, ADA, "ps a1", begun)
    (answer,) = write(relay, ADA, "ps a1", begun)
    assert "passed on already: it is turn 1" in said(answer)
    assert turns(relay) == ["ps a1"]


def test_moves_that_cross_are_both_passed_on_and_the_later_writer_is_told(relay: MemoryHarness) -> None:
    begun = relay.last(BEN)
    write(relay, ADA, "ps a1")
    answer, letter = write(relay, BEN, "ps e5", begun)
    assert letter.lines[0] == "ps e5"
    assert "turn 1 of Ada was on its way to you: ps a1" in said(answer)
    assert turns(relay) == ["ps a1", "ps e5"]


def test_a_move_with_a_number_goes_out_as_that_turn_or_not_at_all(relay: MemoryHarness) -> None:
    (answer,) = write(relay, ADA, "ps a1 #3")
    assert "meant for turn 3, and the next one is turn 1" in said(answer)
    write(relay, ADA, "ps a1 #1")
    assert turns(relay) == ["ps a1"]


def test_im_is_passed_on_as_written_without_a_verdict(relay: MemoryHarness) -> None:
    write(relay, ADA, "ps a1")
    answer, letter = write(relay, BEN, "im That corner is mine!")
    assert letter.lines[0] == "im That corner is mine!"
    assert "rules" not in said(letter).replace("what the rules say of it", "")
    assert "passed on to Ada" in said(answer)
    disputes = relay.table().disputes
    assert [(one.turn, one.reason) for one in disputes] == [(1, "That corner is mine!")]


def test_im_is_nobody_s_last_word(relay: MemoryHarness) -> None:
    (answer,) = write(relay, BEN, "im that was no move")
    assert "there is none to dispute" in said(answer)
    write(relay, ADA, "ps a1")
    write(relay, BEN, "im it is taken")
    _, letter = write(relay, ADA, "ps b1")
    assert letter.lines[0] == "ps b1"
    write(relay, BEN, "ps e5")
    (log,) = write(relay, ADA, "log")
    shown = [line.strip() for line in log.lines]
    start = shown.index("1. Ada: ps a1 (another came in its place)")
    assert shown[start : start + 4] == [
        "1. Ada: ps a1 (another came in its place)",
        "Ben: im #1 it is taken",
        "2. Ada: ps b1",
        "3. Ben: ps e5",
    ]


def test_who_hears_no_words_hears_no_im_but_the_moves(relay: MemoryHarness) -> None:
    write(relay, ADA, "ps a1")
    write(relay, ADA, "block Ben")
    (answer,) = write(relay, BEN, "im your corner")
    assert "not passed on" in said(answer)
    _, letter = write(relay, BEN, "ps e5")
    assert letter.to == ADA
    assert letter.lines[0] == "ps e5"


@pytest.mark.parametrize("word", ["undo", "propose back 1", "propose restart"])
def test_there_is_no_board_to_set_back(relay: MemoryHarness, word: str) -> None:
    write(relay, ADA, "ps a1")
    (answer,) = write(relay, ADA, word)
    assert "I keep no board in this game" in said(answer)
    assert turns(relay) == ["ps a1"]


def test_the_loser_resigns_and_the_game_counts_without_points(relay: MemoryHarness) -> None:
    relay.play("pc a1", "pc a1")
    write(relay, BEN, "resign")
    answer, letter = write(relay, BEN, "yes")
    assert "Result: 1-0" in letter.text
    assert "you have 0 points and Ben has 0. You have won 1, Ben 0" in said(letter)
    assert "scores" not in said(letter) + said(answer)
    assert relay.table().record.standing == Standing.OVER


def test_both_agree_to_a_draw(relay: MemoryHarness) -> None:
    write(relay, ADA, "draw")
    write(relay, BEN, "agree")
    assert "Result: 1/2-1/2" in relay.last(ADA).text


def test_no_road_ends_a_relay_game(harness: MemoryHarness) -> None:
    harness.begin_and_play("ps c3", "ps a1", "ps a2", "ps b3", "ps a3", words="3 relay")
    assert harness.table().record.standing == Standing.OPEN
    _, letter = write(harness, BEN, "ps b1")
    assert letter.lines[0] == "ps b1"


def test_nothing_is_passed_on_before_the_game_or_after_it(harness: MemoryHarness) -> None:
    harness.send(f"Ada <{ADA}>", f"new 5 relay vs {BEN}")
    for line in ("ps a1", "rs", "im no"):
        (answer,) = harness.send(f"Ada <{ADA}>", line, harness.last(ADA))
        assert answer.to == ADA
    assert turns(harness) == []
