"""What work costs, so that a busy machine makes no difference: held against other work of the same run."""

import time
from collections.abc import Callable

PATIENCE = 20
"""Seconds after which what happens at once has not happened; a busy machine needs some of them."""
TRIES = 3
"""A busy machine is slow now and then, and not three times in a row."""
PROSE = "It is a fine day, and I have been thinking about our game for a while. "


def prose(characters: int) -> str:
    """A line of ordinary text, of this length."""
    return (PROSE * (characters // len(PROSE) + 1))[:characters]


def page(characters: int) -> str:
    """An ordinary text of this length, in lines as mail programs break them."""
    return "\n".join([PROSE.strip()] * (characters // len(PROSE)))


def like(text: str) -> str:
    """An ordinary text with as many lines as this one, each as long as it is here."""
    return "\n".join(prose(len(line)) for line in text.split("\n"))


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
