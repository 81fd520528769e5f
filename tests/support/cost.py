"""Measure the cost of work relative to other work in the same run, so that a busy machine makes no difference."""

import time
from collections.abc import Callable
from functools import partial

from tests.support.examples import SECONDS

PATIENCE = 60
"""The timeout in seconds for something that normally happens at once. A busy machine may need a while."""
TRIES = 3
"""The number of attempts. A busy machine is slow now and then, but not three times in a row."""
SHORTER = 8
"""The factor by which `make test` reduces the size. Quadratic cost still shows."""
PROSE = "It is a fine day, and I have been thinking about our game for a while.\n"


def page(characters: int) -> str:
    """Return ordinary text of about this length, in lines as mail programs break them."""
    return PROSE * (characters // len(PROSE))


def cpu(work: Callable[[], object]) -> float:
    """Return the CPU seconds that `work` takes in this process."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def least(work: Callable[[], object]) -> float:
    """Return the CPU seconds that `work` takes at its best."""
    return min(cpu(work) for _ in range(TRIES))


def assert_costs(work: Callable[[], object], most: float, ordinary: Callable[[], object] | float) -> None:
    """Assert that `work` takes at most `most` times the CPU time of `ordinary`, each at its best.

    `ordinary` is work, or the CPU seconds that it takes.
    """
    usual = ordinary if isinstance(ordinary, float) else least(ordinary)
    times = float("inf")
    for _ in range(TRIES):
        times = min(times, cpu(work) / usual)
        if times <= most:
            return
    raise AssertionError(f"{times:.1f} times as much work as usual, where {most:g} times are the most")


def assert_in_proportion(work: Callable[[int], object], size: int, *, shorter: int = SHORTER) -> None:
    """Assert that the cost of `work` is about proportional to its size, not quadratic.

    Eight times the size takes eight times as long, but 64 times if each item is compared with all others. `make fuzz`
    uses the full size. Such a test is marked `many`, unless `shorter` shows that the full size is fast.
    """
    size = size if SECONDS else size // shorter
    assert_costs(partial(work, size), 32, partial(work, size // 8))
