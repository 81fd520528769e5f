"""Do what follows from what a process has thought about: a bot plays its turn."""

from dataclasses import replace

from takmail.commands.answers import Events, Said
from takmail.commands.context import Context
from takmail.commands.grammar.arguments import Play
from takmail.commands.play import play
from takmail.games.thinking import Choice, Hint, Review
from takmail.world import Table, news
from takmail.world.bots import waits_for_bot
from takmail.world.changes import in_game
from takmail.world.game_changes import ended
from takmail.world.tasks import Task, TaskKind

Thought = Choice | Review | Hint
"""What a process has found out about a task."""


def on_task(context: Context, task: Task, turns: int, thought: Thought | None) -> Events:
    """Return what follows from a thought about a game that had so many turns. None if thinking has failed for good.

    If the game has changed since, nothing follows: it is another task now.
    """
    table = context.find_table(task.game)
    if table is None or len(table.turns) != turns:
        return ()
    if task.kind is TaskKind.MOVE and waits_for_bot(table):
        return _bot_moves(context, table, thought.text if isinstance(thought, Choice) else None)
    return ()


def _bot_moves(context: Context, table: Table, text: str | None) -> Events:
    """Play the turn of a bot, as a mail plays a person's. A bot that has none resigns, so that nobody waits for it."""
    seat = table.to_move
    if text is not None:
        # Nothing is asked before the turn: a bot means what it plays.
        at_board = replace(context, game=table.number, seat=seat, line=text, confirmed=text)
        answer = play(at_board, Play(text, None))
        if not isinstance(answer, Said):
            played, *changes = answer
            assert isinstance(played, news.TurnPlayed)
            return (replace(played, has_own_letter=True), *changes)
    return news.Resigned(game=table.number, seat=seat, has_own_letter=True), in_game(
        table.number, ended, seat
    )
