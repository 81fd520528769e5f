"""`receipts`: each player chooses whether a mail that is only a move is answered, and what follows goes on as ever."""

from dataclasses import replace

import pytest

from takmail.commands.grammar.arguments import Choice
from takmail.world.kinds import LetterState, Standing
from tests.support.memory_harness import BOTH_SIDES, MemoryHarness, turns
from tests.support.orders import line_as
from tests.support.players import ADA, BEN, Received
from tests.support.scenes import played_once

SOMEONE = "someone@example.net"


def said(letter: Received) -> str:
    return " ".join(letter.text.split())


def ada(harness: MemoryHarness, words: str) -> Received:
    return harness.send(f"Ada <{ADA}>", words, harness.last(ADA))[0]


def wants_none(harness: MemoryHarness, address: str) -> bool:
    player = harness.memory.player_by_address(address)
    return player is not None and player.preferences.wants_no_receipts


@pytest.mark.parametrize("word", ["off", "OFF"])
def test_what_a_player_wants_is_remembered_for_them_alone(harness: MemoryHarness, word: str) -> None:
    harness.begin()
    assert "Done: from now on a move that was played gets no answer" in said(ada(harness, f"receipts {word}"))
    assert (wants_none(harness, ADA), wants_none(harness, BEN)) == (True, False)
    assert "Done: from now on you get an answer" in said(ada(harness, "receipts on"))
    assert not wants_none(harness, ADA)


@pytest.mark.parametrize(
    ("first", "told"), [("receipts off", "gets no answer if your mail"), ("receipts on", "You get an answer")]
)
def test_receipts_alone_tells_what_holds_and_what_can_be_chosen(
    harness: MemoryHarness, first: str, told: str
) -> None:
    harness.begin()
    ada(harness, first)
    answer = said(ada(harness, "receipts"))
    assert told in answer
    assert '"receipts on" brings an answer to each of your moves, and "receipts off"' in answer


@pytest.mark.parametrize("words", ["receipts never", "/receipts off and on"])
def test_what_is_neither_is_answered_with_what_can_be_chosen(harness: MemoryHarness, words: str) -> None:
    harness.begin()
    answer = said(ada(harness, words))
    assert 'Not done: this is not how "receipts" is written.' in answer
    assert '"receipts on" brings the answers back' in answer
    assert not wants_none(harness, ADA)


def test_a_mistyped_one_is_answered_with_what_is_meant(harness: MemoryHarness) -> None:
    harness.begin()
    answer = said(ada(harness, "reciepts off"))
    assert "receipts off" in answer
    assert not wants_none(harness, ADA)


@pytest.mark.parametrize(
    ("line", "first", "expected"),
    [
        ("receipts", False, "receipts"),
        ("Receipts OFF", False, Choice("receipts", "off")),
        ("/receipts on", False, Choice("receipts", "on")),
        ("receipts never", True, None),
        ("Receipts from the shop", True, None),
    ],
)
def test_a_line_is_meant_or_it_is_chat(line: str, first: bool, expected: object) -> None:
    assert line_as(line, is_first=first) == expected


def test_to_ask_what_holds_needs_no_yes(harness: MemoryHarness) -> None:
    harness.begin()
    harness.confirms = False
    (answer,) = harness.send(f"Ada <{ADA}>", "receipts")
    assert "You get an answer to each of your moves." in said(answer)


def test_who_has_never_played_can_say_it_too(harness: MemoryHarness) -> None:
    (answer,) = harness.send(f"Someone <{SOMEONE}>", "receipts off")
    assert "Done: from now on a move that was played gets no answer" in said(answer)
    assert wants_none(harness, SOMEONE)


def test_who_leaves_for_good_leaves_it_behind(harness: MemoryHarness) -> None:
    harness.begin()
    ada(harness, "receipts off")
    ada(harness, "forget me")
    assert not any(one.preferences.wants_no_receipts for one in harness.memory.players.values())


TAK = ("ps a1", "ps a4", "ps b4", "ps b1")
"""On 4x4, White's next flat on C4 is tak."""


@pytest.mark.parametrize(
    ("setup", "turn", "told"),
    [
        ("4 rules=femr", "ps d2 t", "That is no tak: no single turn could make the road."),
        ("4 rules=femr", "mn b4 p1 1 t", "That is no tak: no single turn could make the road."),
        ("4 calls=must", "ps d2 t", "That is no tak: no single turn could make the road."),
        ("4 calls=must", "ps c4", "a tak is always called, so I have added the call."),
    ],
)
def test_a_receipt_that_corrects_the_move_is_sent_all_the_same(
    harness: MemoryHarness, setup: str, turn: str, told: str
) -> None:
    harness.begin(setup)
    ada(harness, "receipts off")
    harness.play(*TAK)
    assert ADA in {one.to for one in harness.send(f"Ada <{ADA}>", turn, harness.last(ADA))}
    assert told in said(harness.last(ADA))


@pytest.mark.parametrize(
    ("setup", "turn"),
    [("4", "ps d2 t"), ("4 calls=must", "ps c4 t"), ("4 calls=must", "ps d2"), ("4 rules=femr", "ps c4 t")],
)
def test_no_other_receipt_is_sent(harness: MemoryHarness, setup: str, turn: str) -> None:
    harness.begin(setup)
    ada(harness, "receipts off")
    harness.play(*TAK)
    assert [one.to for one in harness.send(f"Ada <{ADA}>", turn, harness.last(ADA))] == [BEN]


@pytest.fixture
@played_once
def game(harness: MemoryHarness) -> None:
    """A game in which Ada wants no receipts. She has played turn 1 and 3, and Ben turn 2."""
    harness.begin()
    ada(harness, "receipts off")
    harness.play("ps a1", "ps e5", "ps c3")


def test_a_move_alone_gets_no_answer_and_the_opponent_hears_of_it(game: MemoryHarness) -> None:
    assert turns(game) == ["ps a1", "ps e5", "ps c3"]
    assert "Ben places a flat of yours (White) on E5." in said(game.last(ADA))
    assert game.last(BEN).lines[0] == "ps c3"
    assert game.note_of(len(game.notes)) == ("played", "game 1, turn 3")


def test_the_answer_that_nobody_gets_is_written_as_text_only() -> None:
    harness = MemoryHarness(services=BOTH_SIDES)
    harness.begin()
    ada(harness, "receipts off")
    harness.play("ps a1")
    *_, receipt, news = harness.memory.outbox.values()
    assert [
        (one.state, one.content.html_text is None, one.content.drawings == "") for one in (receipt, news)
    ] == [
        (LetterState.WITHDRAWN, True, True),
        (LetterState.QUEUED, False, False),
    ]
    assert b"text/html" not in receipt.content.raw


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("ps b2", "you have already played turn 3, and it was ps c3"),
        ("ps z9", "Not done"),
        ("ps c3", "already"),
        ("Good luck!", "Ben gets your words"),
        ("rs", "Ben is to move"),
    ],
)
def test_everything_else_is_answered(game: MemoryHarness, words: str, answer: str) -> None:
    assert answer in said(ada(game, words))


@pytest.mark.parametrize("words", ["ps b2\n\nGood luck!", "ps b2\nrs", "ps b2\nthen c4"])
def test_a_move_beside_something_else_is_answered(game: MemoryHarness, words: str) -> None:
    game.play("ps d4", start=1)
    assert "turn 5" in said(ada(game, words))
    assert turns(game)[-1] == "ps b2"


def test_a_move_that_ends_the_game_is_answered(harness: MemoryHarness) -> None:
    harness.begin("3")
    ada(harness, "receipts off")
    harness.play("ps a1", "ps a3", "ps b3", "ps b1", "ps c3")
    assert harness.table().record.standing is Standing.OVER
    assert "The game is over" in said(harness.last(ADA))


def test_a_move_is_answered_if_chat_waits(game: MemoryHarness) -> None:
    game.change(rates=replace(game.services.rates, chat_letters_per_hour=1))
    game.play("ps d4", start=1)
    for words in ("Hello!", "Are you there?"):
        game.send(f"Ben <{BEN}>", f"say {words}", game.last(BEN))
    waiting = game.memory.outbox[game.last(ADA).id]
    assert waiting.state is LetterState.POSTPONED
    assert [one.to for one in game.send(f"Ada <{ADA}>", "ps b2", game.last(ADA))] == [ADA, BEN]
    assert "Are you there?" in game.last(ADA).text
    assert game.memory.outbox[waiting.message_id].state is LetterState.WITHDRAWN


def test_a_move_that_no_letter_has_shown_is_taken_back(game: MemoryHarness) -> None:
    assert "taken back" in said(ada(game, "undo"))
    assert turns(game) == ["ps a1", "ps e5"]
    game.play("ps d4")
    assert turns(game)[-1] == "ps d4"


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("propose back 1", "Done"),
        ("draw", "Done"),
        ("log", "ps c3"),
        ("why", "Turn 2 by Ben"),
        ("why 3", "Turn 3 by Ada"),
    ],
)
def test_a_reply_to_the_letter_before_it_is_not_stale(game: MemoryHarness, words: str, answer: str) -> None:
    said_so = said(ada(game, words))
    assert answer in said_so
    assert "the letter that you answered shows" not in said_so


def test_the_next_letter_follows_the_ones_that_came(game: MemoryHarness) -> None:
    came = [one.id for one in game.box if one.to == ADA]
    game.play("ps d4", start=1)
    news = game.last(ADA)
    assert news.mail["In-Reply-To"] == came[-1]
    assert {*news.mail["References"].split()} <= {*came}
    ada(game, "ps b2")
    assert turns(game)[-1] == "ps b2"


def test_on_again_brings_them_back(game: MemoryHarness) -> None:
    game.play("ps d4", start=1)
    ada(game, "receipts on")
    assert "Your move is played as turn 5 (ps b2)." in said(ada(game, "ps b2"))


@pytest.fixture
@played_once
def relay(harness: MemoryHarness) -> None:
    """Ada, White, and Ben have begun a relay game on 5x5."""
    harness.begin("5 relay")


def test_a_move_that_is_passed_on_unchecked_is_answered_with_three_lines(relay: MemoryHarness) -> None:
    assert ada(relay, "ps a1").text.splitlines() == [
        "Your move is passed on to Ben as turn 1 (ps a1).",
        "",
        "I have not checked it.",
        "To correct it, answer with another move.",
    ]
    ada(relay, "ps b1")
    assert [one.text for one in relay.table().course().turns] == ["ps b1"]


def test_a_move_that_is_passed_on_gets_no_answer_if_none_is_wanted(relay: MemoryHarness) -> None:
    ada(relay, "receipts off")
    assert [one.to for one in relay.send(f"Ada <{ADA}>", "ps a1", relay.last(ADA))] == [BEN]
    relay.send(f"Ben <{BEN}>", "rs", relay.last(BEN))
    assert [one.to for one in relay.send(f"Ada <{ADA}>", "ps b1", relay.last(ADA))] == [BEN]


@pytest.mark.parametrize(
    ("words", "answer"), [("ps a1\nrs", "passed on"), ("ps z9", "no square Z9"), ("log", "ps e5")]
)
def test_in_a_relay_game_too_all_else_is_answered(relay: MemoryHarness, words: str, answer: str) -> None:
    relay.send(f"Ben <{BEN}>", "ps e5", relay.last(BEN))
    ada(relay, "receipts off")
    assert answer in said(ada(relay, words))


def test_a_move_that_crossed_another_is_answered(relay: MemoryHarness) -> None:
    begun = relay.last(ADA)
    ada(relay, "receipts off")
    relay.send(f"Ben <{BEN}>", "ps e5", relay.last(BEN))
    answer, _ = relay.send(f"Ada <{ADA}>", "ps a1", begun)
    assert "turn 1 of Ben was on its way to you: ps e5" in said(answer)
