"""Bids are sealed: before both are in, no byte of one reaches the other player, whatever the two write."""

import re
from collections.abc import Callable

import pytest

from takmail.world.kinds import Standing
from tests.support.memory_harness import BOTH_SIDES, MemoryHarness
from tests.support.players import ADA, BEN, said
from tests.support.scenes import played_once
from tests.support.tables import each_row
from tests.support.width import combined, some_of

AS_ADA, AS_BEN = f"Ada <{ADA}>", f"Ben <{BEN}>"
NEW = f"new 5 vs {BEN} rules=university"
BID = 73
"""A number that no letter has by chance, but for a colour and Message-IDs."""
COLOUR = "#0b3f73"


def invited(harness: MemoryHarness, bid: str) -> None:
    harness.send(AS_ADA, f"{NEW} {bid}")


def accepted(harness: MemoryHarness, bid: str = f"bid={BID}") -> None:
    harness.send(AS_ADA, NEW)
    harness.send(AS_BEN, "accept", harness.last(BEN))
    if bid:
        harness.send(AS_ADA, bid.replace("=", " "), harness.last(ADA))


def accepted_with_a_bare_number(harness: MemoryHarness, bid: str) -> None:
    accepted(harness, bid.removeprefix("bid="))


def joined(harness: MemoryHarness, bid: str) -> None:
    harness.send(AS_BEN, "seek 5 rules=university")
    harness.send(AS_ADA, f"join 1 {bid}")


def asked_again(harness: MemoryHarness, bid: str) -> None:
    harness.send(AS_ADA, NEW)
    harness.send(AS_BEN, "accept bid=2", harness.last(BEN))
    harness.send(AS_ADA, "bid 4", harness.last(ADA))
    harness.send(AS_ADA, "resign", harness.last(ADA))
    harness.send(AS_ADA, "yes", harness.last(ADA))
    harness.send(AS_ADA, f"rematch {bid}", harness.last(ADA))


WAYS = (invited, accepted, accepted_with_a_bare_number, joined, asked_again)
"""The ways in which Ada bids, and Ben not yet. Without a bid the game waits for hers, too."""
Way = Callable[[MemoryHarness, str], None]


@played_once
def _played(harness: MemoryHarness, way: Way, bid: str) -> None:
    way(harness, bid)


def played(way: Way, bid: int | None = BID) -> MemoryHarness:
    """Return a game in which Ada has bid, or has not if `bid` is None."""
    harness = MemoryHarness(services=BOTH_SIDES)
    _played(harness, way, "" if bid is None else f"bid={bid}")
    return harness


def tells(harness: MemoryHarness, reader: str = BEN, bid: int = BID) -> bool:
    """Tell whether a letter to a player has the bid. What is random, such as addresses for answers, is left out."""
    letters = [one for one in harness.box if one.to == reader]
    shown = "\n".join("\n".join((one.subject, one.text, one.html.replace(COLOUR, ""))) for one in letters)
    return re.search(rf"(?<!\d){bid}(?!\d)", re.sub(r'"bytes": \d+|[\w.+-]+@[\w.]+', "", shown)) is not None


LOOKS = (
    *("rs", "log", "show", "show 0", "ptn", "games", "match", "match Ada", "moves", "rules"),
    *(
        "help",
        "help bid",
        "why",
        "seeks",
        "rematch",
        "undo",
        "draw",
        "resign",
        "propose restart",
        "yes",
        "no",
    ),
    *("bid", "bid x", "bid -1", "bid 101", "2.5", "101", "bid ten", "ps a1", "im no", "stop", "forget me"),
    *("accept", "accept bid=", "accept bid=101", "accept komi=2", "say what did you bid?", "Your bid?"),
    *("decline", "name Benny", "block Ada", "unblock Ada", "view both", "0 0 0 0 0\n" * 5, "I bid 4 coins?"),
)


def read_by_ben(harness: MemoryHarness) -> list[tuple[str, str, str]]:
    """Return all letters to Ben. The addresses in links are random."""
    letters = [one for one in harness.box if one.to == BEN]
    return [(one.subject, one.text, re.sub(r"href=\S+", "", one.html)) for one in letters]


def told(way: Way, bid: int | None, line: str, *answers: bool) -> list[tuple[str, str, str]]:
    """Return the letters to Ben if he writes a line, in an answer or in a mail of its own."""
    harness = played(way, bid)
    for is_answer in answers:
        harness.send(AS_BEN, line, harness.last(BEN) if is_answer else None)
    return read_by_ben(harness)


@each_row("way, line, is_answer", combined(WAYS, LOOKS, [True, False]))
def test_whatever_the_other_writes_all_letters_are_the_same_for_two_bids(
    way: Way, line: str, *, is_answer: bool
) -> None:
    assert told(way, BID, line, is_answer) == told(way, 0, line, is_answer)


@pytest.mark.parametrize("way", some_of(WAYS, 2))
def test_all_letters_are_the_same_whatever_is_bid_and_if_nothing_is(way: Way) -> None:
    first, *others = (told(way, bid, "games\nrs\ndecline", True, False) for bid in (None, 0, 7, 100))
    assert len(first) >= 3
    assert all(letters == first for letters in others)


WORDS = (
    *(f"I bid {BID}, and you?", f"say my bid is {BID}", f"rs\n\n{BID} it is", f"Hello,\nis {BID} too much?"),
    *(f"bid {BID}\n\nI bid {BID}", f"bid 12\n\nnot {BID}", f"bid x\n\n{BID}", f"bid 470\n/say {BID}"),
    *(
        f"> bid {BID}\n\nSee above",
        f"im {BID}",
        f"/im #1 {BID}",
        f"bid {BID}\n\n> On Friday Ben wrote:\n> {BID}",
    ),
    *(f"accept bid={BID}\n\n{BID}", f"rematch bid={BID}\n\n{BID}", f"bid=x\n\n{BID}", f"bid {BID} {BID}"),
    *(f"propose restart\n\n{BID}", f"ps a1\n\n{BID}", f"draw {BID}", f"👍 {BID}", f"name Ada\n\n{BID}"),
)


@each_row("way, words", combined(WAYS, WORDS))
def test_no_words_pass_before_both_bids_are_in(way: Way, words: str) -> None:
    harness = played(way)
    before = len(harness.box)
    harness.send(AS_ADA, words, harness.last(ADA))
    harness.send(AS_BEN, "games")
    assert not tells(harness)
    assert not any(one.to == BEN and "writes:" in said(one) for one in harness.box[before:])


@pytest.mark.parametrize(
    "words", ["Good luck!", "say Good luck!", "bid 4\n\nGood luck!", "accept\n\nGood luck!"]
)
def test_who_wrote_words_that_are_not_passed_on_is_told_so(harness: MemoryHarness, words: str) -> None:
    harness.send(AS_ADA, NEW)
    harness.send(AS_BEN, "accept", harness.last(BEN))
    answers = harness.send(AS_BEN, words, harness.last(BEN))
    assert [one.to for one in answers] == [BEN]
    assert "not passed on, as no words are before both of you have bid" in said(answers[0])


def test_no_words_go_with_an_invitation_that_has_a_bid(harness: MemoryHarness) -> None:
    harness.begin()
    harness.send(AS_ADA, f"{NEW} bid={BID}\n\nGood luck!", harness.last(ADA))
    assert "Your words were not passed on" in said(harness.last(ADA))
    harness.send(AS_BEN, "rs", harness.last(BEN))
    assert not any("Good luck!" in said(one) for one in harness.box if one.to == BEN)


def test_words_go_with_an_invitation_without_a_bid(harness: MemoryHarness) -> None:
    harness.send(AS_ADA, f"{NEW}\n\nGood luck!")
    assert "Good luck!" in said(harness.last(BEN))


def test_words_beside_a_bid_for_one_game_pass_in_no_other(harness: MemoryHarness) -> None:
    harness.begin()
    harness.send(AS_ADA, f"ps b2\n{NEW} bid={BID}\n\nI go to {BID}", harness.last(ADA))
    assert len(harness.table().turns) == 1
    harness.send(AS_BEN, "rs", harness.last(BEN))
    assert not tells(harness)


def test_words_of_before_the_bids_come_with_the_beginning(harness: MemoryHarness) -> None:
    long = "forward " * 40
    harness.send(AS_ADA, f"{NEW}\n\n{long}")
    harness.send(AS_BEN, "accept\nbid 9", harness.last(BEN))
    assert not any("forward" in said(one) for one in harness.box if one.to == BEN)
    harness.send(AS_ADA, "bid 4", harness.last(ADA))
    assert harness.table().names == ("Ben", "Ada")
    assert said(harness.last(BEN)).count("forward") == 40
    assert not any("Ben writes" in said(one) for one in harness.box)


@pytest.mark.parametrize("words", ["Have fun!", f"I'd have bid {BID} next time."])
def test_words_with_the_second_bid_are_passed_on(harness: MemoryHarness, words: str) -> None:
    harness.send(AS_ADA, f"{NEW} bid=60")
    harness.send(AS_BEN, f"accept bid=5\n\n{words}", harness.last(BEN))
    assert words in said(harness.last(ADA))


def test_both_bids_are_told_once_both_are_in(harness: MemoryHarness) -> None:
    accepted(harness)
    harness.send(AS_BEN, "bid 2", harness.last(BEN))
    for reader in (ADA, BEN):
        assert f"White {BID}, Black 2" in said(harness.last(reader))


def test_a_game_that_is_declined_tells_no_bid(harness: MemoryHarness) -> None:
    accepted(harness)
    first = harness.last(BEN)
    (_, told) = harness.send(AS_ADA, "decline", harness.last(ADA))
    assert told.to == BEN
    assert "Ada does not want to play this game." in said(told)
    assert harness.table().record.standing == Standing.DECLINED
    assert harness.table().record.bids == (None, None)
    for line in ("rs", "bid 2", "ptn", "games", "log"):
        harness.send(AS_BEN, line, first)
    assert not tells(harness)


def test_a_mail_without_proof_keeps_its_bid_to_itself(harness: MemoryHarness) -> None:
    accepted(harness)
    harness.confirms = False
    before = harness.table().record
    letters = harness.send(AS_BEN, "#1 bid 91")
    assert [one.to for one in letters] == [BEN]
    assert harness.table().record == before
    harness.send(AS_BEN, "yes", letters[0])
    assert harness.table().record.standing == Standing.OPEN


def test_a_question_of_before_the_bids_is_not_answered_by_who_has_the_seat_now(
    harness: MemoryHarness,
) -> None:
    """Ben's forged words are asked about in Ada's seat, which is Ben's after the bids."""
    harness.send(AS_ADA, f"new 5 vs {BEN} rules=university")
    harness.send(AS_BEN, "accept", harness.last(BEN))
    harness.confirms = False
    (question,) = harness.send(AS_ADA, "#1 decline")
    assert "Nothing has been done yet" in said(question)
    assert harness.table().names == ("Ben", "Ada")
    harness.send(AS_ADA, "bid 9", harness.box[-2] if harness.box[-2].to == ADA else question)
    harness.send(AS_BEN, "bid 1", harness.last(BEN))
    assert harness.table().names == ("Ada", "Ben")
    assert not harness.table().questions
    for who, letter in ((AS_BEN, harness.last(BEN)), (AS_ADA, question)):
        harness.send(who, "yes", letter)
    assert harness.table().record.standing == Standing.OPEN
