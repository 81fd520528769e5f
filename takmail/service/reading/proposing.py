"""The forms of `propose`: back 17, board white, restart."""

import re

from takmail.service.people.names import MOST_NAME
from takmail.service.reading.commands import Propose, Unclear
from takmail.service.reading.numbers import turn_number
from takmail.store.tables import OfferKind

_BACK = re.compile(r"back(?: to)?(?: turn)? ?#?(\d+)", re.IGNORECASE)
_BOARD = re.compile(r"board(?: (.+?)(?: to move|'s turn)?)?", re.IGNORECASE)


def read_propose(rest: str, marked: bool) -> Propose | Unclear | None:
    """What stands behind `propose`; "propose a walk" is chat."""
    low = rest.lower()
    if low == "restart":
        return Propose(OfferKind.RESTART)
    if back := _BACK.fullmatch(rest):
        return Propose(OfferKind.BACK, target=turn_number(back[1]))
    board = _BOARD.fullmatch(rest)
    if board and len(board[1] or "") <= MOST_NAME:
        return Propose(OfferKind.BOARD, whose=board[1] or "")
    if low.split(" ")[0] == "back" and (marked or " " not in low):
        return Unclear("propose_back")
    return Unclear("propose_what") if marked or " " not in rest else None
