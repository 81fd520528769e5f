"""A conversation in which the service writes every kind of letter.

It imports nothing from the tests, because test_wheel runs a copy of it with only the installed wheel.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import partial
from itertools import cycle
from typing import TYPE_CHECKING

from sqlmodel import update

from takmail.cli import games as console
from takmail.games.interface import Seat
from takmail.games.thinking import Finding, Hint, Review
from takmail.pipeline.due import on_due
from takmail.pipeline.rulings import OperatorNote
from takmail.runtime.mail_worker import MailWorker
from takmail.store.causes import Causes, new_cause
from takmail.store.tables import OutboxRow, PlayerRow, TurnRow
from takmail.world import events
from takmail.world.kinds import GameNumber, LetterState, Ruling

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
    for words in ("resign", "yes", "review"):
        harness.send(ADAS, words, harness.last(ADA))
    _tell_thoughts(harness)
    harness.send(ADAS, "rematch", harness.last(ADA))
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


def _tell_thoughts(harness: Harness) -> None:
    """Send a review with all that can be found, and hints, as if a process had thought about them."""
    names = (
        "road_missed",
        "road_allowed",
        "tinue_missed",
        "tinue_allowed",
        "lost",
        "only_win",
        "only_defence",
    )
    findings = tuple(
        Finding(
            name, 2, seat, "ps c3", ("ps b2", "pc b2"), ("ps b2", "ps c4", "ps b3"), {"plies": 3, "within": 5}
        )
        for name in names
        for seat in Seat
    )
    areas = (
        "north",
        "north-east",
        "east",
        "south-east",
        "south",
        "south-west",
        "west",
        "north-west",
        "middle",
    )
    hints = [
        Hint(name, "ps b2", {"area": area, "is_move": is_move})
        for name, area, is_move in zip(
            cycle(("road", "tinue", "block", "lost", "good")), areas, cycle((True, False))
        )
    ]
    one = GameNumber(1)
    reviews = (Review(findings, True, 5), Review((), False, 5), None)
    happened: list[events.Event] = [
        *(events.GameReviewed(game=one, seat=seat, review=review) for review in reviews for seat in Seat),
        *(events.GameReviewed(game=one, seat=Seat.FIRST, review=review, turn=2) for review in reviews[:2]),
        *(
            events.HintGiven(game=one, seat=Seat.FIRST, hint=hint, is_whole=is_whole, left=left)
            for hint, left in zip(hints, cycle(range(3)))
            for is_whole in (False, True)
        ),
        events.HintGiven(game=one, seat=Seat.FIRST, hint=None, is_whole=False, left=2),
    ]
    with harness.store.transaction() as session:
        cause = new_cause("thoughts", harness.now)
        harness.causes.decide(session, cause, lambda _: tuple(happened), games=(one,))
    harness.collect()


def _freeze_and_end(harness: Harness) -> None:
    """Damage the second game, let a mail reveal it, and end the game."""
    with harness.store.transaction() as session:
        session.get_one(TurnRow, (2, 1)).text = "no turn at all"
    mail_worker = MailWorker(
        harness.store, Causes(replace(harness.services, operator=OTHER), harness.time_source)
    )
    mail_worker.keep_one(harness.mail(BENS, "#2 log").as_bytes())
    mail_worker.work()
    by = OperatorNote("Other", "nobody knows what was played")
    console.end(harness.store, harness.causes, 2, Ruling.VOID, by)
    harness.collect()
