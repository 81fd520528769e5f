"""Find the lines that a plan in a player's own words stands for: "if he plays b4 I play wall c3"."""

from takmail.commands.context import Context
from takmail.commands.grammar.plans import halves, has_no_line
from takmail.games.interface import MAX_MEANT, Refused, State
from takmail.world.advance import THEN


def lines_of_plan(context: Context, line: str) -> tuple[str, ...]:
    """Return the lines that a plan may mean, the likeliest first. There are none unless the sender waits for a turn."""
    if context.game_number is None:
        return ()
    game = context.game
    if not (game.keeps_board and game.record.is_open and game.to_move != context.you):
        return ()
    if has_no_line(line):
        return ()
    for met, answer in halves(line):
        meant = [
            f"if {turn}{THEN}{reply}"
            for turn in _meant(game.state, met)
            for reply in _meant(game.state.play(turn), answer)
        ]
        if meant:
            return tuple(meant)[:MAX_MEANT]
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
