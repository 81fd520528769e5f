"""The bot worker: each task is done once, with no transaction open, whatever fails or dies meanwhile."""

import asyncio
import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, cast

import pytest
from sqlmodel import col, select, update

from takmail.commands.answers import Events
from takmail.commands.context import Context
from takmail.games.interface import Seat
from takmail.games.registry import GAMES
from takmail.games.thinking import Choice, EngineHost, EngineTerms, Player
from takmail.pipeline.tasks import TurnRefused
from takmail.runtime import bot_worker, fair_queue
from takmail.runtime.bot_worker import BotWorker
from takmail.runtime.child_process import Closed, NoAnswer
from takmail.runtime.delivery_worker import Delivery
from takmail.runtime.engines import Engine, EngineFailed
from takmail.runtime.fair_queue import FairQueue
from takmail.runtime.mail_worker import SPAWN_RETRY
from takmail.runtime.thinker import MAX_SECONDS, THINKING_SECONDS, Question, Thinker, Thought
from takmail.store import due
from takmail.store.due import CLOCK, MAX_ATTEMPTS, MAX_TASK_ATTEMPTS, TASK_LEASE
from takmail.store.tables import DueRow, PlayerRow, SeatRow
from takmail.world import GameNumber, PlayerKind
from takmail.world.tasks import Task, TaskKind
from tests.support.cost import PATIENCE
from tests.support.harness import Harness

MOVE = Task(GameNumber(1), TaskKind.MOVE)
A1 = ("ps a1",)
TURN = Choice("ps e5", note="depth 3")


@dataclass
class Scripted:
    """A thinker whose answers are scripted: turns or errors. The last one is repeated. `asked` are the questions."""

    answers: list[Thought | Exception] = field(default_factory=lambda: [TURN])
    asked: list[tuple[str, tuple[Any, ...]]] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    meanwhile: Callable[[], None] = lambda: None

    def think(self, question: Question, seconds: float) -> Thought:
        method = cast(Any, question)
        self.asked.append((method.func.__name__, method.args))
        self.seconds.append(seconds)
        self.meanwhile()
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def close(self) -> None:
        self.answers = [Closed("closed")]

    @property
    def levels(self) -> list[str]:
        return [args[2] for _, args in self.asked]


@dataclass
class Bots:
    """A game of Ada against a bot, who has to move, and the worker. `thoughts` are those that were decided on."""

    harness: Harness
    thinker: Scripted = field(default_factory=Scripted)
    engines: dict[str, Any] = field(default_factory=dict)
    thoughts: list[tuple[Task, Sequence[str], Thought | None]] = field(default_factory=list)
    fault: Exception | None = None
    faulty: frozenset[Thought | None] = frozenset()

    def worker(self, name: str = "one") -> BotWorker:
        thinker = cast(Thinker, self.thinker)
        return BotWorker(
            self.harness.store,
            self.harness.causes,
            Delivery(),
            name,
            FairQueue(),
            self.engines,
            lambda: thinker,
        )

    def set_due(self, task: Task = MOVE) -> None:
        with self.harness.store.transaction() as session:
            due.set_due(session, task.game, task.key, self.harness.now)

    def decide(self, _context: Context, task: Task, turns: Sequence[str], thought: Thought | None) -> Events:
        if self.fault is not None and (not self.faulty or thought in self.faulty):
            raise self.fault
        self.thoughts.append((task, turns, thought))
        return ()

    def left(self) -> Sequence[tuple[str, timedelta, int]]:
        """Return the tasks that are left, in how much time they are due, and how often they were claimed."""
        with self.harness.store.transaction() as session:
            rows = session.exec(select(DueRow).where(DueRow.work != CLOCK).order_by(col(DueRow.work))).all()
            return [(row.work, row.due_at - self.harness.now, row.attempts) for row in rows]


@pytest.fixture
def bots(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> Bots:
    return against("fair", harness, monkeypatch)


def against(name: str, harness: Harness, patch: pytest.MonkeyPatch) -> Bots:
    """Let Ada play a bot with this name, who has to move."""
    harness.begin("5")
    harness.play("ps a1")
    with harness.store.transaction() as session:
        ben = update(PlayerRow).where(col(PlayerRow.id) == 2)
        session.exec(ben.values(kind=PlayerKind.ENGINE, skeleton=f"#bot {name}"))
    bots = Bots(harness)
    patch.setattr(bot_worker, "on_task", bots.decide)
    bots.set_due()
    return bots


async def test_a_bot_thinks_at_its_level_and_its_turn_is_decided_once(
    bots: Bots, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    assert await bots.worker().work() == 1
    seed = bots.harness.services.key.seed("game 1 turn 2")
    assert bots.thinker.asked == [("choose", ("5", ("ps a1",), "fair", seed))]
    assert bots.thoughts == [(MOVE, A1, TURN)]
    assert (bots.left(), await bots.worker().work()) == ([], 0)
    record = caplog.records[-1]
    assert record.getMessage().startswith("game 1 after turn 1 (tak 5, position 2,x4/x5/x5/x5/x5 2 1)")
    assert ": move (depth 3), " in record.getMessage()
    assert record.facts | {"ms": 0} == {  # type: ignore[attr-defined]
        "event": "thought", "game": 1, "ply": 1, "result": "move", "ms": 0
    }  # fmt: skip


async def test_a_turn_gets_the_time_that_the_queue_gives_it(
    bots: Bots, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bots.thinker.answers = [Choice("ps e5", is_cut=True)]
    await bots.worker().work()
    bots.set_due()
    monkeypatch.setattr(fair_queue, "ROUND_SECONDS", 10)
    caplog.set_level(logging.INFO)
    await bots.worker().work()
    assert bots.thinker.seconds == [THINKING_SECONDS, 10]
    told = [one.levelno for one in caplog.records if "the time was over" in one.getMessage()]
    assert told == [logging.WARNING, logging.INFO], "the operator can do nothing about the second one"


async def test_mails_are_handled_while_a_bot_thinks(bots: Bots) -> None:
    def play_on() -> None:
        with bots.harness.store.transaction() as session:  # nobody else has one open
            due.set_due(session, 1, "review", bots.harness.now)

    bots.thinker.meanwhile = play_on
    await bots.worker().work()
    assert bots.thoughts == [(MOVE, A1, TURN)]


async def test_an_answer_about_a_game_that_has_changed_meanwhile_is_dropped_and_asked_anew(
    bots: Bots,
) -> None:
    answers = iter([bots.set_due])  # as a mail does that takes the turn back and plays another one
    bots.thinker.meanwhile = lambda: next(answers, lambda: None)()
    assert await bots.worker().work() == 2
    assert (bots.thoughts, bots.left()) == ([(MOVE, A1, TURN)], [])


async def test_a_task_that_nobody_waits_for_is_let_go_of_without_a_thought(bots: Bots) -> None:
    with bots.harness.store.transaction() as session:
        session.exec(update(PlayerRow).where(col(PlayerRow.id) == 2).values(kind=PlayerKind.PERSON))
    bots.set_due(Task(GameNumber(1), TaskKind.LAST))
    assert await bots.worker().work() == 0
    assert (bots.thinker.asked, bots.thoughts, bots.left()) == ([], [], [])


async def test_who_dies_while_it_thinks_leaves_the_same_question_to_the_next(bots: Bots) -> None:
    bots.thinker.answers = [Closed("as after a kill")]
    with pytest.raises(Closed):
        await bots.worker().work()
    assert bots.left() == [("move", TASK_LEASE, 1)]
    bots.thinker.answers = [TURN]
    assert await bots.worker("two").work() == 0, "it is claimed"
    with bots.harness.store.transaction() as session:
        due.release(session, bots.harness.now, "one")
    assert await bots.worker("two").work() == 1
    first, second = bots.thinker.asked
    assert (first, bots.thoughts) == (second, [(MOVE, A1, TURN)])


async def test_if_thinking_fails_a_quick_weaker_level_plays_and_the_operator_is_told_once(
    bots: Bots, caplog: pytest.LogCaptureFixture
) -> None:
    bots.thinker.answers = [NoAnswer("it took too much memory to think about"), TURN]
    await bots.worker().work()
    assert bots.thinker.levels == ["fair", "keen"]
    assert bots.thoughts == [(MOVE, A1, TURN)]
    (told,) = [one.getMessage() for one in caplog.records if one.levelno == logging.ERROR]
    assert told.startswith("game 1 after turn 1 (tak 5, position 2,x4/x5/x5/x5/x5 2 1): ")
    assert told.endswith("move failed: it took too much memory to think about")


async def test_if_everything_fails_that_is_decided_too(bots: Bots) -> None:
    bots.thinker.answers = [NoAnswer("no")]
    await bots.worker().work()
    assert (bots.thoughts, bots.left()) == ([(MOVE, A1, None)], [])


class Broken:
    """An external engine that fails."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Sequence[str]]] = []

    def choose(self, setup: str, turns: Sequence[str], _seconds: float, *, game: int) -> Choice:
        assert game == 1
        self.asked.append((setup, turns))
        raise EngineFailed("it printed nothing", "command")


async def test_an_engine_moves_and_if_it_fails_the_strongest_level_does(
    harness: Harness, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bots, engine = against("tiltak", harness, monkeypatch), Broken()
    bots.engines = {"tiltak": cast(Engine, engine)}
    await bots.worker().work()
    assert engine.asked == [("5", ("ps a1",))]
    rules = GAMES.rules("tak")
    assert isinstance(rules, Player)
    assert bots.thinker.levels == [rules.levels[-1]]
    assert bots.thoughts == [(MOVE, A1, TURN)]
    assert "it printed nothing" in caplog.text
    monkeypatch.setattr(engine, "choose", lambda *_, game: Choice("ps c3", note=f"game {game}"))
    bots.set_due()
    await bots.worker().work()
    assert bots.thoughts[1] == (MOVE, A1, Choice("ps c3", note="game 1"))


async def test_an_answer_that_cannot_be_used_is_followed_by_that_of_a_quick_weaker_level(
    bots: Bots, caplog: pytest.LogCaptureFixture
) -> None:
    bots.thinker.answers = [Choice("ps a1"), TURN]
    bots.fault, bots.faulty = TurnRefused("it chose 'ps a1', which is refused"), frozenset({Choice("ps a1")})
    await bots.worker().work()
    assert bots.thinker.levels == ["fair", "keen"]
    assert (bots.thoughts, bots.left()) == ([(MOVE, A1, TURN)], [])
    (told,) = [one.getMessage() for one in caplog.records if one.levelno == logging.ERROR]
    assert told.endswith("move failed: it chose 'ps a1', which is refused")


async def test_if_no_answer_can_be_decided_it_is_decided_in_the_end_that_there_is_none(
    bots: Bots, caplog: pytest.LogCaptureFixture
) -> None:
    bots.fault, bots.faulty = RuntimeError("Ada said hello"), frozenset({TURN})
    for attempt in range(1, MAX_TASK_ATTEMPTS + 1):
        assert await bots.worker().work() == 1
        assert bots.left() == [("move", TASK_LEASE, attempt)]
        bots.harness.now += TASK_LEASE
    assert bots.thinker.levels == [
        *MAX_ATTEMPTS * ["fair", "keen"],
        *(MAX_TASK_ATTEMPTS - MAX_ATTEMPTS) * ["keen"],
    ]
    levels = [one.levelno for one in caplog.records if "RuntimeError" in one.getMessage()]
    assert levels == [logging.ERROR, logging.ERROR]
    assert "Ada said hello" not in caplog.text
    await bots.worker().work()
    assert (bots.thoughts, bots.left()) == ([(MOVE, A1, None)], [])
    assert caplog.messages[-1].endswith("move: given up after 10 attempts")
    assert caplog.records[-1].levelno == logging.ERROR


async def test_what_fails_even_then_is_tried_once_a_day(bots: Bots) -> None:
    bots.fault = RuntimeError()
    for _ in range(MAX_TASK_ATTEMPTS + 1):
        assert await bots.worker().work() == 1
        bots.harness.now += TASK_LEASE
    assert await bots.worker().work() == 1
    assert bots.left() == [("move", timedelta(days=1), MAX_TASK_ATTEMPTS + 2)]


async def test_what_nobody_waits_for_any_more_is_ended(bots: Bots, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_worker, "LOOK_EVERY", 0.01)
    ended = threading.Event()

    def search_on() -> None:
        if not ended.is_set():
            bots.set_due()  # as a mail does that takes the turn back and plays another one
            assert ended.wait(PATIENCE)
            raise Closed("closed")

    bots.thinker.meanwhile = search_on
    monkeypatch.setattr(bots.thinker, "close", ended.set)
    assert await bots.worker().work() == 2
    assert (bots.thoughts, bots.left()) == ([(MOVE, A1, TURN)], [])


async def test_a_fault_in_what_thinks_does_not_stop_the_others(
    bots: Bots, caplog: pytest.LogCaptureFixture
) -> None:
    bots.thinker.answers = [AssertionError("Ada said hello"), TURN]
    await bots.worker().work()
    assert (bots.thinker.levels, bots.thoughts) == (["fair", "keen"], [(MOVE, A1, TURN)])
    assert "move failed: AssertionError in test_bot_worker.py" in caplog.text
    assert "Ada said hello" not in caplog.text


async def test_a_task_of_a_later_version_is_left_alone(bots: Bots) -> None:
    with bots.harness.store.transaction() as session:
        due.set_due(session, 1, "tournament 3", bots.harness.now)
    assert await bots.worker().work() == 1
    assert bots.left() == [("tournament 3", timedelta(0), 0)]


def test_a_claim_lasts_for_all_ways() -> None:
    host = GAMES.rules("tak")
    assert isinstance(host, EngineHost)
    slowest = EngineTerms(frozenset({5}), milliseconds=60_000)
    seconds = Engine("slowest", (), slowest, 0, host).most_seconds + 2 * MAX_SECONDS
    assert timedelta(seconds=seconds) < TASK_LEASE


async def test_a_worker_that_was_told_to_stop_begins_no_more_tasks(bots: Bots) -> None:
    bots.set_due(Task(GameNumber(1), TaskKind.HINT, Seat.SECOND))
    worker = bots.worker()
    bots.thinker.meanwhile = worker.stop
    assert await worker.work() == 1
    assert len(bots.left()) == 1


async def test_where_no_process_can_be_started_it_is_tried_again_soon(bots: Bots) -> None:
    bots.thinker.answers = [OSError("no memory"), TURN]
    assert await bots.worker().work() == 1
    assert bots.left() == [("move", SPAWN_RETRY, 0)]
    bots.harness.now += SPAWN_RETRY
    await bots.worker().work()
    assert bots.thoughts == [(MOVE, A1, TURN)]


async def test_a_turn_that_time_has_cut_is_played_and_told(
    bots: Bots, caplog: pytest.LogCaptureFixture
) -> None:
    bots.thinker.answers = [Choice("ps e5", is_cut=True, note="depth 1")]
    await bots.worker().work()
    assert len(bots.thoughts) == 1
    assert "the time was over (depth 1)" in caplog.text


async def test_it_wakes_when_there_is_something_to_do(bots: Bots) -> None:
    await bots.worker().work()
    worker, done = bots.worker(), asyncio.Event()
    working = asyncio.create_task(worker.run(done.set))
    await done.wait()
    bots.set_due()
    done.clear()
    worker._queue.wake.set()
    await done.wait()
    assert len(bots.thoughts) == 2
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)


async def test_several_workers_think_at_once_and_each_about_a_game_of_its_own(bots: Bots) -> None:
    both = threading.Barrier(2)
    bots.thinker.meanwhile = lambda: None if both.broken else cast(None, both.wait(PATIENCE))
    bots.harness.begin("5")
    bots.harness.play("ps a1")
    with bots.harness.store.transaction() as session:
        session.exec(
            update(SeatRow).where(col(SeatRow.game_id) == 2, col(SeatRow.seat) == 1).values(player_id=2)
        )
    bots.set_due(Task(GameNumber(2), TaskKind.MOVE))
    await asyncio.gather(bots.worker().work(), bots.worker().work())
    assert sorted(task.game for task, *_ in bots.thoughts) == [1, 2]
