"""A letter does not say again below what it tells above, or what has nothing to do with it."""

import pytest

from tests.support.memory_harness import PLAIN, MemoryHarness
from tests.support.players import ADA, BEN, said
from tests.support.width import some_of

AS_ADA = f"Ada <{ADA}>"
MOVES = ["ps a1", "ps e5", "ps c3", "ps d3", "pw c2", "ps b3", "ps d4", "ps b2"]
DISPUTED = "Ben thinks that turn 8 was invalid."


@pytest.fixture
def game() -> MemoryHarness:
    """A game in which Ada, who needs no explanations any more, is to move."""
    harness = MemoryHarness(services=PLAIN)
    harness.begin()
    for number, move in enumerate(MOVES):
        mover = (ADA, BEN)[number % 2]
        harness.send(mover, move, harness.last(mover))
    return harness


def answer(game: MemoryHarness, text: str) -> str:
    (letter,) = game.send(AS_ADA, text, game.last(ADA))
    return said(letter)


def test_games_has_the_board_of_its_own_game_once(game: MemoryHarness) -> None:
    letter = game.last(ADA)
    game.begin()
    (lists,) = game.send(AS_ADA, "games", letter)
    assert "#1 · Ben" not in lists.text
    assert "#2 · Ben" in lists.text
    assert lists.text.count("A B C D E") == 2


@pytest.mark.parametrize(("text", "missing"), [("log", "Last turns:"), ("help", '"help moves" explains')])
def test_what_is_asked_for_does_not_stand_below_again(game: MemoryHarness, text: str, missing: str) -> None:
    assert missing not in answer(game, text)


def test_a_turn_has_an_example_of_an_answer(game: MemoryHarness) -> None:
    assert said(game.last(ADA)).endswith('Answer with a move like "ps b1". "help moves" explains.')
    receipt, _ = game.send(AS_ADA, "ps b1", game.last(ADA))
    assert 'Answer "undo" to take it back.' in said(receipt)
    assert said(game.last(BEN)).endswith('Answer with a move like "ps c1". "help moves" explains.')
    assert answer(game, "log").endswith('"help" tells what you can write.')


@pytest.mark.parametrize(
    ("text", "is_told"),
    some_of(
        [
            ("rs", True),
            ("why", True),
            ("away 5-12 December", False),
            ("language en", False),
            ("resign", False),
        ],
        3,
    ),
)
def test_a_dispute_is_told_with_turns_and_boards_only(
    game: MemoryHarness, text: str, *, is_told: bool
) -> None:
    game.send(f"Ben <{BEN}>", "im that cannot be", game.last(BEN))
    assert DISPUTED in said(game.last(ADA))
    assert (DISPUTED in answer(game, text)) is is_told


def test_who_gives_up_reads_so_once(game: MemoryHarness) -> None:
    asked = game.send(AS_ADA, "resign", game.last(ADA))[0]
    ended = said(game.send(AS_ADA, "yes", asked)[0])
    assert ended.startswith("Ben wins: you have given the game up. Ben (Black), the winner")
