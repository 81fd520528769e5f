"""Decide what follows from the thoughts of a process."""

from collections.abc import Sequence
from dataclasses import replace

from takmail.commands.answers import Events, Said
from takmail.commands.context import Context, CurrentLine
from takmail.commands.grammar.arguments import Play
from takmail.commands.play import play
from takmail.games.interface import Seat
from takmail.games.thinking import Choice, Hint, Review
from takmail.limits.games import MAX_HINTS
from takmail.world import (
    Game,
    Task,
    TaskKind,
    events,
    waits_for_bot,
)

Thought = Choice | Review | Hint
"""What a process has found out about a task."""


class TurnRefused(Exception):  # noqa: N818 - the name says what happened
    """Raised if a bot chooses a turn that can't be played. The message is for the operator."""


def on_task(context: Context, task: Task, turns: Sequence[str], thought: Thought | None) -> Events:
    """Return what follows from a thought about a game that had these turns. None if thinking has failed for good.

    Raises TurnRefused. If the game has changed since, nothing follows: it is another task now.
    """
    game = context.world.find_game(task.game)
    if game is None or [turn.text for turn in game.turns] != [*turns]:
        return ()
    match task.kind:
        case TaskKind.MOVE if waits_for_bot(game):
            return _bot_moves(context, game, thought.text if isinstance(thought, Choice) else None)
        case TaskKind.REVIEW if task.seat is not None and game.record.is_over:
            review = thought if isinstance(thought, Review) else None
            return (events.GameReviewed(game=game.number, seat=task.seat, review=review, turn=task.turn),)
        case TaskKind.LAST if game.record.is_over:
            seats = tuple(seat for seat in Seat if game.correspondence.threads[seat].waiting_for_thought)
            findings = thought.findings if isinstance(thought, Review) else ()
            return (events.EndReviewed(game=game.number, seats=seats, finding=next(iter(findings), None)),)
        case TaskKind.HINT if game.waits_for(seat := game.to_move):
            return _hint_given(game, seat, thought if isinstance(thought, Hint) else None)
    return ()


def _hint_given(game: Game, seat: Seat, hint: Hint | None) -> Events:
    """Give a hint: first where to look, and the turn itself if the player asks again. Only the first one counts."""
    position, known = game.state.checksum, game.record.hints.split()
    is_whole = position in known
    left = MAX_HINTS - len(known) - (not is_whole)
    return (events.HintGiven(game=game.number, seat=seat, hint=hint, is_whole=is_whole, left=left),)


def _bot_moves(context: Context, game: Game, text: str | None) -> Events:
    """Play the turn of a bot, as a mail plays a person's. A bot that has none resigns, so that nobody waits for it."""
    seat = game.to_move
    if text is not None:
        # Nothing is asked before the turn: a bot means what it plays.
        at_board = replace(
            context, game_number=game.number, seat=seat, line=CurrentLine(text, confirmed=text)
        )
        answer = play(at_board, Play(text, None))
        if isinstance(answer, Said):
            raise TurnRefused(f"it chose {text!r}, which is refused")
        return tuple(replace(played, has_own_letter=True) for played in events.in_games(answer))
    return (events.Resigned(game=game.number, seat=seat, has_own_letter=True),)
