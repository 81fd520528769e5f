"""Games for coins: bids, what each letter tells, taking back by right, going back, and the standing in coins."""

import re

import pytest

from takmail.world.kinds import Standing
from tests.support.memory_harness import BOTH_SIDES, MemoryHarness
from tests.support.players import ADA, BEN, Received, said
from tests.support.scenes import played_once
from tests.support.width import combined, some_of, tenth_of

AS_ADA, AS_BEN = f"Ada <{ADA}>", f"Ben <{BEN}>"
FOLLY = "rules=femr"


def begin(harness: MemoryHarness, size: int = 5, ada: int = 4, ben: int = 2) -> tuple[Received, Received]:
    """Begin a game by University Rules. Return the letters to Ben and to Ada."""
    bid(harness, size, ada, ben)
    return harness.last(BEN), harness.last(ADA)


@played_once
def bid(harness: MemoryHarness, size: int, ada: int, ben: int) -> None:
    harness.send(AS_ADA, f"new {size} vs {BEN} rules=university")
    harness.send(AS_BEN, "accept", harness.last(BEN))
    harness.send(AS_ADA, f"bid {ada}", harness.last(ADA))
    assert {letter.to for letter in harness.send(AS_BEN, f"bid {ben}", harness.last(BEN))} == {ADA, BEN}


def play(harness: MemoryHarness, *turns: str) -> None:
    """Play turns in turn, each in answer to the last letter to its player."""
    for turn in turns:
        seat = harness.table().to_move
        name = harness.table().names[seat]
        who, address = (AS_ADA, ADA) if name == "Ada" else (AS_BEN, BEN)
        harness.send(who, turn, harness.last(address))


def leave(harness: MemoryHarness) -> None:
    """Let all letters leave, so that nothing can be taken back unseen."""
    harness.memory.send_all()


def pot(letter: Received) -> int:
    found = re.search(r"(\d+) in the pot", said(letter))
    assert found is not None, said(letter)
    return int(found[1])


def test_the_letters_that_begin_the_game_tell_both_bids(harness: MemoryHarness) -> None:
    to_ben, to_ada = begin(harness)
    assert "The bids: White 4, Black 2. Ada begins and pays 4 coins." in said(to_ben)
    assert "The bids: White 4, Black 2. You begin and pay 4 coins." in said(to_ada)
    assert pot(to_ben) == pot(to_ada) == 24
    assert "You play White, and the first turn is yours" in said(to_ada)


def test_the_guest_begins_with_the_higher_bid(harness: MemoryHarness) -> None:
    to_ben, to_ada = begin(harness, ada=1, ben=7)
    assert "The bids: White 7, Black 1. You begin and pay 7 coins." in said(to_ben)
    assert "You play Black" in said(to_ada)
    play(harness, "ps a1")
    assert harness.table().turns[0].seat == 0
    assert harness.table().names == ("Ben", "Ada")


def test_of_equal_bids_the_lot_decides(harness: MemoryHarness) -> None:
    to_ben, _ = begin(harness, ada=3, ben=3)
    assert "as the lot decided" in said(to_ben)


def test_each_side_is_asked_for_a_bid_when_the_game_is_accepted(harness: MemoryHarness) -> None:
    harness.send(AS_ADA, f"new 5 vs {BEN} rules=university")
    invitation = said(harness.last(BEN))
    assert 'answer this letter with the one word "accept"' in invitation
    assert "If you accept, you are both asked for a bid, and the higher one has the first turn." in invitation
    answer, news = harness.send(AS_BEN, "accept", harness.last(BEN))
    assert harness.table().record.standing == Standing.BIDDING
    assert "Done: you have accepted, and Ada is told." in said(answer)
    assert "Ben has accepted." in said(news)
    for letter in (answer, news):
        assert 'answer with a number from 0 to 100, as in "bid 4".' in said(letter)
        assert letter.subject.endswith(
            ("Ada – Ben, 5x5, University Rules", "Ben – Ada, 5x5, University Rules")
        )
    (kept,) = harness.send(AS_ADA, "bid 4", news)
    assert "Done: your bid is 4. Ben is not shown your bid of 4 before both bids are in" in said(kept)
    assert "answer with a number" not in said(kept)


BESIDE = (
    *("accept bid=2", "accept bid = 2", "accept bid 2", "Accept with bid=2", "accept my bid is 2."),
    *("accept, bid: 2", "#1 accept bid=2", "/accept bid=2", "accept\nbid 2", "yes\nbid=2", "accept\n\n2"),
)


@pytest.mark.parametrize(
    ("line", "new"),
    combined(some_of(BESIDE, 5), ["{} bid=4", "{} bid 4", "{} bid = 4", "{}\nbid 4", "{} with my bid of 4"]),
)
def test_a_bid_beside_another_command_is_kept(harness: MemoryHarness, line: str, new: str) -> None:
    invitation, answer = harness.send(AS_ADA, new.format(f"new 5 vs {BEN} rules=university"))
    assert "Done: your bid is 4." in said(answer)
    assert harness.table().record.bids in ((4, None), (None, 4))
    harness.send(AS_BEN, line, invitation)
    if (
        harness.table().record.standing is Standing.BIDDING
    ):  # The number was read before the game was accepted.
        harness.send(AS_BEN, "2", harness.last(BEN))
    assert harness.table().record.setup == "5 rules=university bids=4,2"
    assert harness.table().record.bids == (None, None)


def test_two_bids_in_one_mail_are_refused_though_the_first_is_as_before(harness: MemoryHarness) -> None:
    harness.send(AS_ADA, f"new 5 vs {BEN} rules=university bid=4")
    (answer,) = harness.send(AS_ADA, "bid 4\nbid 7", harness.last(ADA))
    assert "your bid is 4" in said(answer)
    assert {*harness.table().record.bids} == {4, None}


@pytest.mark.parametrize(
    "line",
    tenth_of(
        [
            "bid 2",
            "2",
            "2.",
            "BID 2",
            "bid=2",
            "bid: 2",
            "/bid 2",
            "I bid 2",
            "My bid is 2.",
            "#1 bid 2",
            "2 coins",
        ]
    ),
)
def test_a_bid_is_read_in_several_forms(harness: MemoryHarness, line: str) -> None:
    harness.send(AS_ADA, f"new 5 vs {BEN} rules=university bid=4")
    harness.send(AS_BEN, "accept", harness.last(BEN))
    harness.send(AS_BEN, line, harness.last(BEN))
    assert harness.table().record.setup == "5 rules=university bids=4,2"


FIRST_BID = "Not done: the game begins when both of you have bid for the first turn."


@pytest.mark.parametrize(
    ("line", "why"),
    some_of(
        [
            ("bid -1", '"-1" can\'t be a bid; it is a whole number of coins from 0 to 100, such as 4.'),
            ("bid 101", '"101" can\'t be a bid'),
            ("2.5", '"2.5" can\'t be a bid'),
            ("bid ten", '"ten" can\'t be a bid'),
            ("bid=", "your bid is missing; it is a whole number of coins from 0 to 100, such as 4."),
            ("bid", "A game by University Rules begins with bids."),
            ("accept bid=x", '"x" can\'t be a bid'),
            ("ten coins", "Your words were not passed on, as no words are before both of you have bid."),
            *(
                (line, FIRST_BID)
                for line in ("ps a1", "resign", "undo", "rs", "rematch", "draw", "im no", "why")
            ),
            ("accept", "Nothing to do: you have accepted this game already."),
            ("games", "game #1 with Ada (5x5, University Rules): waits for your bid"),
        ],
        8,
    ),
)
def test_what_to_write_is_told(harness: MemoryHarness, line: str, why: str) -> None:
    harness.send(AS_ADA, f"new 5 vs {BEN} rules=university bid=4")
    harness.send(AS_BEN, "accept", harness.last(BEN))
    before = harness.table().record
    answers = harness.send(AS_BEN, line, harness.last(BEN))
    assert [one.to for one in answers] == [BEN]
    assert why in said(answers[0])
    assert 'answer with a number from 0 to 100, as in "bid 4".' in said(answers[0])
    assert harness.table().record == before


def test_a_bid_may_be_replaced_until_the_other_one_is_in(harness: MemoryHarness) -> None:
    harness.send(AS_ADA, f"new 5 vs {BEN} rules=university bid=4")
    harness.send(AS_ADA, "bid 5", harness.last(ADA))
    harness.send(AS_BEN, "accept", harness.last(BEN))
    for bid in (60, 7):
        (answer,) = harness.send(AS_ADA, f"bid {bid}", harness.last(ADA))
        assert f"Done: your bid is {bid}." in said(answer)
    harness.send(AS_BEN, "3", harness.last(BEN))
    assert harness.table().record.setup == "5 rules=university bids=7,3"
    for line in ("bid 99", "accept bid=99"):
        (late,) = harness.send(AS_BEN, line, harness.last(BEN))
        assert harness.table().record.setup == "5 rules=university bids=7,3"
        assert "Not done: both bids are in, and the game has begun." in said(late)


def test_a_mail_has_one_bid(harness: MemoryHarness) -> None:
    harness.send(AS_ADA, f"new 5 vs {BEN} rules=university")
    harness.send(AS_BEN, "accept", harness.last(BEN))
    (answer,) = harness.send(AS_ADA, "bid 4\n\n12", harness.last(ADA))
    assert "Not done: there is a bid in your mail already, and that counts." in said(answer)
    assert 4 in harness.table().record.bids


@pytest.mark.parametrize("setup", ["5", "5 rules=femr", "tzaar", "5 relay"])
def test_nobody_bids_in_another_game(harness: MemoryHarness, setup: str) -> None:
    harness.begin(setup)
    (answer,) = harness.send(AS_BEN, "bid 4", harness.last(BEN))
    assert "Not done: nobody bids in this game." in said(answer)
    harness.send(AS_BEN, "44", harness.last(BEN))
    assert "| 44" in harness.last(ADA).text


@pytest.mark.parametrize(("line", "rules"), combined(["bid 9", "9"], ["", " rules=university"]))
def test_a_bid_below_an_invitation_is_for_the_game_that_the_mail_is_about(
    harness: MemoryHarness, rules: str, line: str
) -> None:
    harness.send(AS_ADA, f"new 5 vs {BEN} rules=university")
    harness.send(AS_BEN, "accept", harness.last(BEN))
    harness.send(AS_ADA, f"new 6 vs other@example.org{rules}\n{line}", harness.last(ADA))
    assert "Done: your bid is 9." in said(harness.last(ADA))
    assert (9 in harness.table(1).record.bids, 9 in harness.table(2).record.bids) == (True, False)


@pytest.mark.parametrize("rules", ["", " rules=university"])
def test_a_bid_beside_an_invitation_is_for_the_new_game(harness: MemoryHarness, rules: str) -> None:
    harness.send(AS_ADA, f"new 5 vs {BEN} rules=university")
    harness.send(AS_BEN, "accept", harness.last(BEN))
    harness.send(AS_ADA, f"new 6 vs other@example.org{rules} bid=9", harness.last(ADA))
    answer = "Done: your bid is kept." if rules else "Not done: nobody bids in this game."
    assert answer in said(harness.last(ADA))
    assert 9 not in harness.table(1).record.bids
    assert (9 in harness.table(2).record.bids) == bool(rules)


def test_a_mail_that_is_asked_about_shows_no_board_before_the_bids_are_in(harness: MemoryHarness) -> None:
    harness.send(AS_ADA, f"new 5 vs {BEN} rules=university")
    harness.send(AS_BEN, "accept", harness.last(BEN))
    harness.confirms = False
    (question,) = harness.send(AS_ADA, "#1 decline")
    assert "to move" not in said(question)
    assert "0 0 0 0 0" not in said(question)


def test_who_has_accepted_knows_the_opponent_also_after_the_game_is_declined(harness: MemoryHarness) -> None:
    harness.send(AS_ADA, f"new 5 vs {BEN} rules=university")
    harness.send(AS_BEN, "accept", harness.last(BEN))
    harness.send(AS_BEN, "name Zed", harness.last(BEN))
    harness.send(AS_BEN, "decline", harness.last(BEN))
    assert "Zed does not want to play this game." in said(harness.last(ADA))
    assert "asks you" not in harness.last(BEN).subject
    harness.send(AS_ADA, "rematch", harness.last(ADA))
    assert "Done: Zed has been asked" in said(harness.last(ADA))


def test_who_has_joined_a_seek_was_never_asked(harness: MemoryHarness) -> None:
    harness.send(AS_ADA, "seek 5 rules=university")
    harness.send(AS_BEN, "join 1")
    subject = harness.last(BEN).subject
    harness.send(AS_ADA, "decline", harness.last(ADA))
    assert harness.last(BEN).subject == subject


def test_a_bid_beside_an_invitation_to_another_game_is_refused(harness: MemoryHarness) -> None:
    _, answer = harness.send(AS_ADA, f"new 5 vs {BEN} bid=4")
    assert "Not done: nobody bids in this game." in said(answer)


def test_a_bid_in_a_new_mail_is_for_the_game_that_waits_for_it(harness: MemoryHarness) -> None:
    harness.send(AS_ADA, f"new 5 vs {BEN} rules=university")
    harness.send(AS_BEN, "accept", harness.last(BEN))
    (question,) = harness.send(AS_BEN, "bid 4")
    (answer,) = harness.send(AS_BEN, "yes", question)
    assert "Done: your bid is 4." in said(answer)


SETUPS = {
    "5 rules=university": "5 rules=university",
    "5 rules = university": "5 rules=university",
    "5, University, komi = 2": "5 komi=2 rules=university",
    "5 femr": "5 rules=femr",
    "6 folly days = 3": "6 rules=femr",
}


@pytest.mark.parametrize(
    ("words", "form"), combined(SETUPS, ["new {words} vs {BEN}", "new vs {BEN} {words}", "seek {words}"])
)
def test_a_set_up_for_coins_is_read_in_several_forms(harness: MemoryHarness, words: str, form: str) -> None:
    setup = SETUPS[words]
    harness.send(AS_ADA, form.format(words=words, BEN=BEN))
    found = [one.setup for one in harness.memory.open_seeks.values()] if "seek" in form else []
    assert (found or [harness.table().record.setup]) == [setup]


@pytest.mark.parametrize("words", ["new 5 university vs Ben bid 4", "new vs Ben 5 bid=4 university"])
def test_a_bid_may_stand_anywhere_behind_new(harness: MemoryHarness, words: str) -> None:
    harness.begin()
    harness.send(AS_ADA, words)
    assert harness.table(2).record.setup == "5 rules=university"
    assert 4 in harness.table(2).record.bids


@pytest.mark.parametrize(
    "line", some_of(["rs", "show", "show 0", "ptn", "log", "games", "rs\n\n" + "0 0 0 0 0\n" * 5], 3)
)
def test_nobody_has_a_colour_before_the_bids_decide(line: str) -> None:
    harness = MemoryHarness(services=BOTH_SIDES)
    harness.send(AS_ADA, f"new 5 vs {BEN} rules=university bid=4")
    for _ in range(2):
        for who, address in ((AS_ADA, ADA), (AS_BEN, BEN)):
            (answer,) = harness.send(who, line, harness.last(address))
            for side in (answer.text, answer.html):
                assert not re.search(r"White|Black|Player1|to move|your turn", side)
        harness.send(AS_BEN, "accept", harness.last(BEN))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (f"new 5 vs {BEN} rules=university bid=4 first=me", "the higher bid begins"),
        (f"new 5 vs {BEN} rules=university bid=4 score=tarway", "the coins are the score"),
        (f"new 5 relay vs {BEN} rules=university bid=4", "can't be played for coins"),
        (f"new 5 relay vs {BEN} calls=must", "no board there to see a tak"),
        (f"new 5 vs {BEN} rules=femr calls=must", "does not go with coins"),
        (f"new 5 vs {BEN} rules=poker", "rules=university or rules=femr"),
        (f"new 5 vs {BEN} rules=femr university", 'the rules are said twice ("rules=university")'),
        (f"new 5 vs {BEN} rules=university first=random", "the higher bid begins"),
        ("seek 5 rules=university first=random", "the higher bid begins"),
        ("seek 5 rules=university bid=4", "you are asked for your bid when somebody has joined you"),
        ("seek 5 relay rules=femr", "can't be played for coins"),
    ],
)
def test_what_does_not_go_together_is_refused_with_the_reason(
    harness: MemoryHarness, line: str, why: str
) -> None:
    answers = harness.send(AS_ADA, line)
    assert why in said(answers[-1])
    assert not harness.memory.tables


def test_who_joins_a_seek_bids(harness: MemoryHarness) -> None:
    harness.send(AS_ADA, "seek 5 rules=university")
    (listed,) = harness.send(AS_BEN, "seeks")
    assert "5x5, University Rules, for coins" in said(listed)
    answer, news = harness.send(AS_BEN, "join 1 bid=6")
    assert "you have joined Ada in game #1." in said(answer)
    assert "Done: your bid is 6." in said(answer)
    assert "Ben has joined you in the game that you seek (#1). You both bid for the first turn" in said(news)
    harness.send(AS_ADA, "bid 4", news)
    assert harness.table().record.setup == "5 rules=university bids=6,4"
    assert harness.table().names == ("Ben", "Ada")


def test_an_invitation_says_whose_pieces_are_paid_for(harness: MemoryHarness) -> None:
    for words in ("5 rules=university", "5 rules=femr"):
        harness.send(AS_ADA, f"new {words} vs {words[8:11]}@example.net")
        letter = said(harness.last(f"{words[8:11]}@example.net"))
        assert (
            "takes the pot, and from the loser a coin for each piece left in the winner's reserve" in letter
        )


def test_a_rematch_has_new_bids(harness: MemoryHarness) -> None:
    begin(harness)
    harness.send(AS_ADA, "resign", harness.last(ADA))
    harness.send(AS_ADA, "yes", harness.last(ADA))
    last = harness.last(ADA)
    assert "rematch play again" in said(last)
    invitation, answer = harness.send(AS_ADA, "rematch bid=3", last)
    assert "Done: your bid is kept." in said(answer)
    assert (
        "Ada wants to play again (5x5, University Rules, for coins), with new bids for the first turn. "
        'Answer this letter with "accept" or "rematch" and I ask you both for your bids, '
        'or with "decline" and nothing begins.'
    ) in said(invitation)
    harness.send(AS_BEN, "rematch", invitation)
    assert harness.table(2).record.standing is Standing.BIDDING
    harness.send(AS_BEN, "5", harness.last(BEN))
    assert harness.table(2).record.setup == "5 rules=university bids=5,3"


@pytest.mark.parametrize(
    ("setup", "change", "terms"),
    [
        ("5 rules=university", "komi=2", "(5x5, University Rules, komi 2, for coins), with new bids"),
        ("5 rules=university", "rules=femr", "(5x5, Femr's Folly, for coins), and this time you begin"),
        ("5", "rules=university", "(5x5, University Rules, for coins), with new bids"),
        ("5", "score=tarway", "(5x5, points by the Tarway Rules), and this time you begin"),
    ],
)
def test_a_rematch_names_its_changed_rules(
    harness: MemoryHarness, setup: str, change: str, terms: str
) -> None:
    if "university" in setup:
        begin(harness)
    else:
        harness.begin(setup)
    harness.send(AS_ADA, "resign", harness.last(ADA))
    harness.send(AS_ADA, "yes", harness.last(ADA))
    invitation, _ = harness.send(AS_ADA, f"rematch {change}", harness.last(ADA))
    assert f"Ada wants to play again {terms}" in said(invitation)
    assert change in harness.table(2).record.setup


def test_an_invitation_is_not_accepted_with_other_terms(harness: MemoryHarness) -> None:
    harness.send(AS_ADA, f"new 5 vs {BEN}")
    (refused,) = harness.send(AS_BEN, "accept komi=2", harness.last(BEN))
    assert 'Not done: this is not how "accept" is written.' in said(refused)
    assert harness.table().record.standing is Standing.INVITED


@pytest.mark.parametrize(
    ("line", "news"),
    [
        ("decline", "does not want to play this game"),
        ("stop", "wants no more mail"),
        ("forget me", "has left"),
    ],
)
@pytest.mark.parametrize(("who", "you", "other"), [(AS_ADA, ADA, BEN), (AS_BEN, BEN, ADA)])
def test_nobody_loses_a_game_while_the_players_bid(
    harness: MemoryHarness, who: str, you: str, other: str, line: str, news: str
) -> None:
    harness.send(AS_ADA, f"new 5 vs {BEN} rules=university bid=4")
    harness.send(AS_BEN, "accept", harness.last(BEN))
    harness.send(who, line, harness.last(you))
    if line != "decline":
        harness.send(who, "yes", harness.last(you))
    record = harness.table().record
    assert record.standing is (Standing.BIDDING if line == "stop" else Standing.DECLINED)
    assert (record.bids == (None, None)) is (line != "stop")
    assert (record.end.resigned, record.end.winner) == (None, None)
    assert news in said(harness.last(other))


def test_each_letter_tells_pot_payments_and_dues(harness: MemoryHarness) -> None:
    begin(harness, 4)
    play(harness, "ps a1", "ps a4", "ps b4", "ps b1", "ps c4 t")
    to_ben = harness.last(BEN)
    assert "Ada places a flat on C4 and calls tak: a road may come next turn." in said(to_ben)
    assert (
        "You owe the pot 2 coins for Ada's call of tak: your next turn pays them, resigning does not."
        in said(to_ben)
    )
    assert "Ben owes the pot 2 coins for your call of tak, and pays them with the next turn." in said(
        harness.last(ADA)
    )
    assert pot(to_ben) == 24
    play(harness, "ps d4")
    to_ada = harness.last(ADA)
    assert pot(to_ada) == 26
    assert "You have paid 14, Ben has paid 12." in said(to_ada)
    assert "The last true call of tak is yours: further ones cost Ben nothing until Ben has made one" in said(
        to_ada
    )


def test_a_false_call_is_not_taken_for_the_last_one(harness: MemoryHarness) -> None:
    begin(harness, 4)
    play(harness, *OPENED, "ps c4 t", "ps d4 t")
    for address, told in ((ADA, "yours: further ones cost Ben"), (BEN, "Ada's: further ones cost you")):
        letter = said(harness.last(address))
        assert "That is no tak" in letter
        assert f"The last true call of tak is {told} nothing until" in letter
        assert "called tak last" not in letter


def test_a_false_call_is_told_to_both_and_costs_nothing(harness: MemoryHarness) -> None:
    begin(harness)
    play(harness, "ps a1", "ps e5", "ps c3 t")
    for letter in (harness.last(ADA), harness.last(BEN)):
        assert "That is no tak" in said(letter)
        assert "owe" not in said(letter)
        assert pot(letter) == 24


def test_a_call_in_the_first_two_turns_is_refused_credit_for_its_turn(harness: MemoryHarness) -> None:
    begin(harness, 3)
    for turn in ("ps a1 t", "ps c3 t"):
        play(harness, turn)
        for letter in (harness.last(ADA), harness.last(BEN)):
            assert "That is no tak: none is one in the first two turns. The call counts for nothing." in said(
                letter
            )
    play(harness, "ps b2 t")
    assert "That is no tak: no single turn could make the road." in said(harness.last(BEN))


OPENED = ("ps a1", "ps a4", "ps b4", "ps b1")
"""On 4x4, White's next flat on C4 is tak."""


@pytest.mark.parametrize(("turn", "again"), [("ps c4", "ps c4 t"), ("ps c4 t", "ps c4")])
def test_the_same_move_with_another_call_is_another_move(
    harness: MemoryHarness, turn: str, again: str
) -> None:
    begin(harness, 4)
    play(harness, *OPENED)
    shown = harness.last(ADA)
    (refused,) = harness.send(AS_ADA, f"{turn}\n{again}", shown)
    assert "these are two different moves for one turn, so neither is played" in said(refused)
    harness.send(AS_ADA, turn, shown)
    (refused,) = harness.send(AS_ADA, again, shown)
    assert f"Not done: you have already played turn 5, and it was {turn}." in said(refused)
    (answer,) = harness.send(AS_ADA, turn, shown)
    assert f"That move is already played: it is turn 5 ({turn})." in said(answer)


@pytest.mark.parametrize(
    ("setup", "turn", "again"),
    [
        ("4", "ps c4", "ps c4 t"),
        ("4 calls=must", "ps c4", "ps c4 t"),
        ("4 rules=femr", "ps d2", "ps d2 t"),
        ("4 rules=femr", "ps c4 t", "ps c4 tak!"),
    ],
)
def test_a_call_that_moves_no_coins_makes_no_other_move(
    harness: MemoryHarness, setup: str, turn: str, again: str
) -> None:
    harness.begin(setup)
    play(harness, *OPENED)
    shown = harness.last(ADA)
    harness.send(AS_ADA, turn, shown)
    (answer,) = harness.send(AS_ADA, again, shown)
    assert "That move is already played: it is turn 5" in said(answer)


def test_a_false_call_without_coins_is_passed_on_unchecked(harness: MemoryHarness) -> None:
    harness.begin("5")
    play(harness, "ps a1", "ps e5", "ps c3 t")
    assert "calls tak: a road may come next turn" in said(harness.last(BEN))
    assert "no tak" not in said(harness.last(BEN))


def test_the_end_tells_both_what_they_have_won_and_lost(harness: MemoryHarness) -> None:
    begin(harness, 3)
    play(harness, "ps a3", "ps a1", "ps b1 t", "ps b3", "ps c1")
    for address, net in ((ADA, "In all you win 19 coins"), (BEN, "In all you lose 19 coins")):
        letter = harness.last(address)
        assert net in said(letter), said(letter)
        assert "pot of 26 coins" in said(letter)
    assert "In coins you have won 19 in all" in said(harness.last(ADA))
    (match,) = harness.send(AS_BEN, "match", harness.last(BEN))
    assert "In coins you have lost 19 in all" in said(match)


def test_chat_after_the_end_does_not_show_the_coins_again(harness: MemoryHarness) -> None:
    begin(harness, 3)
    play(harness, "ps a3", "ps a1", "ps b1 t", "ps b3", "ps c1")
    harness.send(AS_ADA, "Thanks for the game!", harness.last(ADA))
    assert "Thanks for the game!" in said(harness.last(BEN))
    assert "pot" not in said(harness.last(BEN))


def test_a_draw_halves_the_pot(harness: MemoryHarness) -> None:
    begin(harness)
    harness.send(AS_ADA, "draw", harness.last(ADA))
    harness.send(AS_BEN, "agree draw", harness.last(BEN))
    assert "The pot of 24 coins is halved." in said(harness.last(ADA))
    assert "In all you lose 2 coins" in said(harness.last(ADA))


# Femr's Folly


def test_the_stakes_and_the_firsts_are_told(harness: MemoryHarness) -> None:
    harness.begin("5 rules=folly")
    letter = said(harness.last(ADA))
    assert "45 in the pot. You have paid 25, Ben has paid 20." in letter
    assert (
        "Placing the first wall costs 5. Placing the first capstone costs 10. "
        "The first true call of tak brings 5 from the pot."
    ) in letter
    assert (
        'Either of you may take their last turn back with "undo", until it is answered, for 5 coins.'
        in letter
    )
    play(harness, "ps a1", "ps e5", "pw c3")
    assert pot(harness.last(BEN)) == 50
    assert "wall costs" not in said(harness.last(BEN))
    assert "Placing the first capstone costs 10. The first true call of tak brings 5 from the pot." in said(
        harness.last(BEN)
    )


def test_a_receipt_tells_the_firsts_and_the_rights_too(harness: MemoryHarness) -> None:
    harness.begin("5 rules=femr")
    play(harness, "ps a1", "ps e5", "ps c3")
    receipt = said(harness.last(ADA))
    assert "Coins: 45 in the pot. You have paid 25, Ben has paid 20." in receipt
    assert 'To take your move back for 5 coins, answer with "undo".' in receipt
    assert "Placing the first wall costs 5" in receipt
    assert "Either of you may take their last turn back" in receipt


def test_undo_is_a_right_that_costs_a_row_and_passes_on(harness: MemoryHarness) -> None:
    harness.begin("5 rules=femr")
    play(harness, "ps a1", "ps e5", "pw c3")
    leave(harness)
    answer, news = sorted(harness.send(AS_ADA, "undo", harness.last(ADA)), key=lambda one: one.to)
    assert "Done: turn 3 (pw c3) is taken back for 5 coins, and Ben is told" in said(answer)
    assert "Ada has taken turn 3 (pw c3) back for 5 coins, and plays another one" in said(news)
    for letter in (answer, news):
        assert pot(letter) == 50, "the wall's row is given back, and the row for taking back is paid"
        assert "Placing the first wall costs 5" in said(letter)
    assert "Ben may take their last turn back for 5 coins; you may not until Ben has." in said(answer)
    play(harness, "ps c3")
    leave(harness)
    (refused,) = harness.send(AS_ADA, "undo", harness.last(ADA))
    assert "the right to take a turn back is Ben's now" in said(refused)
    assert len(harness.table().turns) == 3
    play(harness, "ps d4")
    leave(harness)
    harness.send(AS_BEN, "undo", harness.last(BEN))
    assert 'You may take your last turn back with "undo"' in said(harness.last(ADA))
    assert pot(harness.last(ADA)) == 55


def test_undo_is_offered_with_its_price_to_who_has_the_right(harness: MemoryHarness) -> None:
    harness.begin("5 rules=femr")
    play(harness, "ps a1")
    assert 'To take your move back for 5 coins, answer with "undo".' in said(harness.last(ADA))
    leave(harness)
    harness.send(AS_ADA, "undo", harness.last(ADA))
    play(harness, "ps a1")
    leave(harness)
    assert '"undo"' not in said(harness.last(ADA))
    (refused,) = harness.send(AS_ADA, "undo", harness.last(ADA))
    assert 'To ask Ben, write "propose restart".' in said(refused)
    harness.send(AS_ADA, "im my slip", harness.last(ADA))
    assert "you can both agree on going back" in said(harness.last(ADA))
    play(harness, "ps e5")
    assert 'To take your move back for 5 coins, answer with "undo".' in said(harness.last(BEN))
    harness.send(AS_BEN, "im my slip", harness.last(BEN))
    assert '"undo" takes it back for 5 coins.' in said(harness.last(BEN))


def test_undo_is_offered_without_a_price_where_it_asks(harness: MemoryHarness) -> None:
    begin(harness)
    play(harness, "ps a1")
    assert 'Answer "undo" to take it back.' in said(harness.last(ADA))


def test_what_nobody_has_seen_is_taken_back_for_nothing(harness: MemoryHarness) -> None:
    harness.begin("5 rules=femr")
    play(harness, "ps a1", "ps e5")
    harness.send(AS_ADA, "pw c3\nundo", harness.last(ADA))
    assert pot(harness.last(ADA)) == 45
    assert 'Either of you may take their last turn back with "undo"' in said(harness.last(ADA))


def test_what_has_been_answered_can_only_be_taken_back_by_consent(harness: MemoryHarness) -> None:
    harness.begin("5 rules=femr")
    play(harness, "ps a1", "ps e5", "pw c3", "ps d4")
    leave(harness)
    (refused,) = harness.send(AS_ADA, "undo", harness.last(ADA))
    assert "the last turn is Ben's" in said(refused)
    harness.send(AS_ADA, "propose back 2", harness.last(ADA))
    harness.send(AS_BEN, "agree", harness.last(BEN))
    assert pot(harness.last(BEN)) == 45
    assert harness.table().account is not None
    assert harness.table().account.paid == (25, 20)


def test_a_proposed_board_tells_the_coins_that_it_would_have(harness: MemoryHarness) -> None:
    harness.begin("5 rules=femr")
    play(harness, "ps a1", "ps e5", "pw c3")
    leave(harness)
    harness.send(AS_ADA, "undo", harness.last(ADA))
    play(harness, "pw c3", "pc d4")
    harness.send(AS_ADA, "propose back 2", harness.last(ADA))
    for address, paid in ((ADA, "paid 30, Ben 20"), (BEN, "paid 20, Ada 30")):
        letter = said(harness.last(address))
        assert "Coins: 65 in the pot." in letter
        assert f"Coins with this board: 50 in the pot. You would have {paid}." in letter
        assert (
            f"Only {'you could take your' if address == BEN else 'Ben could take their'} last turn back."
            in letter
        )
    harness.send(AS_ADA, "propose restart", harness.last(ADA))
    letter = said(harness.last(BEN))
    assert "Coins with this board: 45 in the pot. You would have paid 20, Ada 25." in letter
    assert "Either of you could take their last turn back." in letter
    harness.send(AS_BEN, "agree", harness.last(BEN))
    assert pot(harness.last(BEN)) == 45


def test_a_proposed_board_tells_what_would_be_owed_on_it(harness: MemoryHarness) -> None:
    begin(harness, 4)
    play(harness, "ps a1", "ps a4", "ps b4", "ps b1", "ps c4 t", "ps d4", "ps c1")
    harness.send(AS_BEN, "propose back 5", harness.last(BEN))
    assert "Coins with this board: 24 in the pot. You would have paid 10, Ada 14." in said(harness.last(BEN))
    assert "You would owe the pot 2 coins for Ada's call of tak." in said(harness.last(BEN))
    assert "Ben would owe the pot 2 coins for your call of tak." in said(harness.last(ADA))
    harness.send(AS_BEN, "propose board white\n0 0 0 0\n0 s 0 0\n0 0 S 0\n0 0 0 0", harness.last(BEN))
    assert "Coins with this board: 26 in the pot. You would have paid 12, Ada 14." in said(harness.last(BEN))


def test_a_new_beginning_keeps_the_set_up_and_the_bids(harness: MemoryHarness) -> None:
    begin(harness, 4)
    play(harness, "ps a1", "ps a4", "ps b4", "ps b1", "ps c4 t", "ps d4")
    harness.send(AS_ADA, "propose restart", harness.last(ADA))
    harness.send(AS_BEN, "agree", harness.last(BEN))
    assert "The bids: White 4, Black 2." in said(harness.last(BEN))
    assert pot(harness.last(BEN)) == 24
    assert harness.table().record.setup == "4 rules=university bids=4,2"


def test_undo_by_consent_takes_coins_back_with_the_turn(harness: MemoryHarness) -> None:
    begin(harness, 4)
    play(harness, "ps a1", "ps a4", "ps b4", "ps b1", "ps c4 t")
    leave(harness)
    harness.send(AS_ADA, "undo", harness.last(ADA))
    harness.send(AS_BEN, "agree undo", harness.last(BEN))
    account = harness.table().account
    assert account is not None
    assert (account.due, account.facts["last_caller"]) == ((0, 0), None)


# Help and rules


TOPICS = {
    "coins": "Two variants are played for coins",
    "university": "University Rules: each of you puts 10 coins into the pot",
    "femr": "Femr's Folly: a row is as many coins as the board is wide.",
    "folly": "Femr's Folly: a row is as many coins as the board is wide.",
    "tinue": "Tinue: tak that no reply can stop",
    "tinuë": "Tinue: tak that no reply can stop",
    "hard cap": "Hard cap: a capstone on a flat of its own colour.",
    "hardcap": "Hard cap: a capstone on a flat of its own colour.",
    "femrs": "Femr's Folly: a row is as many coins as the board is wide.",
}


@pytest.mark.parametrize(
    ("setup", "word", "head"),
    combined([None, "5", "5 rules=femr", "tzaar", "5 relay"], TOPICS, ["help", "rules", "Rules"]),
)
def test_words_about_coins_are_explained_to_anybody(
    harness: MemoryHarness, head: str, word: str, setup: str | None
) -> None:
    if setup is not None:
        harness.begin(setup)
    others = sum(letter.to != ADA for letter in harness.box)
    (answer,) = harness.send(AS_ADA, f"{head} {word}", harness.last(ADA) if setup else None)
    assert TOPICS[word] in said(answer)
    assert sum(letter.to != ADA for letter in harness.box) == others, "nobody else hears of it"


@pytest.mark.parametrize("words", ["rules are rules", "rules", "rules of coins are nice"])
def test_other_words_behind_rules_are_no_topic(harness: MemoryHarness, words: str) -> None:
    harness.begin("5")
    harness.send(AS_ADA, words, harness.last(ADA))
    assert "played for coins" not in said(harness.last(ADA))


@pytest.mark.parametrize(
    ("setup", "told", "untold"),
    [
        ("5", "Whoever wins scores as many points", "played for coins"),
        ("5 rules=femr", "This game is played for coins. Femr's Folly: a row", "scores as many points"),
    ],
)
def test_rules_tell_of_coins_in_a_game_for_coins(
    harness: MemoryHarness, setup: str, told: str, untold: str
) -> None:
    harness.begin(setup)
    (answer,) = harness.send(AS_ADA, "rules", harness.last(ADA))
    assert told in said(answer)
    assert untold not in said(answer)


@pytest.mark.parametrize(
    ("setup", "told"),
    [
        ("7 caps=0", "50 and 2 on 8x8. In this game nobody has capstones."),
        ("7 caps=1 rules=femr", "50 and 2 on 8x8. In this game each of you has 1 capstone."),
        ("5 calls=must", "50 and 2 on 8x8. A tak must be called; I add the call where it is left out."),
    ],
)
def test_rules_tell_what_is_agreed_on_beside_the_usual_ones(
    harness: MemoryHarness, setup: str, told: str
) -> None:
    harness.begin(setup)
    (answer,) = harness.send(AS_ADA, "rules", harness.last(ADA))
    assert told in said(answer)


def test_rules_tell_of_coins_before_the_game_begins(harness: MemoryHarness) -> None:
    harness.send(AS_ADA, f"new 5 vs {BEN} rules=university bid=73")
    (answer,) = harness.send(AS_BEN, "rules", harness.last(BEN))
    assert "This game is played for coins. University Rules: each of you puts 10 coins" in said(answer)
    assert "73" not in said(answer)


# Calls and capstones


def test_takmail_adds_the_call_where_it_is_agreed(harness: MemoryHarness) -> None:
    harness.begin("4 calls=must")
    play(harness, "ps a1", "ps a4", "ps b4", "ps b1", "ps c4")
    assert harness.table().turns[-1].text == "ps c4 t"
    for address in (ADA, BEN):
        assert "a tak is always called, so I have added the call." in said(harness.last(address))
    assert harness.last(BEN).lines[0] == "ps c4 t"


@pytest.mark.parametrize(("turn", "is_tak"), [("ps c4 t", True), ("ps c4 tak!", True), ("ps d2 t", False)])
def test_a_call_that_was_typed_stays_and_is_told_as_false_if_it_is(
    harness: MemoryHarness, turn: str, is_tak: bool
) -> None:
    harness.begin("4 calls=must")
    play(harness, "ps a1", "ps a4", "ps b4", "ps b1", turn)
    assert harness.table().turns[-1].text == f"{turn[:5]} t"
    for address in (ADA, BEN):
        letter = said(harness.last(address))
        assert "added the call" not in letter
        assert ("That is no tak" in letter) is not is_tak
        assert ("a road may come next turn" in letter) is is_tak


def test_a_7x7_game_can_have_fewer_capstones(harness: MemoryHarness) -> None:
    harness.send(AS_ADA, f"new 7 vs {BEN} caps=1")
    assert "each of you has 1 capstone." in said(harness.last(BEN))
    harness.send(AS_ADA, "new 7 vs cy@example.org caps=0")
    assert "In this game nobody has capstones." in said(harness.last("cy@example.org"))
    harness.send(AS_BEN, "accept", harness.last(BEN))
    assert "40 stones and 1 capstone left" in said(harness.last(BEN))


@pytest.mark.parametrize(
    ("words", "title"),
    some_of(
        [
            ("5 rules=femr", "5x5, Femr's Folly"),
            ("5 rules=university", "5x5, University Rules"),
            ("7 caps=1", "7x7, 1 capstone"),
            ("7 caps=0 rules=femr", "7x7, no capstones, Femr's Folly"),
            ("5 calls=must", "5x5, tak must be called"),
            ("7 relay caps=1", "7x7 relay, 1 capstone"),
        ],
        3,
    ),
)
def test_the_title_says_what_is_unusual(harness: MemoryHarness, words: str, title: str) -> None:
    harness.send(AS_ADA, f"new {words} vs {BEN}")
    invitation, answer = harness.last(BEN), harness.last(ADA)
    assert invitation.subject.endswith(f"Ada asks you to a game of Tak, {title}")
    assert f"by mail ({title})" in said(invitation)
    assert f"asked to a game with you ({title})" in said(answer)
    harness.send(AS_BEN, "accept", invitation)
    begun = harness.last(ADA)
    assert begun.subject == answer.subject
    # Who is named first is drawn by lot.
    assert begun.subject.endswith((f"Ada – Ben, {title}", f"Ben – Ada, {title}"))
    assert f"game #1 with Ben ({title})" in said(harness.send(AS_ADA, "games", begun)[0])


def test_a_long_line_of_a_list_is_wrapped_below_its_beginning(harness: MemoryHarness) -> None:
    harness.send(f"{'Benedikt ' * 4}<{BEN}>", "seek 7 caps=1 rules=university komi=2.5 days=3")
    harness.send(AS_ADA, "join 1")
    for command in ("games", "seeks"):
        harness.send("Cy <cy@example.org>", "seek 7 caps=1 rules=university komi=2.5 days=3")
        answer = harness.send(AS_ADA, command)[-1]
        at = next(at for at, line in enumerate(answer.lines) if line.startswith("  - "))
        assert answer.lines[at + 1].startswith("    ")
        assert max(map(len, answer.lines)) <= 72


@pytest.mark.parametrize("words", ["3 rules=femr", "4", "7 caps=0 rules=university", "7 caps=0 rules=femr"])
def test_an_invitation_without_capstones_does_not_explain_them(harness: MemoryHarness, words: str) -> None:
    harness.send(AS_ADA, f"new {words} vs {BEN}")
    letter = re.sub("(no|nobody has) capstones", "", said(harness.last(BEN)))
    assert "capstone" not in letter
    assert "a wall stands and blocks." in letter


# HTML


def test_a_link_of_the_letter_that_asks_leaves_room_for_the_bid() -> None:
    harness = MemoryHarness(services=BOTH_SIDES)
    harness.send(AS_ADA, f"new 5 vs {BEN} rules=university bid=4")
    harness.send(AS_BEN, "accept", harness.last(BEN))
    html = harness.last(BEN).html
    assert "body=bid%20%0D%0A" in html
    assert "body=decline%0D%0A" in html
    assert "and write your number behind" in html


# Points, `why` and `im`


def lost(harness: MemoryHarness, setup: str) -> None:
    """Begin a game, in which Ben plays one turn at most and gives up."""
    harness.begin(setup)
    harness.send(AS_BEN, "resign", harness.last(BEN))
    harness.send(AS_BEN, "yes", harness.last(BEN))


@pytest.mark.parametrize(
    ("setups", "told", "untold"),
    [
        (
            ["3"],
            "after 1 game with Ben in all: you have 19 points and Ben has 0. You have won 1, Ben 0.",
            "In coins",
        ),
        (
            ["3 rules=femr"],
            "after 1 game with Ben in all: you have won 1, Ben 0. In coins you have won 16 in all",
            "point",
        ),
        (
            ["3", "3 rules=femr"],
            "in all: you have 19 points and Ben has 0. You have won 2, Ben 0. In coins you have won 16 in all",
            "35 points",
        ),
        (
            ["3 rules=femr", "3 rules=femr"],
            "after 2 games with Ben in all: you have won 2, Ben 0. In coins you have won 32 in all",
            "point",
        ),
    ],
)
def test_a_game_for_coins_brings_coins_and_no_points(
    harness: MemoryHarness, setups: list[str], told: str, untold: str
) -> None:
    for setup in setups:
        lost(harness, setup)
    (match,) = harness.send(AS_ADA, "match", harness.last(ADA))
    for letter in (harness.box[-2], match):
        assert told in said(letter)
        assert untold not in said(letter)


@pytest.mark.parametrize("words", ["match", "games", "rs", "log"])
def test_no_letter_after_a_game_for_coins_tells_points(harness: MemoryHarness, words: str) -> None:
    lost(harness, "3 rules=femr")
    harness.send(AS_ADA, words, harness.last(ADA))
    for letter in harness.box:
        assert not re.search(r"\bpoints?\b", said(letter).replace("Coins are points", "")), said(letter)


TAK = ("ps a3", "ps a1", "ps b1 t", "ps b3 t")


@pytest.mark.parametrize(
    ("setup", "turns", "number", "told"),
    [
        ("3 rules=femr", ("ps a3", "ps a1", "pw c3"), 2, "No coins are paid or taken."),
        ("3 rules=femr", ("ps a3", "ps a1", "pw c3"), 3, "3 coins are paid for the first wall of the game."),
        (
            "5 rules=femr",
            ("ps a3", "ps a1", "pc c3"),
            3,
            "10 coins are paid for the first capstone of the game.",
        ),
        ("3 rules=femr", TAK, 3, "3 coins are taken from the pot for the first true call of tak."),
        ("3 rules=femr", TAK, 4, "This call is true, but moves no coins, as it is not the first."),
        (
            "3 rules=femr",
            ("ps a3", "ps a1", "ps c2 t"),
            3,
            "This call is no tak, and counts for nothing.",
        ),
        (
            "3 rules=femr",
            ("ps a3", "ps a1", "ps b1", "ps b3", "ps c1 t"),
            5,
            "The call counts for nothing, as this turn ends the game.",
        ),
        (
            "3 rules=university",
            TAK,
            3,
            "This call is true, so the other one pays 2 with their next turn.",
        ),
        (
            "3 rules=university",
            TAK,
            4,
            "2 coins are paid for the other one's call of tak. This call is true, so the other one pays 2",
        ),
        (
            "3 rules=university",
            (*TAK[:3], "ps b3", "ps a2 t"),
            5,
            "This call is true, but moves no coins, as the last true one was the same player's.",
        ),
    ],
)
def test_why_and_im_tell_what_a_turn_does_to_the_coins(
    harness: MemoryHarness, setup: str, turns: tuple[str, ...], number: int, told: str
) -> None:
    if setup.endswith("university"):
        begin(harness, int(setup[0]))
    else:
        harness.begin(setup)
    play(harness, *turns)
    (why,) = harness.send(AS_ADA, f"why {number}", harness.last(ADA))
    assert told in said(why)
    harness.send(AS_ADA, f"im #{number} is that so?", harness.last(ADA))
    assert told in said(harness.last(ADA))
    assert told in said(harness.last(BEN))


def test_why_tells_no_coins_where_none_are_played_for(harness: MemoryHarness) -> None:
    harness.begin("5")
    play(harness, "ps a1", "ps e5")
    for words in ("why 1", "why pw c3", "why ps a1"):
        (why,) = harness.send(AS_ADA, words, harness.last(ADA))
        assert "Coins:" not in said(why)


def test_why_tells_what_a_turn_would_cost(harness: MemoryHarness) -> None:
    harness.begin("5 rules=femr")
    play(harness, "ps a1", "ps e5")
    (why,) = harness.send(AS_ADA, "why pw c3", harness.last(ADA))
    assert "5 coins are paid for the first wall of the game." in said(why)
    (why,) = harness.send(AS_ADA, "why pw a1", harness.last(ADA))
    assert "Coins:" not in said(why).split("Step by step")[0]


@pytest.mark.parametrize(("wrong", "setup"), combined(["pw c3", "pc c3", "ms a1 p1 1"], ["5", f"5 {FOLLY}"]))
def test_what_is_refused_in_the_second_turn_comes_without_an_illegal_example(
    harness: MemoryHarness, setup: str, wrong: str
) -> None:
    harness.begin(setup)
    play(harness, "ps a1")
    (answer,) = harness.send(AS_BEN, wrong, harness.last(BEN))
    assert "Not done: in the first two turns" in said(answer)
    assert "for example: ps a1" not in said(answer)
    assert 'Write "ps" and the name of an empty space.' in said(answer)
