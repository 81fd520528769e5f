"""Upgrading a database with schema 0015. Its letters and questions keep their meaning."""

import logging
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, text
from sqlmodel import SQLModel

from takmail.commands import events as ev
from takmail.commands.game.table import Table
from takmail.commands.kinds import OfferKind, QuestionKind
from takmail.store import upgrade
from takmail.store.database import Store
from takmail.store.replays import Replays
from takmail.store.schema import HEAD, CannotOpen, SchemaFault, migrate
from takmail.store.snapshot import load_games
from tests.store.scene import NOW, SERVICES, Scene, person
from tests.support.old_database import restore, upgraded

pytestmark = pytest.mark.sqlite("the old database is one of SQLite's")

RELAY = 25


def restored(folder: Path) -> Path:
    restore(folder / "takmail.sqlite")
    return folder / "takmail.sqlite"


def rows(file: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(query).fetchall()


def opened(folder: Path) -> Store:
    return Store.open(f"sqlite:///{restored(folder)}")


@pytest.fixture(scope="module")
def tables() -> dict[int, Table]:
    """The games of the upgraded database."""
    store = Store.open(f"sqlite:///{upgraded()}")
    with store.transaction() as session:
        found = load_games(session, SERVICES, Replays(), range(1, 40), NOW)
    store.close()
    assert all(isinstance(one, Table) for one in found.games.values())
    return {int(number): found.table(number) for number in found.games}


def copy_before() -> Path:
    """The database as it was before the upgrade."""
    (copy,) = upgraded().parent.glob("takmail.sqlite.before-*")
    return copy


def test_the_schema_is_that_of_a_new_database() -> None:
    store = Store.open(f"sqlite:///{upgraded()}")
    with store.engine.begin() as connection:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True}
        )
        assert compare_metadata(context, SQLModel.metadata) == []
    store.close()


def test_a_copy_is_left_beside_it_and_the_operator_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        opened(tmp_path).close()
    (copy,) = tmp_path.glob("takmail.sqlite.before-*")
    assert copy.name in caplog.text
    assert rows(copy, "SELECT version_num FROM alembic_version") == [("0015",)]
    assert len(rows(copy, "SELECT id FROM outbox")) == len(
        rows(tmp_path / "takmail.sqlite", "SELECT id FROM outbox")
    )


def test_of_what_was_asked_outside_games_the_shown_commands_are_kept_and_no_words(tmp_path: Path) -> None:
    """The oldest confirmations have text below the commands, which the player was never shown."""
    file = restored(tmp_path)
    with closing(sqlite3.connect(file)) as connection, connection:
        before = connection.execute("SELECT address, words FROM confirmation").fetchall()
        connection.execute("UPDATE confirmation SET words = words || ?", ("\n\nYou sheep.\nseek 4",))
    Store.open(f"sqlite:///{file}").close()
    assert sorted(rows(file, "SELECT address, words FROM question WHERE game_id IS NULL")) == sorted(before)
    assert any(words for _, words in before)


def test_opened_again_nothing_is_done(tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.close()
    Store.open(f"sqlite:///{tmp_path / 'takmail.sqlite'}").close()
    assert len([*tmp_path.glob("takmail.sqlite.before-*")]) == 1


def dumped(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as connection:
        return [*connection.iterdump()]


def unchanged(file: Path) -> SchemaFault:
    """Try to open the database. It stays unchanged, and no copy is left."""
    before = dumped(file)
    with pytest.raises(CannotOpen) as error:
        Store.open(f"sqlite:///{file}")
    assert dumped(file) == before
    assert [one.name for one in file.parent.iterdir()] == [file.name]
    return error.value.fault


@pytest.mark.parametrize("fault", ["DELETE FROM player WHERE id = 1", "DROP TABLE offer"])
def test_what_cannot_be_brought_up_to_date_stays_as_it_is(tmp_path: Path, fault: str) -> None:
    file = restored(tmp_path)
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(fault)
    assert unchanged(file) is SchemaFault.NOT_UPGRADED


def test_a_damaged_one_stays_as_it_is(tmp_path: Path) -> None:
    file = restored(tmp_path)
    raw = bytearray(file.read_bytes())
    raw[-40_960:-8_192] = b"\xa5" * 32_768
    file.write_bytes(raw)
    with pytest.raises(CannotOpen) as error:
        Store.open(f"sqlite:///{file}")
    assert (error.value.fault, error.value.why) == (SchemaFault.NOT_UPGRADED, "its file is damaged")
    assert rows(file, "SELECT version_num FROM alembic_version") == [("0015",)]
    assert [one.name for one in tmp_path.iterdir()] == [file.name]


def test_one_in_which_nothing_has_happened_is_brought_up_to_date(tmp_path: Path) -> None:
    file = restored(tmp_path)
    with closing(sqlite3.connect(file)) as connection, connection:
        for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            if table not in ("alembic_version", "sqlite_sequence"):
                connection.execute(f"DELETE FROM {table}")
    store = Store.open(f"sqlite:///{file}")
    Scene(store).joined("Ada", "Ben")
    store.close()
    assert rows(file, "SELECT version_num FROM alembic_version") == [(HEAD,)]


def test_of_one_that_is_no_file_no_copy_is_made(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = Store.open_read_only(f"sqlite:///{restored(tmp_path)}")
    upgrade.bring_up(store.engine, None)
    store.close()
    assert "the only way back is your own backup" in caplog.text
    assert len(rows(tmp_path / "takmail.sqlite", "SELECT version FROM game")) == 39
    assert not [*tmp_path.glob("takmail.sqlite.before-*")]


def test_one_that_another_process_has_brought_up_to_date_meanwhile_is_left_alone(tmp_path: Path) -> None:
    shutil.copy(upgraded(), tmp_path / "takmail.sqlite")
    before = dumped(tmp_path / "takmail.sqlite")
    store = Store.open_read_only(f"sqlite:///{tmp_path / 'takmail.sqlite'}")
    upgrade.bring_up(store.engine, None)
    store.close()
    assert dumped(tmp_path / "takmail.sqlite") == before


def test_without_room_for_the_copy_it_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def is_full(*_files: Path, **_how: bool) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(upgrade, "back_up", is_full)
    assert unchanged(restored(tmp_path)) is SchemaFault.NOT_UPGRADED


def test_while_an_older_takmail_has_it_open_it_stays_as_it_is(tmp_path: Path) -> None:
    file = restored(tmp_path)
    older = Store.open_read_only(f"sqlite:///{file}")
    with older.transaction() as session:
        session.execute(text("SELECT 1 FROM game"))
    with pytest.raises(CannotOpen) as error:
        Store.open(f"sqlite:///{file}")
    older.close()
    assert (error.value.fault, error.value.why) == (SchemaFault.IN_USE, "")
    assert rows(file, "SELECT version_num FROM alembic_version") == [("0015",)]


def test_a_rehearsal_upgrades_for_itself_alone(tmp_path: Path) -> None:
    file = restored(tmp_path)
    store = Store.open_read_only(f"sqlite:///{file}")
    with store.dry_run() as session:
        assert len(load_games(session, SERVICES, Replays(), range(1, 40), NOW).games) == 39
    store.close()
    assert rows(file, "SELECT version_num FROM alembic_version") == [("0015",)]
    assert not [*tmp_path.glob("takmail.sqlite.before-*")]


def turns_by(table: Table, version: int) -> int:
    """Return how many turns were on the board at a version of the game."""
    gone = (turn for run in table.taken_back for turn in run.turns)
    there = sum(one.version <= version for one in table.turns)
    return there + sum(one.version <= version < one.ended_version for one in gone)


def test_each_letter_shows_the_board_that_it_showed(tables: dict[int, Table]) -> None:
    letters = rows(upgraded(), "SELECT game_id, version, turn FROM outbox WHERE game_id IS NOT NULL")
    assert len(letters) > 200
    for game, version, shown in letters:
        assert turns_by(tables[game], version) == shown, (game, version)
        assert version < tables[game].record.version


def test_the_last_letter_of_a_running_game_shows_its_present_board(tables: dict[int, Table]) -> None:
    for number, table in tables.items():
        letters = rows(
            upgraded(),
            f"SELECT version, turn FROM outbox WHERE game_id = {number} ORDER BY id DESC LIMIT 1",
        )
        for version, shown in letters:
            newest = max((one.version for one in table.turns), default=0)
            assert (version >= newest) == (shown == len(table.turns))


def test_letters_speak_of_the_offers_of_which_they_spoke() -> None:
    old = rows(copy_before(), "SELECT game_id, since, ended, told_until FROM offer ORDER BY game_id, id")
    new = rows(upgraded(), "SELECT game_id, version, ended, ended_version FROM offer ORDER BY 1, 2")
    letters = rows(upgraded(), "SELECT id, game_id, version FROM outbox WHERE game_id > 0")
    assert len(old) == len(new) == 7
    for (game, since, ended, until), (_, version, still_ended, gone) in zip(old, new, strict=True):
        assert ended == still_ended
        for letter, _, shown in (one for one in letters if one[1] == game):
            assert (since < letter) == (version <= shown)
            assert (until is None or letter <= until) == (gone is None or shown < gone)


def test_what_is_gone_is_known_of_the_same_letters(tables: dict[int, Table]) -> None:
    gone = rows(copy_before(), "SELECT game_id, number, how, since FROM taken_back")
    letters = rows(upgraded(), "SELECT id, game_id, version, turn FROM outbox WHERE game_id > 0")
    for letter, game, version, shown in letters:
        is_gone = any(
            since >= letter and (number <= shown or how != OfferKind.UNDO)
            for at, number, how, since in gone
            if at == game
        )
        assert tables[game].shows_taken_back(version, shown) == is_gone


def test_all_that_was_open_is_open(tables: dict[int, Table]) -> None:
    assert [one.kind for number in range(15, 20) for one in tables[number].offers] == [
        OfferKind.DRAW,
        OfferKind.UNDO,
        OfferKind.BACK,
        OfferKind.BOARD,
        OfferKind.RESTART,
    ]
    assert [one.turn for one in tables[20].disputes] == [3]
    assert [one.words for one in tables[22].waiting_chat] == ["I have to think about this."]
    asked = [(one.kind, one.turn) for number in (21, 23, 24) for one in tables[number].questions]
    assert asked == [(QuestionKind.RESIGN, None), (QuestionKind.HELD, 1), (QuestionKind.HELD, 1)]
    assert all(one.letter for number in (21, 23, 24) for one in tables[number].questions)
    assert any(one is not None for one in tables[RELAY].shown_boards)
    assert any(tables[RELAY].record.asks_board)
    asked_of = rows(upgraded(), "SELECT kind, count(*) FROM question GROUP BY kind ORDER BY kind")
    assert asked_of == [("address", 1), ("commands", 3), ("held", 2), ("resign", 1)]


def test_who_had_left_is_gone(tables: dict[int, Table]) -> None:
    table = tables[35]
    assert sorted(one.is_erased for one in table.players) == [False, True]


def test_no_number_is_given_twice(tmp_path: Path) -> None:
    scene = Scene(opened(tmp_path))
    with scene.store.transaction() as session:
        queries = scene.queries(session)
        assert (queries.next_game(), queries.next_player(), queries.next_seek()) == (40, 13, 3)
    scene.do(ev.PlayerJoined(player=person(13, "Someone")))
    scene.store.close()


def test_what_the_notes_of_mails_tell_stands_in_their_columns(tmp_path: Path) -> None:
    file = restored(tmp_path)
    played = "SELECT id, note FROM intake WHERE state = 'played' ORDER BY id"
    notes = rows(file, played)
    two, frozen, raised = (number for number, _ in notes[:3])
    with closing(sqlite3.connect(file)) as connection, connection:
        say = "UPDATE intake SET state = ?, note = ? WHERE id = ?"
        connection.execute(say, ("played", "game 7, turn 12, game 11, turn 1", two))
        connection.execute(say, ("shunted", "game 12 is frozen: the stored turn 3 (ps a5) is odd", frozen))
        connection.execute(say, ("shunted", "Traceback: game 12 is frozen: said a line", raised))
    Store.open(f"sqlite:///{file}").close()
    told = "SELECT game_id, turn FROM inbox WHERE id = {}"
    assert [rows(file, told.format(one)) for one in (two, frozen, raised)] == [
        [(11, 1)],
        [(12, None)],
        [(None, None)],
    ]
    for number, note in notes[3:]:
        ((game, turn),) = rows(file, told.format(number))
        assert note == f"game {game}, turn {turn}"
    assert rows(file, "SELECT DISTINCT state FROM inbox WHERE turn > 0") == [("played",)]


def test_a_database_of_schema_0016_is_renamed_in_place_after_a_copy(tmp_path: Path) -> None:
    file = tmp_path / "takmail.sqlite"
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        migrate(connection, "0016")
        for statement in (
            "INSERT INTO player (name, kind, created_at) VALUES ('a player', 'gone', '2026-11-01 12:00:00')",
            "INSERT INTO lease (what, holder, until) VALUES ('mailbox', 'one', '2026-11-01 12:00:00')",
            "INSERT INTO outbox (message_id, shown, turn, mail_from, mail_to, raw, text, state, attempts, claimed_by, "
            "due_at, created_at, error) VALUES ('<1@example.org>', 7, 6, '', 'ada@example.org', '', '', 'sent', 0, "
            "'', '2026-11-01 12:00:00', '2026-11-01 12:00:00', '')",
        ):
            connection.execute(text(statement))
    engine.dispose()
    Store.open(f"sqlite:///{file}").close()
    assert rows(file, "SELECT kind FROM player") == [("erased",)]
    assert rows(file, "SELECT name, holder FROM lease") == [("mailbox", "one")]
    assert rows(file, "SELECT turn, reported_turn, purpose FROM outbox") == [(7, 6, "nothing")]
    assert rows(file, "SELECT version_num FROM alembic_version") == [(HEAD,)]
    (copy,) = tmp_path.glob("takmail.sqlite.before-*")
    assert rows(copy, "SELECT what FROM lease") == [("mailbox",)]
