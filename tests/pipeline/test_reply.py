"""Which letter a mail answers, and which question a `yes` in it would answer."""

from dataclasses import replace
from datetime import timedelta

import pytest

from takmail.commands.questions import open_questions, resignations
from takmail.games.interface import Seat
from takmail.mail.message import ThreadHeaders
from takmail.pipeline.authenticate import RepliesTo, resolve_reply
from takmail.pipeline.confirmation import find_questions
from takmail.world.kinds import GameNumber, PendingId
from takmail.world.pending import LIFETIME, Pending
from takmail.world.waiting import PendingKind
from tests.commands.build import ADA, AS_ADA, AS_BEN, BEN, NOW, SERVICES, TAK, context, game
from tests.commands.people import question
from tests.pipeline.build import KEY, OTHER, Mailbag, answer_to, letter, loaded, lost, mail

GAME = game("ps a1")
MINUTE = timedelta(minutes=1)


@pytest.fixture
def store() -> Mailbag:
    """Ada plays with Ben."""
    found = Mailbag()
    found.put(GAME)
    return found


def replied(store: Mailbag, *answers: str) -> tuple[str | None, RepliesTo]:
    """Resolve a mail that answers some Message-IDs. Return the letter, and what kind it is."""
    message = mail("yes", thread=answer_to(*answers))
    found = resolve_reply(SERVICES, loaded(store, message), message)
    return (found.letter and found.letter.message_id), found.kind


def test_a_mail_that_answers_none_of_our_letters(store: Mailbag) -> None:
    assert replied(store) == (None, RepliesTo.NOTHING)
    assert replied(store, "<1@mail.example.org>") == (None, RepliesTo.NOTHING)


def test_the_letter_that_is_answered_and_whether_it_asks_for_a_yes(store: Mailbag) -> None:
    tells = letter(store, GAME)
    asks = letter(store, GAME, asks=True)
    about_none = letter(store, to=OTHER, asks=True)
    assert replied(store, tells.message_id, asks.message_id) == (tells.message_id, RepliesTo.OTHER)
    assert replied(store, asks.message_id.upper()) == (asks.message_id, RepliesTo.CLOSED)
    assert replied(store, about_none.message_id) == (about_none.message_id, RepliesTo.CLOSED)


def test_a_letter_that_is_lost_is_known_for_what_it_asked(store: Mailbag) -> None:
    asks, tells = (lost(store, letter(store, asks=one)) for one in (True, False))
    assert replied(store, asks.message_id) == (None, RepliesTo.LOST)
    assert replied(store, tells.message_id) == (None, RepliesTo.NOTHING)
    # The newest letter of takmail in the thread counts.
    newer = letter(store)
    message = mail("yes", thread=ThreadHeaders((), (asks.message_id, newer.message_id)))
    found = resolve_reply(SERVICES, loaded(store, message), message)
    assert (found.letter and found.letter.message_id, found.kind) == (newer.message_id, RepliesTo.OTHER)


@pytest.mark.parametrize(
    ("ago", "still"), [(timedelta(0), True), (LIFETIME, True), (LIFETIME + MINUTE, False)]
)
def test_a_question_is_open_for_a_time(ago: timedelta, still: bool) -> None:
    assert replace(question(1), asked_at=NOW - ago).at(NOW).is_open is still


def test_what_an_address_and_a_seat_are_asked(store: Mailbag) -> None:
    asks = letter(store).message_id
    mine, unsent, others = (
        question(1, letter=asks),
        question(2),
        question(3, address=BEN, letter=asks),
    )
    old = replace(question(4, letter=asks), asked_at=NOW - LIFETIME - MINUTE)
    confirms = replace(mine, id=PendingId(5), kind=PendingKind.ADDRESS)
    pending = (mine, unsent, others, old, confirms)
    assert open_questions(context(pending=pending), ADA) == [mine, confirms]

    def of_seat(number: int, kind: PendingKind, seat: Seat) -> Pending:
        return Pending(PendingId(number), kind, NOW, game=GameNumber(1), seat=seat)

    held, resign = of_seat(1, PendingKind.HELD, Seat.FIRST), of_seat(2, PendingKind.RESIGN, Seat.FIRST)
    bens = of_seat(3, PendingKind.HELD, Seat.SECOND)
    replaced = replace(of_seat(4, PendingKind.HELD, Seat.FIRST), is_replaced=True)
    table = replace(game(), pending=(held, resign, bens, replaced))
    assert open_questions(context(table)) == [held, resign, replaced]
    assert resignations(context(table)) == [resign]
    assert resignations(context(table, AS_BEN)) == []


def test_the_question_that_a_yes_from_an_address_is_about(store: Mailbag) -> None:
    one, other = letter(store, asks=True), letter(store, asks=True)
    first = question(1, words="seek 5", letter=one.message_id)
    second = question(2, words="seek 6", letter=other.message_id)
    to_own, to_one = KEY.personal_address(ADA), KEY.letter_address(one.message_id)

    def found(
        *pending: Pending, answers: bool = False, by: str = ADA, to: str = to_own, in_game: bool = False
    ) -> object:
        message = mail("yes", by, *([one] if answers else []), recipients=(to,))
        where = context(game() if in_game else None, AS_ADA, pending=pending, sender=by)
        reply = resolve_reply(SERVICES, loaded(store, message), message)
        return find_questions(where, reply).answered

    assert found(second, first, answers=True) == first
    assert found(replace(first, is_replaced=True), answers=True) == replace(first, is_replaced=True)
    assert found(second, answers=True) is None
    # If a program omits the reference, the reply address names the letter.
    assert found(second, first, to=to_one) == first
    assert found(second, to=to_one) is None
    assert found(first, to=to_one, in_game=True) == first
    # A reply to the address of all other letters, to one that proves nothing, and to another player's letter.
    assert found(first) is None
    assert found(first, to=TAK) is None
    assert found(first, answers=True, by=OTHER) is None
    assert found(replace(first, kind=PendingKind.ACCOUNT)) is None
    assert found(replace(first, kind=PendingKind.ACCOUNT), answers=True) is not None
