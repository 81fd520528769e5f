"""Delivery reports: bounced letters, and reports that are no bounces."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from takmail.commands.answers import CauseResult
from takmail.commands.context import Context
from takmail.games.interface import Seat
from takmail.letters.news.rows import has_row
from takmail.limits.letters import MAX_BOUNCES
from takmail.mail.message import Bounce, MachineSign, MailBody
from takmail.pipeline.authenticate import authenticate
from takmail.pipeline.results import context_of
from takmail.pipeline.returned import AGAIN_AFTER, on_bounce, returned
from takmail.world import events
from takmail.world.kinds import GameNumber, LetterState, MailState, Standing
from takmail.world.letters import ReturnedLetter
from takmail.world.operations import ReturnLetter, SuspendLetters
from takmail.world.world import World
from tests.commands.build import AS_ADA, AS_BEN, BEN, NOW, SERVICES, Stored, after, context, done, game
from tests.commands.people import AS_FAY, FAY
from tests.pipeline.build import KEY, Mailbag, letter, loaded, mail

GAME = game("ps a1", number=1)


def put(**to_ben: Any) -> Mailbag:
    """Return a store in which a letter to Ben about his game was sent."""
    store = Mailbag()
    store.put(GAME)
    letter(store, GAME, Seat.SECOND, **to_ben)
    return store


def reported(store: Mailbag, bounce: Bounce | None) -> CauseResult:
    message = mail("", "", machine=MachineSign.REPORT, body=MailBody(bounce=bounce))
    snapshot = loaded(store, message)
    sender = authenticate(SERVICES, snapshot, message)
    return returned(context_of(SERVICES, snapshot, sender), message)


def bounce_of(store: Mailbag, **values: Any) -> Bounce:
    (name,) = store.outbox
    return replace(Bounce((name,), permanent=True, reason="5.1.1, unknown", words="No such user"), **values)


def bounces(world: World) -> int:
    """Return how many letters to Ben have come back."""
    owner = world.owner(BEN)
    assert owner is not None
    return owner.main_mailbox.bounces


def returning(store: Mailbag, retry_at: datetime | None) -> ReturnLetter:
    return ReturnLetter(letter=next(iter(store.outbox)), reason="No such user", retry_at=retry_at)


@pytest.mark.parametrize("named", ["id", "address", "link"])
def test_a_letter_that_came_back_goes_out_once_more(named: str) -> None:
    store = put()
    # The letter is found by its Message-ID (in any case of letters), or by a reply address that names it.
    (name,) = store.outbox
    bounce = bounce_of(store, letters=(name.upper(),))
    if named != "id":
        reply_to = (KEY.reply_address(1, Seat.SECOND), KEY.letter_address(name))
        bounce = replace(bounce, letters=("<X@example.test>",) * (named == "link"), reply_to=reply_to)
    end = reported(store, bounce)
    assert (end.mail_state, end.note) == (MailState.MACHINE, "report: letter 1 bounced: 5.1.1, unknown")
    assert end.is_silent
    assert not any(map(has_row, end.happened))
    assert bounces(end.world) == 1
    assert end.world.operations == (returning(store, NOW + AGAIN_AFTER),)


def test_a_letter_may_come_back_before_its_sender_knows_that_it_has_left() -> None:
    store = put(state=LetterState.QUEUED)
    after = reported(store, bounce_of(store)).world
    assert bounces(after) == 1
    assert after.operations == (returning(store, NOW + AGAIN_AFTER),)


@pytest.mark.parametrize(
    ("to_ben", "bounce", "note", "is_ended"),
    [
        ({}, {"letters": ("<x@example.test>",)}, "not about a letter of takmail", False),
        (
            {},
            {"letters": (), "reply_to": (KEY.reply_address(1, Seat.SECOND),)},
            "not about a letter of takmail",
            False,
        ),
        (
            {},
            {"letters": (), "reply_to": ("tak+1.zzz@example.test",)},
            "not about a letter of takmail",
            False,
        ),
        ({"mail_to": ""}, {}, "letter 1 was to a player whose data was erased", False),
        ({"state": LetterState.BOUNCED}, {}, "letter 1 had already bounced or ended", False),
        ({"state": LetterState.WITHDRAWN}, {}, "letter 1 had already bounced or ended", False),
        # The reader is not the reason, so the operator has to look at it.
        ({}, {"permanent": False}, "letter 1 was not delivered: 5.1.1, unknown", True),
    ],
)
def test_a_report_that_leads_to_less(
    to_ben: dict[str, Any], bounce: dict[str, Any], note: str, is_ended: bool
) -> None:
    store = put(**to_ben)
    end = reported(store, bounce_of(store, **bounce))
    assert (end.note, bounces(end.world)) == (f"report: {note}", 0)
    assert not any(map(has_row, end.happened))
    assert end.world.operations == ((returning(store, None),) if is_ended else ())


@pytest.mark.parametrize("days", [0, 4, 5, 30])
def test_a_letter_that_came_back_for_our_limit_goes_out_again_for_some_days(days: int) -> None:
    store = put(created_at=NOW - timedelta(days=days))
    bounce = bounce_of(store, permanent=False, reason="5.1.90, a limit on sending", is_limit=True)
    after = reported(store, bounce).world
    again = NOW + AGAIN_AFTER if days < 5 else None
    assert after.operations == (returning(store, again),)
    assert bounces(after) == 0


def test_a_report_of_no_letter() -> None:
    assert reported(put(), None).note == "report: no letter bounced"


# Notifications.


def back(stored: Stored, to: str = BEN, of: int | None = 1, **values: Any) -> Context:
    """Return the context after a letter came back."""
    number = None if of is None else GameNumber(of)
    one = ReturnedLetter(
        7, next(iter(put().outbox)), to, LetterState.SENT, number, has_bytes=True, created_at=NOW
    )
    before = context(stored=stored)
    return after(before, on_bounce(before, replace(one, **values), "full"))


def known(bounces: int, *games: Any) -> Stored:
    """Return a store in which this many letters to Ben have bounced."""
    ben = replace(AS_BEN, mailboxes=(replace(AS_BEN.main_mailbox, bounces=bounces),))
    found = Stored().put(*games)
    found.put(ben)
    return found


def told(later: Context) -> list[tuple[int, Seat]]:
    return [(one.game, one.seat) for one in done(later, events.OpponentUnreachable)]


RUNNING = (
    game(number=1),
    game(number=2, players=(AS_BEN, AS_FAY), standing=Standing.ADJOURNED),
    game(number=3, standing=Standing.OVER),
)


@pytest.mark.parametrize("before", range(MAX_BOUNCES + 2))
def test_the_opponents_are_told_once_and_then_the_address_rests(before: int) -> None:
    later = back(known(before, *RUNNING))
    is_last = before + 1 == MAX_BOUNCES
    assert told(later) == ([(1, Seat.SECOND), (2, Seat.FIRST)] if is_last else [])
    assert bounces(later.world) == before + 1
    assert (SuspendLetters(address=BEN) in later.world.operations) is (before + 1 >= MAX_BOUNCES)


@pytest.mark.parametrize(
    ("before", "players", "of", "is_told"),
    [
        (0, (AS_ADA, AS_BEN), 4, True),
        (1, (AS_ADA, AS_BEN), 4, False),
        (0, (AS_ADA, AS_BEN), 9, False),
        (0, (AS_BEN, AS_ADA), 4, False),
    ],
)
def test_who_invited_somebody_hears_at_once_that_the_address_may_be_mistyped(
    before: int, players: Any, of: int, is_told: bool
) -> None:
    invitation = game(number=4, players=players, standing=Standing.INVITED)
    assert told(back(known(before, invitation), of=of)) == ([(4, Seat.SECOND)] if is_told else [])


@pytest.mark.parametrize(
    ("values", "is_ended"),
    [
        ({"to": ""}, False),
        ({"to": FAY}, True),
        ({"has_bytes": False}, True),
    ],
)
def test_a_letter_that_can_not_go_out_again(values: dict[str, Any], is_ended: bool) -> None:
    later = back(known(0, game()), **values)
    assert not any(map(has_row, later.so_far.happened))
    assert bounces(later.world) == 0
    returned = [(type(one), getattr(one, "retry_at", None)) for one in later.world.operations]
    assert returned == [(ReturnLetter, None)] * is_ended
