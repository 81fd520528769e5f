"""Describe what a ply does, for the sentence with which a letter begins."""

from typing import assert_never

from takmail.games.interface import Effect
from takmail.games.tak.board import Square
from takmail.games.tak.moves import Place, Spread
from takmail.games.tak.notation.mail import MailMove, square_name
from takmail.games.tak.notation.ptn import Ply, write_ply
from takmail.games.tak.pieces import Kind
from takmail.games.tak.position import Position


def effect(position: Position, played: MailMove, is_true_call: bool | None = None) -> Effect:
    """Return the effect of a legal ply: `placed` or `moved`.

    `is_true_call` tells whether its call of tak is true, None if it calls no tak or that does not matter.
    """
    move, is_false_call = played.move, is_true_call is False
    facts = {"mover": position.to_move.value, "tak": played.tak, "is_true_call": is_true_call}
    facts["ptn"] = write_ply(position.board, Ply(move))
    match move:
        case Place():
            placed = {"square": _name(position, move.square), "kind": move.kind.value}
            placed["color"] = position.color_placed.value
            return Effect("placed", {**placed, **facts}, corrects=is_false_call)
        case Spread():
            return Effect("moved", {**_spread(position, move), **facts}, corrects=is_false_call)
        case _:
            assert_never(move)


def _spread(position: Position, move: Spread) -> dict[str, object]:
    """Return the data of a stack move.

    `drops` are the squares in order, each with the number of pieces left there. `wall` is the side whose wall the move
    flattens, or None.
    """
    spaces = position.board.ray(move.square, move.direction).spaces[: len(move.drops)]
    under = position.stacks[spaces[-1]]
    return {
        "start": _name(position, move.square),
        "direction": move.direction.value,
        "count": sum(move.drops),
        "kind": position.stacks[move.square][-1].kind.value,
        "drops": tuple(
            (_name(position, square), count) for square, count in zip(spaces, move.drops, strict=True)
        ),
        "wall": under[-1].color.value if under and under[-1].kind is Kind.WALL else None,
    }


def _name(position: Position, square: Square) -> str:
    return square_name(position.board, square)
