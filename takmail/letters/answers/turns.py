"""Refuse moves, and answer those that came before."""

from collections.abc import Mapping, Sequence

from takmail.blocks import Blocks, Indented, message, paragraph
from takmail.commands.answers import OfferedLine
from takmail.games.interface import Reason
from takmail.letters.parts.offered_lines import offered_lines
from takmail.letters.reader import Builder, Reader
from takmail.world import Played


def _not_your_turn(reader: Reader, offers: Sequence[OfferedLine] = ()) -> Blocks:
    """Answer a move of whoever is not to move. If it may take the last move back, that is offered."""
    undo = message("you_can_take_last_move_back") if offers else None
    return (*paragraph(message("not_your_turn_now"), undo), *offered_lines(reader, offers))


def _played_otherwise(reader: Reader, turn: Played, offers: Sequence[OfferedLine] = ()) -> Blocks:
    """Answer another move for a turn that the sender has played."""
    is_played = message("turn_played_otherwise", turn=turn.number, text=turn.text)
    undo = message("you_can_take_it_back") if offers else None
    return (*paragraph(is_played, undo), *offered_lines(reader, offers))


def _refused(reader: Reader, game: str, reason: Reason, turn: str, fixes: Sequence[str]) -> Blocks:
    """Refuse what a rule of a game forbids, which may be another one than the letter is about.

    `turn` is what was read, and `fixes` are lines that may be meant.
    """
    head = message("not_done_with", text=turn) if turn else message("not_done")
    refusal = paragraph(head, *reader.wording_of(game).reason(reason))
    if not fixes:
        return refusal
    if len(fixes) == 1:
        return (*refusal, *paragraph(message("if_you_mean_this", line=fixes[0])))
    lines = tuple(f"{number}) {fix}" for number, fix in enumerate(fixes, 1))
    return (*refusal, *paragraph(message("send_the_one_you_mean")), Indented(lines))


def _relay_sent(_reader: Reader, turn: Played) -> Blocks:
    return paragraph(message("turn_already_passed_on", turn=turn.number, text=turn.text))


BUILDERS: Mapping[str, Builder] = {
    "not_your_turn": _not_your_turn,
    "played_otherwise": _played_otherwise,
    "refused": _refused,
    "relay_sent": _relay_sent,
}
"""The builders of answers about turns."""
