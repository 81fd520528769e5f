"""Bids are sealed: whatever the other player writes, nobody reads a bid before both are in."""

import pytest

from takmail.commands.kinds import Standing
from tests.support.memory_harness import MemoryHarness
from tests.support.players import ADA, BEN, Received

AS_ADA, AS_BEN = f"Ada <{ADA}>", f"Ben <{BEN}>"
BID = 73
"""A number that no letter has by chance."""
LOOKS = (
    *(
        "rs",
        "log",
        "show",
        "show 0",
        "ptn",
        "games",
        "mydata",
        "match",
        "match Ada",
        "moves",
        "rules",
        "help new",
    ),
    *("why", "seeks", "rematch", "undo", "draw", "resign", "propose restart", "propose back 0", "yes", "no"),
    *(
        "accept",
        "accept bid=",
        "accept bid=101",
        "accept bid=-1",
        "accept bid=73.5x",
        "accept bids=1,2",
        "bid=1",
    ),
    *("accept answer=3", "accept bid=1 bid=2", "accept komi=2", "new 5 vs Ada rules=university bid=73x"),
    *("say what did you bid?", "What did you bid?", "decline"),
)


def tells(letters: list[Received]) -> bool:
    return any(str(BID) in one.text + one.html + one.subject for one in letters if one.to == BEN)


@pytest.fixture
def invited(harness: MemoryHarness) -> MemoryHarness:
    harness.send(AS_ADA, f"new 5 vs {BEN} rules=university bid={BID}")
    return harness


@pytest.mark.parametrize("line", [one for one in LOOKS if str(BID) not in one])
def test_nothing_that_the_guest_writes_shows_the_hosts_bid(invited: MemoryHarness, line: str) -> None:
    first = invited.last(BEN)
    invited.send(AS_BEN, line, first)
    invited.send(AS_BEN, line)
    assert not tells(invited.box), line


def test_the_hosts_words_and_commands_do_not_carry_it_to_the_guest(invited: MemoryHarness) -> None:
    answer = invited.last(ADA)
    for words in (
        f"bid={BID}",
        f"I bid {BID}",
        f"say my bid is {BID}",
        f"new 6 vs {BEN} rules=university bid={BID}",
    ):
        invited.send(AS_ADA, words, answer)
    invited.send(AS_BEN, "rs", invited.last(BEN))
    assert not tells(invited.box)


@pytest.mark.parametrize(
    "words",
    ["bid 88", "accept\n\nMy bid is 88", "accept 88", "I say 88", "accept my bid: maybe 88", "say 88"],
)
def test_a_guests_bid_that_does_not_count_is_not_passed_on(invited: MemoryHarness, words: str) -> None:
    before = len(invited.box)
    invited.send(AS_BEN, words, invited.last(BEN))
    assert invited.table().record.standing == Standing.INVITED
    invited.send(AS_ADA, "rs", invited.last(ADA))
    assert not any("88" in one.text for one in invited.box[before:] if one.to == ADA)


def test_an_invitation_that_is_taken_back_shows_no_bid(invited: MemoryHarness) -> None:
    first = invited.last(BEN)
    invited.send(AS_ADA, "decline", invited.last(ADA))
    for line in ("rs", "accept bid=2", "ptn", "mydata", "games"):
        invited.send(AS_BEN, line, first)
    assert not tells(invited.box)


def test_a_seek_shows_no_bid(harness: MemoryHarness) -> None:
    harness.send(AS_ADA, f"seek 5 rules=university bid={BID}")
    for line in ("seeks", "join 1", "join 1 bid=101", "mydata"):
        harness.send(AS_BEN, line)
    assert not tells(harness.box)


def test_both_bids_are_told_once_both_are_in(invited: MemoryHarness) -> None:
    invited.send(AS_BEN, "accept bid=2", invited.last(BEN))
    assert f"White {BID}, Black 2" in " ".join(invited.last(BEN).text.split())


def test_invitations_look_the_same_whatever_is_bid() -> None:
    texts = set()
    for bid in (0, 7, 100):
        harness = MemoryHarness()
        harness.send(AS_ADA, f"new 5 vs {BEN} rules=university bid={bid}")
        letter = harness.last(BEN)
        texts.add((letter.text, letter.subject))
    assert len(texts) == 1
