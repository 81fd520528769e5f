"""Agreed boards: turns that replace the board by one that both players have agreed on.

The text of such a turn is `board s 0 0/0 Ss 0/0 0 0 w`: the rows in Tak by Mail notation, then the side to move.
"""

import re

from takmail.games.interface import Reason, Refused
from takmail.games.tak import reasons
from takmail.games.tak.explain import to_reason
from takmail.games.tak.notation import rs
from takmail.games.tak.notation.errors import NotationError
from takmail.games.tak.pieces import Color
from takmail.games.tak.position import OPENING_PLIES, Position

_TURN = re.compile(r"board ([swcSWC0]+(?:[ /][swcSWC0]+)*) ([wb])")


def adopt(position: Position, text: str) -> Position:
    """Return the position after an agreed board.

    Raises `Refused`: `game-over`, `not-canonical` or `board-ends-the-game`.
    """
    refuse_after_the_end(position)
    found = _TURN.fullmatch(text)
    if found is None:
        raise Refused(Reason("not-canonical", {"text": text[:80]}))
    rows = found[1].split("/")
    if len(rows) != position.size:
        raise Refused(Reason("not-canonical", {"text": text[:80]}))
    return _adopted(position, rows, Color.WHITE if found[2] == "w" else Color.BLACK)


def refuse_after_the_end(position: Position) -> None:
    """Raise `Refused` (`game-over`) if the game has ended."""
    if (outcome := position.outcome) is not None:
        raise Refused(to_reason(reasons.GameOver(outcome.score, outcome.ended_by.value), str))


def _adopted(position: Position, rows: list[str], to_move: Color) -> Position:
    pieces = sum(letter != "0" for row in rows for spot in row.split() for letter in spot)
    try:
        adopted = rs.parse(
            rows, _ply(position, pieces, to_move), position.half_komi, position.whole(to_move).capstones
        )
    except NotationError as error:
        raise Refused(error.reason) from None
    if (outcome := adopted.outcome) is not None:
        facts = {"score": outcome.score, "ended_by": outcome.ended_by.value}
        raise Refused(Reason("board-ends-the-game", facts))
    return adopted


def _ply(position: Position, pieces: int, to_move: Color) -> int:
    """Return the ply number of the agreed board. It is never lower than before, so that the opening isn't repeated."""
    ply = max(position.ply, min(pieces, OPENING_PLIES))
    return ply + (ply % 2 != (to_move is Color.BLACK))
