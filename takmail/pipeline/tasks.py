"""Decide what a process has to think about after a cause."""

from takmail.world import Table, World
from takmail.world.bots import waits_for_bot
from takmail.world.tasks import Task, TaskKind


def tasks_of(before: World, after: World) -> tuple[Task, ...]:
    """Return what is to be thought about as a cause has changed the world: the turns of bots that are to move now.

    It does not matter what the cause was: a turn, one that was taken back, the beginning, or a ruling.
    """
    return tuple(
        Task(number, TaskKind.MOVE)
        for number, game in after.games.items()
        if waits_for_bot(game) and not _waited_already(before.games.get(number), game)
    )


def _waited_already(known: Table | None, game: Table) -> bool:
    """Return whether a game waited for the bot on the same board before."""
    return known is not None and waits_for_bot(known) and known.turns == game.turns
