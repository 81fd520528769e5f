"""What each migration makes of the rows that an older takmail has left."""

from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from takmail.store.schema import migrate

pytestmark = pytest.mark.sqlite("the databases are files")

GAME = """
INSERT INTO game (id, version, kind, setup, subject, standing, invited_by, days, created_at)
VALUES (:id, 3, 'tak', '5', 'Ada vs Ben', :standing, 1, :days, '2026-11-21 12:00:00')
"""


STORED = ((1, "open", 3), (2, "open", None), (3, "over", 14), (4, "invited", 5))


def test_agreed_days_become_a_word_without_a_clock_and_open_games_are_looked_at(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 'takmail.sqlite'}")
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
    with engine.begin() as connection:
        migrate(connection)
        games = connection.execute(text("SELECT id, pace, is_strict, clock_from FROM game ORDER BY id")).all()
        seeks = connection.execute(text("SELECT id, pace FROM seek")).all()
        due = connection.execute(text("SELECT subject, work FROM due ORDER BY subject")).all()
        quiet = connection.execute(text("SELECT id FROM game WHERE turn_since > created_at")).scalars().all()
    engine.dispose()
    assert [*map(tuple, games)] == [
        (1, "days=3", 0, None),
        (2, None, 0, None),
        (3, "days=14", 0, None),
        (4, None, 0, None),
    ]
    assert [*map(tuple, seeks)] == [(1, None)]
    assert [*quiet] == [1, 2]
    assert [*map(tuple, due)] == [(0, "ratings"), (1, "clock"), (2, "clock")]
