"""Store an outcome: the difference between two worlds, operations, letters, and the state in which its mail ends.

The rows that differ are written by statements that are made from the declarations in `takmail.store.records`.
If a row is not as it was when the outcome was decided, `write` raises Conflict. The caller then rolls back and
processes the cause again.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from itertools import takewhile
from typing import Any

from sqlalchemy import bindparam, delete, insert, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col

from takmail.letters.letter import Letter
from takmail.pipeline.process import Conflict, Outcome
from takmail.store import dispatch, due, inbox
from takmail.store.dispatch import Claimed
from takmail.store.operations import carry_out, withdraw
from takmail.store.records import (
    GAMES,
    OF_GAME,
    OF_PLAYER,
    OF_WORLD,
    PENDING,
    PLAYERS,
    RECORDS,
    Record,
    Row,
    references,
)
from takmail.store.statements import run, run_many, select
from takmail.store.tables import ChatRow, GameRow, OutboxRow, PlayerRow
from takmail.world import GameNumber, LetterState, PlayerKind, Snapshot, World, due_at
from takmail.world.operations import MergePlayers, Operation

_LOCK_SHOWN_GAME: Any = (
    select(GameRow.id)
    .where(col(GameRow.id) == bindparam("game"), col(GameRow.version) == bindparam("base"))
    .with_for_update(read=True)
)
_LOCK_PLAYERS: Any = (
    select(PlayerRow.id)
    .where(
        col(PlayerRow.id).in_(bindparam("players", expanding=True)),
        col(PlayerRow.kind) != PlayerKind.ERASED,
    )
    .order_by(col(PlayerRow.id))
    .with_for_update(read=True)
)
_SET_LETTER_OF_WORDS = (
    update(ChatRow)
    .where(
        col(ChatRow.game_id) == bindparam("game"),
        col(ChatRow.version).in_(bindparam("versions", expanding=True)),
        col(ChatRow.letter_id).is_(None),
    )
    .values(
        letter_id=select(OutboxRow.id)
        .where(col(OutboxRow.message_id) == bindparam("letter"))
        .scalar_subquery(),
        is_postponed=bindparam("postpones_chat"),
    )
)
# One that a process has claimed leaves anyway.
_RELEASE_HELD = (
    update(OutboxRow)
    .where(
        col(OutboxRow.message_id) == bindparam("letter"),
        col(OutboxRow.state) == LetterState.POSTPONED,
        col(OutboxRow.claimed_by) == "",
    )
    .values(state=LetterState.QUEUED, due_at=bindparam("now"))
)


@dataclass(slots=True)
class RowChanges:
    """The rows of one record that differ. `edited` are pairs of the old and the new row."""

    gone: list[Row] = field(default_factory=list)
    edited: list[tuple[Row, Row]] = field(default_factory=list)
    added: list[Row] = field(default_factory=list)


Difference = Mapping[Record, RowChanges]
"""The rows that differ, by record."""


def write(
    session: Session,
    snapshot: Snapshot,
    outcome: Outcome,
    *,
    claimed_by: str = "",
    sends: bool = False,
) -> tuple[Claimed, ...]:
    """Store the outcome of a cause that was decided on `snapshot`. `claimed_by` is the process that claimed its mail.

    If this process also `sends` letters at once, those that may leave now are stored as claimed by it, and returned.

    Raises Conflict if the data has changed since the snapshot was loaded, and `inbox.ClaimLost` if another process has
    claimed the mail. The caller must roll back after either error.
    """
    mail, now = snapshot.cause.mail, snapshot.now
    changes = difference(snapshot.world, outcome.world)
    changed_games = {new["id"] for old, new in changes[GAMES].edited if new["version"] != old["version"]}
    try:
        if outcome.state is not None and mail is not None:
            inbox.end(
                session,
                mail,
                outcome.state,
                outcome.note,
                claimed_by=claimed_by,
                is_costly=outcome.is_costly,
                game=outcome.game,
                turn=outcome.turn,
            )
        _lock_players(session, changes, outcome.world.operations)
        write_rows(session, changes, now)
        for operation in outcome.world.operations:
            carry_out(session, operation, now, changed_games)
        _check_shown_games(session, outcome.letters, changed_games)
        _write_due(session, snapshot.world, outcome.world, changed_games, now)
        claimed = _write_letters(session, outcome.letters, mail, claimed_by if sends else None, now)
        insert_rows(session, PENDING, changes[PENDING].added, now)
    except IntegrityError as error:
        raise Conflict("a row exists already") from error
    return claimed


def difference(before: World, after: World) -> Difference:
    """Return the rows in which two worlds differ. All players and games of the first one are in the second one, too."""
    changes = {record: RowChanges() for record in RECORDS}
    for record in OF_WORLD:
        _compare(record, 0, record.values(before), record.values(after), changes[record])
    for player in after.players.values():
        # What an erased player had goes with all that is stored about them.
        if not player.is_erased:
            _compare_owned(OF_PLAYER, player.id, before.players.get(player.id), player, changes)
    for game in after.games.values():
        _compare_owned(OF_GAME, game.number, before.games.get(game.number), game, changes)
    return changes


def _compare_owned(
    records: Sequence[Record], number: int, old: Any, new: Any, changes: Mapping[Record, RowChanges]
) -> None:
    """Add the rows that differ between a player or a game and the same one before, None if it is new."""
    if old is new:
        return
    for record in records:
        old_values = () if old is None else record.values(old)
        _compare(record, number, old_values, record.values(new), changes[record])


def _compare(record: Record, owner: int, old: Sequence[Any], new: Sequence[Any], change: RowChanges) -> None:
    """Add the rows that differ between two sequences of values to a change. Most values are the same objects."""
    if old == new:
        return
    same = sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], zip(old, new, strict=False)))
    stored = _rows(record, owner, old[same:])
    for key, row in _rows(record, owner, new[same:]).items():
        known = stored.pop(key, None)
        if known is None:
            change.added.append(row)
        elif known != row and not record.is_changed_elsewhere:
            change.edited.append((known, row))
    if not record.is_changed_elsewhere:
        change.gone += stored.values()


def _rows(record: Record, owner: int, values: Iterable[Any]) -> dict[tuple[Any, ...], Row]:
    rows = [record.row(owner, value) for value in values]
    return {tuple([row[name] for name in record.key]): row for row in rows}


def write_rows(session: Session, changes: Difference, now: datetime) -> None:
    """Write the rows that differ, except new ones that name letters of the same cause.

    Raises Conflict if a row that is changed or deleted is gone, or a guard of it has another value, and IntegrityError
    if a new row collides with another.
    """
    for record, change in changes.items():
        # In the order of their keys, so that two processes lock the same rows in the same order.
        for old, new in sorted(change.edited, key=lambda rows: [rows[0][name] for name in record.key]):
            columns = tuple(name for name in new if new[name] != old[name])
            values = {f"new_{name}": new[name] for name in columns}
            _expect_one(session, record, _update(record, columns), old, values)
    for record, change in reversed([*changes.items()]):
        for old in change.gone:
            _expect_one(session, record, _delete(record), old, {})
    for record, change in changes.items():
        if not record.letter:
            insert_rows(session, record, change.added, now)


def insert_rows(session: Session, record: Record, rows: Sequence[Row], now: datetime) -> None:
    """Insert rows of a record at the time of their cause. The letters that they name are stored already."""
    if record.stamp:
        rows = [{**row, record.stamp: now} for row in rows]
    if record.letter:
        rows = [{**row, "message_id": row[record.letter]} for row in rows]
        rows = [{name: row[name] for name in row if name not in (*record.key, record.letter)} for row in rows]
    run_many(session, _insert(record), rows)


def _expect_one(session: Session, record: Record, statement: Any, old: Row, values: Row) -> None:
    """Run a statement that has to change the row `old`. Raise Conflict if there is no such row."""
    where = {f"old_{name}": old[name] for name in (*record.key, *record.guards)}
    if run(session, statement, **where, **values).rowcount != 1:
        raise Conflict(f"{record.table.__tablename__} {[old[name] for name in record.key]}")


@cache
def _update(record: Record, columns: tuple[str, ...]) -> Any:
    return (
        update(record.table)
        .where(*_is_old(record))
        .values({name: bindparam(f"new_{name}") for name in columns})
    )


@cache
def _delete(record: Record) -> Any:
    return delete(record.table).where(*_is_old(record))


@cache
def _insert(record: Record) -> Any:
    if not record.letter:
        return insert(record.table)
    named = select(OutboxRow.id).where(col(OutboxRow.message_id) == bindparam("message_id"))
    return insert(record.table).values({record.letter: named.scalar_subquery()})


def _is_old(record: Record) -> list[Any]:
    is_same = [getattr(record.table, name) == bindparam(f"old_{name}") for name in record.key]
    as_it_was = [
        getattr(record.table, name).is_not_distinct_from(bindparam(f"old_{name}")) for name in record.guards
    ]
    return [*is_same, *as_it_was]


def _write_due(
    session: Session, before: World, after: World, changed: Collection[GameNumber], now: datetime
) -> None:
    """Store when the changed and the new games are due, if that is sooner than it was.

    A row that is due too soon does no harm: the scheduler looks at the game and puts the row off. So a turn costs
    nothing here.
    """
    for number in {*changed, *(after.games.keys() - before.games.keys())}:
        known = before.games.get(number)
        was = None if known is None else due_at(known, now)
        at = due_at(after.games[number], now)
        if at is not None and (was is None or at < was):
            due.set_due(session, number, due.CLOCK, at)
    for player in after.players.values():
        known_player = before.players.get(player.id)
        if known_player is not None and known_player.time_off != player.time_off:
            due.look_at_games_of(session, player.id, now)


def _lock_players(session: Session, changes: Difference, operations: Sequence[Operation]) -> None:
    """Lock the players to whom new rows will refer until the commit. Raise Conflict if one of them was erased."""
    named = {
        row[name]
        for record, change in changes.items()
        for row in change.added
        for name in references(record.table)
    }
    for operation in operations:
        if isinstance(operation, MergePlayers):
            named |= {operation.source, operation.into}
    named -= {None, *(row["id"] for row in changes[PLAYERS].added)}
    if named and len(run(session, _LOCK_PLAYERS, players=sorted(named))) != len(named):
        raise Conflict("a player")


def _check_shown_games(session: Session, letters: Sequence[Letter], changed: Collection[GameNumber]) -> None:
    """Raise Conflict if a letter shows an old version of a game. SQLite needs no check, as it has one writer."""
    if session.get_bind().dialect.name == "sqlite":
        return
    shown = {(one.game, one.version) for one in letters if one.game is not None and one.version is not None}
    for game, version in sorted(shown):
        if game not in changed and run(session, _LOCK_SHOWN_GAME, game=game, base=version).first() is None:
            raise Conflict(f"game {game}")


def _write_letters(
    session: Session, letters: Sequence[Letter], mail: int | None, sent_by: str | None, now: datetime
) -> tuple[Claimed, ...]:
    """Store letters, and which chat messages they contain. Return those that are stored as claimed."""
    for letter in letters:
        if letter.replaces:
            withdraw(session, letter.replaces)
        if letter.released is not None:
            run(session, _RELEASE_HELD, letter=letter.released, now=now)
    rows = [_row(letter, mail) for letter in letters]
    claimed = dispatch.insert_letters(session, rows, sent_by, now)
    for letter in letters:
        if letter.chat_versions:
            brought = run(
                session,
                _SET_LETTER_OF_WORDS,
                game=letter.game,
                versions=letter.chat_versions,
                letter=letter.message_id,
                postpones_chat=letter.postpones_chat,
            )
            if brought.rowcount != len(letter.chat_versions):
                raise Conflict("chat that another letter contains")
    return claimed


def _row(letter: Letter, mail: int | None) -> Mapping[str, object]:
    """Return the columns of a new letter in the outbox. `mail` is the number of the mail that led to it, or None."""
    return {
        "message_id": letter.message_id,
        "game_id": letter.game,
        "seat": letter.seat,
        "version": letter.version,
        "turn": letter.turn,
        "reported_turn": letter.reported_turn,
        "mail_from": letter.mail_from,
        "mail_to": letter.mail_to,
        "raw": letter.raw,
        "drawings": letter.drawings,
        "purge_after_send": letter.purge_after_send,
        "text": letter.text,
        "html_text": letter.html_text,
        "purpose": letter.purpose,
        "state": letter.state,
        "delivery_class": int(letter.delivery_class),
        "attempts": 0,
        "claimed_by": "",
        "due_at": letter.due_at,
        "created_at": letter.created_at,
        "error": "",
        "mail_id": mail,
        "budget": letter.budget,
    }
