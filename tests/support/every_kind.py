"""A conversation in which the service writes every kind of letter.

It imports nothing from the tests, because test_wheel runs a copy of it with only the installed wheel.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from sqlmodel import update

from takmail.cli import games as console
from takmail.pipeline.due import on_due
from takmail.pipeline.rulings import OperatorNote
from takmail.runtime.mail_worker import MailWorker
from takmail.store.causes import Causes, new_cause
from takmail.store.tables import OutboxRow, PlayerRow, TurnRow
from takmail.world.ids import GameNumber
from takmail.world.kinds import LetterState, Ruling

if TYPE_CHECKING:
    from tests.support.harness import Harness

ADA, BEN, OTHER = "ada@example.org", "ben@example.org", "other@example.org"
ADAS, BENS = f"Ada <{ADA}>", f"Ben <{BEN}>"


def every_kind(harness: Harness) -> None:
    """Make the service write every kind of letter."""
    harness.send(ADAS, "Hello, what is this?")
    harness.begin()
    harness.play("ps b4", "ps z9", "rs", "ps c3")
    _remind(harness)
    harness.send(ADAS, "rs", harness.last(ADA))
    harness.send(ADAS, "A nice game!", harness.last(ADA))
    harness.send(f"Other <{OTHER}>", "A nice game!", harness.last(ADA))
    harness.send(ADAS, "ps a1", to=harness.services.address)
    harness.send(ADAS, f"address add {OTHER}", harness.last(ADA))
    harness.send(f"Ada <{OTHER}>", "yes", harness.last(OTHER))
    harness.send(ADAS, f"address remove {ADA}", harness.last(ADA))
    harness.send(ADAS, f"address remove {OTHER}", harness.last(ADA))
    for words in ("resign", "yes", "rematch"):
        harness.send(ADAS, words, harness.last(ADA))
    for words in ("rematch", "ps a1"):
        harness.send(BENS, words, harness.last(BEN))
    with harness.store.transaction() as session:
        session.get_one(PlayerRow, 1).is_blocked = True
    harness.now += timedelta(days=2)  # today, a stranger's mail was already answered
    harness.send(ADAS, "rs", harness.last(ADA))
    _freeze_and_end(harness)


def _remind(harness: Harness) -> None:
    """Let all letters leave, and remind a player of a turn that waits for a week."""
    with harness.store.transaction() as session:
        session.exec(update(OutboxRow).values(state=LetterState.SENT))
    harness.now += timedelta(days=7)
    with harness.store.transaction() as session:
        cause, act = new_cause("a week later", harness.now), partial(on_due, number=GameNumber(1))
        harness.causes.decide(session, cause, act, games=(GameNumber(1),), with_turn_times=True)
    assert [letter.to for letter in harness.collect()] == [ADA]


def _freeze_and_end(harness: Harness) -> None:
    """Damage the second game, let a mail reveal it, and end the game."""
    with harness.store.transaction() as session:
        session.get_one(TurnRow, (2, 1)).text = "no turn at all"
    mail_worker = MailWorker(harness.store, Causes(replace(harness.services, operator=OTHER), harness.clock))
    mail_worker.keep_one(harness.mail(BENS, "#2 log").as_bytes())
    mail_worker.work()
    by = OperatorNote("Other", "nobody knows what was played")
    console.end(harness.store, harness.causes, 2, Ruling.VOID, by)
    harness.collect()
