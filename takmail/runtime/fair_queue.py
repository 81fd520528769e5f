"""Share the time of the processes that think, so that nobody takes it from the others, however many tasks they ask for.

Time is shared by organisations first, and within each by players: one person may have a hundred addresses, but hardly a
hundred domains. At a common provider each player counts as an organisation.

Each level is start-time fair queueing (Goyal, Vin and Cheng, 1996): who has had the least time is served next, and who
has not waited for a while counts as having had as much as the one who is served now. Otherwise a newcomer would be
served alone until everybody is even.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence

from takmail.runtime.thinker import THINKING_SECONDS
from takmail.store.due import Lane, WaitingTask

ROUND_SECONDS = 75
"""In how many seconds everybody who waits is served once.

Whoever asks again at once waits for up to two rounds, so that each turn comes within three minutes.
"""

LEAST_SECONDS = 1.0
"""The time that a task has even if so many wait that a round takes longer."""


class _Shares:
    """How much time each of several has had."""

    def __init__(self) -> None:
        self._had: dict[Hashable, float] = {}
        self._served = 0.0

    def of(self, name: Hashable) -> float:
        """Return how many seconds somebody has had, or counts as having had."""
        return max(self._had.get(name, 0), self._served)

    def ahead(self) -> set[Hashable]:
        """Return who has had more than who is served now: others wait until these are next again."""
        return {name for name, had in self._had.items() if had > self._served}

    def serve(self, name: Hashable) -> None:
        """Note who is served now."""
        self._served = self.of(name)

    def note(self, name: Hashable, seconds: float) -> None:
        """Add the seconds that somebody has had."""
        self._had[name] = self.of(name) + seconds


class FairQueue:
    """Says which task to do next, and for how long, so that nobody waits for all that others ask.

    All workers of a process that do the tasks of one `lane` share a queue: `workers` is how many they are. They look
    for tasks when `wake` is set.
    """

    def __init__(self, lane: Lane = Lane.ALL, workers: int = 1) -> None:
        self.lane = lane
        self.wake = asyncio.Event()
        self._workers = workers
        self._organisations = _Shares()
        self._players: defaultdict[Hashable, _Shares] = defaultdict(_Shares)

    def first(self, tasks: Sequence[WaitingTask]) -> WaitingTask | None:
        """Return the task to do next, or None if there is none. Of one player's tasks it is the first."""
        if not tasks:
            self._organisations = _Shares()
            self._players.clear()
            return None
        organisation = min(map(_organisation, tasks), key=self._organisations.of)
        players = self._players[organisation]
        own = (task for task in tasks if _organisation(task) == organisation)
        task = min(own, key=lambda task: players.of(task.player))
        self._organisations.serve(organisation)
        players.serve(task.player)
        return task

    def seconds(self, task: WaitingTask, tasks: Sequence[WaitingTask]) -> float:
        """Return how long to think at most about the `first` of these `tasks`, which are one of each player who waits.

        Everybody has an equal part of a round, so that many players of one organisation shorten their own turns, and
        hardly those of others. Whoever has had their part of it still counts, or the last of a round would have most.
        """
        players = Counter(map(_organisation, tasks))
        sharers = len(players.keys() | self._organisations.ahead())
        share = ROUND_SECONDS * self._workers / sharers / players[_organisation(task)]
        return min(THINKING_SECONDS, max(LEAST_SECONDS, share))

    def note(self, task: WaitingTask, seconds: float) -> None:
        """Add the seconds that a task took."""
        self._organisations.note(_organisation(task), seconds)
        self._players[_organisation(task)].note(task.player, seconds)


def _organisation(task: WaitingTask) -> Hashable:
    """Return what has a share of its own: an organisation, or a player at a common provider."""
    return task.organisation or task.player
