"""Do what takes thinking: the turns of bots, reviews of finished games, hints.

Each is a task that is due (`takmail.store.due`). No transaction is open while a process thinks, and its answer is
decided like a mail. A task that is interrupted anywhere is due again when its claim ends, or at the next start. Then
the same turn is chosen, as its seed depends on the game and the turn. It is played once, as the claim ends with it.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from sqlmodel import Session

from takmail.games.thinking import Choice, EngineHost, Player, Reviewer
from takmail.pipeline.process import Outcome
from takmail.pipeline.tasks import TurnRefused, on_task
from takmail.runtime import log_fields
from takmail.runtime.child_process import Closed, NoAnswer
from takmail.runtime.delivery_worker import Delivery
from takmail.runtime.engines import Engine
from takmail.runtime.fair_queue import FairQueue
from takmail.runtime.mail_worker import SPAWN_RETRY
from takmail.runtime.outages import isolated, wait_for
from takmail.runtime.thinker import THINKING_SECONDS, Thinker, Thought
from takmail.store import due
from takmail.store.causes import Causes, new_cause, with_retries
from takmail.store.database import UNAVAILABLE, Store
from takmail.store.due import WaitingTask
from takmail.world import Game, Task, TaskKind, waits_for_bot

log = logging.getLogger(__name__)

LOOK_EVERY = 1.0
"""After how many seconds of thinking it is looked again whether anybody still waits for the answer."""

LOOK_AGAIN = timedelta(seconds=5)
"""The maximum time until a task is noticed that another process has stored, or whose claim has ended."""

Way = Callable[[], Thought]
"""A way to think about a task. Raises NoAnswer."""


class _Outdated(Exception):  # noqa: N818 - the name says what happened
    """Raised if nobody waits for an answer any more, as the game has changed."""


@dataclass(frozen=True, slots=True)
class _Claimed:
    """A task that this process has claimed, when its game had these turns.

    `ways` are the ways to think about it, each for the case that those before it fail, and each takes at most
    `seconds`. `name` is for the operator.
    """

    waiting: WaitingTask
    turns: tuple[str, ...]
    ways: tuple[Way, ...]
    seconds: float
    name: str

    def log_failure(self, error: Exception) -> None:
        """Tell the operator of a failure, but not again at each further attempt."""
        is_told = isinstance(error, TurnRefused | NoAnswer)
        why = str(error).strip() if is_told else log_fields.cause(error)
        level = logging.ERROR if self.waiting.work.attempts == 1 else logging.DEBUG
        log.log(level, "%s failed: %s", self.name, why)


class BotWorker:
    """Does one task after the other. All workers of a lane share its `queue`.

    `delivery` sends the letters. `name` is its own name in claims, and begins with that of the process. `engines` are
    the external ones by name.
    """

    def __init__(
        self,
        store: Store,
        causes: Causes,
        delivery: Delivery,
        name: str,
        queue: FairQueue,
        engines: Mapping[str, Engine],
        new_thinker: Callable[[], Thinker] = Thinker,
    ) -> None:
        self._store = store
        self._causes = causes
        self._delivery = delivery
        self._name = name
        self._queue = queue
        self._engines = engines
        self._quick = tuple(
            (kind, level)
            for kind, rules in causes.services.games.by_name.items()
            if isinstance(rules, Player)
            for level in rules.quick_levels
        )
        self._new_thinker = new_thinker
        self._thinker = new_thinker()
        # The event loop's own threads are few, and draw pictures, too.
        self._thread = ThreadPoolExecutor(1, "thinking")
        self._is_stopping = False

    async def run(self, goes_on: Callable[[], None] = lambda: None) -> None:
        """Do tasks as they become due, until cancelled. `goes_on` is called whenever no more tasks wait."""
        while True:
            self._queue.wake.clear()
            await self.work()
            goes_on()
            await wait_for(self._queue.wake, LOOK_AGAIN)

    async def work(self) -> int:
        """Do all tasks that are due, unless stopped. Return how many there were."""
        done = 0
        while not self._is_stopping and (claimed := self._claim()) is not None:
            done += 1
            await self._do(claimed)
        return done

    def wake(self) -> None:
        """Let `run` look for tasks now."""
        self._queue.wake.set()

    def stop(self) -> None:
        """Begin no more tasks."""
        self._is_stopping = True

    def close(self) -> None:
        """End the processes that think. A running `work` then raises Closed."""
        self._thinker.close()
        for engine in self._engines.values():
            engine.close()

    def _claim(self) -> _Claimed | None:
        """Claim the task to do next, and load what it needs. Return None if none is due."""
        with self._store.transaction(durable=False) as session:
            now = self._causes.now()
            while True:
                tasks = due.tasks(session, now, self._queue.lane, self._quick)
                waiting = self._queue.first(tasks)
                if waiting is None:
                    return None
                task, work = waiting.task, waiting.work
                if not due.claim_task(session, work, self._name, now):
                    continue  # another process has been quicker
                game = self._causes.queries(session).game(task.game)
                if game is not None and _is_needed(game, task):
                    turns = _texts(game)
                    seconds = self._queue.seconds(waiting, tasks)
                    ways = tuple(self._ways(game, task, turns, seconds))
                    if work.attempts > due.MAX_ATTEMPTS:
                        # The service has died each time, or could not use any answer.
                        ways = ways[1:][-1:] if work.attempts <= due.MAX_TASK_ATTEMPTS else ()
                    position = f"{game.record.kind} {game.record.setup}, {_position(game)}"
                    name = f"game {task.game} after turn {len(turns)} ({position}): {task.key}"
                    return _Claimed(waiting, turns, ways, seconds, name)
                due.finish(session, work, None, self._name)

    def _ways(self, game: Game, task: Task, turns: tuple[str, ...], seconds: float) -> Iterator[Way]:
        rules, position = game.rules, (game.record.setup, turns)
        think = self._thinker.think
        if task.kind is TaskKind.MOVE:
            bot = game.players[game.to_move].bot_name
            if bot in self._engines:
                yield partial(self._engines[bot].choose, *position, seconds, game=task.game)
            if isinstance(rules, Player) and rules.plays(game.record.setup):
                seed = self._causes.services.key.seed(f"game {task.game} turn {len(turns) + 1}")
                level = bot if bot in rules.levels else rules.levels[-1]
                for choosing in (level, rules.stand_in(level)):
                    yield partial(think, partial(rules.choose, *position, choosing, seed), seconds)
        elif isinstance(rules, Reviewer):
            is_hint, only = task.kind is TaskKind.HINT, task.turn
            question = (
                partial(rules.hint, *position) if is_hint else partial(rules.review, *position, only=only)
            )
            yield partial(think, question, seconds)

    async def _do(self, claimed: _Claimed) -> None:
        """Think about a task in one way after the other, until what follows from an answer is decided.

        Only if there was no answer at all is that decided, too.
        """
        ways, has_failed = iter(claimed.ways), False
        try:
            while (thought := await self._thought(claimed, ways)) is not None or not has_failed:
                if self._is_decided(claimed, thought):
                    return
                has_failed = True
        except _Outdated:
            self._put_off(claimed, timedelta(0))
        except Closed:
            raise
        except OSError as error:
            log.warning("cannot start a process that thinks: %s", error)
            self._put_off(claimed, SPAWN_RETRY)

    async def _thought(self, claimed: _Claimed, ways: Iterator[Way]) -> Thought | None:
        """Return the first answer, or None if all ways fail.

        Raises _Outdated once nobody waits for it, Closed, and OSError if no process starts.
        """
        began = time.perf_counter()
        loop = asyncio.get_running_loop()
        thinking = loop.run_in_executor(self._thread, self._think, claimed, ways)
        try:
            while not (await asyncio.wait([thinking], timeout=LOOK_EVERY))[0]:
                if not self._looks_needed(claimed):
                    self._thinker.close()
                    await asyncio.wait([thinking])
                    thinking.exception()  # it is not waited for any more
                    self._thinker = self._new_thinker()
                    raise _Outdated
            thought = await thinking
        finally:
            thinking.cancel()
            seconds = time.perf_counter() - began
            self._queue.note(claimed.waiting, seconds)
        self._log(claimed, thought, 1_000 * seconds)
        return thought

    def _think(self, claimed: _Claimed, ways: Iterator[Way]) -> Thought | None:
        """Return the first answer, or None if all ways fail."""
        if not claimed.ways:
            log.error("%s: given up after %d attempts", claimed.name, claimed.waiting.work.attempts - 1)
        for way in ways:
            try:
                return way()
            except OSError:
                raise
            except Exception as error:  # one game must not stop the others
                claimed.log_failure(error)
        return None

    def _looks_needed(self, claimed: _Claimed) -> bool:
        """Return whether a claim still stands, as far as can be seen now."""
        with suppress(*UNAVAILABLE), self._store.transaction(durable=False) as session:
            return self._stands(session, claimed)
        return True

    def _stands(self, session: Session, claimed: _Claimed) -> bool:
        """Return whether a claim still stands, and its game still waits for an answer about the same turns."""
        task, work = claimed.waiting.task, claimed.waiting.work
        game = self._causes.queries(session).game(task.game)
        is_same = game is not None and _is_needed(game, task) and _texts(game) == claimed.turns
        return is_same and due.is_claimed(session, work, self._name)

    def _put_off(self, claimed: _Claimed, wait: timedelta) -> None:
        with self._store.transaction(durable=False) as session:
            due.finish(session, claimed.waiting.work, self._causes.now() + wait, self._name)

    def _is_decided(self, claimed: _Claimed, thought: Thought | None) -> bool:
        """Decide what follows from an answer, and store it. Return False if that fails with an exception."""
        outcome = None
        with isolated(claimed.log_failure):
            outcome = with_retries(self._store, partial(self._decide, claimed, thought), durable=False)
        if outcome is not None and outcome.letters:
            self._delivery.wake()
        return outcome is not None

    def _log(self, claimed: _Claimed, thought: Thought | None, ms: float) -> None:
        task = claimed.waiting.task
        result = "failed" if thought is None else task.kind.value
        facts = log_fields.of_thought(task.game, len(claimed.turns), result, ms)
        note = f" ({thought.note})" if isinstance(thought, Choice) and thought.note else ""
        if isinstance(thought, Choice) and thought.is_cut:
            level = logging.WARNING if claimed.seconds >= THINKING_SECONDS else logging.INFO
            log.log(level, "%s: the time was over%s, %.0f ms", claimed.name, note, ms, extra=facts)
        else:
            log.info("%s%s, %.0f ms", claimed.name, note, ms, extra=facts)

    def _decide(self, claimed: _Claimed, thought: Thought | None, session: Session) -> Outcome:
        """Decide and store what follows. If the game has changed, do nothing: its task is another one, and due now."""
        work, task = claimed.waiting.work, claimed.waiting.task
        if not self._stands(session, claimed):
            due.finish(session, work, self._causes.now(), self._name)
            return Outcome()
        outcome = self._causes.decide(
            session,
            new_cause(f"game {task.game}: {task.key}", self._causes.now()),
            lambda context: on_task(context, task, claimed.turns, thought),
            games=(task.game,),
        )
        due.finish(session, work, None, self._name)
        return outcome


def _texts(game: Game) -> tuple[str, ...]:
    return tuple(turn.text for turn in game.turns)


def _position(game: Game) -> str:
    """Return the position on one line, or the turns that lead to it."""
    rules, turns = game.rules, _texts(game)
    if isinstance(rules, EngineHost):
        return f"position {rules.position_text(game.record.setup, turns)}"
    return f"turns {', '.join(turns)}"


def _is_needed(game: Game, task: Task) -> bool:
    """Return whether a game still waits for the answer to a task."""
    match task.kind:
        case TaskKind.MOVE:
            return waits_for_bot(game)
        case TaskKind.HINT:
            return task.seat is not None and game.waits_for(task.seat)
        case _:
            return game.record.is_over and not game.is_corrupt
