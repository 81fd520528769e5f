"""The forms of `im` and `why`: which turn is to be held against the rules."""

import re
from collections.abc import Callable

from takmail.commands.grammar.commands import Dispute, LineFault, Play, Unclear, Why
from takmail.commands.grammar.normalize import turn_number
from takmail.games.interface import NearMiss

_IM = re.compile(r"im(?: |: ?|(?=#)|$)", re.IGNORECASE)
_IM_WITH_NUMBER = re.compile(r"im(\d+)(?:[.:,]? (.+)|$)", re.IGNORECASE)
_ALONE = re.compile(r"(?:(?:turn|move|ply) )?#?(\d+)[.:,]?", re.IGNORECASE)
_SIGNED = re.compile(r"#(\d+)[.:,]?")
_BEFORE_A_REASON = re.compile(r"#(\d+)[.:,]? +")
_BEFORE_AN_ATTEMPT = re.compile(r"#?(\d+)[.:]? +")


def disputing(line: str) -> str | None:
    """What stands behind `im`, `im:` or, as in `im#14`, close behind it; None: the line begins otherwise."""
    found = _IM.match(line)
    return line[found.end() :].strip() if found else None


def nearly_disputing(line: str, first_line: bool) -> Unclear | None:
    """`im14 you can't`: the sign is offered, as nobody knows if it is the turn or the reason that begins there."""
    found = _IM_WITH_NUMBER.fullmatch(line.removeprefix("/"))
    if found is None or not (first_line or line.startswith("/")):
        return None
    return Unclear(LineFault.MISTYPED, f"im #{found[1]} {found[2] or ''}".strip())


def read_dispute(rest: str, anywhere: bool) -> Dispute | None:
    """`im`, `im you can't`, `im #14`, `im #14 you can't`; `anywhere`: words may stand behind it on this line.

    A bare number is a turn if it is all that stands there: "im 14 pieces are too many" tells a reason.
    """
    if not rest:
        return Dispute("", None)
    if not anywhere:
        signed = _SIGNED.fullmatch(rest)
        return Dispute("", turn_number(signed[1])) if signed else None
    if alone := _ALONE.fullmatch(rest):
        return Dispute("", turn_number(alone[1]))
    if named := _BEFORE_A_REASON.match(rest):
        return Dispute(rest[named.end() :], turn_number(named[1]))
    return Dispute(rest, None)


def read_why(line: str, read_turn: Callable[[str], Play | NearMiss | None], first_line: bool) -> Why | None:
    """`why`, `why 14`, `why ms b2 p3 2 1`, `why 14 ms b2 p3 2 1`; None: not meant as a command, as in "why me".

    What is only almost a turn counts on the first line, or with a `/` before it.
    """
    marked = line.startswith("/")
    word, _, rest = line.removeprefix("/").strip().partition(" ")
    if word.lower() != "why":
        return None
    if not rest:
        return Why(None)
    if alone := _ALONE.fullmatch(rest):
        return Why(turn_number(alone[1]))
    numbered = _BEFORE_AN_ATTEMPT.match(rest)
    attempt = rest[numbered.end() :] if numbered else rest
    number = turn_number(numbered[1]) if numbered else None
    match read_turn(attempt):
        case Play(_, meant):
            return Why(meant if number is None else number, attempt)
        case NearMiss() if marked or first_line:
            return Why(number, attempt)
        case _:
            return None
