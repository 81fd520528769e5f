"""Bids are sealed: whatever the other player writes, nobody reads a bid before both are in."""

import re

import pytest

from takmail.world.kinds import Standing
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
    """Tell whether words have the bid. A colour of the letters ends in the same digits, and the size of a mail may."""
    return str(BID) in re.sub(r'"bytes": \d+', "", words.replace(COLOUR, ""))


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
    "words", ["Well played!", "/say Rematch?", "Fancy a rematch some day?", "I won 24 coins."]
)
def test_other_words_after_the_end_are_passed_on(over: MemoryHarness, words: str) -> None:
    over.send(AS_ADA, words, over.last(ADA))
    assert words.removeprefix("/say ") in said(over.last(BEN))


def test_whether_a_rematch_is_meant_is_asked_without_a_word_to_the_other_one(over: MemoryHarness) -> None:
    before = over.last(BEN)
    (answer,) = over.send(AS_ADA, "Rematch?", over.last(ADA))
    assert answer.to == ADA
    assert "say Rematch?" in answer.text
    assert over.last(BEN) is before


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


# Any other game of the two

IN_ANOTHER_GAME = (
    *(f"new 5 vs {BEN} rules=university bid=\n{BID}", f"new 5 vs {BEN} rules=university bid=\n\n{BID} "),
    *(f"new 5 vs {BEN} rules=university bid\n{BID}", f"new 5 university vs {BEN}\n{BID}"),
    *(f"challenge {BEN} 5 rules=university\n\nI put {BID} on it", f"new vs {BEN} university\n\n({BID})"),
    *(f"seek 5 rules=university bid=\n{BID}", f"seek 5 university\n{BID}", f"/seek university\n{BID}"),
    *(f"seek univerity 5 bid={BID}", f"seek univerity 5 bid=\n{BID}", f"sek 5 rules=university\n{BID}"),
    *(f"join 31 bid=\n{BID}", f"join 31, bid {BID}", f"join 31 with a bid of {BID}", f"join bid\n{BID}"),
    *(
        f"Join number 31, bid={BID}",
        f"I'd like to join 31: bid={BID}",
        f"#31 bid {BID}",
        f"joni 31 bid {BID}",
    ),
    *(f"accept, bid {BID}", f"accept bid {BID}", f"accept bid=\n{BID}", f"accept!\nbid {BID}", f"bid: {BID}"),
    *(f"I bid {BID}", f"Accepted. My bid: {BID}", f"yes, bid={BID}", f"OK!\n\nbid = {BID}", f"bid{BID}"),
    *(f"my_bid={BID}", f"bids={BID}", f"BID {BID}", f"I'm bidding {BID}.", f"I outbid you: {BID}!"),
    *(f"rematch, bid {BID}", f"rematch bid {BID} please", f"Rematch? I bid\n{BID}"),
    *(f"play 5 vs {BEN} rules=university bid={BID}", f"play 5 vs {BEN} rules=university\n{BID}"),
    *(f"invite {BEN} 5 rules=university bid={BID}", f"Let's play University Rules. I put {BID} on it."),
    *(f"say I bid {BID}", f"/say the bid is {BID}", f"accept bid=\n/say {BID}", f"im I bid {BID}"),
    *(f"im #1 bid={BID}", f"ps b2\n\nbid {BID}", f"accept bid=x\n\n{BID}", f"> bid={BID}\n\nbid={BID}"),
    *(f"\uff42\uff49\uff44 {BID}", f"b\u0456d={BID}", f"b\u00adid {BID}", f"Hi Ben, accept bid={BID}"),
    *(f"new 5 vs {BEN} rules=university bid=4\n\nNot {BID}", f"undo bid={BID}", f"name bid\n{BID}"),
)
NAMES_NO_BID = (
    f"accept {BID}",
    f"accept, {BID}",
    f"{BID}",
    f"I put {BID} on it",
    f"rs\n\n{BID} for the first turn",
)


KINDS = ("5 rules=femr", "5 relay", "tzaar", "5 rules=university")


def begin(harness: MemoryHarness, kind: str) -> None:
    """Begin a game of this kind with Ada as the host."""
    has_bids = "university" in kind
    harness.send(AS_ADA, f"new {kind} vs {BEN}{' bid=4' if has_bids else ' first=me'}")
    harness.send(AS_BEN, "accept bid=2" if has_bids else "accept", harness.last(BEN))


def reads_nothing(harness: MemoryHarness) -> bool:
    """Tell whether Ben finds no bid in his letters, even if he asks for everything."""
    harness.send(AS_ADA, "rs\n\nHow are you?", harness.last(ADA))
    for line in ("rs", "show", "log", "ptn"):
        harness.send(AS_BEN, line, harness.last(BEN))
    return not tells(harness.box)


@pytest.mark.parametrize("words", IN_ANOTHER_GAME)
def test_a_bid_is_not_passed_on_in_another_game(harness: MemoryHarness, words: str) -> None:
    harness.begin()
    harness.send(AS_ADA, words, harness.last(ADA))
    assert reads_nothing(harness)


@pytest.mark.parametrize("words", ["join 31, bid 73", "accept, bid 73", "im I bid 73", "say my bid: 73"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_bid_is_not_passed_on_in_a_game_of_any_kind(harness: MemoryHarness, kind: str, words: str) -> None:
    begin(harness, kind)
    if kind != "tzaar":
        harness.send(AS_ADA, "ps a1", harness.last(ADA))
        harness.send(AS_BEN, "ps e5", harness.last(BEN))
    harness.send(AS_ADA, words, harness.last(ADA))
    assert reads_nothing(harness)


@pytest.mark.parametrize("words", [*IN_ANOTHER_GAME, *NAMES_NO_BID])
def test_an_answer_in_the_thread_of_another_game_does_not_tell_the_bid(
    harness: MemoryHarness, words: str
) -> None:
    harness.begin()
    old = harness.last(ADA)
    harness.send(AS_BEN, f"new 5 vs {ADA} rules=university bid=4")
    harness.send(AS_ADA, words, old)
    assert harness.table(2).record.standing == Standing.INVITED
    assert reads_nothing(harness)


@pytest.mark.parametrize("words", [f"I put {BID} on it", f"rs\n\n{BID}", f"say {BID}", f"im {BID}"])
def test_the_host_does_not_tell_the_bid_in_another_game(harness: MemoryHarness, words: str) -> None:
    harness.begin()
    harness.send(AS_ADA, f"new 5 vs {BEN} rules=university bid=60")
    for old in [one for one in harness.box if one.to == ADA]:
        harness.send(AS_ADA, words, old)
    harness.send(AS_BEN, "rs", harness.last(BEN))
    assert not tells(harness.box)


def test_the_subject_does_not_tell_the_bid_in_another_game(harness: MemoryHarness) -> None:
    harness.begin()
    for subject in (f"accept, bid {BID}", f"join 31, bid {BID}", f"seek univerity 5 bid={BID}", f"bid {BID}"):
        for text in ("", "Well played!", "accept", f"new 5 vs {BEN} rules=university"):
            harness.send(AS_ADA, text, subject=subject)
            harness.send(AS_ADA, text, harness.last(ADA), subject=f"Re: {subject}")
    harness.send(AS_BEN, "rs", harness.last(BEN))
    assert not tells(harness.box)


def test_a_quoted_answer_does_not_tell_the_bid_in_another_game(harness: MemoryHarness) -> None:
    harness.begin()
    harness.send(AS_ADA, f"new 5 vs {BEN} rules=university bid=4 x={BID}", harness.last(ADA))
    answer = harness.last(ADA)
    for quoted in (answer.text, "\n".join(f"> {line}" for line in answer.lines), "\n".join(answer.lines[:3])):
        harness.send(AS_ADA, f"Well played!\n\n{quoted}", answer)
    harness.send(AS_BEN, "rs", harness.last(BEN))
    assert not tells(harness.box)


def test_a_mail_without_proof_tells_no_bid_once_it_is_confirmed(harness: MemoryHarness) -> None:
    harness.begin()
    harness.send(AS_ADA, f"#1 ps a1\njoin 31, bid {BID}")
    harness.send(AS_ADA, "yes", harness.last(ADA))
    assert harness.table().turns
    harness.send(AS_BEN, "rs", harness.last(BEN))
    assert not tells(harness.box)


HELD_BY_A_DOUBT = (
    f"/say {BID} it is\nI bid as I said\nundo?",
    f"/say {BID}\nundo?\nThat is my bid",
    f"undo?\n/say {BID}\nThe bid, I mean",
    f"/say I go to {BID}\nbid: undo?",
    f"/say {BID} for university rules\nI resign",
)


@pytest.mark.parametrize("words", HELD_BY_A_DOUBT)
def test_words_that_a_doubt_holds_back_seal_the_others(harness: MemoryHarness, words: str) -> None:
    harness.begin()
    harness.send(AS_ADA, words, harness.last(ADA))
    assert reads_nothing(harness)


@pytest.mark.parametrize("words", HELD_BY_A_DOUBT)
def test_so_do_those_of_a_mail_without_proof(harness: MemoryHarness, words: str) -> None:
    harness.begin()
    harness.send(AS_ADA, f"#1 ps a1\n{words}")
    harness.send(AS_ADA, "yes", harness.last(ADA))
    assert harness.table().turns
    assert reads_nothing(harness)


def test_who_wrote_words_that_stay_here_is_told_so(harness: MemoryHarness) -> None:
    harness.begin()
    for words in (f"join 31, bid {BID}", f"say I bid {BID}"):
        (answer,) = harness.send(AS_ADA, words, harness.last(ADA))
        assert "so that no bid is given away before both have bid" in said(answer)
        assert 'as in "accept bid=4"' in said(answer)


@pytest.mark.parametrize("line", ["#2 accept bid=73", "#2 accept bid=73\n\nMy 8 pieces against yours!"])
def test_a_bid_for_a_game_that_the_line_names_counts(harness: MemoryHarness, line: str) -> None:
    harness.begin()
    harness.send(AS_BEN, f"new 5 vs {ADA} rules=university bid=4")
    harness.send(AS_ADA, line)
    harness.send(AS_ADA, "yes", harness.last(ADA))
    assert harness.table(2).record.setup == "5 rules=university bids=73,4"
    assert line.partition("\n\n")[2] in said(harness.last(BEN))


@pytest.mark.parametrize("words", ["", "Have fun! I'd have bid 73 at most."])
def test_words_with_a_bid_that_joins_a_seek_are_passed_on(harness: MemoryHarness, words: str) -> None:
    harness.begin()
    harness.send(AS_BEN, "seek 5 rules=university bid=4")
    harness.send(AS_ADA, f"join 1 bid=2\n\n{words}", harness.last(ADA))
    assert harness.table(2).record.setup == "5 rules=university bids=4,2"
    harness.send(AS_BEN, "rs", next(one for one in harness.box if one.to == BEN))
    assert words in said(harness.last(BEN))


@pytest.mark.parametrize("second", ["seek 5 rules=university bid=60", f"new 5 vs {BEN} university bid="])
def test_words_beside_another_bid_are_sealed_although_one_was_opened(
    harness: MemoryHarness, second: str
) -> None:
    harness.send(AS_BEN, f"new 5 vs {ADA} rules=university bid=4")
    harness.send(AS_ADA, f"accept bid=2\n{second}\n\n{BID}", harness.last(ADA))
    assert harness.table().record.standing == Standing.OPEN
    harness.send(AS_BEN, "rs", harness.last(BEN))
    assert not tells(harness.box)


@pytest.mark.parametrize(
    "words",
    [
        *("I bid you farewell", "ps b2\n\nI bid you farewell.", "Rules for fools: 7", "Thanks\n73"),
        *("I was at the university until 8.", "the answer: 42", "I forbid 3 walls", "Let's live by 3 rules"),
        *("See you on the 5th", "Accept my 2 apologies", "answer 42"),
        *("Rules are rules: 7", "Let's play by 3 rules"),
    ],
)
def test_ordinary_words_are_passed_on_in_another_game(harness: MemoryHarness, words: str) -> None:
    harness.begin()
    harness.send(AS_ADA, words, harness.last(ADA))
    harness.send(AS_BEN, "rs", harness.last(BEN))
    assert any(words.rpartition("\n")[2] in said(one) for one in harness.box if one.to == BEN)


@pytest.mark.parametrize("words", ["accept 3", "rematch 6"])
def test_words_that_may_be_an_order_are_passed_on_when_it_is_said_that_they_are_words(
    harness: MemoryHarness, words: str
) -> None:
    harness.begin()
    (answer,) = harness.send(AS_ADA, words, harness.last(ADA))
    assert f"say {words}" in said(answer)
    harness.send(AS_ADA, f"say {words}", answer)
    assert words in said(harness.last(BEN))


def test_no_words_are_passed_on_with_an_invitation_with_a_bid(harness: MemoryHarness) -> None:
    harness.begin()
    letter = harness.last(BEN)
    harness.send(AS_ADA, f"new 5 vs {BEN} rules=university bid=4\n\nGood luck!", harness.last(ADA))
    assert "Your words were not passed on" in said(harness.last(ADA))
    harness.send(AS_BEN, "rs", letter)
    assert not any("Good luck!" in said(one) for one in harness.box if one.to == BEN)


def test_an_answer_beside_an_invitation_is_no_bid(harness: MemoryHarness) -> None:
    harness.begin()
    harness.send(AS_ADA, f"new 6 vs {BEN}\n\nthe answer: 42", harness.last(ADA))
    assert "the answer: 42" in said(harness.last(BEN))


# Games without bids


@pytest.mark.parametrize(
    "words",
    ["say accept 3", "say rematch 6", "say Rematch: 3 games?", "Accept my 2 apologies", "say I have 7"],
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
    harness.send(AS_ADA, f"new 6 vs {BEN}\n\nA rematch, but on 6x6!", harness.last(ADA))
    assert "A rematch, but on 6x6!" in said(harness.last(BEN))
