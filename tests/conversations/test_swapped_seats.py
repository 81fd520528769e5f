"""Bids may swap the seats of a game. What each player wrote and got before stays with the player."""

import pytest

from tests.support.memory_harness import MemoryHarness
from tests.support.players import ADA, BEN, Received, said
from tests.support.width import combined

AS_ADA, AS_BEN = f"Ada <{ADA}>", f"Ben <{BEN}>"


def swapped(harness: MemoryHarness, words: str = "") -> dict[str, Received]:
    """Begin a game with the seats swapped. Return the last letter to each player from before the game began."""
    harness.send(AS_ADA, f"new 5 vs {BEN} rules=university\n\n{words}")
    harness.send(AS_BEN, "accept", harness.last(BEN))
    before = {ADA: harness.last(ADA), BEN: harness.last(BEN)}
    old = harness.table().names
    bids = (4, 9) if old[0] == "Ada" else (9, 4)
    harness.send(AS_ADA, f"bid {bids[0]}", before[ADA])
    harness.send(AS_BEN, f"bid {bids[1]}", before[BEN])
    assert harness.table().names == old[::-1]
    return before


@pytest.mark.parametrize(
    ("text", "writer"), combined(["Hello, a good game!", "bid 12", "decline", "resign", "stop"], [ADA, BEN])
)
def test_an_answer_to_a_letter_of_before_is_asked_about(
    harness: MemoryHarness, writer: str, text: str
) -> None:
    before = swapped(harness)
    harness.confirms = False
    (letter,) = harness.send(AS_ADA if writer == ADA else AS_BEN, text, before[writer])
    assert letter.to == writer
    assert text in said(letter)
    assert "yes" in said(letter)


def test_words_in_an_answer_to_a_letter_of_before_are_passed_on_after_a_yes(harness: MemoryHarness) -> None:
    before = swapped(harness)
    harness.confirms = False
    (question,) = harness.send(AS_BEN, "Hello, a good game!", before[BEN])
    harness.send(AS_BEN, "yes", question)
    assert "Hello, a good game!" in said(harness.last(ADA))


def test_an_answer_to_all_is_no_word_to_takmail(harness: MemoryHarness) -> None:
    before = swapped(harness)
    assert harness.send(AS_BEN, "Hello Ada, shall we talk by phone?", before[BEN], Cc=ADA) == []


def test_no_letter_names_a_letter_to_the_other_player(harness: MemoryHarness) -> None:
    swapped(harness, "Good luck!")
    harness.send(AS_ADA, "ps a1" if harness.table().names[0] == "Ada" else "Hello Ben", harness.last(ADA))
    harness.send(AS_BEN, "games", harness.last(BEN))
    readers = {letter.id: letter.to for letter in harness.box}
    for letter in harness.box:
        named = f"{letter.mail['References'] or ''} {letter.mail['In-Reply-To'] or ''}".split()
        assert {readers.get(one, letter.to) for one in named} <= {letter.to}


def test_the_letters_that_begin_the_game_stay_in_their_threads(harness: MemoryHarness) -> None:
    swapped(harness)
    for reader in (ADA, BEN):
        letters = [one for one in harness.box if one.to == reader and "[tak #1]" in one.subject]
        first, *_, last = [one for one in letters if not harness.services.key.asks(one.id)]
        assert first.id in str(last.mail["References"]).split()


def test_words_of_before_are_not_taken_for_the_other_player_s(harness: MemoryHarness) -> None:
    swapped(harness, "Good luck!")
    harness.send(AS_BEN, "Good luck!", harness.last(BEN))
    assert "Good luck!" in said(harness.last(ADA))


@pytest.mark.parametrize("bid", [4, 9])
def test_who_accepts_and_bids_in_one_mail_has_accepted_wherever_they_sit_then(
    harness: MemoryHarness, bid: int
) -> None:
    harness.send(AS_ADA, f"new 5 vs {BEN} rules=university\n\nbid {bid}")
    answer, news = harness.send(AS_BEN, "accept\nbid 7", harness.last(BEN))
    assert (answer.to, news.to) == (BEN, ADA)
    assert "you have accepted" in said(answer)
    assert "Ben has accepted" in said(news)
