"""What each migration makes of the rows that an older takmail has left."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, create_engine, text

from takmail.store.schema import migrate

pytestmark = pytest.mark.sqlite("the databases are files")

GAME = """
INSERT INTO game (id, version, kind, setup, subject, standing, invited_by, days, created_at)
VALUES (:id, 3, 'tak', '5', 'Ada vs Ben', :standing, 1, :days, '2026-11-21 12:00:00')
"""
STORED = ((1, "open", 3), (2, "open", None), (3, "over", 14), (4, "invited", 5))
CLAIM = (
    "UPDATE due SET due_at = '2026-11-24 12:00:00', claimed_by = 'process 7', attempts = 2 WHERE game_id = 1"
)
MAIL = """
INSERT INTO inbox (id, mailbox, raw, size, fingerprint, received_at, state, attempts, note, is_filed, is_reduced)
VALUES (:id, 'INBOX', 'four', :size, '', '2026-11-21 12:00:00', 'done', 1, '', 1, :is_reduced)
"""
LETTER = """
INSERT INTO outbox (id, message_id, mail_from, mail_to, raw, text, purpose, state, attempts, claimed_by, due_at,
    created_at, error)
VALUES (:id, :id, 'tak', 'ada', '', '', :purpose, :state, 1, '', '2026-11-21 12:00:00', '2026-11-21 12:00:00', '')
"""


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    """A database that has come from the first version, with rows of several."""
    engine = create_engine(f"sqlite:///{tmp_path_factory.mktemp('upgraded') / 'takmail.sqlite'}")
    with engine.begin() as connection:
        migrate(connection, "r0001")
        connection.execute(
            text("INSERT INTO player (id, name, created_at) VALUES (1, 'Ada', '2026-11-21 12:00:00')")
        )
        for number, standing, days in STORED:
            connection.execute(text(GAME), {"id": number, "standing": standing, "days": days})
        connection.execute(
            text(
                "INSERT INTO seek (id, player_id, kind, setup, days, sought_at)"
                " VALUES (1, 1, 'tak', '5', 7, '2026-11-21 12:00:00')"
            )
        )
        for number, size, is_reduced in ((1, 4, False), (2, 5, False), (3, 5, True)):
            connection.execute(text(MAIL), {"id": number, "size": size, "is_reduced": is_reduced})
        for number, purpose, state in (
            (1, "news", "gathered"),
            (2, "piece", "gathered"),
            (3, "piece", "sent"),
        ):
            connection.execute(text(LETTER), {"id": number, "purpose": purpose, "state": state})
        migrate(connection, "r0002")
        connection.execute(text(CLAIM))
    with engine.begin() as connection:
        migrate(connection)
        yield connection
    engine.dispose()


def rows(database: Connection, query: str) -> list[tuple[object, ...]]:
    return [*map(tuple, database.execute(text(query)).all())]


def test_agreed_days_become_a_word_without_a_clock_and_open_games_are_looked_at(upgraded: Connection) -> None:
    assert rows(upgraded, "SELECT id, pace, is_strict, clock_from FROM game ORDER BY id") == [
        (1, "days=3", 0, None),
        (2, None, 0, None),
        (3, "days=14", 0, None),
        (4, None, 0, None),
    ]
    assert rows(upgraded, "SELECT id, pace FROM seek") == [(1, None)]
    assert rows(upgraded, "SELECT id FROM game WHERE turn_since > created_at") == [(1,), (2,)]
    due = rows(upgraded, "SELECT subject, work FROM due ORDER BY subject")
    assert due == [(0, "ratings"), (1, "clock"), (2, "clock")]


def test_what_was_due_of_games_stays_as_it_was(upgraded: Connection) -> None:
    due = rows(upgraded, "SELECT due_at, claimed_by, attempts FROM due WHERE work = 'clock' ORDER BY subject")
    assert due == [("2026-11-24 12:00:00", "process 7", 2), ("2026-11-21 12:00:00", "", 0)]


def test_a_mail_that_was_cut_was_too_long(upgraded: Connection) -> None:
    assert rows(upgraded, "SELECT excess FROM inbox ORDER BY id") == [(None,), ("mail_bytes",), (None,)]


def test_only_pieces_are_pieces(upgraded: Connection) -> None:
    assert rows(upgraded, "SELECT state FROM outbox ORDER BY id") == [("gathered",), ("piece",), ("sent",)]
