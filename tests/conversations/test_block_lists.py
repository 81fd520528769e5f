"""`block`: the blocked player's chat and invitations do not arrive, moves do, and nobody else is notified."""

import pytest

from takmail.world.kinds import Standing
from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN, Received, said
from tests.support.scenes import played_once

OTHER = "other@example.org"
_ADA, _BEN, _OTHER = f"Ada <{ADA}>", f"Ben <{BEN}>", f"Other <{OTHER}>"


def standing(harness: MemoryHarness, number: int = 1) -> str:
    return str(harness.table(number).record.standing)


def ada(harness: MemoryHarness, words: str) -> Received:
    """Ada replies to her last letter. Return the answer."""
    return next(one for one in harness.send(_ADA, words, harness.last(ADA)) if one.to == ADA)


@pytest.fixture
@played_once
def begun(harness: MemoryHarness) -> None:
    """Ada and Ben play, and Ada blocks Ben."""
    harness.begin()
    ada(harness, "block ben")


def test_a_block_is_said_to_its_maker_alone(harness: MemoryHarness) -> None:
    harness.begin()
    letters = harness.send(_ADA, "block ben", harness.last(ADA))
    assert [letter.to for letter in letters] == [ADA]
    assert "from now on Ben can ask you to nothing" in said(letters[0])


def test_the_blocked_one_s_words_are_not_passed_on_and_they_are_told(begun: MemoryHarness) -> None:
    letters = begun.send(_BEN, "You are a fool.", begun.last(BEN))
    assert [letter.to for letter in letters] == [BEN]
    assert "Your words were not passed on, as Ada takes none at the moment. Moves are." in said(letters[0])
    (answer,) = begun.send(_BEN, "say You fool", begun.last(BEN))
    assert "Ada takes no words at the moment" in said(answer)
    assert "block" not in answer.text.lower()


def test_moves_are_played_as_ever_and_come_without_words(begun: MemoryHarness) -> None:
    begun.play("ps a1")
    _, news = begun.send(_BEN, "ps e5\n\nYou are a fool.", begun.last(BEN))
    assert news.to == ADA
    assert news.lines[0] == "ps e5"
    assert "fool" not in news.text
    assert turns(begun) == ["ps a1", "ps e5"]


def test_what_was_said_before_and_not_yet_read_is_not_passed_on(harness: MemoryHarness) -> None:
    harness.begin(first="them")
    harness.send(_BEN, "rs\n\nYou are a fool.", harness.last(BEN))
    ada(harness, "block ben")
    (answer,) = harness.send(_ADA, "rs", harness.last(ADA))
    assert "fool" not in answer.text
    harness.play("ps a1", start=1)
    assert "fool" not in harness.last(ADA).text


def test_a_dispute_and_an_offer_write_no_letter_and_the_offer_stands_in_the_next(
    begun: MemoryHarness,
) -> None:
    begun.play("ps a1")
    (answer,) = begun.send(_BEN, "im you are a fool", begun.last(BEN))
    assert "Ada takes no words at the moment, and has not been told" in said(answer)
    for words in ("draw", "withdraw", "draw"):
        assert [letter.to for letter in begun.send(_BEN, words, begun.last(BEN))] == [BEN]
    begun.send(_BEN, "ps e5", begun.last(BEN))
    assert "Ben offers a draw" in said(begun.last(ADA))
    assert "fool" not in begun.last(ADA).text


def test_the_one_who_blocks_is_heard(begun: MemoryHarness) -> None:
    _, news = begun.send(_ADA, "Good bye then.", begun.last(ADA))
    assert "  | Good bye then." in news.text


def test_an_invitation_of_theirs_is_never_written_and_answered_as_always(begun: MemoryHarness) -> None:
    (answer,) = begun.send(_BEN, f"new 4 vs {ADA}")
    assert "Ada has been asked to a game with you (4x4)" in said(answer)
    (answer,) = begun.send(_BEN, "say Hello", answer)
    assert "gets your words with the next letter" in said(answer)


def test_a_rematch_of_theirs_is_never_written(begun: MemoryHarness) -> None:
    begun.send(_BEN, "resign", begun.last(BEN))
    begun.send(_BEN, "yes", begun.last(BEN))
    letters = begun.send(_BEN, "rematch", begun.last(BEN))
    assert [letter.to for letter in letters] == [BEN]


def test_to_block_the_host_declines_what_they_ask(harness: MemoryHarness) -> None:
    harness.send(_BEN, f"new 5 vs {ADA}")
    letters = harness.send(_ADA, "block ben", harness.last(ADA))
    assert standing(harness) == Standing.DECLINED
    assert sorted(letter.to for letter in letters) == [ADA, BEN]
    news = harness.last(BEN)
    assert "does not want to play this game." in news.text
    assert "block" not in news.text.lower()
    assert "This game was declined" in said(harness.last(ADA))


def test_what_was_never_shown_stays_unanswered(harness: MemoryHarness) -> None:
    harness.send(_OTHER, f"new 5 vs {ADA}")
    harness.send(_BEN, f"new 5 vs {ADA}")
    ada(harness, "block ben")
    assert (standing(harness, 1), standing(harness, 2)) == (Standing.INVITED, Standing.INVITED)
    letters = harness.send(
        _ADA, "decline", next(one for one in harness.box if "#1" in one.subject and one.to == ADA)
    )
    assert not any("Ben asks you" in letter.text for letter in letters)
    letters = harness.send(_ADA, "unblock ben", harness.last(ADA))
    assert "Ben asks you to a game" in said(letters[-1])


def test_the_blocked_one_neither_joins_nor_is_joined(begun: MemoryHarness) -> None:
    ada(begun, "seek 5")
    (answer,) = begun.send(_BEN, "join 1")
    assert "seek #1 is not open" in said(answer)
    begun.send(_BEN, "seek 6")
    assert "seek #2 is not open" in said(ada(begun, "join 2"))


def test_after_unblock_all_is_as_before(begun: MemoryHarness) -> None:
    assert "you hear of Ben again" in said(ada(begun, "unblock BEN"))
    _, news = begun.send(_BEN, "Friends again?", begun.last(BEN))
    assert "  | Friends again?" in news.text
    assert "you did not block Ben" in said(ada(begun, "unblock ben"))


def test_whom_one_blocks_is_one_s_own_affair(begun: MemoryHarness) -> None:
    assert "You hear nothing of: Ben." in said(ada(begun, "block"))
    assert "You block nobody." in said(begun.send(_BEN, "block")[-1])
    assert "You block nobody." in said(begun.send("Someone <someone@example.net>", "block")[-1])


def test_to_block_twice_is_no_fault(begun: MemoryHarness) -> None:
    assert "from now on Ben can ask you to nothing" in said(ada(begun, "block Ben"))


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("block Other", 'nobody called "Other" plays here'),
        ("unblock Other", 'nobody called "Other" plays here'),
        ("block ada", "that is you yourself"),
        ("unblock", 'Write "unblock" and the name of the player'),
    ],
)
def test_what_cannot_be_done_is_answered(harness: MemoryHarness, line: str, answer: str) -> None:
    harness.begin()
    assert answer in said(ada(harness, line))


def test_further_down_it_is_chat_unless_it_is_marked(harness: MemoryHarness) -> None:
    harness.begin()
    _, news = harness.send(_BEN, "Hi,\nblock that road", harness.last(BEN))
    assert "  | block that road" in news.text
    harness.send(_BEN, "Hi,\n/block Ada", harness.last(BEN))
    assert "You hear nothing of: Ada." in said(harness.send(_BEN, "block")[-1])


def test_nobody_blocks_in_another_s_name(harness: MemoryHarness) -> None:
    harness.begin()
    harness.confirms = False
    (letter,) = harness.send(_ADA, "block ben")
    assert letter.asks_who
    harness.confirms = True
    assert "You block nobody." in said(ada(harness, "block"))
