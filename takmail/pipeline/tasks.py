"""Decide what a process has to think about after a cause, and what follows from its thoughts."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from takmail.commands.answers import NewsAndChanges, Said
from takmail.commands.context import Context
from takmail.commands.grammar.arguments import Play
from takmail.commands.play import play
from takmail.games.interface import Seat
from takmail.games.thinking import Choice, Hint, Review
from takmail.limits.games import MAX_HINTS
from takmail.world import GameNumber, Standing, Table, Task, TaskKind, World, news, waits_for_bot
from takmail.world.changes import in_game
from takmail.world.game_changes import ended, with_hint


def tasks_of(before: World, after: World, waiting: Collection[GameNumber]) -> tuple[Task, ...]:
    """Return what is to be thought about as a cause has changed the world.

    These are the turns of bots that are to move now, and what the last letters of a game can tell of it. It does not
    matter what the cause was: a turn, one that was taken back, the beginning, or a ruling. `waiting` are the games to
    which letters wait for a thought.
    """
    moves = (
        Task(number, TaskKind.MOVE)
        for number, game in after.games.items()
        if waits_for_bot(game) and not _waited_already(before.games.get(number), game)
    )
    ends = (number for number in waiting if after.games[number].record.standing is Standing.OVER)
    return (*moves, *(Task(number, TaskKind.LAST) for number in ends))


def _waited_already(known: Table | None, game: Table) -> bool:
    """Return whether a game waited for the bot on the same board before."""
    return known is not None and waits_for_bot(known) and known.turns == game.turns


Thought = Choice | Review | Hint
"""What a process has found out about a task."""


class TurnRefused(Exception):  # noqa: N818 - the name says what happened
    """Raised if a bot chooses a turn that can't be played. The message is for the operator."""


def on_task(context: Context, task: Task, turns: Sequence[str], thought: Thought | None) -> NewsAndChanges:
    """Return what follows from a thought about a game that had these turns. None if thinking has failed for good.

    Raises TurnRefused. If the game has changed since, nothing follows: it is another task now.
    """
    table = context.find_table(task.game)
    if table is None or [turn.text for turn in table.turns] != [*turns]:
        return ()
    match task.kind:
        case TaskKind.MOVE if waits_for_bot(table):
            return _bot_moves(context, table, thought.text if isinstance(thought, Choice) else None)
        case TaskKind.REVIEW if task.seat is not None and table.record.standing is Standing.OVER:
            review = thought if isinstance(thought, Review) else None
            return (news.GameReviewed(game=table.number, seat=task.seat, review=review, turn=task.turn),)
        case TaskKind.LAST if table.record.standing is Standing.OVER:
            seats = tuple(seat for seat in Seat if table.threads[seat].waiting_for_thought)
            findings = thought.findings if isinstance(thought, Review) else ()
            return (news.EndReviewed(game=table.number, seats=seats, finding=next(iter(findings), None)),)
        case TaskKind.HINT if table.waits_for(seat := table.to_move):
            return _hint_given(table, seat, thought if isinstance(thought, Hint) else None)
    return ()


def _hint_given(table: Table, seat: Seat, hint: Hint | None) -> NewsAndChanges:
    """Give a hint: first where to look, and the turn itself if the player asks again. Only the first one counts."""
    position, known = table.state.checksum, table.record.hints.split()
    is_whole = position in known
    left = MAX_HINTS - len(known) - (not is_whole)
    given = news.HintGiven(game=table.number, seat=seat, hint=hint, is_whole=is_whole, left=left)
    if is_whole or hint is None:
        return (given,)
    return given, in_game(table.number, with_hint, position)


def _bot_moves(context: Context, table: Table, text: str | None) -> NewsAndChanges:
    """Play the turn of a bot, as a mail plays a person's. A bot that has none resigns, so that nobody waits for it."""
    seat = table.to_move
    if text is not None:
        # Nothing is asked before the turn: a bot means what it plays.
        at_board = replace(context, game=table.number, seat=seat, line=text, confirmed=text)
        answer = play(at_board, Play(text, None))
        if isinstance(answer, Said):
            raise TurnRefused(f"it chose {text!r}, which is refused")
        played, *changes = answer
        assert isinstance(played, news.TurnPlayed)
        return (replace(played, has_own_letter=True), *changes)
    return news.Resigned(game=table.number, seat=seat, has_own_letter=True), in_game(
        table.number, ended, seat
    )
