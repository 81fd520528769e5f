"""The lives of the service: each is a process that is started, and killed at a moment that a seed has chosen."""

import sys
import time
from asyncio.subprocess import Process
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.crash.service_main import MARK, serve
from tests.crash.steps import IDLE, LOADED, OPEN, STEPS
from tests.stack.service import PATIENCE, Service
from tests.support.forked import Forked

PROGRAM = (sys.executable, "-m", "tests.crash.service_main")
WAITS = "another process holds the lease on the mailbox"
"""How the line ends that tells that another service reads the mailbox."""

QUIET = 1.0
"""Seconds without a word after which a service is killed all the same: its step or line will not come."""


@dataclass(frozen=True, slots=True)
class Kill:
    """When a service is to die: of its own hand at a step, or of ours after log lines or milliseconds.

    `at` is a step, passed the `nth` time, and `after_ms` what comes on top of it; without `at` the time counts from the
    start. With `lines` it is so many lines of the log.
    """

    kind: str
    at: str = ""
    nth: int = 1
    after_ms: float = 0
    lines: int = 0


def moments(random: Random, count: int) -> list[Kill]:
    """Moments spread over all that a service does: each step once, if they are enough, and the rest by chance."""
    steps = [step.words for step in STEPS if step.words != IDLE]
    each = [Kill("step", one) for one in steps] if count >= len(steps) else []
    found = [*each, *(_moment(random, steps) for _ in range(count - len(each)))]
    random.shuffle(found)
    return found


def _moment(random: Random, steps: Sequence[str]) -> Kill:
    match random.choices(("step", "after a step", "lines", "starting", "running"), (9, 6, 4, 2, 4))[0]:
        case "step" as kind:
            return Kill(kind, random.choice(steps), random.choice((1, 2, 3, 5)))
        case "after a step" as kind:
            return Kill(kind, random.choice(steps), random.choice((1, 2, 3)), random.uniform(0.1, 20))
        case "lines" as kind:
            return Kill(kind, lines=random.randint(1, 14))
        case "starting" as kind:
            return Kill(kind, after_ms=random.uniform(0, 1_500))
        case kind:
            return Kill(kind, OPEN, after_ms=random.uniform(0, 400))


@dataclass(slots=True)
class Toll:
    """What the kills came to: by kind, and by the step that was passed last."""

    by_kind: Counter[str] = field(default_factory=Counter)
    by_step: Counter[str] = field(default_factory=Counter)
    seconds: float = 0

    @property
    def count(self) -> int:
        return self.by_step.total()

    def between(self, first: str, last: str) -> int:
        """How many fell after the one step and before the other."""
        order = [step.words for step in STEPS]
        return sum(self.by_step[words] for words in order[order.index(first) : order.index(last)])

    def table(self) -> str:
        """How many kills fell after each step and before the next, a line a step."""
        order = ["the process has begun", LOADED, *(step.words for step in STEPS)]
        lines = [f"{self.by_step[words]:5}  {words}" for words in order]
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(self.by_kind.items()))
        each = self.seconds / max(self.count, 1)
        head = f"{each:.2f} s a life; kills by the step that was passed last:"
        return "\n".join([head, *lines, f"kills by kind: {kinds}"])


class Life(Service):
    """One process of the service, with a mark in its log for each step."""

    def __init__(self, config: Path, kill: Kill | None = None, pause_seconds: float | None = None) -> None:
        environment = {"PYTHONPATH": str(Path(__file__).parents[2])}
        self._is_forked = kill is None or kill.kind != "starting"
        if kill is not None and kill.kind in ("step", "after a step"):
            environment |= {
                "CRASH_AT": kill.at,
                "CRASH_NTH": str(kill.nth),
                "CRASH_AFTER_MS": str(kill.after_ms),
            }
        if pause_seconds is not None:
            environment["CRASH_PAUSE_SECONDS"] = str(pause_seconds)
        super().__init__(config, PROGRAM, **environment)

    async def _started(self) -> Process | Forked:
        """A fork of a process that is ready to begin, unless the beginning is what it is about."""
        if self._is_forked:
            return await Forked.begun(serve, str(self._config), self._environment)
        return await super()._started()

    @property
    def said(self) -> list[str]:
        """The log without the marks."""
        return [line for line in self.lines if not line.startswith(MARK)]

    @property
    def last_step(self) -> str:
        """The step that was passed last."""
        marks = [line.removeprefix(MARK) for line in self.lines if line.startswith(MARK)]
        return marks[-1] if marks else "the process has begun"

    async def until(self, kill: Kill) -> None:
        """Return when the service is dead or is to be killed from here."""
        if kill.kind == "starting":
            await self.within(kill.after_ms / 1_000)
            return
        assert await self.within(PATIENCE, lambda: self._is_ready), self.log
        if kill.kind == "running":
            await self.within(kill.after_ms / 1_000)
            return
        while not self.has_ended and not 0 < kill.lines <= len(self.said):
            if not await self.within(QUIET, self._has_said_more_than(len(self.lines))):
                return

    @property
    def _is_ready(self) -> bool:
        """Whether it reads the mailbox, or waits for another one that does."""
        return MARK + OPEN in self.lines or any(line.endswith(WAITS) for line in self.lines)

    def _has_said_more_than(self, lines: int) -> Callable[[], bool]:
        return lambda: len(self.lines) > lines


async def one_life(config: Path, kill: Kill, toll: Toll, pause_seconds: float | None = None) -> list[str]:
    """Start the service and kill it; gives its log."""
    began = time.monotonic()
    async with Life(config, kill, pause_seconds) as service:
        await service.until(kill)
        await service.killed()
    toll.by_kind[kill.kind] += 1
    toll.by_step[service.last_step] += 1
    toll.seconds += time.monotonic() - began
    return service.said
