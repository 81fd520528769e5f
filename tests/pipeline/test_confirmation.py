"""Questions about the author of a mail: what is held, what the letter shows, and when no letter is written."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from takmail.games.interface import Seat
from takmail.letters.budgets import TOO_MANY_LETTERS
from takmail.letters.letter import Letter
from takmail.limits.questions import MAX_HELD_CHARS, MAX_KEPT_QUESTIONS, MAX_OPEN_QUESTIONS
from takmail.mail.message import Mail
from takmail.pipeline.confirmation import AGAIN_AFTER
from takmail.world import events
from takmail.world.kinds import AskedAgain, GameNumber, LetterPurpose, PendingId
from takmail.world.pending import Pending
from takmail.world.players import Mailbox, Player
from takmail.world.waiting import PendingKind
from tests.commands.build import ADA, AS_ADA, AS_BEN, NOW, SERVICES, game, waiting
from tests.commands.people import question
from tests.pipeline.build import OTHER, Mailbag, letter, mail, traced

GAME = game("ps a1", "ps e5")
TAGGED = {"subject": "[tak #1]"}
MINUTE = timedelta(minutes=1)
FROM_UNKNOWN = "words to a player's reply address, from an unknown address"
EXPLAINED = (events.SeatAddressExplained(game=GAME.number),)
INVITED = replace(AS_ADA, skeleton=None, mailboxes=(replace(AS_ADA.main_mailbox, verified_at=None),))
"""Ada as a guest who has never written."""
BLOCKED = replace(AS_ADA, is_blocked=True)


def put(ada: Player = AS_ADA, *questions: Pending) -> Mailbag:
    store = Mailbag()
    in_game = tuple(one for one in questions if one.game is not None)
    store.put(replace(GAME, players=(ada, AS_BEN), pending=in_game))
    store.questions = [one for one in questions if one.game is None]
    return store


def asked(store: Mailbag, message: Mail) -> tuple[tuple[events.Event, ...], str]:
    """Return the events of the question about a mail, and the note on it."""
    *_, trace = traced(store, message)
    assert trace.result is not None
    return trace.result.happened, trace.result.note


def the_question(store: Mailbag, message: Mail) -> events.QuestionAsked:
    (found,) = (one for one in asked(store, message)[0] if isinstance(one, events.QuestionAsked))
    return found


def held(number: int, words: str = "ps b2", of: Letter | None = None, **columns: Any) -> Pending:
    """Return a question about held commands for Ada's seat. A question with a higher number is later."""
    asked_at = NOW - (50 - number) * MINUTE
    found = Pending(PendingId(number), PendingKind.HELD, asked_at, words, GameNumber(1), Seat.FIRST, 5, 2)
    return replace(found, letter=of.message_id if of else None, **columns)


def gave_way(store: Mailbag, message: Mail) -> tuple[set[int], set[int]]:
    """Return the questions that a new one closes, and those that it replaces."""
    *_, trace = traced(store, message)
    assert trace.result is not None
    before = {one.id: one for one in [*store.questions, *store.tables[GAME.number].pending]}
    after = {one.id: one for one in waiting(trace.result.world)}
    assert after.keys() - before.keys() == {-1}
    replaced = {one.id for one in after.values() if one.is_replaced}
    return {*before.keys() - after.keys()}, replaced - {one.id for one in before.values() if one.is_replaced}


# In a game.


def test_what_is_held_for_a_seat() -> None:
    found = the_question(put(), mail("ps b2\n\nGood luck", ADA, **TAGGED))
    assert isinstance(found, events.CommandsHeld)
    kept = found.question
    assert (kept.kind, kept.game, kept.seat, kept.words) == (
        PendingKind.HELD,
        1,
        Seat.FIRST,
        "ps b2\n\nGood luck",
    )
    # It answers no letter, so it was written for the current state of the game.
    assert (kept.turn, kept.version) == (2, GAME.record.version)
    assert (found.lines_text, found.is_again, found.last_for) == (kept.words, False, "")


def test_what_is_held_was_written_for_the_board_of_its_letter() -> None:
    store = put()
    shown = letter(store, game("ps a1"))
    kept = the_question(store, mail("ps b2", OTHER, shown)).question
    assert (kept.turn, kept.version) == (1, shown.about.version)


def test_the_letter_does_not_show_whose_address_the_words_name() -> None:
    found = the_question(put(), mail(f"say I am {ADA}", ADA, **TAGGED))
    assert isinstance(found, events.CommandsHeld)
    assert ADA in found.question.words
    assert ADA not in found.lines_text


def test_only_the_beginning_of_a_long_mail_is_held() -> None:
    text = "ps b2\n\n" + "so many words " * 600
    found = the_question(put(), mail(text, ADA, **TAGGED))
    assert found.question.words == text[:MAX_HELD_CHARS].rstrip() + " ..."


@pytest.mark.parametrize(
    ("ada", "text", "by", "note"),
    [
        (BLOCKED, "ps b2", OTHER, "the player is blocked"),
        (AS_ADA, "", OTHER, FROM_UNKNOWN),
        (AS_ADA, "Nice game!", OTHER, FROM_UNKNOWN),
        (INVITED, "How does it work?", OTHER, FROM_UNKNOWN),
    ],
)
def test_nothing_is_asked(ada: Player, text: str, by: str, note: str) -> None:
    store = put(ada)
    told = EXPLAINED if note == FROM_UNKNOWN else ()
    assert asked(store, mail(text, by, letter(store, GAME))) == (told, note)


def test_of_a_stranger_only_commands_are_held_and_words_are_answered_with_a_welcome_once() -> None:
    store = put(INVITED)
    kept = the_question(store, mail("accept\nps b2\n\nBuy this!", ADA, **TAGGED)).question
    assert kept.words == "accept\nps b2"
    words = mail("Buy this!", ADA, **TAGGED)
    assert asked(store, words) == ((events.SenderWelcomed(),), "")
    letter(store, purpose=LetterPurpose.NONSENSE)
    assert asked(store, words) == ((), "no content, and the sender was not verified")


def test_no_question_is_asked_of_whom_enough_were() -> None:
    store = put()
    for _ in range(40):
        letter(store, GAME, purpose=LetterPurpose.UNSURE)
    assert asked(store, mail("ps b2", OTHER, letter(store, GAME))) == ((), TOO_MANY_LETTERS)


def test_a_fourth_question_takes_the_place_of_the_oldest() -> None:
    words = ("ps b1", "ps b2", "ps b3")
    three = [held(number, one) for number, one in enumerate(words, 1)]
    assert len(three) == MAX_OPEN_QUESTIONS
    new, same = mail("ps b4", ADA, **TAGGED), mail("ps b1", ADA, **TAGGED)
    assert gave_way(put(AS_ADA, *three[:2]), new) == (set(), set())
    assert gave_way(put(AS_ADA, *three), new) == (set(), {1})
    # Asking the same again takes no additional place. Questions that were replaced stay replaced.
    assert gave_way(put(AS_ADA, *three), same) == (set(), set())
    replaced = [replace(three[0], is_replaced=True), *three[1:]]
    assert gave_way(put(AS_ADA, *replaced), new) == (set(), set())


def test_of_many_questions_the_oldest_is_closed() -> None:
    many = [held(number, f"ps b{number}", is_replaced=True) for number in range(1, MAX_KEPT_QUESTIONS + 1)]
    assert gave_way(put(AS_ADA, *many[:-1]), mail("ps a5", ADA, **TAGGED)) == (set(), set())
    assert gave_way(put(AS_ADA, *many), mail("ps a5", ADA, **TAGGED)) == ({1}, set())


# Outside any game.


def to_other(store: Mailbag, number: int = 1, words: str = "seek 5", **columns: Any) -> Pending:
    """Return a question to another address."""
    asks = letter(store, to=OTHER, asks=True)
    store.questions.append(question(number, address=OTHER, words=words, letter=asks.message_id, **columns))
    return store.questions[-1]


@pytest.mark.parametrize(
    ("text", "words", "left_out", "has_words"),
    [
        ("seek 5", "seek 5", False, False),
        ("Seek 5x5\n\nHello!", "seek 5", False, True),
        ("seek 5\n/name Buy this", "seek 5", True, False),
        # A line that is probably an order is no words.
        ("seek 5\nresgin", "seek 5", True, False),
        ("seek 5\nresgin\n\nHello!", "seek 5", True, True),
    ],
)
def test_the_commands_that_are_asked_about(text: str, words: str, left_out: bool, has_words: bool) -> None:
    found = the_question(put(), mail(text, OTHER))
    assert isinstance(found, events.ConfirmationAsked)
    assert (found.question.kind, found.question.address) == (PendingKind.COMMANDS, OTHER)
    assert found.question.words == words
    assert (found.left_out, found.has_words, found.again) == (left_out, has_words, AskedAgain.NO)


def test_what_can_not_be_shown_has_to_be_written_in_answer() -> None:
    happened, _ = asked(put(), mail("name Buy this", OTHER))
    assert happened == (events.CommandsNotShown(),)


def test_an_address_is_not_shown_in_full() -> None:
    *_, trace = traced(put(), mail("new 5 vs someone@example.net", OTHER))
    assert trace.outcome is not None
    (found,) = trace.outcome.letters
    assert "new 5 vs s" in found.content.text
    assert "someone@example.net" not in found.content.text


@pytest.mark.parametrize(
    ("ago", "words", "is_replaced", "again"),
    [
        (MINUTE, "seek 5", False, False),
        (AGAIN_AFTER, "seek 5", False, True),
        (MINUTE, "seek 6", False, True),
        (MINUTE, "seek 5", True, True),
    ],
)
def test_the_same_commands_are_asked_about_once_a_day(
    ago: timedelta, words: str, is_replaced: bool, again: bool
) -> None:
    store = put()
    to_other(store, words=words, asked_at=NOW - ago, is_replaced=is_replaced)
    happened, note = asked(store, mail("seek 5", OTHER))
    assert bool(happened) is again
    assert again or note == "a question about the same commands is open already"


# Asking again.


def test_words_in_answer_to_a_question_have_it_asked_again() -> None:
    store = put()
    before = to_other(store)
    found = the_question(store, mail("Who asks?", OTHER, store.outbox[before.letter]))  # type: ignore[index]
    assert isinstance(found, events.ConfirmationAsked)
    assert (found.question.words, found.question.letter, found.again) == ("seek 5", None, AskedAgain.UNCLEAR)


def test_a_loose_yes_has_the_newest_words_of_the_seat_asked_again() -> None:
    store = put(AS_ADA, held(1, "ps b1"), held(2, "ps b2", is_replaced=True))
    found = the_question(store, mail("yes", ADA, **TAGGED))
    assert isinstance(found, events.CommandsHeld)
    assert (found.question.words, found.is_again) == ("ps b1", True)
    # A question of the answered letter also gets a new letter.
    asks = letter(store, GAME, asks=True)
    store.put(replace(GAME, pending=(held(1, "ps b1"), held(2, "ps b2", asks, is_replaced=True))))
    new = the_question(store, mail("yes", OTHER, asks)).question
    assert (new.words, new.asked_at, new.is_replaced, new.letter) == ("ps b2", NOW, False, None)


def test_a_loose_yes_may_be_meant_for_what_an_address_was_asked() -> None:
    store = put()
    asks = letter(store, asks=True)
    store.questions = [question(1, words="seek 5", letter=asks.message_id)]
    found = the_question(store, mail("yes", ADA, **TAGGED))
    assert isinstance(found, events.ConfirmationAsked)
    assert (found.question.address, found.question.words, found.again) == (ADA, "seek 5", AskedAgain.LOOSE)
    # Limits.
    store.questions = [
        replace(store.questions[0], id=PendingId(number)) for number in range(1, MAX_OPEN_QUESTIONS + 1)
    ]
    happened, note = asked(store, mail("yes", ADA, **TAGGED))
    assert (happened, "asked often enough" in note) == ((), True)


def test_no_address_is_asked_again_of_whom_enough_was() -> None:
    never_heard = replace(AS_ADA.main_mailbox, verified_at=None)
    store = put(replace(AS_ADA, mailboxes=(never_heard, Mailbox(OTHER, verified_at=NOW))))
    asks = letter(store, asks=True)
    store.questions = [question(1, words="seek 5", letter=asks.message_id)]
    for _ in range(SERVICES.rates.stranger_letters_per_day):
        letter(store, purpose=LetterPurpose.UNSURE)
    assert asked(store, mail("yes", OTHER, **TAGGED)) == ((), TOO_MANY_LETTERS)


@pytest.mark.parametrize(
    ("ada", "note"),
    [(AS_ADA, "a late yes, and the sender was not verified"), (BLOCKED, "the player is blocked")],
)
def test_a_loose_yes_with_nothing_open(ada: Player, note: str) -> None:
    store = put(ada)
    assert asked(store, mail("yes", OTHER, letter(store, GAME, asks=True))) == ((), note)
