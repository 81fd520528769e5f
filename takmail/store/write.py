"""Store an outcome: the difference from what is stored, operations, letters, and the state in which its mail ends.

If a row is not as it was when the outcome was decided, `write` raises Conflict. The caller then rolls back and
processes the cause again.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import bindparam, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col

from takmail.letters.letter import Letter
from takmail.pipeline.process import Conflict, Outcome
from takmail.store import digests, dispatch, due, inbox, split_mails
from takmail.store.difference import (
    Difference,
    difference,
    insert_rows,
    write_rows,
)
from takmail.store.dispatch import Claimed
from takmail.store.held import references
from takmail.store.operations import carry_out, withdraw
from takmail.store.records import GAMES, PENDING, PLAYERS
from takmail.store.statements import run, select
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
        col(OutboxRow.state) == LetterState.QUEUED,
        col(OutboxRow.claimed_by) == "",
    )
    .values(due_at=bindparam("now"))
)


class ToSend(NamedTuple):
    """The letters that this process has claimed, and whether others of the outbox may be due now."""

    claimed: tuple[Claimed, ...]
    are_others_due: bool


def write(
    session: Session,
    snapshot: Snapshot,
    outcome: Outcome,
    *,
    claimed_by: str = "",
    sends: bool = False,
    was_decided_apart: bool = False,
) -> ToSend:
    """Store the outcome of a cause that was decided on `snapshot`. `claimed_by` is the process that claimed its mail.

    If this process also `sends` letters at once, those that may leave now are stored as claimed by it.

    `was_decided_apart`: it was decided in another transaction, so that others may have written since.

    Raises Conflict if the data has changed since it was read, and `inbox.ClaimLost` if another process has
    claimed the mail. The caller must roll back after either error.
    """
    mail, now = snapshot.cause.mail, snapshot.now
    changes = difference(outcome.world)
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
            if snapshot.cause.part_of is not None:
                split_mails.ended(session, mail, snapshot.cause.part_of, outcome.piece, now)
        _lock_players(session, changes, outcome.world.operations)
        write_rows(session, changes, now)
        queued = [carry_out(session, operation, now, changed_games) for operation in outcome.world.operations]
        _write_digests_due(session, outcome)
        if was_decided_apart or session.get_bind().dialect.name != "sqlite":
            _check_shown_games(session, outcome.letters, changed_games)
        _write_due(session, outcome.world, changed_games, now)
        claimed = _write_letters(session, outcome.letters, mail, claimed_by if sends else None, now)
        insert_rows(session, PENDING, changes[PENDING].added, now)
    except IntegrityError as error:
        raise Conflict("a row exists already") from error
    is_released = any(queued) or any(letter.released is not None for letter in outcome.letters)
    return ToSend(claimed, is_released or len(claimed) < len(outcome.letters))


def _write_due(session: Session, world: World, changed: Collection[GameNumber], now: datetime) -> None:
    """Store when the changed and the new games are due, if that is sooner than it was.

    A row that is due too soon does no harm: the scheduler looks at the game and puts the row off. So a turn costs
    nothing here.
    """
    stored = world.stored
    for number in {*changed, *(world.games.keys() - stored.games.keys())}:
        known = stored.games.get(number)
        was = None if known is None else due_at(known, now)
        at = due_at(world.game(number), now)
        if at is not None and (was is None or at < was):
            due.set_due(session, number, due.CLOCK, at)
    for player in world.players.values():
        known_player = stored.players.get(player.id)
        if known_player is not None and known_player.time_off != player.time_off:
            due.look_at_games_of(session, player.id, now)


def _write_digests_due(session: Session, outcome: Outcome) -> None:
    """Store when the digests are due for which letters are held."""
    for letter in outcome.letters:
        about = letter.about
        if about.digest_at is None or not letter.is_held:
            continue
        assert about.game is not None
        assert about.seat is not None
        player = outcome.world.game(about.game).players[about.seat]
        digests.set_due_by(session, player, about.digest_at)


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
    """Raise Conflict if a letter shows an old version of a game. SQLite needs no check in the deciding transaction."""
    about = [about for letter in letters for about in letter.shown]
    shown = {(it.game, it.version) for it in about if it.game is not None and it.version is not None}
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
        digests.note_digest(session, letter)
        for about in letter.shown:
            if not about.chat:
                continue
            brought = run(
                session,
                _SET_LETTER_OF_WORDS,
                game=about.game,
                versions=about.chat_versions,
                letter=letter.message_id,
                postpones_chat=letter.postpones_chat,
            )
            if brought.rowcount != len(about.chat):
                raise Conflict("chat that another letter contains")
    return claimed


def _row(letter: Letter, mail: int | None) -> Mapping[str, object]:
    """Return the columns of a new letter in the outbox. `mail` is the number of the mail that led to it, or None."""
    about, content = letter.about, letter.content
    return {
        "message_id": letter.message_id,
        "game_id": about.game,
        "seat": about.seat,
        "version": about.version,
        "turn": about.turn,
        "reported_turn": about.reported_turn,
        "mail_from": letter.mail_from,
        "mail_to": letter.mail_to,
        "raw": content.raw,
        "drawings": content.drawings,
        "purge_after_send": letter.purge_after_send,
        "text": content.text,
        "html_text": content.html_text,
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
