"""Say whether a turn keeps the rules, and prove it: by a board, by what the turn does there, and by each rule."""

from collections.abc import Iterator

from takmail.blocks import (
    Block,
    Blocks,
    Drawing,
    Indented,
    Message,
    Paragraph,
    message,
    only_text,
    paragraph,
)
from takmail.games.wording import Sentences
from takmail.letters.parts.board import board_rows
from takmail.letters.reader import Reader
from takmail.world import Standing
from takmail.world.verdict import Verdict


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


def proof(reader: Reader, judged: Verdict) -> Blocks:
    """Prove a verdict by one board, by what the turn does to it, and by the other rules.

    The board is the one before the turn. If that stands below in the same letter, it is the one after the turn.
    """
    return tuple(_proof(reader, judged))


def _proof(reader: Reader, judged: Verdict) -> Iterator[Block]:
    if judged.written and judged.written != judged.text:
        yield Paragraph((message("turn_as_written", text=judged.written),))
    yield from _board(reader, judged)
    yield Paragraph((message("step_by_step"),))
    yield Indented(tuple(map(reader.wording.touched, judged.touched)))
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
    if reader.game.standing is not Standing.OPEN:
        return message("game_not_changed")
    is_yours = reader.game.your_turn
    return message("game_not_changed_your_turn" if is_yours else "game_not_changed_opponents_turn")
