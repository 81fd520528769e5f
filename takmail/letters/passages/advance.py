"""Tell readers which of their moves in advance will be played, wait or are lost. Nobody else is told."""

from collections.abc import Iterator, Sequence

from takmail.blocks import Blocks, Button, Indented, Message, SmallButtons, buttons, message, paragraph
from takmail.letters.reader import Reader
from takmail.world.advance import Branch, WaitsFor

_DEEPER = "– "
"""What stands before a turn of a tree for each pair of turns that lead to it."""


def what_is_prepared(reader: Reader, *, is_gathered: bool = False) -> Blocks:
    """Say whether the reader's prepared move will be played by itself, waits for their go, or is lost.

    `is_gathered`: the letter tells of a turn for the first time that another cause has played.
    """
    if reader.game.seat is None or not reader.game.is_open:
        return ()
    before, prepared = reader.world.preparations(reader.game.game.number)
    before = (prepared.before_turn or before) if is_gathered else before
    match prepared.waits_for:
        case WaitsFor.LETTER:
            return paragraph(message("answer_comes_by_itself", text=prepared.answer))
        case WaitsFor.GO | WaitsFor.HELD:
            waits = message("answer_waits_for_go", text=prepared.answer, line="go")
            return (*paragraph(waits), buttons((message("label_go", text=prepared.answer), "go")))
    is_lost = before.branches and not prepared.branches and not _has_played(reader, before.answer)
    return paragraph(message("prepared_moves_are_lost")) if is_lost else ()


def _has_played(reader: Reader, answer: str) -> bool:
    """Tell whether the last turn is the reader's, as they had prepared it."""
    turns = reader.game.last_turns
    return bool(turns) and (turns[-1].seat, turns[-1].text) == (reader.game.seat, answer)


def what_waits(reader: Reader) -> Message | None:
    """Say that moves of the reader wait for a turn of the opponent, None if none do."""
    _, prepared = reader.world.preparations(reader.game.game.number)
    waits = bool(prepared.branches) and prepared.waits_for is WaitsFor.OPPONENT
    return message("prepared_moves_wait", count=len(prepared.branches), line="ifs") if waits else None


def tree(lines: Sequence[Branch], *, is_answering: bool) -> Blocks:
    """Show branches as a tree, and the board at the end of each by touch. `is_answering`: they begin with an answer."""
    whole = [("", *branch) if is_answering else branch for branch in lines]
    boards = (
        Button(message("label_board_ahead", number=number), f"ifs {number}")
        for number in range(1, len(lines) + 1)
    )
    return (Indented(tuple(_told(whole))), SmallButtons(tuple(boards)))


def _told(lines: Sequence[Branch]) -> Iterator[Message]:
    """Yield a line for each turn of the opponent and its answer. The last one of a branch has the branch's number."""
    known: Branch = ()
    for number, turns in enumerate(lines, 1):
        for place in range(0, len(turns), 2):
            if turns[: place + 2] == known[: place + 2]:
                continue
            is_last = place + 2 >= len(turns)
            yield message(
                "prepared_answer",
                mark=_DEEPER * (place // 2),
                turn=turns[place],
                answer=turns[place + 1],
                number=number if is_last else 0,
            )
        known = turns
