"""Parse `im` and `why`, which name a turn to check against the rules."""

import re
from collections.abc import Callable

from takmail.commands.grammar.commands import Dispute, LineFault, Unclear, Why
from takmail.commands.grammar.normalize import turn_number
from takmail.games.interface import NearMiss, Reading, Turn

_IM = re.compile(r"im(?: |: ?|(?=#)|$)", re.IGNORECASE)
_IM_WITH_NUMBER = re.compile(r"im(\d+)(?:[.:,]? (.+)|$)", re.IGNORECASE)
_ONLY_NUMBER = re.compile(r"(?:(?:turn|move|ply) )?#?(\d+)[.:,]?", re.IGNORECASE)
_NUMBER_WITH_SIGN = re.compile(r"#(\d+)[.:,]?")
_BEFORE_A_REASON = re.compile(r"#(\d+)[.:,]? +")
_BEFORE_AN_ATTEMPT = re.compile(r"#?(\d+)[.:]? +")


def disputing(line: str) -> str | None:
    """Return the text after `im` or `im:`. Return None for any other line.

    Before a `#`, the space may be missing, as in `im#14`.
    """
    found = _IM.match(line)
    return line[found.end() :].strip() if found else None


def nearly_disputing(line: str, first_line: bool) -> Unclear | None:
    """Suggest `im #14` for a line such as `im14 you can't`, which may mean turn 14 or a reason that begins with 14."""
    found = _IM_WITH_NUMBER.fullmatch(line.removeprefix("/"))
    if found is None or not (first_line or line.startswith("/")):
        return None
    return Unclear(LineFault.MEANT, offers=(f"im #{found[1]} {found[2] or ''}".strip(),))


def read_dispute(rest: str, anywhere: bool) -> Dispute | None:
    """Parse the text after `im`, such as `#14`, `you can't` or `#14 you can't`. `anywhere`: it may have a reason.

    A bare number is a turn only if nothing follows. For example, "im 14 pieces are too many" gives a reason.
    """
    if not rest:
        return Dispute("", None)
    if not anywhere:
        signed = _NUMBER_WITH_SIGN.fullmatch(rest)
        return Dispute("", turn_number(signed[1])) if signed else None
    if alone := _ONLY_NUMBER.fullmatch(rest):
        return Dispute("", turn_number(alone[1]))
    if named := _BEFORE_A_REASON.match(rest):
        return Dispute(rest[named.end() :], turn_number(named[1]))
    return Dispute(rest, None)


def read_why(line: str, read_turn: Callable[[str], Reading], first_line: bool) -> Why | None:
    """Parse `why`, `why 14`, `why ms b2 p3 2 1` or `why 14 ms b2 p3 2 1`. Return None for chat such as "why me".

    A malformed attempt is accepted only on the first line of a mail, or after a leading `/`.
    """
    marked = line.startswith("/")
    word, _, rest = line.removeprefix("/").strip().partition(" ")
    if word.lower() != "why":
        return None
    if not rest:
        return Why(None)
    if alone := _ONLY_NUMBER.fullmatch(rest):
        return Why(turn_number(alone[1]))
    numbered = _BEFORE_AN_ATTEMPT.match(rest)
    attempt = rest[numbered.end() :] if numbered else rest
    number = turn_number(numbered[1]) if numbered else None
    match read_turn(attempt):
        case Turn(_, meant):
            return Why(meant if number is None else number, attempt)
        case NearMiss() if marked or first_line:
            return Why(number, attempt)
        case _:
            return None
