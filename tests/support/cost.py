"""What work costs, so that a busy machine makes no difference: held against other work of the same run."""

import time
from collections.abc import Callable
from functools import partial

from tests.support.examples import SECONDS

PATIENCE = 60
"""Seconds after which what happens at once has not happened; a busy machine needs some of them."""
TRIES = 3
"""A busy machine is slow now and then, and not three times in a row."""
SHORTER = 8
"""How much smaller is what is tried in `make test`: pieces held against each other show there, too."""
PROSE = "It is a fine day, and I have been thinking about our game for a while.\n"


def page(characters: int) -> str:
    """An ordinary text of about this length, in lines as mail programs break them."""
    return PROSE * (characters // len(PROSE))


def cpu(work: Callable[[], object]) -> float:
    """Seconds for which the processor is busy with it, whatever other processes do meanwhile."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def assert_costs(work: Callable[[], object], most: float, ordinary: Callable[[], object]) -> None:
    """The processor is busy with `work` for at most so many times as long as with `ordinary`, each at its best."""
    usual = min(cpu(ordinary) for _ in range(TRIES))
    least = float("inf")
    for _ in range(TRIES):
        least = min(least, cpu(work) / usual)
        if least <= most:
            return
    raise AssertionError(f"{least:.1f} times as much work as usual, where {most:g} times are the most")


def assert_in_proportion(work: Callable[[int], object], size: int, *, shorter: int = SHORTER) -> None:
    """`work` on something of this size costs in proportion to it: much less than the square would.

    Eight times the size costs eight times as much, and sixty-four times where each piece is held against each. In
    `make fuzz` it is of the whole size: such a test is marked `many`, unless it is so at once, as it is not `shorter`.
    """
    size = size if SECONDS else size // shorter
    assert_costs(partial(work, size), 32, partial(work, size // 8))
