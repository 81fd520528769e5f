"""Say which turns were played, show the board, and say whether a turn keeps the rules."""

from collections.abc import Iterable, Iterator, Sequence

from takmail.blocks import (
    Block,
    Blocks,
    Code,
    Drawing,
    Indented,
    Lines,
    Message,
    Paragraph,
    message,
    only_text,
    paragraph,
)
from takmail.games.wording import Sentences
from takmail.letters.reader import Reader
from takmail.world import Log, NamedTurn, Run, Verdict


def played(turn: NamedTurn) -> Message:
    """Say in a line of a list which turn was played, and by whom."""
    if turn.is_agreed:
        return message("logged_board", number=turn.number, name=turn.name)
    return message("logged_turn", number=turn.number, name=turn.name, text=turn.text, written=turn.written)


def log(_reader: Reader, log: Log) -> Blocks:
    """List the turns of a game, and below them the runs of turns that were given up."""
    blocks: list[Block] = [*paragraph(message("all_turns" if log.turns else "no_turns_in_log"))]
    blocks += _list(log.turns)
    for run, given_up in log.runs:
        blocks += paragraph(
            message(
                "logged_run",
                run=run.number,
                first=run.first,
                last=run.last,
                at=run.at,
                how=run.how,
                back_to=run.first - 1,
            )
        )
        blocks += _list(given_up)
    return tuple(blocks)


def move_played(reader: Reader, turn: NamedTurn) -> Sentences:
    """Say that the reader's move is played. If it led to the board shown, say what it did."""
    seen = reader.game
    effect = seen.shown.effect if turn.number == seen.shown.turn else None
    reads_ptn = seen.game.players[seen.you].preferences.reads_ptn
    ptn = effect.facts.get("ptn", "") if effect is not None and reads_ptn else ""
    is_played = message("your_move_is_played", turn=turn.number, text=turn.text, ptn=ptn)
    return (is_played,) if effect is None else (is_played, *reader.wording.effect(seen))


def hint_missed(reader: Reader) -> Message | None:
    """Say to who has just made a move that the hint they had asked for comes too late, None if they wait for none.

    What waits for a thought in one's own turn is the answer to that question.
    """
    return message("hint_too_late") if reader.replaces_waiting else None


def way_back(reader: Reader) -> Message | None:
    """Say how the reader takes back the move that they have just played, None if it is the opponent's right."""
    account, you = reader.game.shown.account, reader.game.you
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


def _list(turns: Iterable[NamedTurn]) -> Blocks:
    lines = tuple(map(played, turns))
    return (Indented(lines),) if lines else ()


def board(reader: Reader, *, begins: bool = False) -> Blocks:
    """Return the board shown, between the lines of its two sides. A game without a board shows who plays which side.

    `begins`: the board is the first thing in the text, by the book, and both sides are below it.
    """
    if reader.game.is_relay and reader.game.shown.state is None:
        if reader.game.seat is None:
            return paragraph(reader.wording.seats(reader.game.names))
        return reader.wording.players(reader.game)
    return Drawing("board", reader.game), only_text(board_in_text(reader, begins=begins))


def board_in_text(reader: Reader, *, begins: bool = False) -> Blocks:
    """Return the board shown as it is in the text, with the lines of its two sides. `begins` is as in `board`."""
    seen, wording = reader.game, reader.wording
    theirs, yours = wording.side_line(seen, seen.near.other), wording.side_line(seen, seen.near)
    orientation = wording.orientation if reader.needs_explanations else ()
    rows = (board_rows(reader), *paragraph(*orientation))
    return (*rows, Lines((theirs, yours))) if begins else (*paragraph(theirs), *rows, *paragraph(yours))


def board_rows(reader: Reader) -> Code:
    """Return the rows of the board shown, with the names of its columns below them."""
    return Code((*reader.game.shown.board, *reader.wording.columns(reader.game.shown.facts)))


def verdict(reader: Reader, judged: Verdict) -> Blocks:
    """Say whether a turn keeps the rules, and which rule decides it."""
    return (*paragraph(_keeps(judged), *_why(reader, judged)), *paragraph(*reader.wording.deciding(judged)))


def _keeps(judged: Verdict) -> Message:
    if judged.name is None:
        return message(
            "attempt_keeps_rules" if judged.is_legal else "attempt_breaks_rule",
            turn=judged.number,
            text=judged.text,
        )
    return message(
        "turn_keeps_rules" if judged.is_legal else "turn_breaks_rule",
        turn=judged.number,
        name=judged.name,
        text=judged.text,
    )


def _why(reader: Reader, judged: Verdict) -> Sentences:
    """Give the rule that the turn breaks, or say how it ends the game."""
    if judged.deciding is not None:
        assert judged.deciding.reason is not None
        return reader.wording.reason(judged.deciding.reason)
    return () if judged.result is None else reader.wording.ending(judged)


def proof(reader: Reader, judged: Verdict, *, is_short: bool = False) -> Iterator[Block]:
    """Prove a verdict by one board, by what the turn does to it, and by the other rules.

    If `is_short`, the other rules are left out, and it says how they are shown.

    The board is the one before the turn. If that stands below in the same letter, it is the one after the turn.
    """
    if judged.written and judged.written != judged.text:
        yield Paragraph((message("turn_as_written", text=judged.written),))
    yield from _board(reader, judged)
    yield Paragraph((message("step_by_step"),))
    yield Indented(tuple(map(reader.wording.touched, judged.touched)))
    if is_short:
        yield from paragraph(message("why_shows_each_rule", line=f"why {judged.number}"))
    else:
        yield from paragraph(*_other_rules(reader, judged))


def _board(reader: Reader, judged: Verdict) -> Iterator[Block]:
    if judged.number != reader.game.turns + 1:
        yield Paragraph((message("board_before_turn"),))
        view = reader.game.showing(judged.before, judged.number - 1, None)
    elif judged.after is not None:
        yield Paragraph((message("board_after_turn"),))
        view = reader.game.showing(judged.after, judged.number, judged.text)
    else:
        return
    yield Drawing("board", view)
    yield only_text((board_rows(reader.seeing(view)),))


def _other_rules(reader: Reader, judged: Verdict) -> Iterator[Message]:
    """Yield the rules that the turn breaks beside the deciding one, and those that it keeps."""
    for check in judged.checks:
        if check.reason is not None and check is not judged.deciding:
            yield message("also_breaks_rule")
            yield from reader.wording.reason(check.reason)
    kept = tuple(reader.wording.check(check) for check in judged.checks if check.reason is None)
    if kept:
        yield message("keeps_these_rules", rules=kept)
    if judged.name is not None:
        yield reader.wording.played_over


def not_changed(reader: Reader) -> Message:
    """Say that a dispute changes nothing, and whose turn it is."""
    if not reader.game.is_open:
        return message("game_not_changed")
    is_yours = reader.game.your_turn
    return message("game_not_changed_your_turn" if is_yours else "game_not_changed_opponents_turn")
