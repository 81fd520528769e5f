"""Store when something is to be done about a game by itself, and claim what is due.

A claim moves the row to the end of its lease. If the process dies, the row is due again then.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import bindparam, delete, insert, update
from sqlmodel import Session, col

from takmail.store.statements import run, select
from takmail.store.tables import DueRow, PlayerRow, SeatRow
from takmail.world import GameNumber, PlayerId, PlayerKind, Task

CLOCK = "clock"
"""The work of clocks: reminders, the end of a player's time, and rest."""
LEASE = timedelta(minutes=5)
"""How long a process may work on a row before another one may claim it."""
TASK_LEASE = timedelta(minutes=10)
"""The same for a task. It suffices for an engine that fails twice, followed by two searches."""
MAX_TASK_ATTEMPTS = 10
"""After this many attempts a task is given up. Most of them ended as the service did."""
MAX_ATTEMPTS = 3
"""After this many attempts that failed, a row is put off for a day."""
_PUT_OFF = timedelta(days=1)

MAX_TASKS = 200
"""The maximum number of tasks that are compared with each other."""

_THIS = (col(DueRow.game_id) == bindparam("game"), col(DueRow.work) == bindparam("what"))
_SET = update(DueRow).where(*_THIS).values(due_at=bindparam("at"), claimed_by="", attempts=0)
_ADD = insert(DueRow)
_NEXT = (
    select(DueRow.game_id, DueRow.work, DueRow.attempts)
    .where(col(DueRow.due_at) <= bindparam("now"), col(DueRow.work) == CLOCK)
    .order_by(col(DueRow.due_at))
    .limit(1)
    .with_for_update(skip_locked=True)
)
_TASKS = (
    select(DueRow.game_id, DueRow.work, DueRow.attempts, SeatRow.seat, SeatRow.player_id)
    .join(SeatRow, col(SeatRow.game_id) == DueRow.game_id)
    .join(PlayerRow, col(PlayerRow.id) == SeatRow.player_id)
    .where(
        col(DueRow.due_at) <= bindparam("now"),
        col(DueRow.work) != CLOCK,
        col(PlayerRow.kind) != PlayerKind.ENGINE,
    )
    .order_by(col(DueRow.due_at), col(DueRow.game_id), col(SeatRow.seat))
    .limit(2 * MAX_TASKS)
)
_CLAIM = (
    update(DueRow)
    .where(*_THIS)
    .values(due_at=bindparam("until"), claimed_by=bindparam("by"), attempts=bindparam("count"))
)
_CLAIM_IF_DUE = _CLAIM.where(col(DueRow.due_at) <= bindparam("now"))
_MINE = (*_THIS, col(DueRow.claimed_by) == bindparam("by"))
_FINISH = update(DueRow).where(*_MINE).values(due_at=bindparam("at"), claimed_by="", attempts=0)
_IS_MINE = select(DueRow.game_id).where(*_MINE)
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

_OF_GAME = select(DueRow.work).where(col(DueRow.game_id) == bindparam("game"), col(DueRow.work) != CLOCK)
_LOOK = (
    update(DueRow)
    .where(
        col(DueRow.game_id).in_(select(SeatRow.game_id).where(col(SeatRow.player_id) == bindparam("player"))),
        col(DueRow.work) == CLOCK,
        col(DueRow.due_at) > bindparam("now"),
        col(DueRow.claimed_by) == "",
    )
    .values(due_at=bindparam("now"))
)


@dataclass(frozen=True, slots=True)
class Due:
    """A row that this process has claimed. `attempts` counts the current one."""

    game: int
    work: str
    attempts: int


@dataclass(frozen=True, slots=True)
class WaitingTask:
    """A task that is due, and the player who waits for it. `work` is its row as it is once it is claimed."""

    work: Due
    task: Task
    player: PlayerId


def set_due(session: Session, game: int, work: str, at: datetime) -> None:
    """Store when work about a game is due. This ends a claim of the row."""
    if run(session, _SET, game=game, what=work, at=at).rowcount == 0:
        _add(session, game, work, at)


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


def _add(session: Session, game: int, work: str, at: datetime) -> None:
    run(session, _ADD, game_id=game, work=work, due_at=at, claimed_by="", attempts=0)


def look_at_games_of(session: Session, player: int, now: datetime) -> None:
    """Let all games of a player be due now, as their time off has changed."""
    run(session, _LOOK, player=player, now=now)


def claim(session: Session, process: str, now: datetime) -> Due | None:
    """Claim the clock that has been due for longest. Return None if none is due."""
    row = run(session, _NEXT, now=now).first()
    if row is None:
        return None
    attempts = row.attempts + 1
    until = now + (LEASE if attempts <= MAX_ATTEMPTS else _PUT_OFF)
    run(session, _CLAIM, game=row.game_id, what=row.work, until=until, by=process, count=attempts)
    return Due(row.game_id, row.work, attempts)


def tasks(session: Session, now: datetime) -> Sequence[WaitingTask]:
    """Return the tasks that are due, the one that has been due for longest first."""
    waiting: dict[Task, WaitingTask] = {}
    for row in run(session, _TASKS, now=now):
        task = _task(row.game_id, row.work)
        if task is not None and task.seat in (None, row.seat):
            work = Due(row.game_id, row.work, row.attempts + 1)
            waiting.setdefault(task, WaitingTask(work, task, PlayerId(row.player_id)))
    return list(waiting.values())


def claim_task(session: Session, work: Due, by: str, now: datetime) -> bool:
    """Claim a task for the worker `by`. Return False if it is not due any more, as another one has been quicker.

    Somebody waits for it, so it is put off for a day only after an attempt that needed no answer, too, has failed.
    """
    lease = TASK_LEASE if work.attempts <= MAX_TASK_ATTEMPTS + 1 else _PUT_OFF
    values = {"until": now + lease, "by": by, "count": work.attempts, "now": now}
    return run(session, _CLAIM_IF_DUE, game=work.game, what=work.work, **values).rowcount > 0


def is_claimed(session: Session, work: Due, by: str) -> bool:
    """Return whether the worker `by` still has a claim. It ends if the work is set anew, as the game has changed."""
    return run(session, _IS_MINE, game=work.game, what=work.work, by=by).first() is not None


def finish(session: Session, work: Due, at: datetime | None, claimed_by: str) -> None:
    """Store when claimed work is due next, None for never. Do nothing unless the row is claimed by `claimed_by`.

    Another transaction that has changed the game meanwhile has ended the claim, and knows better when it is due.
    """
    key = {"game": work.game, "what": work.work, "by": claimed_by}
    if at is None:
        run(session, _NEVER_AGAIN, **key)
    else:
        run(session, _FINISH, at=at, **key)


def release(session: Session, now: datetime, by: str, uncounted: int = 0) -> None:
    """Let what a process had claimed when it ended be due at once. Its claims have names that begin with `by`.

    `uncounted` is how many attempts don't count: 1 if the process was stopped, and has not died of its work.
    """
    run(session, _RELEASE, now=now, latest=now + TASK_LEASE, by=by, uncounted=uncounted)
