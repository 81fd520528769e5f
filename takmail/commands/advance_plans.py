"""Find the lines that a plan in a player's own words stands for: "if he plays b4 I play wall c3"."""

from takmail.commands.context import Context
from takmail.commands.grammar.plans import halves, has_no_line, plans_in
from takmail.games.interface import MAX_MEANT, Refused, State
from takmail.world.advance import THEN


def lines_of_plan(context: Context, line: str) -> tuple[str, ...]:
    """Return the lines that a plan may mean, the likeliest first. There are none unless the sender waits for a turn."""
    if context.game_number is None:
        return ()
    game = context.game
    if not (game.keeps_board and game.record.is_open and game.to_move != context.you):
        return ()
    plans = [_lines_of_one(game.state, plan) for plan in plans_in(line)]
    (meant, *more) = plans
    likeliest = tuple(line for lines in plans for line in lines[:1]) if more else meant
    return likeliest[:MAX_MEANT]


def _lines_of_one(state: State, plan: str) -> tuple[str, ...]:
    """Return the lines that one plan may mean."""
    if has_no_line(plan):
        return ()
    for met, answer in halves(plan):
        meant = [
            f"if {turn}{THEN}{reply}"
            for turn in _meant(state, met)
            for reply in _meant(state.play(turn), answer)
        ]
        if meant:
            return tuple(meant)
    return ()


def _meant(state: State, text: str) -> tuple[str, ...]:
    """Return the legal turns that a text names, the likeliest first."""
    named = tuple(turn for turn in state.turns_in(text) if _is_legal(state, turn))
    meant = None if named else state.meant(text)
    return named or (() if meant is None else meant.lines)


def _is_legal(state: State, turn: str) -> bool:
    try:
        state.play(turn)
    except Refused:
        return False
    return True
