"""Build players and mails for tests of commands about players."""

from dataclasses import replace
from datetime import timedelta

from takmail.commands.context import Context
from takmail.world.kinds import PendingId, PlayerId, SeekNumber
from takmail.world.pace import NO_TIMING
from takmail.world.pending import Pending
from takmail.world.players import Seek
from takmail.world.waiting import PendingKind
from tests.commands.build import ADA, AS_ADA, AS_BEN, NOW, Stored, context, player

FAY = "fay@example.org"
AS_FAY = player(3, "Fay", FAY)
NEW = "new@example.org"
"""The address of somebody who has never written."""
DAY = timedelta(days=1)


def people() -> Stored:
    """Return a store that contains Ada, Ben and Fay."""
    return Stored().put(AS_ADA, AS_BEN, AS_FAY)


def by_new(stored: Stored, name: str = "") -> Context:
    """Return the context of a mail by somebody who has never written."""
    return context(by=None, stored=stored, sender=NEW, sender_name=name)


def seek_of(number: int, owner: int, setup: str = "5", first: str | None = None, days_ago: int = 1) -> Seek:
    """Return a seek that player `owner` opened."""
    sought_at = NOW - days_ago * DAY
    return Seek(SeekNumber(number), PlayerId(owner), "tak", setup, first, NO_TIMING, False, sought_at)


def question(number: int, kind: PendingKind = PendingKind.COMMANDS, **columns: object) -> Pending:
    """Return a stored question. By default it is addressed to Ada's address."""
    asked = Pending(PendingId(number), kind, asked_at=NOW - DAY)
    return replace(asked, **({"address": ADA} | columns))  # type: ignore[arg-type]
