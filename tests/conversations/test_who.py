"""The author of a mail: token and From address together prove it. Otherwise the mail waits for a `yes`."""

from datetime import timedelta

import pytest

from takmail.games.interface import Seat
from takmail.world.pending import LIFETIME
from tests.support.memory_harness import WITHOUT_PLUS, MemoryHarness, turns
from tests.support.players import ADA, BEN, TAK, Received, said

STRANGER = "someone@example.net"


def held(harness: MemoryHarness, words: str, **how: object) -> Received:
    """Send a mail in Ada's name without the token. Return the question that she gets."""
    (question,) = harness.send(f"Ada <{ADA}>", words, to=TAK, **how)
    assert question.to == ADA
    assert "I can't be sure that it was yours" in said(question)
    assert f'"yes" on the first line within {LIFETIME.days} days' in said(question)
    return question


def test_a_move_with_token_and_from_is_played(harness: MemoryHarness) -> None:
    harness.begin_and_play("ps b4")
    assert turns(harness) == ["ps b4"]


@pytest.mark.parametrize(
    "sender",
    [
        "ADA@Example.ORG",
        '"Lovelace, Ada \\"the Countess\\"" <ada@example.org>',
        "Ada\n <ada@example.org>",
        "=?utf-8?q?Ad=C3=A0?= <ada@example.org>",
    ],
)
def test_a_from_is_known_however_it_is_written(harness: MemoryHarness, sender: str) -> None:
    harness.begin()
    mail = harness.mail(f"Ada <{ADA}>", "ps b4", harness.last(ADA)).as_bytes()
    written = sender.replace("\n", "\r\n").encode()
    harness.deliver(mail.replace(f"From: Ada <{ADA}>".encode(), b"From: " + written, 1))
    assert turns(harness) == ["ps b4"]


def test_a_turkish_capital_i_is_the_same_person_in_every_spelling_and_nobody_else(
    harness: MemoryHarness,
) -> None:
    """`İ`.lower() has two characters, and `casefold` and databases treat it differently."""
    guest = "İnci@example.org"
    harness.send(f"Ada <{ADA}>", f"new 5 vs {guest} first=them")
    invitation = harness.box[-2]
    for spelling in ("İnci@example.org", "i\u0307nci@EXAMPLE.org"):
        raw = harness.mail("HERE <here@example.org>", "accept\nps b4", invitation).as_bytes()
        harness.deliver(raw.replace(b"here@example.org", spelling.encode(), 1))
    assert turns(harness) == ["ps b4"]
    letters = harness.send("Someone <inci@example.org>", "ps c3", harness.last(ADA))
    assert turns(harness) == ["ps b4"]
    assert [letter.to for letter in letters] == [ADA]


def test_a_token_whose_case_a_relay_changed_is_still_a_token(harness: MemoryHarness) -> None:
    harness.begin()
    letter = harness.last(ADA)
    harness.send(f"Ada <{ADA}>", "ps b4", letter, to=str(letter.mail["Reply-To"]).upper(), threaded=False)
    assert turns(harness) == ["ps b4"]
    answer = harness.last(BEN)
    mail = harness.mail(f"Ben <{BEN}>", "ps c3", to=TAK, In_Reply_To=answer.id.upper())
    harness.deliver(mail.as_bytes())
    assert turns(harness) == ["ps b4", "ps c3"]


def test_a_move_without_the_token_is_held_and_asked_about(harness: MemoryHarness) -> None:
    harness.begin()
    question = held(harness, "ps b4")
    assert "  | ps b4\n" in question.text
    assert turns(harness) == []
    harness.send(f"Ada <{ADA}>", "yes", question)
    assert turns(harness) == ["ps b4"]
    assert harness.last(BEN).lines[0] == "ps b4"


def test_no_drops_what_was_held(harness: MemoryHarness) -> None:
    harness.begin()
    question = held(harness, "ps b4")
    (answer,) = harness.send(f"Ada <{ADA}>", "No.", question)
    assert "nothing has changed" in answer.text
    (answer,) = harness.send(f"Ada <{ADA}>", "yes", question)
    assert 'nothing is waiting for a "yes"' in said(answer)
    assert turns(harness) == []


def test_a_yes_counts_only_in_answer_to_the_letter_that_asked(harness: MemoryHarness) -> None:
    harness.begin()
    before = harness.last(ADA)
    held(harness, "ps b4")
    harness.send(f"Ada <{ADA}>", "yes", before)
    assert turns(harness) == []


@pytest.mark.parametrize(("late", "played"), [(timedelta(), ["ps b4"]), (timedelta(seconds=1), [])])
def test_held_words_wait_for_seven_days(harness: MemoryHarness, late: timedelta, played: list[str]) -> None:
    harness.begin()
    question = held(harness, "ps b4")
    harness.now += LIFETIME + late
    harness.send(f"Ada <{ADA}>", "yes", question)
    assert turns(harness) == played


def test_a_held_move_is_not_played_for_a_later_turn(harness: MemoryHarness) -> None:
    """The move was typed before the opponent's turn, and is for an earlier turn."""
    harness.begin_and_play("ps b4")
    question = held(harness, "ps d4")
    harness.play("ps c3", start=1)
    (answer,) = harness.send(f"Ada <{ADA}>", "yes", question)
    assert "your move was meant for turn 2, but 2 turns have been played" in said(answer)
    assert turns(harness) == ["ps b4", "ps c3"]


def test_a_turn_played_meanwhile_closes_the_question(harness: MemoryHarness) -> None:
    harness.begin()
    letter = harness.last(ADA)
    question = held(harness, "ps d4")
    harness.send(f"Ada <{ADA}>", "ps b4", letter)
    (answer,) = harness.send(f"Ada <{ADA}>", "yes", question)
    assert 'nothing is waiting for a "yes"' in said(answer)
    assert turns(harness) == ["ps b4"]


def test_what_stands_beside_the_yes_is_handled_too(harness: MemoryHarness) -> None:
    harness.begin()
    question = held(harness, "ps b4\n\nHi Ben")
    answer, news = harness.send(f"Ada <{ADA}>", "yes\nlog\n\nA new phone", question)
    assert "All turns so far" in answer.text
    assert "  | Hi Ben\n  |\n  | A new phone\n" in news.text


def test_a_held_resign_still_needs_its_own_yes(harness: MemoryHarness) -> None:
    harness.begin()
    (answer,) = harness.send(f"Ada <{ADA}>", "yes", held(harness, "resign"))
    assert "Do you want to give this game up?" in answer.text
    letters = harness.send(f"Ada <{ADA}>", "yes", answer)
    assert [letter.to for letter in letters] == [ADA, BEN]
    assert "Ada has given the game up" in harness.last(BEN).text


def test_looking_without_the_token_is_free_and_goes_to_the_registered_address(harness: MemoryHarness) -> None:
    harness.begin()
    (answer,) = harness.send(f"Ada <{ADA}>", "rs", to=TAK)
    assert answer.to == ADA
    assert answer.lines[0] == "0 0 0 0 0"


def test_a_reply_address_that_disagrees_with_the_thread_is_refused(harness: MemoryHarness) -> None:
    harness.begin()
    first = harness.last(ADA)
    harness.begin()
    second = harness.last(ADA)
    (answer,) = harness.send(f"Ada <{ADA}>", "ps b4", second, to=str(first.mail["Reply-To"]))
    assert "your mail speaks of more than one game (#1 and #2)" in said(answer)
    assert turns(harness, 1) == turns(harness, 2) == []


def test_a_leading_number_that_disagrees_is_refused(harness: MemoryHarness) -> None:
    harness.begin()
    first = harness.last(ADA)
    harness.begin()
    (answer,) = harness.send(f"Ada <{ADA}>", "#2 ps b4", first)
    assert "your mail speaks of more than one game (#1 and #2)" in said(answer)
    assert turns(harness, 1) == turns(harness, 2) == []


def test_a_number_in_front_of_a_sentence_names_no_game(harness: MemoryHarness) -> None:
    harness.begin()
    _, news = harness.send(f"Ada <{ADA}>", "#7 is my lucky number\nps b4", harness.last(ADA))
    assert turns(harness) == ["ps b4"]
    assert "  | #7 is my lucky number" in news.text


@pytest.mark.parametrize("how", [{"text": "#1 log"}, {"text": "log", "subject": "[tak #1] Ada – Ben, 5x5"}])
def test_the_tag_or_a_leading_number_says_which_game(harness: MemoryHarness, how: dict[str, str]) -> None:
    harness.begin()
    harness.begin()
    (answer,) = harness.send(f"Ada <{ADA}>", **how)
    assert answer.subject.startswith("[tak #1]")
    assert "The game has no turns yet." in answer.text


def test_a_game_of_others_is_not_swapped_for_one_s_own(harness: MemoryHarness) -> None:
    harness.begin()
    (answer,) = harness.send(f"Ada <{ADA}>", "#99 ps b4")
    assert "you have no game #99" in said(answer)
    assert "game #1 with Ben (5x5): it is your turn" in answer.text
    assert turns(harness) == []


def test_without_a_sign_it_is_the_only_game_in_which_it_is_the_sender_s_turn(harness: MemoryHarness) -> None:
    harness.begin()
    harness.begin(first="them")
    (answer,) = harness.send(f"Ada <{ADA}>", "log")
    assert answer.subject.startswith("[tak #1]")


@pytest.mark.parametrize("text", ["ps b4", "Hello, are you still there?"])
def test_without_a_sign_and_with_several_games_they_are_listed(harness: MemoryHarness, text: str) -> None:
    harness.begin()
    harness.begin()
    (answer,) = harness.send(f"Ada <{ADA}>", text)
    assert "I can't tell which of your games you mean" in said(answer)
    assert "game #1 with Ben (5x5): it is your turn" in answer.text
    assert "game #2 with Ben (5x5): it is your turn" in answer.text


def test_a_provider_without_plus_addresses_carries_a_whole_game() -> None:
    harness = MemoryHarness(services=WITHOUT_PLUS)
    harness.begin("3")
    letter = harness.last(ADA)
    assert letter.mail["Reply-To"] is None
    assert letter.subject.startswith("[tak #1.")
    harness.play("ps a1", "ps c3")
    by_subject = harness.last(ADA)
    harness.send(f"Ada <{ADA}>", "ps b3", by_subject, threaded=False)
    by_thread = harness.last(BEN)
    harness.send(f"Ben <{BEN}>", "ps b1", by_thread, subject="my move")
    harness.play("ps a3", start=4)
    assert "Result: R-0" in harness.last(BEN).text


def test_who_is_asked_gets_neither_the_address_nor_the_token_of_who_wrote(harness: MemoryHarness) -> None:
    harness.begin()
    # Ben answers a letter to Ada that she forwarded to him, from another address.
    words = f"ps b4\nYours, {BEN}\nI am asked at {harness.last(BEN).mail['Reply-To']}"
    (question,) = harness.send("Ben <ben@example.net>", words, harness.last(ADA), quoting=False)
    assert question.to == ADA
    assert "  | ps b4\n  | Yours, (address left out)\n" in question.text
    assert BEN not in question.text
    assert harness.services.key.token(1, Seat.SECOND) not in question.text
