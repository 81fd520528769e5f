"""What holds for every question that a letter asks."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import TypeVar

ASKED_FOR = timedelta(days=7)
"""How long a question waits for its `yes`; the letter says so."""
MOST_KEPT = 20
"""Questions to one address, or to one seat, that a `yes` can still answer, with those that newer ones have replaced.

A newer one closes the oldest: else whoever fills the places keeps the owner's own mails from being asked about.
"""

One = TypeVar("One")


def replaced_by_newer(waiting: Sequence[One], most: int, what: Callable[[One], object]) -> list[One]:
    """Of questions that wait, oldest first, all but those about the newest `most` things."""
    newest = list(dict.fromkeys(map(what, reversed(waiting))))[:most]
    return [one for one in waiting if what(one) not in newest]
