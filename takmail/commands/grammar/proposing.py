"""Parse the text after `propose`, and lines that say whose turn it would be on a proposed board."""

import re

from takmail.commands.grammar.commands import LineFault, Propose, Unclear
from takmail.commands.grammar.line_reader import SeatNamed
from takmail.commands.grammar.normalize import turn_number
from takmail.commands.kinds import OfferKind
from takmail.limits.words import MAX_NAME_CHARS

_BACK = re.compile(r"(?:to go )?back[:,]?(?: to)?(?: turn| move| ply)? ?#?(\d+)", re.IGNORECASE)
_BOARD = re.compile(r"board[:,]?(?: (.+))?", re.IGNORECASE)
_NEAR = re.compile(r"(?:back|board|restart)\b", re.IGNORECASE)
_MISTYPED_BACK = re.compile(r"b[ack]{1,4} #?\d+")
_WHOSE = re.compile(
    r"(?:and |with )?(?:it(?:'s| is) )?(?P<who>.+?)"
    r"(?P<turn>(?:'s?)? turn(?: next| to move)?|(?: is)?(?: next)? to (?:move|play)| is next| next| moves(?: next)?)",
    re.IGNORECASE,
)
SENDER = ("me", "i", "my", "mine")
"""Words for the sender in a line that says whose turn it would be."""
OTHER_ONE = ("them", "you", "your", "yours")
"""Words for the opponent in a line that says whose turn it would be."""


def read_propose(rest: str, marked: bool) -> Propose | Unclear | None:
    """Parse the text after `propose`. "propose a walk" is chat."""
    low = rest.lower()
    if low == "restart":
        return Propose(OfferKind.RESTART)
    target = back_to(rest)
    if target is not None:
        return Propose(OfferKind.BACK, target=target)
    board = _BOARD.fullmatch(rest)
    if board and len(whose := _who(board[1] or "")) <= MAX_NAME_CHARS:
        return Propose(OfferKind.BOARD, whose=whose)
    if (low.startswith("back") and _NEAR.match(low)) or _MISTYPED_BACK.fullmatch(low):
        return Unclear(LineFault.PROPOSE_BACK)
    return Unclear(LineFault.PROPOSE_WHAT) if marked or " " not in rest or _NEAR.match(low) else None


def back_to(words: str) -> int | None:
    """Return the turn that text such as `back 17` names, None for any other text."""
    found = _BACK.fullmatch(words)
    return turn_number(found[1]) if found else None


def whose_turn(line: str, seat_named: SeatNamed) -> str:
    """Return the words for the player to move in a line below `propose board`, '' if the line names no such player.

    A player's name needs "to move" or "'s turn" after it, because a name alone is a signature.
    """
    who = _who(line)
    if seat_named(who.lower()) is not None or who.lower() in ("me", "them"):
        return who
    if who == line or len(who) > MAX_NAME_CHARS:
        return ""
    is_name = " " not in who or all(word[:1].isupper() for word in who.split())
    return who if is_name or who.lower() in (*SENDER, *OTHER_ONE) else ""


def _who(words: str) -> str:
    """Return the words for the player in text such as `white to move`, `Ben's turn`, `my turn` or `white`."""
    bare = words.strip(" ,:;.-")
    found = _WHOSE.fullmatch(bare)
    return found["who"] if found else bare
