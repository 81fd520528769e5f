"""Carry out the commands that have a process think: `review` and `hint`. What it finds out comes in a letter."""

from takmail.commands.answers import Answer, refused
from takmail.commands.context import Context, beyond
from takmail.commands.grammar.arguments import OneTurn
from takmail.games.thinking import Reviewer
from takmail.limits.games import MAX_HINTS
from takmail.world import Queries, Standing, news
from takmail.world.changes import carrying_out
from takmail.world.operations import RunTask
from takmail.world.tasks import Task, TaskKind


def review(context: Context, command: OneTurn | None = None) -> Answer:
    """Have a finished game reviewed, or one turn of it."""
    table, turn = context.table, None if command is None else command.number
    if not isinstance(table.rules, Reviewer):
        return refused("no_review")
    if table.record.standing is not Standing.OVER:
        return refused("review_after_the_end")
    if turn is not None and turn > len(table.turns):
        return beyond(context, turn)
    return _asked(context, TaskKind.REVIEW, turn)


def hint(context: Context) -> Answer:
    """Have a hint found for the sender, who is to move against a bot."""
    table, you = context.table, context.you
    if not table.players[you.other].is_bot:
        return refused("hints_against_bots")
    if not isinstance(table.rules, Reviewer):
        return refused("no_hints")
    if not table.waits_for(you):
        return refused("not_your_turn")
    known = table.record.hints.split()
    if table.state.checksum not in known and len(known) >= MAX_HINTS:
        return refused("no_hints_left", most=MAX_HINTS)
    return _asked(context, TaskKind.HINT)


def _asked(context: Context, kind: TaskKind, turn: int | None = None) -> Answer:
    """Have something thought about, one thing of a kind at a time, so that nobody can order hours of it."""
    table, you = context.table, context.you
    waiting = {(task.kind, task.seat) for task in context.world.ask(Queries.waiting_tasks, table.number)}
    ordered = {one.task.kind for one in context.world.operations if isinstance(one, RunTask)}
    if kind in ordered or (kind, you) in waiting:
        return refused("still_thinking")
    asked = news.ThoughtAsked(game=table.number, seat=you, kind=kind)
    task = Task(table.number, kind, you, turn)
    return asked, carrying_out(RunTask(task=task, at=context.now))
