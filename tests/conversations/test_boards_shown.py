"""Comparing boards: which game a board is compared with, what is stored, and mails with many boards."""

from random import Random

import pytest

from takmail.world.kinds import Standing
from tests.support.cost import assert_in_proportion
from tests.support.examples import examples
from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN, said
from tests.support.scenes import played_once
from tests.support.width import some_of

EMPTY = "0 0 0\n0 0 0\n0 0 0"
ONE = "S 0 0\n0 0 0\n0 0 0"
SAME = "Your board is the same as mine"


def shown(harness: MemoryHarness, seat: int, game: int = 1) -> tuple[str, int] | None:
    board = harness.table(game).correspondence.shown_boards[seat]
    return None if board is None else (board.board, board.turn)


@pytest.fixture
@played_once
def begun(harness: MemoryHarness) -> None:
    """A game on the smallest board; one turn is played."""
    harness.begin_and_play("ps a1", words="3")


def test_a_row_of_a_board_is_no_move(begun: MemoryHarness) -> None:
    begun.send(f"Ben <{BEN}>", "x A 3\n> x 0 2\n2 C C", begun.last(BEN))
    assert turns(begun) == ["ps a1"]


def test_what_can_t_be_on_a_board_is_told_in_lines_of_its_own(harness: MemoryHarness) -> None:
    harness.begin("5")
    board = "\n".join(("0 0 0 0 0", "0 0 0 0 0", "swsS 0 0 0 0", "0 0 0 0 0", "0 0 0 0 0"))
    (answer,) = harness.send(ADA, board, harness.last(ADA))
    assert "\n  A3: swsS has a wall under another piece.\n" in answer.text


def test_who_has_only_the_address_right_may_look_and_leaves_nothing_behind(begun: MemoryHarness) -> None:
    (letter,) = begun.send(f"Ben <{BEN}>", ONE, to=None)
    assert letter.to == BEN
    assert SAME in said(letter)
    assert shown(begun, 1) is None


def test_a_strange_address_with_the_token_gets_nothing(begun: MemoryHarness) -> None:
    letters = begun.send("Someone <someone@example.net>", ONE, begun.last(BEN))
    assert {letter.to for letter in letters} <= {BEN}
    assert not any(SAME in said(letter) for letter in letters)
    assert shown(begun, 1) is None


def test_held_words_are_compared_once_their_player_says_yes(begun: MemoryHarness) -> None:
    (asked,) = begun.send("Someone <someone@example.net>", f"ps c3\n\n{ONE}", begun.last(BEN))
    letters = begun.send(f"Ben <{BEN}>", "yes", asked)
    assert turns(begun) == ["ps a1", "ps c3"]
    heard = next(said(letter) for letter in letters if letter.to == BEN)
    assert "You have not played turn 2 on it" in heard
    assert heard.count("on it") == 1


def test_a_board_in_a_letter_that_shows_what_was_written_is_none_of_its_reader_s(
    begun: MemoryHarness,
) -> None:
    (asked,) = begun.send("Someone <someone@example.net>", "ps c3\n\nC W 0\n0 0 0\n0 0 0", begun.last(BEN))
    assert "| C W 0\n" in asked.text
    letters = begun.send(f"Ben <{BEN}>", "log", asked)
    assert not any("our board" in said(letter) for letter in letters)


def test_a_board_alone_finds_the_only_game(begun: MemoryHarness) -> None:
    (letter,) = begun.send(f"Ada <{ADA}>", EMPTY)
    assert "You have not played turn 1 on it" in said(letter)


def test_a_board_alone_finds_the_game_that_waits_for_its_writer(begun: MemoryHarness) -> None:
    begun.begin("4")
    (letter,) = begun.send(f"Ben <{BEN}>", ONE)
    assert letter.subject.startswith("[tak #1]")
    assert SAME in said(letter)


def test_of_several_games_it_is_asked_which(begun: MemoryHarness) -> None:
    begun.begin_and_play("ps a1", words="4")
    (letter,) = begun.send(f"Ben <{BEN}>", ONE)
    assert "I can't tell which of your games you mean" in said(letter)
    (letter,) = begun.send(f"Ben <{BEN}>", f"#1 rs\n{ONE}")
    assert SAME in said(letter)


def test_a_stranger_with_a_board_is_told_how_to_begin(harness: MemoryHarness) -> None:
    (letter,) = harness.send("Someone <someone@example.net>", f"Hello\n\n{ONE}")
    assert "how to begin" in letter.subject


def test_before_the_game_begins_there_is_no_board_to_compare_with(harness: MemoryHarness) -> None:
    harness.send(f"Ada <{ADA}>", f"new 3 vs {BEN}")
    (letter,) = harness.send(f"Ada <{ADA}>", EMPTY, harness.last(ADA))
    assert "the game has not begun" in said(letter)
    assert shown(harness, 0) is None


def test_after_the_end_a_board_is_compared_all_the_same(begun: MemoryHarness) -> None:
    begun.send(f"Ben <{BEN}>", "resign", begun.last(BEN))
    begun.send(f"Ben <{BEN}>", "yes", begun.last(BEN))
    (letter,) = begun.send(f"Ada <{ADA}>", ONE, begun.last(ADA))
    assert SAME in said(letter)
    assert "and the game is over. The checksum" in said(letter)


@pytest.mark.parametrize(
    "row", some_of(["0 0 0", "sSsS sSsS sSsS", "> 0 0 S", "> > S W c", "0 0 0\n", "0 x 0 0 0 0 0"], 2)
)
@pytest.mark.many
def test_a_mail_full_of_boards_takes_no_time(begun: MemoryHarness, row: str) -> None:
    letter = begun.last(ADA)

    def deliver(rows: int) -> None:
        begun.deliver(begun.mail(f"Ada <{ADA}>", f"{row}\n" * rows, letter).as_bytes())

    assert_in_proportion(deliver, 250_000 // (len(row) + 1))
    assert turns(begun) == ["ps a1"]


@pytest.mark.many
def test_no_heap_of_rows_changes_anything(begun: MemoryHarness) -> None:
    chance = Random(5)
    news = begun.last(BEN)
    for _ in range(examples(20, 200)):
        spots = chance.choice(
            ("s S 0", "s S sS w W c C 0 o", "0 0 s . x 1 2 3 A B C", "rs 0 S show log quit . yes")
        )
        width = chance.randint(1, 6)
        rows = [" ".join(chance.choices(spots.split(), k=width)) for _ in range(chance.randint(1, 9))]
        text = "\n".join(chance.choice(("", "", "> ", "| ")) + row for row in rows)
        # A yes to a letter that offers a turn plays that turn.
        letter = news if "yes" in text else begun.last(BEN)
        for answer in begun.send(f"Ben <{BEN}>", text, letter, quoting=chance.random() < 0.5):
            assert answer.to in (ADA, BEN)
        assert turns(begun) == ["ps a1"]
    table = begun.table()
    assert (table.record.standing, table.offers) == (Standing.OPEN, ())


def test_the_checksum_tells_two_players_that_they_are_in_step(begun: MemoryHarness) -> None:
    found = set()
    for who, words in ((ADA, "rs"), (BEN, "rs"), (BEN, ONE), (ADA, "show 1")):
        (letter,) = begun.send(f"{who[:3].capitalize()} <{who}>", words, begun.last(who))
        text = said(letter)
        at = text.index("The checksum of this position is ")
        found.add(text[at:].split()[5])
    assert len(found) == 1
