"""Say which turns were played, and which were given up."""

from collections.abc import Iterable

from takmail.blocks import Block, Blocks, Indented, Message, Paragraph, message, paragraph
from takmail.world import Played, Run
from takmail.world.table import Log


def played(turn: Played) -> Message:
    """Say in a line of a list which turn was played, and by whom."""
    if turn.is_agreed:
        return message("logged_board", number=turn.number, name=turn.name)
    return message("logged_turn", number=turn.number, name=turn.name, text=turn.text, written=turn.written)


def log(turns: Log) -> Blocks:
    """List the turns of a game, and below them the runs of turns that were given up."""
    blocks: list[Block] = [*paragraph(message("all_turns" if turns.turns else "no_turns_in_log"))]
    blocks += _list(turns.turns)
    for run, given_up in turns.runs:
        blocks.append(Paragraph((_heading(run),)))
        blocks += _list(given_up)
    return tuple(blocks)


def _list(turns: Iterable[Played]) -> Blocks:
    lines = tuple(map(played, turns))
    return (Indented(lines),) if lines else ()


def _heading(run: Run) -> Message:
    return message(
        "logged_run",
        run=run.number,
        first=run.first,
        last=run.last,
        at=run.at,
        how=run.how,
        back_to=run.first - 1,
    )
