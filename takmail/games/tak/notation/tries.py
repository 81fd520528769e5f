"""Words that try to be a move of Tak in no form that a mail is read for: `b4`, `Sb4`, `place a flat at b4`, `3a3+21`.

Such a text has at least one square or ply, and otherwise only numbers, punctuation and words of the closed list in
`vocabulary`. What it can mean is offered twice, once with the squares as Tak by Mail names them and once as PTN does.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from takmail.games.game import Meant, NearMiss, Reason, Try, Turn
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
    NO_WAY,
    says_more,
    with_digits,
)
from takmail.games.tak.pieces import Kind
from takmail.games.tak.position import Position

_LONGEST = 400  # characters; what is longer says more than a move
_IDEOGRAPHS = re.compile(rf"([{IDEOGRAPH}]+)")
_ARROW = re.compile(r"[-=]*(?:>|→)(?=\s*[a-h][1-9])")
_SIGNS = str.maketrans({"_": " ", "→": ">", "←": "<", "↑": "+", "↓": "-", "^": "+"})
_FACE = re.compile(r"(?<!\w)[:;=][-']?[dpox](?!\w)")
_NAMED = re.compile(
    r"(?<!\w)(?:"
    # A ply of PTN, or a square that the head of a move, a kind of piece or a direction stands close to.
    r"(?:p(?P<kind>[swcf]?)|m(?P<way>[nsew]?))?[-:]?(?P<count>[1-9])?(?:(?P<mark>[fscw]) ?)?"
    rf"(?P<square>[a-z][0-9]{{1,2}}|[{''.join(LATIN)}][0-9]|[а-яё][0-9])"
    r"(?:(?P<arrow>[-+<>])(?!/)(?P<drops>[0-9]{0,8})|(?P<side>[nsewv])|(?:x?(?P<to>[a-h][1-9]))+)?[fscw]?['\"*!]*"
    r"|(?P<row>[1-9])(?P<column>[a-h])"
    r"|(?P<letter>[a-hбгдеф])[ .:/-]{1,2}(?P<number>[1-9])"
    r")(?!\w)"
)
_BY_THE_BOOK = re.compile(r"(?<!\w)(?:p[swc]|m[nsew]) [a-z][0-9].*")
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
"""The letter behind the `p` of a move."""
_IN_PTN = {**_HEADS, "s": Kind.WALL}
"""The letter before a square in PTN, whose S is a standing stone, and the mail's a flat one."""
_LETTERS = {way: letter for letter, way in mail.DIRECTIONS.items()}
_MOST_SQUARES = 2

Named = Callable[[Board, str], Square]


@dataclass(frozen=True, slots=True)
class _Words:
    """What a text names: squares by their names, kinds of pieces, a direction, how many pieces and where they go.

    `marked` is the kind that PTN's letter before a square means, if it stands there.
    """

    squares: tuple[str, ...]
    kinds: tuple[Kind, ...]
    marked: Kind | None
    way: Direction | None
    numbers: tuple[int, ...]
    is_ptn: bool


def tries(text: str, position: Position) -> Try | None:
    """What a text in plain form may mean as a move in `position`; None: it has no square, or says more than a move."""
    if len(text) > _LONGEST:
        return None
    small = _IDEOGRAPHS.sub(r" \1 ", text.casefold())
    small = _ARROW.sub(" to ", with_digits(small)).translate(_SIGNS)
    found = list(_NAMED.finditer(small))
    rest = _FACE.sub(" ", _NAMED.sub(" ", small))
    if not found or says_more(rest):
        return None
    return _by_the_book(small, position) or _meant(_words(found, rest), position)


def _by_the_book(text: str, position: Position) -> Try | None:
    """The move that stands in the text as it is to be written, with words around it."""
    book = _BY_THE_BOOK.search(text)
    match read(book[0], position) if book else None:
        case Turn(line):
            return Try((Meant("mail", (line,)),))
        case NearMiss(_, (_, *_) as fixes):
            return Try((Meant("mail", fixes),))
        case _:
            return None


def _words(found: list[re.Match[str]], rest: str) -> _Words:
    first = found[0]
    # Both take a move apart, so the one that says where to is heard first.
    way = next((_ARROWS[sign] for one in found if (sign := one["way"] or one["arrow"] or one["side"])), None)
    spoken = NO_WAY.sub(" ", rest)
    way = way or next((one for one, named in DIRECTIONS.items() if named.search(spoken)), None)
    mark = next((letter for one in found if (letter := one["mark"])), "")
    head = next((letter for one in found if (letter := one["kind"])), "")
    if mark:
        kinds = tuple(dict.fromkeys((_HEADS[mark], _IN_PTN[mark])))
    elif head:
        kinds = (_HEADS[head],)
    else:
        kinds = tuple(kind for kind, named in KINDS.items() if named.search(rest))
    numbers = (first["count"] or "") + (first["drops"] or "")
    if not numbers:
        numbers = "".join(one for one in re.findall("#?[0-9]+", rest) if len(one) == 1)
    return _Words(
        tuple(dict.fromkeys(name for one in found for name in _names(one))),
        kinds,
        _IN_PTN.get(mark),
        way,
        tuple(map(int, numbers)),
        re.search(r"(?<!\w)ptn(?!\w)", rest) is not None,
    )


def _names(one: re.Match[str]) -> Iterator[str]:
    """The squares that a piece of the text names, letter first and in Latin where that can be told."""
    if one["square"]:
        yield LATIN.get(one["square"][0], one["square"][0]) + one["square"][1:]
    elif one["row"]:
        yield one["column"] + one["row"]
    else:
        yield LATIN.get(one["letter"], one["letter"]) + one["number"]
    if one["to"]:
        yield one["to"]


def _meant(words: _Words, position: Position) -> Try:
    in_ptn = words if words.marked is None else replace(words, kinds=(words.marked,))
    by_ptn = Meant("ptn", _readings(in_ptn, position, ptn.square_named))
    if words.is_ptn and by_ptn.lines:
        return Try((by_ptn,))
    by_mail = Meant("mail", _readings(words, position, mail.square_named))
    both = (by_mail,) if by_mail.lines == by_ptn.lines else (by_mail, by_ptn)
    meant = tuple(one for one in both if one.lines)
    return Try(meant, None if meant else _off_the_board(words, position))


def _off_the_board(words: _Words, position: Position) -> Reason:
    board = position.board
    facts = {"square": words.squares[0], "size": board.size, "last": mail.last_square(board)}
    return Reason("off-the-board", facts)


def _readings(words: _Words, position: Position, named: Named) -> tuple[str, ...]:
    """The lines to send, where the squares are called as `named` reads them."""
    squares = [one for name in words.squares if (one := _square(name, position.board, named)) is not None]
    if not squares:
        return ()
    way, steps = words.way, 1
    if len(squares) > 1 and (straight := _between(position.board, squares[0], squares[1])):
        way, steps = straight
        squares = squares[:1]
    lines = (
        line for square in squares[:_MOST_SQUARES] for line in _lines(words, position, square, way, steps)
    )
    return tuple(dict.fromkeys(lines))


def _lines(
    words: _Words, position: Position, square: Square, way: Direction | None, steps: int
) -> Iterator[str]:
    if way is None and (words.kinds or not position.stacks[square]):
        for kind in words.kinds or kinds_at_hand(position):
            yield mail.write(position.board, Place(kind, square))
        return
    for one in Direction if way is None else (way,):
        if way is not None or position.board.ray(square, one).spaces:
            yield _moved(words.numbers, position, square, one, steps)


def _moved(numbers: tuple[int, ...], position: Position, square: Square, way: Direction, steps: int) -> str:
    """A move of a stack; how many are picked up is left out where it isn't said: one line more will ask for it."""
    count, drops = numbers[:1], numbers[1:]
    if drops and sum(drops) != count[0]:
        drops = numbers
    drops = drops or count or (1,) * (steps if steps > 1 else 0)
    if not drops or 0 in drops or sum(drops) > position.carry_limit:
        return f"m{_LETTERS[way]} {mail.square_name(position.board, square)}"
    return mail.write(position.board, Spread(square, way, drops))


def _between(board: Board, start: Square, end: Square) -> tuple[Direction, int] | None:
    """The way that leads straight from one square to another, and how many spaces it is."""
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
