"""The fair queue: nobody waits for all that another player asks."""

import pytest

from takmail.runtime.bot_worker import FairQueue
from takmail.store.due import Due, WaitingTask
from takmail.world import GameNumber, PlayerId
from takmail.world.tasks import Task, TaskKind

ADA, BEN, GUS = PlayerId(1), PlayerId(2), PlayerId(3)


def waiting(player: PlayerId, *games: int) -> list[WaitingTask]:
    return [
        WaitingTask(Due(game, TaskKind.MOVE, 1), Task(GameNumber(game), TaskKind.MOVE), player)
        for game in games
    ]


def served(queue: FairQueue, tasks: list[WaitingTask], seconds: dict[PlayerId, float]) -> list[int]:
    """Return the games in the order in which all tasks are done."""
    left, order = list(tasks), []
    while (task := queue.first(left)) is not None:
        left.remove(task)
        order.append(task.task.game)
        queue.note(task.player, seconds[task.player])
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
        queue.note(task.player, 30)
    tasks = [*waiting(ADA, 5, 6), *waiting(BEN, 15, 16), *waiting(GUS, 21, 22, 23)]
    assert served(queue, tasks, {ADA: 30, BEN: 30, GUS: 30}) == [21, 5, 15, 22, 6, 16, 23]


@pytest.mark.parametrize("seconds", [0, 1_000])
def test_when_nothing_waits_the_past_is_forgotten(seconds: float) -> None:
    queue = FairQueue()
    queue.note(ADA, seconds)
    assert queue.first([]) is None
    assert served(queue, [*waiting(ADA, 1), *waiting(BEN, 2)], {ADA: 1, BEN: 1}) == [1, 2]
