"""Decide what a process has to think about after a cause."""

from collections.abc import Collection

from takmail.world import GameNumber, Standing, Table, World
from takmail.world.bots import waits_for_bot
from takmail.world.tasks import Task, TaskKind


def tasks_of(before: World, after: World, held: Collection[GameNumber]) -> tuple[Task, ...]:
    """Return what is to be thought about as a cause has changed the world.

    These are the turns of bots that are to move now, and what the last letters of a game can tell of it. It does not
    matter what the cause was: a turn, one that was taken back, the beginning, or a ruling. `held` are the games to
    which letters are held.
    """
    moves = (
        Task(number, TaskKind.MOVE)
        for number, game in after.games.items()
        if waits_for_bot(game) and not _waited_already(before.games.get(number), game)
    )
    ends = (number for number in held if after.games[number].record.standing is Standing.OVER)
    return (*moves, *(Task(number, TaskKind.LAST) for number in ends))


def _waited_already(known: Table | None, game: Table) -> bool:
    """Return whether a game waited for the bot on the same board before."""
    return known is not None and waits_for_bot(known) and known.turns == game.turns
