"""Whether a mail that is not handled yet may be a player's is answered by indexes, however many mails there are."""

from datetime import timedelta

import pytest

from takmail.store import inbox
from takmail.store.inbox import NewMail
from takmail.world import MailState, PlayerId
from tests.store.plans import inner, noted, plans, scanned
from tests.store.scene import ADA, BEN, NOW, Scene
from tests.support.databases import ON_POSTGRESQL

MINUTE = timedelta(minutes=1)


@pytest.fixture
def players(scene: Scene) -> Scene:
    return scene.joined("Ada", "Ben")


def keep(scene: Scene, state: MailState, *senders: str | None) -> None:
    with scene.store.transaction() as session:
        for number, sender in enumerate(senders):
            mail = NewMail(f"{sender} {state} {number}", NOW, b"a mail", sender=sender, state=state)
            assert inbox.record(session, mail)


def waits(scene: Scene, player: int = 1) -> bool:
    with scene.store.transaction() as session:
        return scene.queries(session).has_waiting_mail(PlayerId(player), NOW)


@pytest.mark.parametrize(
    ("state", "sender", "is_waiting"),
    [
        (MailState.NEW, ADA, True),
        (MailState.NEW, None, True),
        (MailState.NEW, BEN, False),
        (MailState.NEW, "nobody@example.org", False),
        (MailState.SHUNTED, ADA, True),
        (MailState.SHUNTED, None, False),
        (MailState.SHUNTED, BEN, False),
        (MailState.PLAYED, ADA, False),
        (MailState.ANSWERED, None, False),
    ],
)
def test_a_mail_may_be_of_a_player(
    players: Scene, state: MailState, sender: str | None, is_waiting: bool
) -> None:
    assert not waits(players)
    keep(players, state, sender)
    assert waits(players) == is_waiting


@pytest.mark.parametrize("sender", [ADA, None])
@pytest.mark.parametrize(
    ("received", "arrived", "is_waiting"),
    [
        (MINUTE, None, False),
        (MINUTE, timedelta(0), True),
        (-MINUTE, None, True),
        (2 * MINUTE, MINUTE, False),
    ],
)
def test_a_mail_counts_if_it_has_arrived_in_time(
    players: Scene, received: timedelta, arrived: timedelta | None, is_waiting: bool, sender: str | None
) -> None:
    with players.store.transaction() as session:
        arrived_at = None if arrived is None else NOW + arrived
        assert inbox.record(
            session, NewMail("a", NOW + received, b"a mail", sender=sender, arrived_at=arrived_at)
        )
    assert waits(players) == is_waiting


def test_mails_are_found_by_indexes(players: Scene) -> None:
    for state in (MailState.NEW, MailState.SHUNTED, MailState.PLAYED):
        keep(players, state, ADA, BEN, "nobody@example.org")
    with noted(players.store) as found:
        assert waits(players)
    statements = inner(found)
    assert scanned(players.store, statements) == []
    steps = "\n".join(step for _, step in plans(players.store, statements))
    if not ON_POSTGRESQL:
        assert "INDEX ix_inbox_sender" in steps
        assert "PRIMARY KEY" not in steps
