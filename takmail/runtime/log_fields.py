"""The structured fields of log lines about mails, letters and thoughts, which `logs.AsJson` adds to the line.

The fields contain no addresses, no tokens and no text of players.
"""

import traceback
from collections.abc import Mapping
from pathlib import Path

from takmail.store.dispatch import Claimed
from takmail.world import MailState


def of_mail(
    number: int,
    result: MailState,
    reason: str,
    about: tuple[int | None, int | None] = (None, None),
    ms: float | None = None,
) -> Mapping[str, object]:
    """Return the fields for a mail that was handled in `ms` milliseconds. `about` is its game and ply."""
    game, ply = about
    facts = {"event": "mail", "mail": number, "game": game, "ply": ply, "result": str(result)}
    return {"facts": {**facts, "reason": reason, "ms": None if ms is None else round(ms, 1)}}


def of_letter(letter: Claimed, result: str, ms: float, reason: str = "") -> Mapping[str, object]:
    """Return the fields for a letter that was handed to the mail server in `ms` milliseconds."""
    facts = {"event": "letter", "letter": letter.id, "game": letter.game_id, "ply": letter.reported_turn}
    return {"facts": {**facts, "result": result, "reason": reason, "ms": round(ms, 1)}}


def of_thought(game: int, turns: int, result: str, ms: float) -> Mapping[str, object]:
    """Return the fields for what a process thought about a game after `turns` turns, for `ms` milliseconds."""
    return {"facts": {"event": "thought", "game": game, "ply": turns, "result": result, "ms": round(ms, 1)}}


def cause(error: Exception) -> str:
    """Return an error's type and its place in the code. The message is left out, as it may quote a mail."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {Path(where.filename).name}, line {where.lineno}"
