"""Serve the player first who has been served for the shortest time, so that nobody waits for all that another one asks.

This is start-time fair queueing (Goyal, Vin and Cheng, 1996): who has not waited for a while counts as having had as
much as the one who is served now. Otherwise a newcomer would be served alone until everybody is even.
"""

from collections.abc import Iterable

from takmail.store.due import WaitingTask
from takmail.world import PlayerId


class FairQueue:
    """For how long players were served, in seconds."""

    def __init__(self) -> None:
        self._had: dict[PlayerId, float] = {}
        self._served = 0.0

    def first(self, tasks: Iterable[WaitingTask]) -> WaitingTask | None:
        """Return the task to do next, or None if there is none. Of one player's tasks it is the first."""
        task = min(tasks, key=lambda task: self._share(task.player), default=None)
        if task is None:
            self._had, self._served = {}, 0.0
        else:
            self._served = self._share(task.player)
        return task

    def note(self, player: PlayerId, seconds: float) -> None:
        """Add the seconds that a player's task took."""
        self._had[player] = self._share(player) + seconds

    def _share(self, player: PlayerId) -> float:
        return max(self._had.get(player, 0), self._served)
