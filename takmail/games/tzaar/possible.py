"""Refuse positions that can't stand on a board, whatever was played or agreed on."""

from takmail.games.interface import Reason, Refused
from takmail.games.tzaar.board import NAMES
from takmail.games.tzaar.pieces import PIECES_A_SIDE, Color, Kind
from takmail.games.tzaar.position import FULL, HEIGHT_SHIFT, Position, pieces_of


def refuse_impossible(position: Position) -> Position:
    """Return the position if it is possible.

    A stack counts as one piece of the kind on top, and as many pieces as it is high. Raises `Refused`:
    `too-many-pieces`; while placing also `placing-over`, `placing-stack` or `placing-none-left`.
    """
    for color in Color:
        kinds = position.kinds(color)
        pieces = pieces_of(position.stacks, color)
        surplus = next((kind for kind in Kind if kinds[kind] > kind.count), None)
        if surplus is not None or pieces > PIECES_A_SIDE:
            facts = {
                "color": color.word,
                "kind": None if surplus is None else surplus.word,
                "count": pieces if surplus is None else kinds[surplus],
                "most": PIECES_A_SIDE if surplus is None else surplus.count,
            }
            raise Refused(Reason("too-many-pieces", facts))
    if position.is_placing:
        _refuse_impossible_placing(position)
    return position


def _refuse_impossible_placing(position: Position) -> None:
    if position.white | position.black == FULL:
        raise Refused(Reason("placing-over"))
    for spot, code in enumerate(position.stacks):
        if code >> HEIGHT_SHIFT > 1:
            facts = {"spot": NAMES[spot], "height": code >> HEIGHT_SHIFT}
            raise Refused(Reason("placing-stack", facts))
    if not any(position.reserve(position.to_move).values()):
        raise Refused(Reason("placing-none-left", {"color": position.to_move.word}))
