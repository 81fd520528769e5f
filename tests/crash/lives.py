"""Start the service, and kill its process at a moment that is chosen by a seed."""

import sys
import time
from asyncio.subprocess import Process
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.crash.service_main import MARK, serve
from tests.crash.steps import EVERY_STEP, IDLE, LOADED, OPEN, STEPS, Step
from tests.stack.service import PATIENCE, Service
from tests.support.forked import Forked

PROGRAM = (sys.executable, "-m", "tests.crash.service_main")
WAITS = "another process holds the lease on the mailbox"
"""The end of the log line that says that another service reads the mailbox."""

QUIET = 1.0
"""Seconds without output after which a service is killed anyway, because the chosen step or line does not come."""


@dataclass(frozen=True, slots=True)
class Kill:
    """The moment at which a service is to be killed.

    It is `after_ms` milliseconds after step `at` was passed for the `nth` time, or after the start if `at` is ''. If
    `lines` is not 0, the moment is after this number of log lines.
    """

    kind: str
    at: str = ""
    nth: int = 1
    after_ms: float = 0
    lines: int = 0


def moments(random: Random, count: int, among: Sequence[Step] = STEPS) -> list[Kill]:
    """Return `count` moments in random order: each step once if `count` is large enough, and the rest at random."""
    steps = [step.words for step in among if step.words != IDLE]
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
    """Counts kills by kind, and by the step that was passed last."""

    by_kind: Counter[str] = field(default_factory=Counter)
    by_step: Counter[str] = field(default_factory=Counter)
    seconds: float = 0

    @property
    def count(self) -> int:
        return self.by_step.total()

    def between(self, first: str, last: str) -> int:
        """Return the number of kills after step `first` and before step `last`."""
        order = [step.words for step in EVERY_STEP]
        return sum(self.by_step[words] for words in order[order.index(first) : order.index(last)])

    def table(self) -> str:
        """Return a table with the number of kills between each step and the next one."""
        order = ["the process has begun", LOADED, *(step.words for step in EVERY_STEP)]
        lines = [f"{self.by_step[words]:5}  {words}" for words in order]
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(self.by_kind.items()))
        each = self.seconds / max(self.count, 1)
        head = f"{each:.2f} s a life; kills by the step that was passed last:"
        return "\n".join([head, *lines, f"kills by kind: {kinds}"])


class Life(Service):
    """One process of the service. It prints a mark for each step."""

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
        """Start the process. Fork it from one that has loaded takmail, unless it is to be killed while starting."""
        if self._is_forked:
            return await Forked.begun(serve, str(self._config), self._environment)
        return await super()._started()

    @property
    def said(self) -> list[str]:
        """The log lines without the marks."""
        return [line for line in self.lines if not line.startswith(MARK)]

    @property
    def last_step(self) -> str:
        """The last step that was passed."""
        marks = [line.removeprefix(MARK) for line in self.lines if line.startswith(MARK)]
        return marks[-1] if marks else "the process has begun"

    async def until(self, kill: Kill) -> None:
        """Wait until the service has killed itself, or until the caller has to kill it."""
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
        """Return whether the service reads the mailbox, or waits because another service reads it."""
        return MARK + OPEN in self.lines or any(line.endswith(WAITS) for line in self.lines)

    def _has_said_more_than(self, lines: int) -> Callable[[], bool]:
        return lambda: len(self.lines) > lines


async def one_life(config: Path, kill: Kill, toll: Toll, pause_seconds: float | None = None) -> list[str]:
    """Start the service and kill it at a moment. Return its log."""
    began = time.monotonic()
    async with Life(config, kill, pause_seconds) as service:
        await service.until(kill)
        await service.killed()
    toll.by_kind[kill.kind] += 1
    toll.by_step[service.last_step] += 1
    toll.seconds += time.monotonic() - began
    return service.said
