"""Mails whose headers decide their final state, and the events that they cause nevertheless."""

from dataclasses import replace
from typing import Any

import pytest

from takmail.commands.answers import CauseResult, Refusal
from takmail.games.interface import Seat
from takmail.letters.services import Services
from takmail.limits.letters import RateLimits
from takmail.limits.mails import Excess
from takmail.mail.message import Dmarc, MachineSign, Mail
from takmail.pipeline.authenticate import authenticate
from takmail.pipeline.gates import stopped
from takmail.pipeline.reactions import with_events
from takmail.pipeline.remembered import heard
from takmail.pipeline.results import context_of
from takmail.world import events
from takmail.world.kinds import GameNumber, LetterPurpose, MailState
from takmail.world.operations import Operation, ReleaseLetters, RememberAddress
from takmail.world.players import NO_TEXT, Player
from takmail.world.world import Cause
from tests.commands.build import ADA, AS_ADA, AS_BEN, EARLIER, NOW, SERVICES, game
from tests.pipeline.build import KEY, OTHER, Mailbag, letter, loaded, mail
from tests.support.corrupt import corrupt
from tests.support.tables import each_row

TO_SEAT: dict[str, Any] = {"recipients": (KEY.reply_address(1, Seat.FIRST),)}
STOP: dict[str, Any] = {"recipients": (KEY.unsubscribe_address(ADA)[0],)}
FEW = replace(SERVICES, rates=RateLimits(3, 2, 1))
"""Hourly limits: three answers to a verified player, two to an unverified one, one to a stranger."""
RELEASED = ReleaseLetters(player=AS_ADA.id, address=ADA, max_postponed=SERVICES.rates.letters_per_day)
REMEMBERED = RememberAddress(marks=KEY.marks(OTHER), verified_at=NOW)
AT_REST = replace(AS_ADA, mailboxes=(replace(AS_ADA.main_mailbox, stopped_at=NOW),))


def put(ada: Player = AS_ADA) -> Mailbag:
    store = Mailbag()
    store.put(game("ps a1", players=(ada, AS_BEN)))
    return store


def gate(
    store: Mailbag, message: Mail, services: Services = SERVICES, *, has_body: bool = True
) -> CauseResult | None:
    snapshot = loaded(store, message)
    sender = authenticate(services, snapshot, message)
    work = context_of(services, snapshot, sender)
    return stopped(services, work, snapshot, message, sender, has_body=has_body)


def happened(end: CauseResult) -> list[type[events.Event]]:
    return [type(one) for one in end.happened]


# Machines.


@each_row("sign", [one for one in MachineSign if one is not MachineSign.REPORT])
def test_what_a_machine_wrote_ends_in_silence(sign: MachineSign) -> None:
    end = gate(put(), mail("ps b2", ADA, machine=sign, **TO_SEAT))
    assert end is not None
    assert (end.mail_state, end.note) == (MailState.MACHINE, sign.value)
    assert (end.happened, end.reports, end.is_silent) == ((), (), True)


def test_a_delivery_report_is_read_on() -> None:
    assert gate(put(), mail("", "", machine=MachineSign.REPORT), has_body=False) is None
    end = gate(put(), mail("", "", machine=MachineSign.REPORT))
    assert end is not None
    assert end.mail_state is MailState.MACHINE


@pytest.mark.parametrize(
    ("values", "is_from_person", "is_one"),
    [
        ({}, False, False),
        ({"machine": MachineSign.LIST}, False, True),
        ({"machine": MachineSign.LIST}, True, False),
        ({"machine": MachineSign.LIST, **STOP}, False, False),
        ({"machine": MachineSign.NO_SENDER}, False, True),
        ({"machine": MachineSign.NO_SENDER, "excess": Excess.NESTING}, False, False),
        ({"machine": MachineSign.NO_SENDER, "excess": Excess.DEPTH}, False, True),
    ],
)
def test_no_person_wrote_it(values: dict[str, Any], is_from_person: bool, is_one: bool) -> None:
    message = mail("ps b2", ADA, **values)
    snapshot = replace(loaded(put(), message), cause=Cause("mail 1", 1, is_from_person=is_from_person))
    sender = authenticate(SERVICES, snapshot, message)
    end = stopped(SERVICES, context_of(SERVICES, snapshot, sender), snapshot, message, sender)
    assert (end is not None and end.mail_state is MailState.MACHINE) is is_one


# Players who opted out or are blocked.


def test_a_stop_by_the_header_of_a_letter_is_done_in_silence() -> None:
    end = gate(put(replace(AS_ADA, is_blocked=True)), mail("", ADA, **STOP))
    assert end is not None
    assert end.mail_state is MailState.REJECTED
    assert happened(end)[0] is events.MailStopped
    assert (end.reports, end.is_silent) == ((), True)
    # The same address in another mail's From proves nothing.
    assert gate(put(), mail("", OTHER, **STOP)) is None


def test_a_blocked_player_is_told_once_a_day() -> None:
    store = put(replace(AS_ADA, is_blocked=True))
    first = gate(store, mail("ps b2", ADA, **TO_SEAT))
    assert first is not None
    assert (first.mail_state, first.note) == (MailState.REJECTED, "the player is blocked")
    assert happened(first)[0] is events.BlockedPlayerNotified
    letter(store, purpose=LetterPurpose.NONSENSE)
    again = gate(store, mail("ps b2", ADA, **TO_SEAT))
    assert again is not None
    assert events.BlockedPlayerNotified not in happened(again)
    assert gate(store, mail("ps b2", OTHER)) is None


# Limits.


@pytest.mark.parametrize(
    ("by", "values", "kind", "limit", "most"),
    [
        (ADA, TO_SEAT, LetterPurpose.SURE, "answers_per_hour", 3),
        (ADA, {"subject": "[tak #1]"}, LetterPurpose.UNSURE, "unproven_answers_per_hour", 2),
        (OTHER, {}, LetterPurpose.UNSURE, "stranger_answers_per_hour", 1),
        (OTHER, {"dmarc": Dmarc.PASS}, LetterPurpose.SURE, "unproven_answers_per_hour", 2),
    ],
)
def test_only_so_many_mails_are_answered_within_an_hour(
    by: str, values: dict[str, Any], kind: LetterPurpose, limit: str, most: int
) -> None:
    store = put()
    for _ in range(most):
        assert gate(store, mail("help", by, **values), FEW) is None
        letter(store, to=by, purpose=kind)
    end = gate(store, mail("help", by, **values), FEW)
    assert end is not None
    assert (end.mail_state, end.note) == (MailState.REJECTED, f"over the limit: [limits] {limit} = {most}")
    told = [one.answer for one in end.reports]
    # Only a verified sender is notified, and only once.
    if kind is LetterPurpose.SURE:
        assert [(one.reason, one.facts) for one in told if isinstance(one, Refusal)] == [
            ("pace", {"most": most})
        ]
        letter(store, to=by, purpose=kind)
        again = gate(store, mail("help", by, **values), FEW)
        assert again is not None
        assert again.is_silent
    else:
        assert (told, end.is_silent) == ([], True)


@pytest.mark.parametrize(
    ("by", "excess", "note", "is_told"),
    [
        (ADA, Excess.PARTS, "over the limit: [limits] mime_parts = 500", True),
        (ADA, Excess.WORK, "it would take too much work to read", True),
        (OTHER, Excess.PARTS, "over the limit: [limits] mime_parts = 500", False),
    ],
)
def test_a_mail_over_a_limit_is_not_read(by: str, excess: Excess, note: str, is_told: bool) -> None:
    end = gate(put(), mail("", by, excess=excess))
    assert end is not None
    assert (end.mail_state, end.note) == (MailState.REJECTED, note)
    told = [one.answer.reason for one in end.reports if isinstance(one.answer, Refusal)]
    assert told == (["excess"] if is_told else [])
    assert end.is_silent is not is_told


def test_why_a_mail_is_not_read_is_said_in_its_game_if_its_player_surely_wrote() -> None:
    for values, number in ((TO_SEAT, 1), ({"subject": "[tak #1]"}, None)):
        end = gate(put(), mail("", ADA, excess=Excess.PARTS, **values))
        assert end is not None
        assert (end.claim and end.claim.game) == number


def test_of_a_corrupt_game_nothing_is_said_in_it() -> None:
    store = put()
    store.put(corrupt(store.tables[GameNumber(1)]))
    end = gate(store, mail("", ADA, excess=Excess.PARTS, **TO_SEAT))
    assert end is not None
    assert (end.claim, [one.line for one in end.reports]) == (None, [""])


# Verified mails.


@pytest.mark.parametrize(
    ("ada", "by", "values", "is_received", "found"),
    [
        (AS_ADA, ADA, TO_SEAT, True, (RELEASED,)),
        (AS_ADA, ADA, {"dmarc": Dmarc.PASS}, True, (RELEASED,)),
        # A mail from a player who opted out does not by itself resume mail to the player.
        (AT_REST, ADA, TO_SEAT, True, ()),
        (AS_ADA, ADA, {"subject": "[tak #1]"}, False, ()),
        (AS_ADA, OTHER, TO_SEAT, False, ()),
        (AS_ADA, OTHER, {"dmarc": Dmarc.PASS}, False, (REMEMBERED,)),
    ],
)
def test_who_has_surely_written_is_heard(
    ada: Player, by: str, values: dict[str, Any], is_received: bool, found: tuple[Operation, ...]
) -> None:
    message = mail("ps b2", by, **values)
    store = put(ada)
    snapshot = loaded(store, message)
    sender = authenticate(SERVICES, snapshot, message)
    changes = heard(SERVICES, snapshot, sender, NO_TEXT)
    after = with_events(context_of(SERVICES, snapshot, sender), changes).world
    mailbox = after.player(ada.id).main_mailbox
    assert mailbox.verified_at == (NOW if is_received else EARLIER)
    assert mailbox.stopped_at == ada.main_mailbox.stopped_at
    assert after.operations == found
