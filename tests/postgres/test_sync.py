"""`Store.sync` on PostgreSQL: what was committed before it is in the server's log on disk."""

from sqlalchemy import text

from takmail.store.database import Store
from takmail.store.tables import PlayerRow
from tests.store.scene import NOW


def test_what_was_committed_before_a_sync_is_on_disk_after_it(store: Store) -> None:
    for number in range(1, 21):
        with store.transaction(durable=False) as session:
            session.add(PlayerRow(id=number, kind="person", name=f"Player {number}", created_at=NOW))
        with store.engine.connect() as connection:
            committed = connection.execute(text("SELECT pg_current_wal_insert_lsn()")).scalar_one()
        store.sync()
        with store.engine.connect() as connection:
            asked = text("SELECT pg_current_wal_flush_lsn() >= CAST(:at AS pg_lsn)")
            assert connection.execute(asked, {"at": committed}).scalar_one()
