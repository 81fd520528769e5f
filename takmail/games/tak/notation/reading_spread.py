"""Read a line that begins like a stack move: `ms b2`, the number of pieces, and the drops."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from takmail.games.interface import NearMiss, Reason
from takmail.games.tak.board import Square
from takmail.games.tak.moves import Spread
from takmail.games.tak.notation import mail
from takmail.games.tak.notation.line_end import Tail, tail_of
from takmail.games.tak.position import Position
from takmail.games.tak.rules import refusal

NUMBER = re.compile(r"[0-9]{1,20}")
PICK_UP = re.compile(r"[pg]([0-9]{1,4})")
_MARKED_NUMBERS = re.compile(r"[^\w#]*[pg]?[0-9]{1,20}(?:[^\w#]+[0-9]{1,20})*[^\w#]*")


@dataclass(frozen=True, slots=True)
class Plain:
    """A move that was understood, and the words after it."""

    move: Spread
    tail: Tail


@dataclass(frozen=True, slots=True)
class Correction:
    """A line with a known mistake: the mistake's `name`, and the corrected words."""

    name: str
    words: tuple[str, ...]


def read_spread(words: Sequence[str], square: Square, position: Position) -> Plain | NearMiss | Correction:
    """Read the words of a stack move. The first two words are valid and name `square`."""
    direction, rest = mail.DIRECTIONS[words[0][1]], list(words[2:])
    if len(rest) > 1 and rest[0] in ("p", "g") and NUMBER.fullmatch(rest[1]):
        return Correction("stray-space", (*words[:2], rest[0] + rest[1], *rest[2:]))
    unmarked = _unmarked(rest)
    if unmarked != rest:
        return Correction("stray-mark", (*words[:2], *unmarked))
    picked = PICK_UP.fullmatch(rest[0]) if rest else None
    if picked:
        rest = rest[1:]
    drops, tail = _drops(rest)
    if picked is None:
        if drops:
            return _bare_numbers(Spread(square, direction, drops), tail, position)
        return _uncounted(Spread(square, direction, (1,)), tail, position)
    digits = picked[1]
    if not drops and len(digits) > 1 and int(digits[0]) == sum(map(int, digits[1:])) > 0:
        return Correction("missing-space", (*words[:2], f"p{digits[0]}", digits[1:], *rest))
    if not drops and int(digits) > 9:
        # A drop is a single digit, so a move of more than nine pieces can't be passed to the rules. The reason that
        # they would give is returned directly.
        return _over_the_limit(square, int(digits), position)
    fault = _fault(int(digits), drops)
    return Plain(Spread(square, direction, drops or (int(digits),)), tail) if fault is None else fault


def _unmarked(words: Sequence[str]) -> list[str]:
    """Return the words with spaces in place of marks between the leading numbers: `p2: 1-1` becomes `p2 1 1`."""
    numbers: list[str] = []
    for at, word in enumerate(words):
        if not _MARKED_NUMBERS.fullmatch(word):
            return [*numbers, *words[at:]]
        numbers += re.findall("[pg]?[0-9]+", word)
    return numbers


def _over_the_limit(square: Square, count: int, position: Position) -> NearMiss:
    name = mail.square_name(position.board, square)
    facts = {"square": name, "count": count, "limit": position.carry_limit}
    return NearMiss(Reason("over-carry-limit", facts))


def has_digits(words: Sequence[str]) -> bool:
    """Return whether foreign words have digits.

    The digits may belong to the move, so no stack move is offered then.
    """
    return any(letter.isdigit() for word in words for letter in word)


def _drops(words: Sequence[str]) -> tuple[tuple[int, ...], Tail]:
    """Return the numbers at the beginning digit by digit (`21` is `2 1`), and the words after them."""
    end = next((at for at, word in enumerate(words) if not NUMBER.fullmatch(word)), len(words))
    return tuple(int(digit) for word in words[:end] for digit in word), tail_of(words[end:])


def _fault(count: int, drops: tuple[int, ...]) -> NearMiss | None:
    if count == 0:
        return NearMiss(Reason("pick-up-of-zero"))
    if 0 in drops:
        return NearMiss(Reason("drop-of-zero", {"step": drops.index(0) + 1}))
    if drops and sum(drops) != count:
        return NearMiss(Reason("drops-do-not-add-up", {"count": count, "dropped": sum(drops)}))
    return None


def _bare_numbers(numbers: Spread, tail: Tail, position: Position) -> NearMiss:
    """Return a near miss for numbers without a `p`, of which the first may be the count.

    Legal meanings are offered.
    """
    first, *others = numbers.drops
    readings = [numbers]
    if not others or sum(others) == first:
        readings.insert(0, Spread(numbers.square, numbers.direction, tuple(others) or (first,)))
    facts = {"numbers": " ".join(map(str, numbers.drops))}
    return NearMiss(Reason("bare-number", facts), _legal_texts(readings, tail, position))


def _uncounted(one: Spread, tail: Tail, position: Position) -> Plain | NearMiss:
    stack = position.stacks[one.square]
    # If the rules refuse any move of this stack, their reason is more useful than a question about the count.
    if len(stack) <= 1 or not _may_move(position, one.square):
        return Plain(one, tail)
    highest = min(len(stack), position.carry_limit)
    readings = [Spread(one.square, one.direction, (count,)) for count in range(1, highest + 1)]
    facts = {"square": mail.square_name(position.board, one.square), "height": len(stack)}
    return NearMiss(Reason("count-missing", facts), _legal_texts(readings, tail, position))


def _may_move(position: Position, square: Square) -> bool:
    goes_on = position.outcome is None and not position.in_opening
    return goes_on and position.stacks[square][-1].color is position.to_move


def _legal_texts(readings: Iterable[Spread], tail: Tail, position: Position) -> tuple[str, ...]:
    if has_digits(tail.foreign):
        return ()
    legal = (spread for spread in readings if refusal(position, spread) is None)
    return tuple(dict.fromkeys(mail.write(position.board, spread, tail.tak) for spread in legal))
