"""Upgrade a database with an older schema.

From 0015 to 0016, each row of a game gets a version of the game. Schema 0015 instead stored the numbers of letters,
which increase with time, to say after which letter something happened. A letter with number n becomes version
n * STEP, and everything else gets a version between those of the letters before and after it. Thus it stays known
which turns and offers a letter shows, and which turns were taken back after it.
"""

import logging
import re
import sqlite3
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, MetaData, Table, select
from sqlmodel import col

from takmail.commands.grammar.skeleton import skeleton
from takmail.commands.kinds import MailState, QuestionKind
from takmail.mail.tokens import shown_in
from takmail.store.backup import CannotCopy, CopyFault, alone, back_up
from takmail.store.schema import (
    HEAD,
    MIGRATIONS,
    OLDEST,
    CannotOpen,
    SchemaFault,
    lock_schema,
    migrate,
    version_of,
)
from takmail.store.tables import PlayerRow

log = logging.getLogger(__name__)

_VERSIONED = "0016"
"""The first schema with versions. The migrations upgrade the tables from it to later ones."""
STEP = 100
"""The distance between the versions of letters with consecutive numbers. Events between them get versions between."""
_REPLACED_TABLES = ("question", "confirmation", "offer", "dispute", "chat")
"""The tables of schema 0015 that are replaced by new ones."""
_NOTES = {
    MailState.PLAYED: re.compile(r"game (\d+), turn (\d+)$"),
    MailState.SHUNTED: re.compile(r"^game (\d+) is frozen: ()"),
}
"""Patterns, by state, that find a mail's game and the last turn that it played in its note."""

Row = Mapping[str, Any]


def bring_up(engine: Engine, file: Path | None) -> None:
    """Upgrade a database with an older schema, completely or not at all. `file` is the SQLite file, if it is one.

    An SQLite file is first copied into its folder. No other process may have it open, because an older takmail would
    use tables that no longer exist. Raises CannotOpen and SQLAlchemy's errors. After an error there is no copy.
    """
    if file is None:
        found = _upgrade_at_once(engine)
        # Another process may have upgraded it first.
        if found != HEAD:
            log.warning(
                "the database was upgraded from schema %s to %s; the only way back is your own backup (pg_dump)",
                found,
                HEAD,
            )
        return
    engine.dispose()
    copy = file.with_name(f"{file.name}.before-{datetime.now(UTC):%Y%m%d-%H%M%S}")
    try:
        with alone(file):
            pass
        back_up(file, copy, force=True)
    except CannotCopy as error:
        if error.fault is CopyFault.IN_USE:
            raise CannotOpen(SchemaFault.IN_USE) from None
        raise CannotOpen(SchemaFault.NOT_UPGRADED, "its file is damaged") from None
    except (sqlite3.Error, OSError) as error:
        raise CannotOpen(SchemaFault.NOT_UPGRADED, f"no copy can be made of it first: {error}") from None
    try:
        found = _upgrade_at_once(engine)
    except BaseException:
        copy.unlink(missing_ok=True)
        raise
    log.warning(
        "the database was upgraded from schema %s to %s; the old one is kept in %s", found, HEAD, copy
    )


def _upgrade_at_once(engine: Engine) -> str | None:
    """Upgrade a database in one transaction, which is rolled back after an error. Return the old schema's version."""
    if engine.dialect.name != "sqlite":
        with engine.begin() as connection:
            return _upgrade(connection)
    # SQLite can't replace a table to which others refer while foreign keys are checked.
    with engine.connect() as connection:
        raw = connection.connection.cursor()
        try:
            raw.execute("PRAGMA foreign_keys=OFF")
            connection.rollback()
            with connection.begin():
                found = _upgrade(connection)
                _check_references(connection)
            return found
        finally:
            raw.execute("PRAGMA foreign_keys=ON")
            raw.close()


def _check_references(connection: Connection) -> None:
    """Raise CannotOpen if a row in an SQLite database refers to a missing row."""
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
    if broken:
        table, row, parent, _ = broken[0]
        why = f'row {row} of the table "{table}" refers to a missing row of "{parent}"'
        raise CannotOpen(SchemaFault.NOT_UPGRADED, why)


def upgrade_within(connection: Connection) -> None:
    """Upgrade in a transaction that the caller always rolls back. Foreign keys are not checked."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA defer_foreign_keys=ON")
    _upgrade(connection)


@dataclass(slots=True)
class _Letters:
    """The letters of a database with schema 0015, oldest first.

    `moments` are the times at which the letters in `numbers` were written. `of_game` has pairs of a letter and the
    turn that it shows, by game. `after_mail` has the first letter about a game that a mail led to, by game and mail.
    """

    numbers: list[int] = field(default_factory=list)
    moments: list[Any] = field(default_factory=list)
    of_game: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    after_mail: dict[tuple[int, int], int] = field(default_factory=dict)

    def since(self, moment: Any) -> int:
        """Return the number of the newest letter before a time, or 0."""
        at = bisect_left(self.moments, moment)
        return self.numbers[at - 1] if at else 0

    def first_showing(self, game: int, turn: int, above: int, up_to: int | None = None) -> int | None:
        """Return the oldest letter that shows a turn of a game. Its number is greater than `above`.

        Return None if there is none, or if its number is greater than `up_to`.
        """
        found = (number for number, shown in self.of_game.get(game, ()) if number > above and shown >= turn)
        number = next(found, None)
        return None if number is None or (up_to is not None and number > up_to) else number


def _upgrade(connection: Connection) -> str | None:
    lock_schema(connection)
    found = version_of(connection)
    if found == OLDEST:
        _introduce_versions(connection)
    migrate(connection)
    _renew_skeletons(connection)
    return found


def _renew_skeletons(connection: Connection) -> None:
    """Compute the skeletons of all names anew, because an older takmail may have computed others.

    Of players whose names look alike, the oldest keeps the skeleton. The others get a sign and their number, which is
    the skeleton of no name: they keep their names, and nobody finds them by these.
    """
    rows = connection.execute(
        select(col(PlayerRow.id), col(PlayerRow.name), col(PlayerRow.skeleton))
        .where(col(PlayerRow.skeleton).is_not(None))
        .order_by(col(PlayerRow.id))
    )
    taken: set[str] = set()
    changed, unfound = [], []
    for number, name, before in rows.all():
        after = skeleton(name)
        if not after or after in taken:
            after = f"#{number}"
        taken.add(after)
        if after != before:
            changed.append({"number": number, "after": after})
            if after == f"#{number}":
                unfound.append(str(number))
    if changed:
        statement = sa.text("UPDATE player SET skeleton = :after WHERE id = :number")
        # First out of the way: two players may exchange their skeletons.
        connection.execute(statement, [{**one, "after": f"#{one['number']}"} for one in changed])
        connection.execute(statement, changed)
    if unfound:
        log.warning(
            "players %s keep their names, but are not found by them: older players' names look alike",
            ", ".join(unfound),
        )


def _introduce_versions(connection: Connection) -> None:
    """Upgrade from 0015 to 0016."""
    op = Operations(MigrationContext.configure(connection))
    old = MetaData()
    old.reflect(connection)
    if missing := sorted({*_REPLACED_TABLES, "outbox", "taken_back", "turn"} - {*old.tables}):
        raise CannotOpen(SchemaFault.NOT_UPGRADED, f'it has no table "{missing[0]}"')
    kept = {name: _rows(connection, old.tables[name]) for name in _REPLACED_TABLES}
    letters = _letters(connection, old)
    _people(connection, op)
    _intake(connection, op)
    op.add_column("log", sa.Column("fault", sa.String(16), nullable=True))
    _outbox(connection, op, letters)
    newest = _turns(connection, op, old, letters)
    made = _events_of_games(letters, kept)
    _games(connection, op, letters, newest, made)
    for name in _REPLACED_TABLES:
        op.drop_table(name)
    _script().open_things(op)
    new = MetaData()
    new.reflect(connection, only=[*made])
    for name, rows in made.items():
        if rows:
            connection.execute(new.tables[name].insert(), [dict(one) for one in rows])
    connection.execute(sa.text("UPDATE alembic_version SET version_num = :head"), {"head": _VERSIONED})


def _rows(connection: Connection, table: Table) -> Sequence[Row]:
    """Return all rows of a table as mappings of stored values, in the order of their keys."""
    return [dict(row._mapping) for row in connection.execute(select(table).order_by(*table.primary_key))]


def _letters(connection: Connection, old: MetaData) -> _Letters:
    table = old.tables["outbox"].c
    found = _Letters()
    columns = (table.id, table.message_id, table.game_id, table.intake_id, table.created_at)
    for number, message_id, game, mail, written_at in connection.execute(select(*columns).order_by(table.id)):
        found.numbers.append(number)
        # The times stay ascending even if the clock was set back.
        found.moments.append(max((written_at, *found.moments[-1:])))
        if game is not None:
            found.of_game.setdefault(game, []).append((number, shown_in(message_id) or 0))
            if mail is not None:
                found.after_mail.setdefault((game, mail), number)
    return found


def _people(connection: Connection, op: Operations) -> None:
    kind = sa.Column("kind", sa.String(16), nullable=False, server_default="person")
    op.add_column("player", kind)
    connection.execute(
        sa.text("UPDATE player SET kind = 'gone' WHERE id NOT IN (SELECT player_id FROM address)")
    )
    if connection.dialect.name == "sqlite":
        with op.batch_alter_table(
            "player", recreate="always", table_kwargs={"sqlite_autoincrement": True}
        ) as batch:
            batch.alter_column("name", existing_type=sa.String(255), nullable=False)


def _intake(connection: Connection, op: Operations) -> None:
    for name in ("game_id", "turn"):
        op.add_column("intake", sa.Column(name, sa.Integer(), nullable=True))
    found = []
    for state, pattern in _NOTES.items():
        notes = connection.execute(
            sa.text("SELECT id, note FROM intake WHERE state = :state"), {"state": state.value}
        )
        for number, note in notes:
            if told := pattern.search(note):
                game, turn = told.groups()
                found.append({"number": number, "game": int(game), "turn": int(turn) if turn else None})
    if found:
        connection.execute(
            sa.text("UPDATE intake SET game_id = :game, turn = :turn WHERE id = :number"), found
        )


def _outbox(connection: Connection, op: Operations, letters: _Letters) -> None:
    op.add_column("outbox", sa.Column("version", sa.Integer(), nullable=True))
    op.add_column("outbox", sa.Column("shown", sa.Integer(), nullable=True))
    rows = [
        {"number": number, "is_of": number * STEP, "last": shown}
        for some in letters.of_game.values()
        for number, shown in some
    ]
    if rows:
        connection.execute(
            sa.text("UPDATE outbox SET version = :is_of, shown = :last WHERE id = :number"), rows
        )


def _turns(connection: Connection, op: Operations, old: MetaData, letters: _Letters) -> Mapping[int, int]:
    """Give versions to turns and to turns that were taken back. Return the newest version of each game."""
    for table, names in (("turn", ("version",)), ("taken_back", ("version", "gone"))):
        for name in names:
            op.add_column(table, sa.Column(name, sa.Integer(), nullable=True))
    gone = _taken_back(connection, old, letters)
    newest = _played(connection, old, letters, gone)
    with op.batch_alter_table("turn") as batch:
        batch.alter_column("version", existing_type=sa.Integer(), nullable=False)
    with op.batch_alter_table("taken_back") as batch:
        for name in ("version", "gone"):
            batch.alter_column(name, existing_type=sa.Integer(), nullable=False)
        batch.drop_column("since")
    return newest


@dataclass(frozen=True, slots=True)
class _TakenBackTurn:
    """A turn that was taken back after letter `since`."""

    number: int
    since: int


def _taken_back(
    connection: Connection, old: MetaData, letters: _Letters
) -> Mapping[int, Sequence[_TakenBackTurn]]:
    found: dict[int, list[_TakenBackTurn]] = {}
    runs: dict[int, dict[int, int]] = {}
    changed = []
    rows = _rows(connection, old.tables["taken_back"])
    for row in sorted(rows, key=lambda one: (one["game_id"], one["branch"], one["number"])):
        game, number, since = row["game_id"], row["number"], row["since"]
        before = [one for one in found.get(game, ()) if one.since < since and one.number <= number]
        shown = letters.first_showing(game, number, max((one.since for one in before), default=0), since)
        by = since * STEP + STEP // 2
        run = runs.setdefault(game, {}).setdefault(row["branch"], len(runs[game]) + 1)
        version = by - 1 if shown is None else shown * STEP - 1
        changed.append({"row": row["id"], "at": version, "by": by, "nth": run})
        found.setdefault(game, []).append(_TakenBackTurn(number, since))
    if changed:
        connection.execute(
            sa.text("UPDATE taken_back SET version = :at, gone = :by, branch = :nth WHERE id = :row"), changed
        )
    return found


def _played(
    connection: Connection, old: MetaData, letters: _Letters, gone: Mapping[int, Sequence[_TakenBackTurn]]
) -> Mapping[int, int]:
    of_game: dict[int, list[Row]] = {}
    for row in _rows(connection, old.tables["turn"]):
        of_game.setdefault(row["game_id"], []).append(row)
    newest: dict[int, int] = {}
    changed = []
    for game, rows in of_game.items():
        version: int | None = None
        last = 0
        # From the last turn backwards, as a letter that shows a turn also shows all earlier turns.
        for row in reversed(rows):
            number = row["number"]
            above = max((one.since for one in gone.get(game, ()) if one.number <= number), default=0)
            letter = letters.after_mail.get((game, row["intake_id"]))
            letter = (
                letter or letters.first_showing(game, number, above) or letters.since(row["played_at"]) + 1
            )
            own = letter * STEP - 1
            version = own if version is None else min(own, version - 1)
            last = max(last, version)
            changed.append({"game": game, "turn": number, "at": version})
        newest[game] = last
    for game, some in gone.items():
        newest[game] = max(newest.get(game, 0), *(one.since * STEP + STEP // 2 for one in some))
    if changed:
        connection.execute(
            sa.text("UPDATE turn SET version = :at WHERE game_id = :game AND number = :turn"), changed
        )
    return newest


def _events_of_games(letters: _Letters, kept: Mapping[str, Sequence[Row]]) -> Mapping[str, Sequence[Row]]:
    """Return the rows of the new tables for chat messages, questions, offers and disputes, by table."""
    offers = _with_versions(kept["offer"], lambda row: row["since"] * STEP + 1)
    for row in offers:
        until, is_over = row.pop("told_until"), row["ended"] is not None
        row["gone"] = None if not is_over else row["version"] if until is None else until * STEP + STEP // 2
        del row["id"], row["since"]
    disputes = _with_versions(kept["dispute"], lambda row: _between(letters, row["opened_at"]))
    for row in disputes:
        over = row["ended_at"]
        row["gone"] = None if over is None else max(row["version"] + 1, _between(letters, over))
        del row["id"]
    chats = _with_versions(kept["chat"], lambda row: _version_of_words(letters, row))
    for row in chats:
        del row["id"]
    return {"offer": offers, "dispute": disputes, "chat": chats, "question": _questions(kept)}


def _with_versions(rows: Iterable[Row], version_of_row: Callable[[Row], int]) -> list[dict[str, Any]]:
    """Return the rows with versions that increase within each game. A version is at least `version_of_row`."""
    last: dict[int, int] = {}
    found = []
    for row in rows:
        version = max(version_of_row(row), last.get(row["game_id"], 0) + 1)
        last[row["game_id"]] = version
        found.append({**row, "version": version})
    return found


def _between(letters: _Letters, moment: Any) -> int:
    return letters.since(moment) * STEP + STEP // 2


def _version_of_words(letters: _Letters, row: Row) -> int:
    """Return the version of a chat message, which is lower than that of the letter that contains the message."""
    since = letters.since(row["said_at"])
    return min(since, (row["letter_id"] or since + 1) - 1) * STEP + STEP // 2


def _questions(kept: Mapping[str, Sequence[Row]]) -> Sequence[Row]:
    nothing = dict.fromkeys(("game_id", "seat", "version", "turn", "address", "player_id"))
    in_games = [
        {
            **nothing,
            "game_id": row["game_id"],
            "seat": row["seat"],
            "version": None if row["known"] is None else row["known"] * STEP,
            "turn": row["shown"],
            **_asked(row),
        }
        for row in kept["question"]
    ]
    to_addresses = [
        {
            **nothing,
            "address": row["address"],
            "player_id": row["player_id"],
            **_asked(row),
            # Below the commands, the oldest rows have text that was never shown.
            "words": row["words"].partition("\n\n")[0],
        }
        for row in kept["confirmation"]
    ]
    # The rows have no numbers, so that the database assigns new ones.
    return sorted((*in_games, *to_addresses), key=lambda one: one["asked_at"])


def _asked(row: Row) -> Row:
    kind = QuestionKind(row["kind"])
    return {
        "kind": kind.value,
        **{name: row[name] for name in ("words", "letter_id", "asked_at", "is_replaced")},
    }


def _games(
    connection: Connection,
    op: Operations,
    letters: _Letters,
    newest: Mapping[int, int],
    made: Mapping[str, Sequence[Row]],
) -> None:
    op.add_column("game", sa.Column("version", sa.Integer(), nullable=True))
    highest = dict(newest)
    for game, some in letters.of_game.items():
        highest[game] = max(highest.get(game, 0), some[-1][0] * STEP)
    for row in (one for rows in made.values() for one in rows if one["game_id"] is not None):
        game = row["game_id"]
        highest[game] = max(highest.get(game, 0), row["version"] or 0, row.get("gone") or 0)
    numbers = connection.execute(sa.text("SELECT id FROM game")).scalars().all()
    rows = [{"game": one, "at": highest.get(one, 0) + 1} for one in numbers]
    if rows:
        connection.execute(sa.text("UPDATE game SET version = :at WHERE id = :game"), rows)
    with op.batch_alter_table(
        "game",
        recreate="always" if connection.dialect.name == "sqlite" else "never",
        table_kwargs={"sqlite_autoincrement": True},
    ) as batch:
        batch.alter_column("version", existing_type=sa.Integer(), nullable=False)
    _script().rematches(op)


def _script() -> Any:
    """Return the module of the migration to schema 0016, whose functions the upgrade calls."""
    return ScriptDirectory(str(MIGRATIONS)).get_revision(_VERSIONED).module
