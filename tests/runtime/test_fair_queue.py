"""The fair queue: nobody waits for all that others ask, with however many addresses they ask it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from takmail.runtime.fair_queue import LEAST_SECONDS, ROUND_SECONDS, FairQueue
from takmail.runtime.thinker import THINKING_SECONDS
from takmail.store.due import Due, WaitingTask
from takmail.world import GameNumber, PlayerId
from takmail.world.tasks import Task, TaskKind

ADA, BEN, GUS = PlayerId(1), PlayerId(2), PlayerId(3)
MINUTE = 60


def waiting(player: PlayerId, *games: int, organisation: str = "") -> list[WaitingTask]:
    return [
        WaitingTask(Due(game, TaskKind.MOVE, 1), Task(GameNumber(game), TaskKind.MOVE), player, organisation)
        for game in games
    ]


def of_each_player(tasks: Sequence[WaitingTask]) -> list[WaitingTask]:
    """Return the first task of each player, as the database does."""
    return list({task.player: task for task in reversed(tasks)}.values())[::-1]


def served(queue: FairQueue, tasks: list[WaitingTask], seconds: dict[PlayerId, float]) -> list[int]:
    """Return the games in the order in which all tasks are done."""
    left, order = list(tasks), []
    while (task := queue.first(of_each_player(left))) is not None:
        left.remove(task)
        order.append(task.task.game)
        queue.note(task, seconds[task.player])
    return order


def test_the_first_of_one_player_comes_first() -> None:
    assert served(FairQueue(), waiting(ADA, 3, 1, 2), {ADA: 30}) == [3, 1, 2]


def test_a_quick_turn_does_not_wait_for_five_slow_ones_of_another_player() -> None:
    tasks = [*waiting(ADA, 1, 2, 3, 4, 5), *waiting(BEN, 6)]
    assert served(FairQueue(), tasks, {ADA: 30, BEN: 0.01}) == [1, 6, 2, 3, 4, 5]


def test_who_asks_for_little_gets_it_between_what_takes_long() -> None:
    tasks = [*waiting(ADA, 1, 2), *waiting(BEN, *range(11, 16)), *waiting(GUS, 21, 22)]
    order = served(FairQueue(), tasks, {ADA: 30, BEN: 1, GUS: 20})
    assert order == [1, 11, 21, 12, 13, 14, 15, 22, 2]


def test_a_newcomer_is_served_next_but_not_until_they_have_had_as_much() -> None:
    queue = FairQueue()
    for game in range(1, 5):
        task = queue.first([*waiting(ADA, game), *waiting(BEN, 10 + game)])
        assert task is not None
        queue.note(task, 30)
    tasks = [*waiting(ADA, 5, 6), *waiting(BEN, 15, 16), *waiting(GUS, 21, 22, 23)]
    assert served(queue, tasks, {ADA: 30, BEN: 30, GUS: 30}) == [21, 5, 15, 22, 6, 16, 23]


@pytest.mark.parametrize("seconds", [0, 1_000])
def test_when_nothing_waits_the_past_is_forgotten(seconds: float) -> None:
    queue = FairQueue()
    queue.note(waiting(ADA, 1)[0], seconds)
    assert queue.first([]) is None
    assert served(queue, [*waiting(ADA, 1), *waiting(BEN, 2)], {ADA: 1, BEN: 1}) == [1, 2]


def test_the_players_of_an_organisation_share_its_part_and_those_of_a_provider_do_not() -> None:
    many = [PlayerId(number) for number in range(11, 15)]
    ours = [task for player in many for task in waiting(player, player, organisation="example.net")]
    tasks = [*ours, *waiting(ADA, 1, 2), *waiting(BEN, 3, 4)]
    seconds = dict.fromkeys([ADA, BEN, *many], 10.0)
    assert served(FairQueue(), tasks, seconds) == [11, 1, 3, 12, 2, 4, 13, 14]


@pytest.mark.parametrize(
    ("waiting_with_ada", "seconds"),
    [
        ([], THINKING_SECONDS),
        (waiting(BEN, 2), ROUND_SECONDS / 2),
        ([task for number in range(2, 12) for task in waiting(PlayerId(number), number)], ROUND_SECONDS / 11),
        (
            [
                task
                for number in range(2, 12)
                for task in waiting(PlayerId(number), 1, organisation="b.example")
            ],
            ROUND_SECONDS / 2,
        ),
        (
            [
                task
                for number in range(2, 12)
                for task in waiting(PlayerId(number), 1, organisation="a.example")
            ],
            ROUND_SECONDS / 11,
        ),
        ([task for number in range(2, 500) for task in waiting(PlayerId(number), 1)], LEAST_SECONDS),
    ],
    ids=["alone", "two", "eleven", "others are of one domain", "all are of one domain", "hundreds"],
)
def test_the_more_wait_the_less_time_a_turn_gets(waiting_with_ada: list[WaitingTask], seconds: float) -> None:
    (ada,) = waiting(ADA, 1, organisation="a.example")
    assert FairQueue().seconds(ada, [ada, *waiting_with_ada]) == pytest.approx(seconds)


def test_several_workers_think_longer() -> None:
    tasks = [task for number in range(1, 12) for task in waiting(PlayerId(number), number)]
    assert FairQueue(workers=4).seconds(tasks[0], tasks) == pytest.approx(4 * ROUND_SECONDS / 11)


@dataclass
class Service:
    """A service with a simulated clock, in which each task takes all the time that it gets, and 50 ms more."""

    queue: FairQueue = field(default_factory=FairQueue)
    tasks: list[WaitingTask] = field(default_factory=list)
    now: float = 0.0

    def serve(self) -> int:
        """Do a task, and return its game."""
        ours = of_each_player(self.tasks)
        task = self.queue.first(ours)
        assert task is not None
        self.tasks.remove(task)
        seconds = self.queue.seconds(task, ours) + 0.05
        self.now += seconds
        self.queue.note(task, seconds)
        return task.task.game

    def wait_of(self, task: WaitingTask) -> float:
        """Return how many seconds somebody waits who asks just after another task was begun."""
        asked = self.now
        if self.tasks:
            self.serve()
        self.tasks.append(task)
        while self.serve() != task.task.game:
            pass
        return self.now - asked


def of_domains(addresses: int, domains: int) -> list[tuple[PlayerId, str]]:
    return [(PlayerId(100 + number), f"b{number % domains}.example") for number in range(addresses)]


Attackers = list[tuple[PlayerId, str]]


@pytest.mark.parametrize(
    "attackers",
    [
        of_domains(40, 8),
        of_domains(200, 8),
        of_domains(200, 1),
        of_domains(100, 100),
        [(PlayerId(100 + number), "") for number in range(100)],
    ],
    ids=["40 of 8 domains", "200 of 8", "200 of one", "100 domains", "100 at a provider"],
)
@pytest.mark.parametrize("after", [0, 5 * MINUTE], ids=["at once", "later"])
def test_nobody_waits_longer_than_three_minutes_behind_an_attack(attackers: Attackers, after: float) -> None:
    service = Service()
    for number in range(5):
        for player, domain in attackers:
            service.tasks += waiting(player, 5 * player + number, organisation=domain)
    while service.now < after and service.tasks:
        service.serve()
    for game in range(5):
        (ours,) = waiting(ADA, game)
        assert service.wait_of(ours) < 3 * MINUTE


def test_who_begins_to_attack_during_a_long_turn_does_not_hold_up_the_next() -> None:
    service = Service(tasks=waiting(BEN, 1, organisation="b.example"))
    service.serve()
    began = service.now - THINKING_SECONDS
    service.tasks = [task for number in (*range(100, 108), 5) for task in waiting(PlayerId(number), number)]
    while service.serve() != 5:
        pass
    assert service.now - began < 3 * MINUTE
