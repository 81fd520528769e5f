"""The decision on a mail, given its words and the open questions, and the question that it answers."""

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import pytest

from takmail.commands.grammar.understood import of_orders
from takmail.games.interface import Seat
from takmail.letters.letter import Letter
from takmail.mail.message import Dmarc, Mail
from takmail.pipeline.authorize import Action, Says, says
from takmail.world.game import Game
from takmail.world.kinds import GameNumber, PendingId
from takmail.world.pending import Pending
from takmail.world.waiting import PendingKind
from tests.commands.build import ADA, NOW, context, game
from tests.commands.people import question
from tests.pipeline.build import KEY, OTHER, Mailbag, decided, letter, lost, mail
from tests.support.pending import an_offer
from tests.support.tables import each_row

GAME = game("ps a1", "ps e5")
RELAY = game("ps a1", "ps e5", is_relay=True)
TAGGED = {"subject": "[tak #1]"}
VOUCHED = {"subject": "[tak #1]", "dmarc": Dmarc.PASS}
BOARD = "S 0 0 0 0\n0 0 0 0 0\n0 0 s 0 0\n0 0 0 0 0\n0 0 0 0 s"


def held(number: int, of: Letter | None = None, minutes: int = 0, **columns: Any) -> Pending:
    """Return a question about held commands for Ada's seat."""
    asked_at = NOW - timedelta(minutes=minutes)
    found = Pending(PendingId(number), PendingKind.HELD, asked_at, "ps b2", GameNumber(1), Seat.FIRST, 5, 2)
    return replace(found, letter=of.message_id if of else None, **columns)


def draw_of(seat: Seat) -> Pending:
    return an_offer(5, seat, PendingKind.DRAW, 2, NOW)


def put(table: Game | None = None, *questions: Pending) -> Mailbag:
    """Return a store with a game that has some open questions, or with questions to addresses only."""
    store = Mailbag()
    if table is not None:
        store.put(
            replace(table, pending=(*table.every_offer, *(one for one in questions if one.game is not None)))
        )
    store.questions = [one for one in questions if one.game is None]
    return store


@dataclass(frozen=True)
class Decision:
    """What to do with a mail, and the question that it confirms or about which it asks again."""

    action: Action
    question: Pending | None


def decision(store: Mailbag, message: Mail) -> Decision:
    trace = decided(store, message)
    assert trace.decision is not None
    assert trace.interpreted is not None
    questions = trace.interpreted.questions
    asked = {Action.CONFIRM: questions.answered, Action.ASK_AGAIN: questions.likely}
    return Decision(trace.decision, asked.get(trace.decision))


# What a mail says.


@each_row(
    ("chat", "expected"),
    [
        ("ok", Says.YES),
        ("OK!", Says.YES),
        ("no.", Says.NO),
        ("\n\nyes\n\n", Says.YES),
        ("yes\n\nAda", Says.YES),
        ("ok\n\nThanks, Ben :D\nKind regards,\nAda Lovelace", Says.YES),
        ("ok\n\nsee you on Friday", Says.ACTS),
        ("no\nI have to think", Says.ACTS),
        ("Ada\nyes", Says.YES),
        ("well, yes", Says.YES),
        ("Да, да", Says.YES),
        ("yes, see you on Friday", Says.ACTS),
        ("", Says.NOTHING),
    ],
)
def test_an_answer_in_a_game_is_one_if_nothing_else_is_said(chat: str, expected: Says) -> None:
    here = context(game(), sender_name="Ada Lovelace")
    assert says(here, of_orders((), chat)) is expected


@each_row(
    ("text", "table", "action"),
    [
        ("show", GAME, Action.RUN),
        ("show\nmoves b2\nhelp\nmatch\nview\ngames", GAME, Action.RUN),
        ("why", GAME, Action.RUN),
        ("rs", GAME, Action.RUN),
        (BOARD, GAME, Action.RUN),
        ("", GAME, Action.RUN),
        ("view html", GAME, Action.RUN),
        ("view html\nlanguage ru\nshow", GAME, Action.RUN),
        ("view html\n\nHello Ben", GAME, Action.ASK),
        ("view html\nps b2", GAME, Action.ASK),
        # Whoever reads no letters meanwhile may lose by these, or is called otherwise before others.
        ("away 3 days", GAME, Action.ASK),
        ("reads ptn", GAME, Action.ASK),
        ("back", GAME, Action.ASK),
        ("holiday manual", GAME, Action.ASK),
        ("reminders off", GAME, Action.ASK),
        ("name Wolf", GAME, Action.ASK),
        ("block", GAME, Action.RUN),
        ("block Ben", GAME, Action.ASK),
        ("mydata", GAME, Action.ASK),
        ("ps b2", GAME, Action.ASK),
        ("show\nps b2", GAME, Action.ASK),
        ("show\n\nDo you like it?", GAME, Action.ASK),
        ("Do you like it?", GAME, Action.ASK),
        # A relay game forwards commands that elsewhere only show something.
        ("rs", RELAY, Action.ASK),
        (BOARD, RELAY, Action.ASK),
        ("log", RELAY, Action.RUN),
    ],
)
def test_from_the_address_alone_looking_and_settings_are_free(text: str, table: Game, action: Action) -> None:
    assert decision(put(table), mail(text, ADA, **TAGGED)).action is action


@each_row(
    ("text", "action"),
    [
        ("help", Action.RUN),
        ("rules\nseeks", Action.RUN),
        ("Hello, what is this?", Action.RUN),
        # The commands need a game, and there is none, so nothing is done.
        ("ps b2", Action.RUN),
        ("resign", Action.RUN),
        ("seek 5", Action.ASK),
        ("help\nseek 5", Action.ASK),
        ("name Someone", Action.ASK),
        ("mydata", Action.ASK),
        ("stop", Action.ASK),
        ("forget me", Action.ASK),
    ],
)
def test_of_a_stranger_about_no_game(text: str, action: Action) -> None:
    assert decision(put(GAME), mail(text, OTHER)).action is action
    assert decision(put(GAME), mail(text, OTHER, dmarc=Dmarc.PASS)).action is Action.RUN


@pytest.mark.parametrize("text", ["yes", "Yes!", "no", "ok", "/yes"])
def test_a_bare_answer_and_it_is_open_what_to(text: str) -> None:
    found = decision(put(GAME, held(1)), mail(text, ADA, **VOUCHED))
    assert (found.action, found.question) == (Action.ASK_AGAIN, held(1))


@pytest.mark.parametrize("text", ["yes\nps b2", "ps b2", "show", "Do you like it?"])
def test_what_is_more_than_a_bare_answer_is_carried_out(text: str) -> None:
    found = decision(put(GAME, held(1)), mail(text, ADA, **VOUCHED))
    assert (found.action, found.question) == (Action.RUN, None)


# What a mail answers.


def test_the_question_of_the_very_letter_is_confirmed() -> None:
    store = put(GAME)
    one, other = letter(store, GAME, asks=True), letter(store, GAME, asks=True)
    first, second = held(1, one), held(2, other, is_replaced=True)
    store.put(replace(GAME, pending=(first, second)))
    for answered, asked in ((one, first), (other, second)):
        found = decision(store, mail("yes", ADA, answered))
        assert (found.action, found.question) == (Action.CONFIRM, asked)
        assert decision(store, mail("no", ADA, answered)).action is Action.RUN
        by_other = decision(store, mail("yes", OTHER, answered))
        assert (by_other.action, by_other.question) == (Action.ASK_AGAIN, asked)


def test_a_letter_that_asks_no_more() -> None:
    store = put(GAME, held(1))
    asks, tells = letter(store, GAME, asks=True), letter(store, GAME)
    assert decision(store, mail("yes", ADA, asks)).action is Action.LATE
    assert decision(store, mail("ps b2", ADA, asks)).action is Action.RUN
    assert decision(store, mail("yes", ADA, tells)).action is Action.RUN
    gone = lost(store, letter(store, GAME, asks=True))
    found = decision(store, mail("yes", ADA, gone))
    assert (found.action, found.question) == (Action.ASK_AGAIN, held(1))
    assert decision(put(GAME), mail("yes", ADA, gone)).action is Action.RUN


def test_a_letter_that_asks_whether_its_reader_gives_the_game_up() -> None:
    for seat, action in ((Seat.FIRST, Action.CONFIRM), (Seat.SECOND, Action.LATE)):
        store = put()
        asks = letter(store, GAME, asks=True)
        resign = held(1, asks, kind=PendingKind.RESIGN, words="resign", seat=seat)
        store.put(replace(GAME, pending=(resign,)))
        assert decision(store, mail("yes", ADA, asks)).action is action


def test_a_question_to_an_address_is_confirmed_from_there() -> None:
    store = put()
    asks = letter(store, to=OTHER, asks=True)
    asked = question(1, address=OTHER, words="seek 5", letter=asks.message_id)
    store.questions = [asked]
    found = decision(store, mail("yes", OTHER, asks))
    assert (found.action, found.question) == (Action.CONFIRM, asked)
    again = decision(store, mail("Who asks?", OTHER, asks))
    assert (again.action, again.question) == (Action.ASK_AGAIN, asked)
    newer = question(2, address=OTHER, words="seek 6", letter=letter(store, to=OTHER).message_id)
    store.questions.append(newer)
    new_mail = mail("Who asks?", OTHER, recipients=(KEY.personal_address(OTHER),))
    assert decision(store, new_mail).question == newer
    assert decision(store, mail("Who asks?", OTHER, asks)).question == asked
    # The letter's token from another address is not the sender's own.
    assert decision(store, mail("yes", ADA, asks)).action is Action.ASK


# What is open.


def test_the_newest_question_is_the_likely_one_unless_a_letter_is_answered() -> None:
    store = put(GAME)
    asks = letter(store, to=ADA, asks=True)
    to_address = question(3, letter=asks.message_id, asked_at=NOW - timedelta(minutes=5))
    older, newer = held(1, minutes=9), held(2, minutes=1)
    bens, replaced = held(4, seat=Seat.SECOND), held(5, is_replaced=True)
    store.questions = [to_address]

    def likely(*questions: Pending, **how: Any) -> Pending | None:
        store.put(replace(GAME, pending=questions))
        return decision(store, mail("yes", ADA, **{**VOUCHED, **how})).question

    assert likely(older, newer, bens, replaced) == newer
    assert likely(older, bens, replaced) == to_address
    assert likely(older, newer, recipients=(KEY.personal_address(ADA),)) == newer


def test_an_offer_takes_a_bare_yes_as_its_own_and_a_resignation_is_asked_again() -> None:
    resign = held(2, kind=PendingKind.RESIGN, words="resign")
    offered = replace(GAME, pending=(draw_of(Seat.SECOND),))
    assert decision(put(offered, held(1)), mail("yes", ADA, **VOUCHED)).action is Action.RUN
    found = decision(put(GAME, held(1), resign), mail("yes", ADA, **TAGGED))
    assert (found.action, found.question) == (Action.ASK_AGAIN, resign)
    assert decision(put(GAME, resign), mail("yes", ADA, **VOUCHED)).action is Action.RUN
    # It answers no letter that shows the offer, so it agrees to nothing, whoever wrote it.
    assert decision(put(offered, held(1)), mail("yes", ADA, **TAGGED)).action is Action.RUN
    own = replace(GAME, pending=(draw_of(Seat.FIRST),))
    assert decision(put(own, held(1)), mail("yes", ADA, **VOUCHED)).action is Action.ASK_AGAIN
