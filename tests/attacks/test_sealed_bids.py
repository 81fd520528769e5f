"""Bids are sealed: whatever the other player writes, nobody reads a bid before both are in."""

import pytest

from takmail.commands.kinds import Standing
from tests.support.memory_harness import BOTH_SIDES, MemoryHarness
from tests.support.players import ADA, BEN, Received, said

AS_ADA, AS_BEN = f"Ada <{ADA}>", f"Ben <{BEN}>"
BID = 73
"""A number that no letter has by chance."""
COLOUR = "#0b3f73"
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
        "accept bid=41.5x",
        "accept bids=1,2",
        "bid=1",
    ),
    *("accept answer=3", "accept bid=1 bid=2", "accept komi=2", "new 5 vs Ada rules=university bid=41x"),
    *("say what did you bid?", "What did you bid?", "decline"),
)


def tells(letters: list[Received]) -> bool:
    return any(_shown(one.text + one.html + one.subject) for one in letters if one.to == BEN)


def _shown(words: str) -> bool:
    """Tell whether words have the bid. A colour of the letters ends in the same digits."""
    return str(BID) in words.replace(COLOUR, "")


@pytest.fixture
def invited(harness: MemoryHarness) -> MemoryHarness:
    harness.send(AS_ADA, f"new 5 vs {BEN} rules=university bid={BID}")
    return harness


@pytest.mark.parametrize("line", LOOKS)
def test_nothing_that_the_guest_writes_shows_the_hosts_bid(invited: MemoryHarness, line: str) -> None:
    assert str(BID) not in line, "a letter may repeat the line"
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


# Rematches

ASKING = (
    *(
        f"rematch bid={BID}",
        f"rematch, bid={BID}",
        f"rematch: bid {BID}",
        f"Rematch with {BID} coins",
        f"rematch {BID}",
    ),
    *(
        f"rematch bid={BID} komi=2",
        f"rematch bid={BID} please",
        f"rematch - my bid is {BID}!",
        f"re-match bid={BID}",
    ),
    *(f"rematsh bid={BID}", f"Hi Ben, rematch bid={BID}", f"/rematch ({BID})", f"#1 rematch, {BID}"),
    *(f"rematch\n{BID}", f"rematch\nbid={BID}", f"rematch\n\nI'd give {BID} for the first turn."),
    *(f"rematch bid=x\n\nI mean {BID}", f"rematch bid={BID}\n\nThat is {BID}, as last time."),
    *(f"accept bid={BID}\n\nI say {BID}", f"Play again? I bid {BID}.", f"Shall we have a rematch for {BID}?"),
    *(f"say rematch? I bid {BID}", f"rematch bid={BID}\n/say I bid {BID}", f"bid={BID}", f"I bid {BID}"),
    *(f"> rematch bid={BID}\n\nrematch bid={BID}", f"im rematch for {BID}", f"im my bid is {BID}"),
    f"rematch bid={BID}\n/im #1 that is {BID}",
)


@pytest.fixture
def over() -> MemoryHarness:
    """A game with bids that has ended. Its letters have links, too."""
    harness = MemoryHarness(services=BOTH_SIDES)
    harness.send(AS_ADA, f"new 5 vs {BEN} rules=university bid=4")
    harness.send(AS_BEN, "accept bid=2", harness.last(BEN))
    harness.send(AS_ADA, "ps a1", harness.last(ADA))
    harness.send(AS_ADA, "resign", harness.last(ADA))
    harness.send(AS_ADA, "yes", harness.last(ADA))
    return harness


@pytest.mark.parametrize("words", ASKING)
def test_who_asks_for_a_rematch_does_not_give_the_bid_away(over: MemoryHarness, words: str) -> None:
    over.send(AS_ADA, words, over.last(ADA))
    over.send(AS_ADA, "rs\n\nWell played!", over.last(ADA))
    over.send(AS_BEN, "rs", over.last(BEN))
    assert not tells(over.box)


@pytest.mark.parametrize("words", ["Rematch for seventy coins?", "rematch seventy", "rematch bid=seventy"])
def test_a_bid_in_words_is_not_passed_on(over: MemoryHarness, words: str) -> None:
    over.send(AS_ADA, words, over.last(ADA))
    over.send(AS_BEN, "rs", over.last(BEN))
    assert not any("seventy" in one.text for one in over.box if one.to == BEN)


@pytest.mark.parametrize("words", ["I'd go up to 73", "say 73", "bid 73", "Is 73 too much?", "rs\n\n73"])
def test_words_are_sealed_in_both_games_while_a_rematch_waits(over: MemoryHarness, words: str) -> None:
    old = over.last(ADA)
    answer = next(one for one in over.send(AS_ADA, "rematch bid=60", old) if one.to == ADA)
    for game in (old, answer):
        over.send(AS_ADA, words, game)
    over.send(AS_BEN, "rs", over.last(BEN))
    assert not tells(over.box)
    over.send(AS_BEN, "rematch bid=5", over.last(BEN))
    over.send(AS_ADA, "I'd have gone up to 73.", over.last(ADA))
    assert tells(over.box), "once both bids are in, words are passed on"


@pytest.mark.parametrize("line", [one for one in LOOKS if one != "mydata"])  # tests/service has `mydata`
def test_nothing_that_the_guest_writes_shows_the_bid_for_a_rematch(over: MemoryHarness, line: str) -> None:
    first = over.last(BEN)
    over.send(AS_ADA, f"rematch bid={BID}", over.last(ADA))
    for letter in (first, over.last(BEN), None):
        over.send(AS_BEN, line, letter)
    assert not tells(over.box)


@pytest.mark.parametrize(
    "words", ["rematch 88", "rematch\n\nI bid 88", "accept 88", "rematch bid=888\n\n88!"]
)
def test_a_bid_of_who_is_asked_for_a_rematch_is_not_passed_on(over: MemoryHarness, words: str) -> None:
    first = over.last(BEN)
    over.send(AS_ADA, "rematch bid=60", over.last(ADA))
    before = len(over.box)
    for letter in (first, next(one for one in over.box[::-1] if one.to == BEN)):
        over.send(AS_BEN, words, letter)
    over.send(AS_ADA, "rs", over.last(ADA))
    assert not any("88" in one.text + one.html for one in over.box[before:] if one.to == ADA)


def test_the_subject_of_a_mail_does_not_carry_a_bid(over: MemoryHarness) -> None:
    for text in ("", "Well played!", "rematch"):
        over.send(AS_ADA, text, subject=f"rematch bid={BID}")
        over.send(AS_ADA, text, over.last(ADA), subject=f"Re: rematch bid={BID}")
    over.send(AS_BEN, "rs", over.last(BEN))
    assert not tells(over.box)


def test_a_quoted_answer_does_not_carry_the_bid(over: MemoryHarness) -> None:
    over.send(AS_ADA, f"rematch bid={BID}", over.last(ADA))
    answer = over.last(ADA)
    for quoted in (answer.text, "\n".join(f"> {line}" for line in answer.lines), f"rematch bid={BID}"):
        over.send(AS_ADA, f"Well played!\n\n{quoted}", answer)
    over.send(AS_BEN, "rs", over.last(BEN))
    assert not tells(over.box)


@pytest.mark.parametrize(
    "words", ["Well played!", "Rematch?", "Fancy a rematch some day?", "I won 24 coins."]
)
def test_other_words_after_the_end_are_passed_on(over: MemoryHarness, words: str) -> None:
    over.send(AS_ADA, words, over.last(ADA))
    assert words in said(over.last(BEN))


@pytest.mark.parametrize("words", ["Have fun!", "I'd have bid 73 next time."])
def test_words_with_the_mail_that_opens_the_bids_are_passed_on(over: MemoryHarness, words: str) -> None:
    over.send(AS_ADA, "rematch bid=60", over.last(ADA))
    over.send(AS_BEN, f"rematch bid=5\n\n{words}", over.last(BEN))
    assert words in said(over.last(ADA))


def test_a_bid_below_a_new_invitation_is_not_passed_on_in_another_game(harness: MemoryHarness) -> None:
    harness.begin()
    for line in (
        f"new 5 vs {BEN} rules=university",
        f"new 5 {BEN} rules=university",
        "seek 5 rules=university",
    ):
        harness.send(AS_ADA, f"{line}\nbid={BID}", harness.last(ADA))
    harness.send(AS_BEN, "rs", harness.last(BEN))
    assert not tells(harness.box)


# Games without bids


@pytest.mark.parametrize(
    "words",
    ["I bid 7", "bid 7", "accept 3", "rematch 6", "Rematch: bid 3?", "Accept my 2 apologies", "say I bid 7"],
)
@pytest.mark.parametrize("setup", ["5", "5 rules=femr"])
def test_words_about_numbers_are_passed_on_in_games_without_bids(
    harness: MemoryHarness, setup: str, words: str
) -> None:
    harness.begin(setup)
    harness.send(AS_ADA, words, harness.last(ADA))
    assert words.removeprefix("say ") in said(harness.last(BEN))


def test_words_about_a_rematch_are_passed_on_beside_a_new_game_without_bids(harness: MemoryHarness) -> None:
    harness.begin()
    letter = harness.last(BEN)
    harness.send(AS_ADA, f"new 6 vs {BEN}\n\nA rematch, but on 6x6!", harness.last(ADA))
    (answer,) = harness.send(AS_BEN, "rs", letter)
    assert "A rematch, but on 6x6!" in said(answer)
