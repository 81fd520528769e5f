"""Answer the commands that look at a game: `turn`, `show`, `log`, and those of a game in which moves are passed on."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from takmail.blocks import Blocks, Indented, Message, Text, message, paragraph
from takmail.commands.view import Entry
from takmail.letters.parts import turns
from takmail.letters.reader import Builder, Reader
from takmail.world import Run, Standing
from takmail.world.table import Log


def _whose_turn(reader: Reader, since: datetime | None) -> Blocks:
    """Say whose turn it is, since when, and what the last turn was."""
    return paragraph(_turn_since(reader, since), _last_turn(reader))


def _turn_since(reader: Reader, since: datetime | None) -> Message:
    view = reader.game
    if view.standing is not Standing.OPEN:
        return message("nobodys_turn")
    if since is None:
        return message("whose_turn_now", is_yours=view.your_turn, is_guess=view.is_relay)
    return message("whose_turn_since", since=since, is_yours=view.your_turn, is_guess=view.is_relay)


def _last_turn(reader: Reader) -> Message:
    view = reader.game
    if not view.last_turns:
        return message("no_turn_played")
    turn = view.last_turns[-1]
    if turn.is_agreed:
        return message("last_turn_agreed", turn=turn.number)
    return message(
        "last_turn_yours" if turn.seat == view.you else "last_turn_opponents",
        turn=turn.number,
        text=turn.text,
    )


def _show_beyond(_reader: Reader, turn: int, turns: int, run: Run | None) -> Blocks:
    """Answer whoever asks for a turn after the last one. `run` are the turns with it that were given up."""
    if run is None:
        return paragraph(message("no_such_turn", turn=turn, turns=turns))
    return paragraph(
        message("turn_no_longer_counts", turn=turn, at=run.at, how=run.how, back_to=run.first - 1)
    )


def _log(_reader: Reader, log: Log) -> Blocks:
    return turns.log(log)


def _relay_log(_reader: Reader, entries: Sequence[Entry]) -> Blocks:
    """List the moves that were passed on, each with the disputes about it below it."""
    if not entries:
        return paragraph(message("nothing_sent_yet"))
    lines = tuple(line for entry in entries for line in _relay_lines(entry))
    return (*paragraph(message("all_sent_turns")), Indented(lines))


def _relay_lines(entry: Entry) -> Iterator[Text]:
    turn = entry.turn
    yield message(
        "sent_turn",
        number=turn.number,
        name=turn.name,
        text=turn.text,
        written=turn.written,
        is_replaced=entry.is_replaced,
    )
    for name, reason in entry.disputes:
        yield f"{name}: im #{turn.number} {reason}"


def _relay_rs(_reader: Reader, *, is_new: bool, **_: object) -> Blocks:
    return paragraph(message("board_asked" if is_new else "board_already_asked"))


BUILDERS: Mapping[str, Builder] = {
    "whose_turn": _whose_turn,
    "show_beyond": _show_beyond,
    "log": _log,
    "relay_log": _relay_log,
    "relay_rs": _relay_rs,
}
"""The builders of answers about what a game looks like."""
