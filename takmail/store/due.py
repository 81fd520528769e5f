"""Store when something is to be done about a game or another subject by itself, and claim what is due.

A claim moves the row to the end of its lease. If the process dies, the row is due again then.
"""

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import and_, bindparam, case, delete, func, insert, not_, or_, true, update
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from takmail.games.interface import Seat
from takmail.mail.domains import organisation_of
from takmail.store.statements import run, select
from takmail.store.tables import AddressRow, DueRow, GameRow, PlayerRow, SeatRow
from takmail.store.tables.column_types import Moment
from takmail.world import GameNumber, PlayerId, PlayerKind, Task, TaskKind, bot_skeleton
from takmail.world.operations import PAIRING, TOLD, TOURNAMENT

CLOCK = "clock"
"""The work of a game's clock: reminders, the end of a player's time, and rest."""
DIGEST = "digest"
"""The work of a player's digest."""
PARTS = "parts"
"""The work of answering the parts of a mail."""
SCHEDULED = (CLOCK, DIGEST, PARTS, TOURNAMENT, PAIRING)
"""What the scheduler does, besides telling steps of tournaments. All else is a task, which a process thinks about."""
LEASE = timedelta(minutes=5)
"""How long a process may work on a row before another one may claim it."""
TASK_LEASE = timedelta(minutes=10)
"""The same for a task. It suffices for an engine that fails twice, followed by two searches."""
MAX_TASK_ATTEMPTS = 10
"""After this many attempts a task is given up. Most of them ended as the service did."""
MAX_ATTEMPTS = 3
"""After this many attempts that failed, a row is put off for a day."""
_PUT_OFF = timedelta(days=1)

_THIS = (col(DueRow.subject) == bindparam("about"), col(DueRow.work) == bindparam("what"))
_SET = update(DueRow).where(*_THIS).values(due_at=bindparam("at"), claimed_by="", attempts=0)
_AT = bindparam("at", type_=Moment())
# It always writes, so that the row is locked, and ends a claim: whoever has it has not seen what is due now.
_SET_BY = (
    update(DueRow)
    .where(*_THIS)
    .values(
        due_at=case(
            (or_(col(DueRow.claimed_by) != "", col(DueRow.due_at) > _AT), _AT),
            else_=col(DueRow.due_at),
        ),
        claimed_by="",
        attempts=0,
    )
)
_ADD = insert(DueRow)
_LOCK = update(DueRow).where(*_THIS).values(attempts=col(DueRow.attempts))
_DONE = delete(DueRow).where(*_THIS)
_IS_TOLD = col(DueRow.work).startswith(f"{TOLD} ")
_OLDEST = (
    select(DueRow.subject, DueRow.work, DueRow.attempts)
    .where(col(DueRow.due_at) <= bindparam("now"))
    .order_by(col(DueRow.due_at))
    .limit(1)
    .with_for_update(skip_locked=True)
)
_NEXT = _OLDEST.where(or_(col(DueRow.work).in_(SCHEDULED), _IS_TOLD))
_NEXT_OF = _OLDEST.where(col(DueRow.work) == bindparam("what"))

QuickBot = tuple[str, str]
"""The kind of a game, and the name of a bot whose turn in it takes less than a second."""


class Lane(StrEnum):
    """Which tasks a worker does: those that take less than a second, those that may take longer, or all."""

    QUICK = "quick"
    SLOW = "slow"
    ALL = "all"


def _oldest_tasks(lane: Lane) -> Any:
    """Return the query for the tasks that are due, of each player who waits the one that has waited for longest.

    So there are no more of them than players, and none is hidden behind those of others.
    """
    waiting = _waiting_tasks(lane).subquery()
    address = (
        select(func.min(AddressRow.address))
        .where(col(AddressRow.player_id) == waiting.c.player_id)
        .scalar_subquery()
    )
    oldest = select(
        waiting.c.subject, waiting.c.work, waiting.c.attempts, waiting.c.player_id, address.label("address")
    )
    return oldest.where(waiting.c.place == 1).order_by(
        waiting.c.due_at, waiting.c.subject, waiting.c.player_id
    )


def _waiting_tasks(lane: Lane) -> Any:
    """Return the query for the tasks that are due, each with its place among those of the player who waits."""
    work = col(DueRow.work)
    # The sum keeps SQLite from looking for the tasks of each seat that there is.
    game = col(DueRow.subject) + 0
    other_seat: Any = aliased(SeatRow)
    other_player: Any = aliased(PlayerRow)
    asked = (
        and_(
            col(SeatRow.seat) == int(seat), or_(work == f"{kind} {seat}", work.startswith(f"{kind} {seat} "))
        )
        for kind in TaskKind
        if kind.is_asked_for
        for seat in Seat
    )
    of_all = work.in_([kind.value for kind in TaskKind if not kind.is_asked_for])
    opponent = col(GameRow.kind) + " " + func.coalesce(other_player.skeleton, "")
    is_quick = and_(work == TaskKind.MOVE.value, opponent.in_(bindparam("quick", expanding=True)))
    place = func.row_number().over(
        partition_by=col(SeatRow.player_id), order_by=(col(DueRow.due_at), col(DueRow.subject), work)
    )
    return (
        select(
            DueRow.subject,
            DueRow.work,
            DueRow.attempts,
            DueRow.due_at,
            SeatRow.player_id,
            place.label("place"),
        )
        .join(SeatRow, col(SeatRow.game_id) == game)
        .join(PlayerRow, col(PlayerRow.id) == SeatRow.player_id)
        .join(GameRow, col(GameRow.id) == game)
        .join(other_seat, and_(other_seat.game_id == game, other_seat.seat != SeatRow.seat))
        .join(other_player, other_player.id == other_seat.player_id)
        .where(
            col(DueRow.due_at) <= bindparam("now"),
            or_(of_all, *asked),
            col(PlayerRow.kind) != PlayerKind.ENGINE,
            {Lane.QUICK: is_quick, Lane.SLOW: not_(is_quick), Lane.ALL: true()}[lane],
        )
    )


_OLDEST_TASKS = {lane: _oldest_tasks(lane) for lane in Lane}
_CLAIM = (
    update(DueRow)
    .where(*_THIS)
    .values(due_at=bindparam("until"), claimed_by=bindparam("by"), attempts=bindparam("count"))
)
_CLAIM_IF_DUE = _CLAIM.where(col(DueRow.due_at) <= bindparam("now"))
_MINE = (*_THIS, col(DueRow.claimed_by) == bindparam("by"))
_FINISH = update(DueRow).where(*_MINE).values(due_at=bindparam("at"), claimed_by="", attempts=0)
_IS_MINE = select(DueRow.subject).where(*_MINE)
_NEVER_AGAIN = delete(DueRow).where(*_MINE)
_RELEASE = (
    update(DueRow)
    .where(
        col(DueRow.due_at) > bindparam("now"),
        # So that the index finds the few rows, and those that are put off stay so.
        col(DueRow.due_at) <= bindparam("latest"),
        col(DueRow.claimed_by).startswith(bindparam("by")),
    )
    .values(
        due_at=bindparam("now"),
        claimed_by="",
        attempts=col(DueRow.attempts) - bindparam("uncounted"),
    )
)

_OF_GAME = select(DueRow.work).where(
    col(DueRow.subject) == bindparam("game"), col(DueRow.work).not_in(SCHEDULED)
)
_LOOK = (
    update(DueRow)
    .where(
        col(DueRow.subject).in_(select(SeatRow.game_id).where(col(SeatRow.player_id) == bindparam("player"))),
        col(DueRow.work) == CLOCK,
        col(DueRow.due_at) > bindparam("now"),
        col(DueRow.claimed_by) == "",
    )
    .values(due_at=bindparam("now"))
)


@dataclass(frozen=True, slots=True)
class Due:
    """A row that this process has claimed. `subject` is as in `DueRow`, and `attempts` counts the current one."""

    subject: int
    work: str
    attempts: int


@dataclass(frozen=True, slots=True)
class WaitingTask:
    """A task that is due, and the player who waits for it. `work` is its row as it is once it is claimed.

    `organisation` is the domain of the player's organisation, '' at a common provider.
    """

    work: Due
    task: Task
    player: PlayerId
    organisation: str = ""


def set_due(session: Session, subject: int, work: str, at: datetime) -> None:
    """Store when work about a game, or another subject, is due. This ends a claim of the row."""
    if not put_off(session, subject, work, at):
        _add(session, subject, work, at)


def lock(session: Session, subject: int, work: str) -> bool:
    """Lock a row of work until the end of the transaction. Return False if there is none."""
    return run(session, _LOCK, about=subject, what=work).rowcount > 0


def done(session: Session, subject: int, work: str) -> None:
    """Store that some work is done, whoever has claimed it."""
    run(session, _DONE, about=subject, what=work)


def put_off(session: Session, subject: int, work: str, at: datetime) -> bool:
    """Store another time for work if there is any. Return whether there is. This ends a claim of the row."""
    return run(session, _SET, about=subject, what=work, at=at).rowcount > 0


def set_due_by(session: Session, subject: int, work: str, at: datetime) -> None:
    """Store that work is due at a time at the latest. This ends a claim of the row."""
    if run(session, _SET_BY, about=subject, what=work, at=at).rowcount == 0:
        _add(session, subject, work, at)


def run_task(session: Session, task: Task, at: datetime) -> None:
    """Store that a task is due at `at`. What a player asked for stays as it is if it waits or runs already."""
    if not task.kind.is_asked_for:
        set_due(session, task.game, task.key, at)
    elif task not in waiting_tasks(session, task.game):
        _add(session, task.game, task.key, at)


def waiting_tasks(session: Session, game: int) -> frozenset[Task]:
    """Return the tasks of a game that wait or run."""
    found = (_task(game, work) for work in run(session, _OF_GAME, game=game).scalars())
    return frozenset(task for task in found if task is not None)


def _task(game: int, work: str) -> Task | None:
    """Return a task, or None if a later version has stored it."""
    with suppress(ValueError):
        return Task.from_key(GameNumber(game), work)
    return None


def _add(session: Session, subject: int, work: str, at: datetime) -> None:
    run(session, _ADD, subject=subject, work=work, due_at=at, claimed_by="", attempts=0)


def look_at_games_of(session: Session, player: int, now: datetime) -> None:
    """Let all games of a player be due now, as their time off has changed."""
    run(session, _LOOK, player=player, now=now)


def claim(session: Session, process: str, now: datetime, only: str | None = None) -> Due | None:
    """Claim the scheduled work that has been due for longest, or work that is not scheduled. None if none is due."""
    due = run(session, _NEXT, now=now) if only is None else run(session, _NEXT_OF, now=now, what=only)
    row = due.first()
    if row is None:
        return None
    attempts = row.attempts + 1
    until = now + (LEASE if attempts <= MAX_ATTEMPTS else _PUT_OFF)
    run(session, _CLAIM, about=row.subject, what=row.work, until=until, by=process, count=attempts)
    return Due(row.subject, row.work, attempts)


def tasks(
    session: Session, now: datetime, lane: Lane = Lane.ALL, quick: Collection[QuickBot] = ()
) -> Sequence[WaitingTask]:
    """Return the oldest task of each player who waits for one, the one that has been due for longest first.

    For the last letter of a game both players wait. `quick` are the bots whose turns are in the quick lane.
    """
    bots = {} if lane is Lane.ALL else {"quick": [f"{kind} {bot_skeleton(bot)}" for kind, bot in quick]}
    return [
        WaitingTask(
            Due(row.subject, row.work, row.attempts + 1),
            Task.from_key(GameNumber(row.subject), row.work),
            PlayerId(row.player_id),
            organisation_of(row.address or ""),
        )
        for row in run(session, _OLDEST_TASKS[lane], now=now, **bots)
    ]


def claim_task(session: Session, work: Due, by: str, now: datetime) -> bool:
    """Claim a task for the worker `by`. Return False if it is not due any more, as another one has been quicker.

    Somebody waits for it, so it is put off for a day only after an attempt that needed no answer, too, has failed.
    """
    lease = TASK_LEASE if work.attempts <= MAX_TASK_ATTEMPTS + 1 else _PUT_OFF
    values = {"until": now + lease, "by": by, "count": work.attempts, "now": now}
    return run(session, _CLAIM_IF_DUE, about=work.subject, what=work.work, **values).rowcount > 0


def is_claimed(session: Session, work: Due, by: str) -> bool:
    """Return whether the worker `by` still has a claim. It ends if the work is set anew, as the game has changed."""
    return run(session, _IS_MINE, about=work.subject, what=work.work, by=by).first() is not None


def finish(session: Session, work: Due, at: datetime | None, claimed_by: str) -> None:
    """Store when claimed work is due next, None for never. Do nothing unless the row is claimed by `claimed_by`.

    Another transaction that has changed the game meanwhile has ended the claim, and knows better when it is due.
    """
    key = {"about": work.subject, "what": work.work, "by": claimed_by}
    if at is None:
        run(session, _NEVER_AGAIN, **key)
    else:
        run(session, _FINISH, at=at, **key)


def release(session: Session, now: datetime, by: str, uncounted: int = 0) -> None:
    """Let what a process had claimed when it ended be due at once. Its claims have names that begin with `by`.

    `uncounted` is how many attempts don't count: 1 if the process was stopped, and has not died of its work.
    """
    run(session, _RELEASE, now=now, latest=now + TASK_LEASE, by=by, uncounted=uncounted)
