"""After a backup is restored, the mails that arrived after the backup are processed again."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from takmail.store.backup import back_up, put_back
from takmail.store.database import Store
from tests.support.harness import ADA, BEN, Harness, turns

pytestmark = pytest.mark.sqlite("PostgreSQL has programs of its own for this")

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def test_mails_that_came_after_the_copy_are_played_again(tmp_path: Path) -> None:
    file, copy = tmp_path / "takmail.sqlite", tmp_path / "copy.sqlite"
    store = Store.open(f"sqlite:///{file}")
    harness = Harness(store)
    harness.begin_and_play("ps b4")
    back_up(file, copy)
    mails = []
    for who, move in ((BEN, "ps c3"), (ADA, "ps b3"), (BEN, "ps c4")):
        mails.append(harness.mail(f"{who[:3].capitalize()} <{who}>", move, harness.last(who)).as_bytes())
        harness.deliver(mails[-1])
    before = turns(harness)
    store.close()
    put_back(copy, file, NOON)
    store = Store.open(f"sqlite:///{file}")
    again = Harness(store)
    assert turns(again) == before[:1]
    for mail in mails:
        again.deliver(mail)
    assert turns(again) == before
    store.close()
