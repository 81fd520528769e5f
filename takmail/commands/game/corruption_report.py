"""Report a corrupt game to the operator."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from takmail.commands.game.corruption import Corruption, CorruptionKind
from takmail.commands.game.table import Corrupt, shown_setup
from takmail.commands.kinds import Standing


@dataclass(frozen=True, slots=True)
class CorruptionReport:
    """The data about a corrupt game that the operator gets.

    * `fault` has no sealed bid
    * `board` is the replayed board after the turn, or before the turn if it is illegal. It is () if the fault does not
      affect the board.
    * `shunted_mails` are the shunted mails about the game
    """

    fault: Corruption
    standing: Standing
    is_frozen: bool
    board: tuple[str, ...]
    shunted_mails: tuple[int, ...]


def corruption_report(game: Corrupt, shunted_mails: Sequence[int], *, is_frozen: bool) -> CorruptionReport:
    """Return the report on a corrupt game."""
    fault = game.fault
    if fault.place.column == "setup":
        fault = replace(fault, value=shown_setup(game.rules, fault.value))
    state = fault.after or fault.before
    is_about_the_board = fault.flaw not in (CorruptionKind.SEAT, CorruptionKind.AGREED)
    board = state.board() if state is not None and is_about_the_board else ()
    return CorruptionReport(fault, game.record.standing, is_frozen, board, tuple(shunted_mails))
