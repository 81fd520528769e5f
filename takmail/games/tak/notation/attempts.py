"""Interpret informal descriptions of a move: `b4`, `Sb4`, `place a flat at b4`, `3a3+21`.

A description has at least one square or ply, and otherwise only numbers, punctuation and words of the closed list in
`vocabulary`. Its possible meanings are offered twice: with squares named as in Tak by Mail, and as in PTN.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from takmail.games.interface import Attempt, Interpretation, NearMiss, Reason, Turn
from takmail.games.tak.board import Board, Direction, Square
from takmail.games.tak.moves import Place, Spread, kinds_at_hand
from takmail.games.tak.notation import mail, ptn
from takmail.games.tak.notation.errors import NotationError
from takmail.games.tak.notation.reading import read
from takmail.games.tak.notation.vocabulary import (
    DIRECTIONS,
    IDEOGRAPH,
    KINDS,
    LATIN,
    MOVING,
    NO_WAY,
    PLACING,
    says_more,
    with_digits,
)
from takmail.games.tak.pieces import COLUMN, Kind
from takmail.games.tak.position import Position
from takmail.limits.words import MAX_MOVE_CHARS

_IDEOGRAPHS = re.compile(rf"([{IDEOGRAPH}]+)")
_ARROW = re.compile(rf"[-=]*(?:>|→)(?=\s*{COLUMN}[1-9])")
_SIGNS = str.maketrans({"_": " ", "→": ">", "←": "<", "↑": "+", "↓": "-", "^": "+"})
_EMOTICON = re.compile(r"(?<!\w)[:;=][-']?[dpox](?!\w)")
_SQUARE_OR_PLY = re.compile(
    r"(?<!\w)(?:"
    # A ply of PTN, or a square beside the first word of a move, a kind of piece or a direction.
    r"(?:p(?P<kind>[swcf]?)|m(?P<way>[nsew]?))?[-:]?(?P<count>[1-9])?(?:(?P<mark>[fscw]) ?)?"
    rf"(?P<square>[a-z][0-9]{{1,2}}|[{''.join(LATIN)}][0-9]|[а-яё][0-9])"
    r"(?:(?P<arrow>[-+<>])(?!/)(?P<drops>[0-9]{0,8})|(?P<side>[nsewv])|"
    rf"(?:x?(?P<to>{COLUMN}[1-9]))+)?[fscw]?['\"*!]*"
    rf"|(?P<row>[1-9])(?P<column>{COLUMN})"
    rf"|(?P<letter>{COLUMN}|[бгдеф])[ .:/-]{{1,2}}(?P<number>[1-9])"
    r")(?!\w)"
)
_EXACT_MOVE = re.compile(r"(?<!\w)(?:p[swc]|m[nsew]) [a-z][0-9].*")
_ARROWS = {
    "+": Direction.NORTH,
    "n": Direction.NORTH,
    "-": Direction.SOUTH,
    "s": Direction.SOUTH,
    "v": Direction.SOUTH,
    ">": Direction.EAST,
    "e": Direction.EAST,
    "<": Direction.WEST,
    "w": Direction.WEST,
}
_HEADS = {**mail.KINDS, "f": Kind.FLAT}
"""The kinds of pieces by the letter after the `p` of a move in Tak by Mail notation."""
_IN_PTN = {**_HEADS, "s": Kind.WALL}
"""The kinds of pieces by the letter before a square in PTN, where S is a standing stone.

In Tak by Mail s is a flat.
"""
_LETTERS = {way: letter for letter, way in mail.DIRECTIONS.items()}
_MAX_SQUARES = 2

Named = Callable[[Board, str], Square]


@dataclass(frozen=True, slots=True)
class _Spot:
    """The name of a square, and the kinds of pieces that the text names for it.

    `kinds` are those in Tak by Mail notation, and `in_ptn` those in PTN. They differ only for the letter s.
    """

    name: str
    kinds: tuple[Kind, ...] = ()
    in_ptn: tuple[Kind, ...] = ()


@dataclass(frozen=True, slots=True)
class _Words:
    """What a text names: squares with their kinds of pieces, a direction, and numbers of pieces.

    If `is_apart` is true, each square has its own kind, so no square is the destination of a stack. If
    `is_way_a_word` is true, the direction is only a word beside the square, which may also describe where the
    square is. `is_placed` is true if a word means a placement, and `is_ptn` if the text names PTN.
    """

    spots: tuple[_Spot, ...]
    is_apart: bool
    way: Direction | None
    is_way_a_word: bool
    is_placed: bool
    numbers: tuple[int, ...]
    is_ptn: bool


def tries(text: str, position: Position) -> Attempt | None:
    """Return the possible meanings of a text in plain form; None if it has no square or says more than a move."""
    if len(text) > MAX_MOVE_CHARS:
        return None
    small = _IDEOGRAPHS.sub(r" \1 ", text.casefold())
    small = _ARROW.sub(" to ", with_digits(small)).translate(_SIGNS)
    found = list(_SQUARE_OR_PLY.finditer(small))
    rest = _EMOTICON.sub(" ", _SQUARE_OR_PLY.sub(" ", small))
    if not found or says_more(rest):
        return None
    return _exact_move(small, position) or _meant(_words(small, found, rest), position)


def _exact_move(text: str, position: Position) -> Attempt | None:
    """Return the move that the text contains in the correct form among other words, or None."""
    exact = _EXACT_MOVE.search(text)
    match read(exact[0], position) if exact else None:
        case Turn(line):
            return Attempt((Interpretation("mail", (line,)),))
        case NearMiss(_, (_, *_) as fixes):
            return Attempt((Interpretation("mail", fixes),))
        case _:
            return None


def _words(text: str, found: list[re.Match[str]], rest: str) -> _Words:
    first = found[0]
    # Two matches may be parts of one move. The first one with a direction determines the direction.
    sign = next((sign for one in found if (sign := one["way"] or one["arrow"] or one["side"])), None)
    spoken = NO_WAY.sub(" ", rest)
    said = next((one for one, named in DIRECTIONS.items() if named.search(spoken)), None)
    numbers = (first["count"] or "") + (first["drops"] or "")
    if not numbers:
        numbers = "".join(one for one in re.findall("#?[0-9]+", rest) if len(one) == 1)
    own = _spots(text, found)
    known = next((spot for spot in own if spot.kinds), own[0])
    return _Words(
        tuple(spot if spot.kinds else replace(known, name=spot.name) for spot in own),
        len(own) > 1 and all(spot.kinds for spot in own),
        _ARROWS[sign] if sign else said,
        sign is None and MOVING.search(spoken) is None,
        PLACING.search(rest) is not None,
        tuple(map(int, numbers)),
        re.search(r"(?<!\w)ptn(?!\w)", rest) is not None,
    )


def _spots(text: str, found: list[re.Match[str]]) -> list[_Spot]:
    """Return the distinct squares, each with its kinds of pieces.

    A kind belongs to the square after it. If no kind precedes the first square, each kind belongs to the square before
    it.
    """
    ends = [0, *(one.end() for one in found)]
    starts = [*(one.start() for one in found), len(text)]
    spoken = [_kinds(text[end:start]) for end, start in zip(ends, starts, strict=True)]
    if not spoken[0]:
        del spoken[0]
    spots: dict[str, _Spot] = {}
    for one, kinds in zip(found, spoken, strict=False):
        in_ptn = kinds
        if mark := one["mark"]:
            kinds, in_ptn = tuple(dict.fromkeys((_HEADS[mark], _IN_PTN[mark]))), (_IN_PTN[mark],)
        elif head := one["kind"]:
            kinds = in_ptn = (_HEADS[head],)
        for name in _names(one):
            spots.setdefault(name, _Spot(name, kinds, in_ptn))
            kinds = in_ptn = ()  # the next square is a destination
    return list(spots.values())


def _kinds(text: str) -> tuple[Kind, ...]:
    return tuple(kind for kind, named in KINDS.items() if named.search(text))


def _names(one: re.Match[str]) -> Iterator[str]:
    """Yield the names of the squares of a match, letter first, transliterated to Latin if possible."""
    if one["square"]:
        yield LATIN.get(one["square"][0], one["square"][0]) + one["square"][1:]
    elif one["row"]:
        yield one["column"] + one["row"]
    else:
        yield LATIN.get(one["letter"], one["letter"]) + one["number"]
    if one["to"]:
        yield one["to"]


def _meant(words: _Words, position: Position) -> Attempt:
    in_ptn = replace(words, spots=tuple(replace(spot, kinds=spot.in_ptn) for spot in words.spots))
    # For both meanings, look for the player's stacks under their Tak by Mail names, because the player sees those.
    has_stack = any(
        position.controlled(position.to_move) >> square & 1
        for square, _ in _on_board(words, position.board, mail.square_named)
    )
    by_ptn = Interpretation("ptn", _readings(in_ptn, position, ptn.square_named, has_stack))
    if words.is_ptn and by_ptn.lines:
        return Attempt((by_ptn,))
    by_mail = Interpretation("mail", _readings(words, position, mail.square_named, has_stack))
    both = (by_mail,) if by_mail.lines == by_ptn.lines else (by_mail, by_ptn)
    meant = tuple(one for one in both if one.lines)
    return Attempt(meant, None if meant else _off_the_board(words, position))


def _off_the_board(words: _Words, position: Position) -> Reason:
    board = position.board
    facts = {"square": words.spots[0].name, "size": board.size, "last": mail.last_square(board)}
    return Reason("off-the-board", facts)


def _on_board(words: _Words, board: Board, named: Named) -> list[tuple[Square, tuple[Kind, ...]]]:
    return [
        (one, spot.kinds) for spot in words.spots if (one := _square(spot.name, board, named)) is not None
    ]


def _readings(words: _Words, position: Position, named: Named, has_stack: bool) -> tuple[str, ...]:
    """Return the lines to send if `named` is the function that reads the names of the squares."""
    squares = _on_board(words, position.board, named)
    steps = 1
    if len(squares) > 1 and not words.is_apart:
        (start, _), (end, _) = squares[:2]
        if straight := _between(position.board, start, end):
            way, steps = straight
            words = replace(words, way=way, is_way_a_word=False)
            squares = squares[:1]
    lines = (
        line
        for square, kinds in squares[:_MAX_SQUARES]
        for line in _lines(words, position, square, kinds, steps, has_stack)
    )
    return tuple(dict.fromkeys(lines))


def _lines(
    words: _Words, position: Position, square: Square, kinds: tuple[Kind, ...], steps: int, has_stack: bool
) -> Iterator[str]:
    """Yield the placements on a square and the moves from it. A direction word beside the square may mean either."""
    way = words.way
    if way is None:
        is_placed = bool(kinds) or not position.stacks[square]
        is_moved = not is_placed
    else:
        is_placed = words.is_way_a_word and (words.is_placed or bool(kinds) or not has_stack)
        is_moved = not (words.is_way_a_word and words.is_placed)
    if is_moved:
        for one in Direction if way is None else (way,):
            if way is not None or position.board.ray(square, one).spaces:
                yield _moved(words.numbers, position, square, one, steps)
    if is_placed:
        for kind in kinds or kinds_at_hand(position):
            yield mail.write(position.board, Place(kind, square))


def _moved(numbers: tuple[int, ...], position: Position, square: Square, way: Direction, steps: int) -> str:
    """Return a stack move. Without a known count the move is incomplete, and reading it leads to a question."""
    count, drops = numbers[:1], numbers[1:]
    if drops and sum(drops) != count[0]:
        drops = numbers
    drops = drops or count or (1,) * (steps if steps > 1 else 0)
    if not drops or 0 in drops or sum(drops) > position.carry_limit:
        return f"m{_LETTERS[way]} {mail.square_name(position.board, square)}"
    return mail.write(position.board, Spread(square, way, drops))


def _between(board: Board, start: Square, end: Square) -> tuple[Direction, int] | None:
    """Return the direction and the number of spaces that lead straight from one square to another, or None."""
    for way in Direction:
        spaces = board.ray(start, way).spaces
        if end in spaces:
            return way, spaces.index(end) + 1
    return None


def _square(name: str, board: Board, named: Named) -> Square | None:
    try:
        return named(board, name) if len(name) == len("a1") else None
    except (NotationError, ValueError):
        return None
