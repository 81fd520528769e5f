"""Read the numbers of a stack move: how many pieces are picked up, and the drops."""

import re
from collections.abc import Sequence

from takmail.games.interface import NearMiss, Reason
from takmail.games.tak.board import Direction, Square
from takmail.games.tak.moves import Spread
from takmail.games.tak.notation import mail
from takmail.games.tak.notation.line_end import Tail, tail_of
from takmail.games.tak.position import Position

_NUMBER = re.compile(r"[0-9]{1,20}")
_PICK_UP = re.compile(r"[pg]([0-9]{1,4})")


def read_spread(
    way: Direction, words: Sequence[str], square: Square, position: Position
) -> tuple[Spread, Tail] | NearMiss:
    """Read the words behind the square of a stack move. Return the move, and the words behind it."""
    picked = _PICK_UP.fullmatch(words[0]) if words else None
    drops, tail = _drops(words[1:] if picked else words)
    if picked is None and drops:
        return NearMiss(Reason("bare-number", {"numbers": " ".join(map(str, drops))}))
    if picked is None:
        height = len(position.stacks[square])
        # If the rules refuse any move of this stack, their reason is more useful than a question about the count.
        has_digits = any(letter.isdigit() for word in tail.foreign for letter in word)
        if height > 1 and not has_digits and _may_move(position, square):
            facts = {"square": mail.square_name(position.board, square), "height": height}
            return NearMiss(Reason("count-missing", facts))
        return Spread(square, way, (1,)), tail
    count = int(picked[1])
    if not drops and count > 9 and int(picked[1][0]) == sum(map(int, picked[1][1:])):
        return NearMiss(Reason("slip"))  # `p321`
    if not drops and count > 9:
        # A drop is a single digit, so a move of more than nine pieces can't be passed to the rules. The reason that
        # they would give is returned directly.
        facts = {
            "square": mail.square_name(position.board, square),
            "count": count,
            "limit": position.carry_limit,
        }
        return NearMiss(Reason("over-carry-limit", facts))
    fault = _fault(count, drops)
    return (Spread(square, way, drops or (count,)), tail) if fault is None else fault


def _drops(words: Sequence[str]) -> tuple[tuple[int, ...], Tail]:
    """Return the numbers at the beginning digit by digit (`21` is `2 1`), and the words after them."""
    end = next((at for at, word in enumerate(words) if not _NUMBER.fullmatch(word)), len(words))
    return tuple(int(digit) for word in words[:end] for digit in word), tail_of(words[end:])


def _fault(count: int, drops: tuple[int, ...]) -> NearMiss | None:
    if count == 0:
        return NearMiss(Reason("pick-up-of-zero"))
    if 0 in drops:
        return NearMiss(Reason("drop-of-zero", {"step": drops.index(0) + 1}))
    if drops and sum(drops) != count:
        return NearMiss(Reason("drops-do-not-add-up", {"count": count, "dropped": sum(drops)}))
    return None


def _may_move(position: Position, square: Square) -> bool:
    goes_on = position.outcome is None and not position.in_opening
    return goes_on and position.stacks[square][-1].color is position.to_move
