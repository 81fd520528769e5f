"""A conversation in which the service writes a letter of every kind.

It imports nothing of the tests, as test_wheel has a copy of it run where only the installed wheel is known.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from takmail.commands.kinds import Ruling
from takmail.console import games as console
from takmail.inbound import Inbound
from takmail.pipeline.rulings import Word
from takmail.store.causes import Causes
from takmail.store.tables import Player, TurnRow

if TYPE_CHECKING:
    from tests.office import Office

ADA, BEN, OTHER = "ada@example.org", "ben@example.org", "other@example.org"
ADAS, BENS = f"Ada <{ADA}>", f"Ben <{BEN}>"


def every_kind(office: Office) -> None:
    """Have all of them written."""
    office.send(ADAS, "Hello, what is this?")
    office.begin()
    office.play("ps b4", "ps z9", "rs", "ps c3")
    office.send(ADAS, "rs", office.last(ADA))
    office.send(ADAS, "ps a1", to=office.services.address)
    office.send(ADAS, f"address add {OTHER}", office.last(ADA))
    office.send(f"Ada <{OTHER}>", "yes", office.last(OTHER))
    office.send(ADAS, f"address remove {OTHER}", office.last(ADA))
    for words in ("resign", "yes", "rematch"):
        office.send(ADAS, words, office.last(ADA))
    for words in ("rematch", "ps a1"):
        office.send(BENS, words, office.last(BEN))
    with office.store.transaction() as session:
        session.get_one(Player, 1).is_blocked = True
    office.now += timedelta(days=2)  # a stranger's first mail has been answered today already
    office.send(ADAS, "rs", office.last(ADA))
    _freeze_and_end(office)


def _freeze_and_end(office: Office) -> None:
    """Damage the second game, have a mail find it so, and end it."""
    with office.store.transaction() as session:
        session.get_one(TurnRow, (2, 1)).text = "no turn at all"
    inbound = Inbound(office.store, Causes(replace(office.services, operator=OTHER), office.clock))
    inbound.keep_one(office.mail(BENS, "#2 log").as_bytes())
    inbound.work()
    by = Word("Other", "nobody knows what was played")
    console.end(office.store, office.causes, 2, Ruling.VOID, by)
    office.collect()
