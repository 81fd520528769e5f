"""Answer `im` and `why`, and a board that is compared with the game."""

from collections.abc import Mapping

from takmail.blocks import Blocks, message, paragraph
from takmail.games.interface import Comparison
from takmail.games.wording import Boards
from takmail.letters.parts import verdicts
from takmail.letters.reader import Builder, Reader
from takmail.world import Standing
from takmail.world.verdict import Verdict

_EXPLAINS_ITSELF = ("same", "size")
"""What a comparison finds that says nothing about the game: the boards are the same, or too different."""
_DIFFERS = ("otherwise", "differs")


def _disputed(reader: Reader, turn: int, *, notifies_opponent: bool) -> Blocks:
    """Answer a dispute that the sender has opened before."""
    line = "show" if reader.game.is_relay else f"why {turn}"
    return paragraph(message("already_disputed", line=line, is_told=notifies_opponent))


def _why(reader: Reader, verdict: Verdict, mover: str, *, can_play: bool) -> Blocks:
    """Explain a turn or an attempt. `mover` is the opponent's name if the attempt is one of theirs, otherwise ''."""
    return (
        *verdicts.verdict(reader, verdict),
        *(paragraph(message("attempt_can_be_played", text=verdict.text)) if can_play else ()),
        *paragraph(message("only_looked"), message("attempt_is_opponents") if mover else None),
        *verdicts.proof(reader, verdict),
    )


def _compared(reader: Reader, comparison: Comparison) -> Blocks:
    """Tell where a board differs from the game, and what the sender can do then."""
    boards = Boards.TWO if comparison.how.startswith("two-") else Boards.YOURS
    explained = reader.wording.compared(comparison, boards)
    if comparison.how in _EXPLAINS_ITSELF:
        return explained
    can_act = reader.game.standing is Standing.OPEN and comparison.how in _DIFFERS
    advice = message("if_boards_differ") if can_act else None
    return (*explained, *paragraph(message("comparing_changes_nothing"), advice))


BUILDERS: Mapping[str, Builder] = {
    "compared": _compared,
    "disputed": _disputed,
    "why": _why,
}
"""The builders of answers about disputes."""
