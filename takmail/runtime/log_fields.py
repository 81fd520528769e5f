"""What a line of the log tells a program of a mail or a letter; `logs.AsJson` writes it out.

No address, no token and none of a player's words is in it.
"""

import traceback
from collections.abc import Mapping
from pathlib import Path

from takmail.commands.kinds import MailState
from takmail.store.dispatch import Claimed


def of_mail(
    number: int,
    result: MailState,
    reason: str,
    about: tuple[int | None, int | None] = (None, None),
    ms: float | None = None,
) -> Mapping[str, object]:
    """What became of a mail about a game and a ply, and how many milliseconds that took."""
    game, ply = about
    facts = {"event": "mail", "mail": number, "game": game, "ply": ply, "result": str(result)}
    return {"facts": {**facts, "reason": reason, "ms": None if ms is None else round(ms, 1)}}


def of_letter(letter: Claimed, result: str, ms: float, reason: str = "") -> Mapping[str, object]:
    """What became of a letter, and how many milliseconds handing it over took."""
    facts = {"event": "letter", "letter": letter.id, "game": letter.game_id, "ply": letter.turn}
    return {"facts": {**facts, "result": result, "reason": reason, "ms": round(ms, 1)}}


def cause(error: Exception) -> str:
    """What raised, and where: of what the error says nothing, as it may quote a mail."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {Path(where.filename).name}, line {where.lineno}"
