"""Say which turns were played, and which were given up."""

from collections.abc import Iterable, Sequence

from takmail.blocks import Block, Blocks, Indented, Message, Paragraph, message, paragraph
from takmail.games.wording import Sentences
from takmail.letters.reader import Reader
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


def move_played(reader: Reader, turn: Played) -> Sentences:
    """Say that the reader's move is played. If it led to the board shown, say what it did."""
    effect = reader.game.effect if turn.number == reader.game.turn else None
    ptn = effect.facts.get("ptn", "") if effect is not None and reader.game.reads_ptn else ""
    is_played = message("your_move_is_played", turn=turn.number, text=turn.text, ptn=ptn)
    return (is_played,) if effect is None else (is_played, *reader.wording.effect(reader.game))


def way_back(reader: Reader) -> Message | None:
    """Say how the reader takes back the move that they have just played, None if it is the opponent's right."""
    account, you = reader.game.account, reader.game.you
    if account is None or account.may_take_back is None:
        return message("undo_takes_move_back")
    if account.may_take_back[you]:
        return message("undo_takes_move_back_for_coins", price=account.take_back_price)
    return None


def other_runs(turn: int, runs: Sequence[Run]) -> Blocks:
    """Say how to see the boards after the other turns with a number, which were given up in these runs."""
    if not runs:
        return ()
    lines = tuple(f"show {turn} given up {run.number}" for run in runs)
    return paragraph(message("other_turns_given_up", count=len(lines), turn=turn, lines=lines))


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
