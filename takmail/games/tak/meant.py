"""Find the moves that a text means: legal ones that contain all the squares, pieces, ways and numbers it names."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from takmail.games.interface import MAX_MEANT, Interpretation, Meant, Reason
from takmail.games.kit.meant import Possible, fitting, nothing_fits
from takmail.games.kit.naming import WAYS, Named, named_in
from takmail.games.tak.board import Board, Direction, Square
from takmail.games.tak.choices import likeliness
from takmail.games.tak.explain import to_reason
from takmail.games.tak.moves import Move, Place, Spread, kinds_at_hand, spreads_from, squares_of
from takmail.games.tak.notation import mail, ptn
from takmail.games.tak.notation.errors import NotationError
from takmail.games.tak.pieces import Kind
from takmail.games.tak.position import Position
from takmail.games.tak.rules import refusal
from takmail.limits.words import MAX_MOVE_CHARS
from takmail.vocabulary import table

_PLY = re.compile(
    r"(?<![^\s\"'(:,.])[1-9]?[fsc]?[a-h][1-9](?:[-+<>][0-9]{0,8})?[*'\"!?]*(?![^\s.,;)]|\s+[0-9])",
    re.IGNORECASE,
)
_BARE_SQUARE = re.compile(r"[a-h][1-9][!?.]*", re.IGNORECASE)
_IS_PTN = re.compile(r"(?<!\w)ptn(?!\w)", re.IGNORECASE)

_OF_ROWS, _OF_COLUMNS = frozenset(("top", "bottom", "north", "south")), frozenset(("west", "east"))
"""The parts of the board that are sides of it, by the rows and by the columns that they are."""


def meant(text: str, position: Position, *, is_unseen: bool = False) -> Meant | None:
    """Return the moves that a text means; None if it names nothing of a move or the game is over.

    A text that is written like PTN also has its meaning in PTN, below the others. On an unknown board (`is_unseen`) a
    move has its form alone.
    """
    named = named_in(text, table("tak.words"))
    if position.outcome is not None or not named.is_of_a_turn:
        return None
    by_ptn = [ply for ply in _plies(text, position.board) if is_unseen or refusal(position, ply) is None]
    by_mail: tuple[Move, ...] = ()
    reason = _off_the_board(named, position.board)
    if reason is None:
        readings = [_of_a_move(reading, position) for reading in readings_of(named, position.board)]
        named, by_mail = readings[0], _of_readings(readings, position)
    if reason is None and _IS_PTN.search(text):
        by_mail, reason = (), nothing_fits(named)
    elif reason is None:
        guess = _guess(named, position)
        shape = () if guess is None else (guess,)
        by_mail = shape if is_unseen else by_mail
        reason = _why_none(named, guess, position)
    ways = {
        "mail": by_mail[: MAX_MEANT - len(by_ptn)],
        "ptn": tuple(ply for ply in by_ptn if ply not in by_mail),
    }
    found = tuple(
        Interpretation(how, tuple(mail.write(position.board, move, named.has("call")) for move in moves))
        for how, moves in ways.items()
        if moves
    )
    is_only = len(by_mail) == 1 and not (by_ptn or is_unseen) and _is_only(named, by_mail[0], position)
    return Meant(found, None if found else reason, named.others, is_only)


def _of_readings(readings: Sequence[Named], position: Position) -> tuple[Move, ...]:
    """Return the legal moves that fit one of several readings of a text, those of the first one first."""
    fit = [_fitting(named, position) for named in readings]
    most = MAX_MEANT if len(fit) == 1 else MAX_MEANT - sum(map(bool, fit[1:]))
    return tuple(dict.fromkeys((*fit[0][:most], *chain.from_iterable(fit[1:]))))[:MAX_MEANT]


def readings_of(named: Named, board: Board) -> tuple[Named, ...]:
    """Return what a text names, with the square that it describes if that is only one: "top left".

    Beside a way, the middle is that of a side, or where a move begins: "middle left", "the middle stone to the left".
    """
    if named.beside:
        return _with_neighbours(named, board)
    if not named.areas:
        return (named,)
    ways, is_middle = named.areas & WAYS, "centre" in named.areas
    is_moved = bool(ways) and is_middle and (named.has("move") or bool(named.numbers))
    readings = [named] if not is_moved and (squares_in(named, board) or not ways) else []
    if ways and (is_middle or not readings):
        things = (*named.things, *(frozenset((way,)) for way in ways))
        readings.append(replace(named, areas=named.areas - ways, things=things))
    return tuple(_with_only_square(reading, board) for reading in readings)


def _with_neighbours(named: Named, board: Board) -> tuple[Named, ...]:
    """Return what a text may name, with the squares that it names by their neighbours. Those off the board are none.

    "Next to c3" may be on each side, "next to c3 on the right" is on one. All such squares of a text are on one side.
    """
    is_open = not all(way for _, way in named.beside)
    sides = [one for one in named.things if is_open and one <= WAYS]
    ways = [way for way in Direction if not sides or any(way.value in one for one in sides)]
    things = tuple(one for one in named.things if one not in sides)
    readings = []
    for side in ways if is_open else ways[:1]:
        near = [
            (mail.square_named(board, place), Direction(way) if way else side) for place, way in named.beside
        ]
        rays = [board.ray(square, way) for square, way in near]
        squares = [mail.square_name(board, ray.spaces[0]) for ray in rays if ray.spaces]
        if squares or not is_open:
            readings.append(replace(named, places=(*named.places, *squares), things=things))
    return tuple(readings) or (named,)


def _with_only_square(named: Named, board: Board) -> Named:
    squares = squares_in(named, board)
    if len(squares) != 1:
        return named
    return replace(named, places=(mail.square_name(board, squares[0]),), areas=frozenset(), numbers=())


def squares_in(named: Named, board: Board) -> list[Square]:
    """Return the squares of the parts of the board that a text names. The middle of a side is in its row or column."""
    is_in_row, is_in_column = bool(named.areas & _OF_ROWS), bool(named.areas & _OF_COLUMNS)
    last, number = board.size - 1, named.numbers[0] - 1 if named.numbers else None
    ends, middle = {0, last}, {last // 2, board.size // 2}
    columns, rows = set(range(board.size)), set(range(board.size))
    for area in named.areas:
        match area:
            case "top" | "north":
                rows &= {0}
            case "bottom" | "south":
                rows &= {last}
            case "west":
                columns &= {0}
            case "east":
                columns &= {last}
            case "corner":
                columns &= ends
                rows &= ends
            case "centre":
                columns &= columns if is_in_column else middle
                rows &= rows if is_in_row else middle
            case "row" if number is not None:
                rows &= {number}
            case "column" if number is not None:
                columns &= {number}
    named_so = {f"{chr(ord('a') + column)}{row + 1}" for column in columns for row in rows}
    return [square for square in board.squares if mail.square_name(board, square) in named_so]


def _of_a_move(named: Named, position: Position) -> Named:
    """Return what a text names without words for placing if it names a stack of the player and where that goes.

    "Put c3 on d3" moves a stack.
    """
    starts = [mail.square_named(position.board, place) for place in named.places[:1]]
    if len(named.places) < 2 or not all(_is_mine(position, start) for start in starts):
        return named
    return replace(named, things=tuple(one for one in named.things if one.isdisjoint(("place", "upon"))))


def _is_only(named: Named, move: Move, position: Position) -> bool:
    """Return whether a move is the only one that is possible on the place that a text names, and it names no more."""
    is_placed = isinstance(move, Place) and len(named.places) == 1 and not (named.others or named.numbers)
    is_plain = named.things in ((), (frozenset(("place",)),))
    return is_placed and is_plain and len(kinds_at_hand(position)) == 1


def _why_none(named: Named, guess: Move | None, position: Position) -> Reason:
    """Return why no legal move contains all that is named: the rule that the likeliest one breaks, if it breaks any."""
    broken = None if guess is None else refusal(position, guess)
    if broken is None:
        return nothing_fits(named)
    return to_reason(broken, lambda square: mail.square_name(position.board, square))


def _fitting(named: Named, position: Position) -> tuple[Move, ...]:
    """Return the legal moves of the square that is named first, or else those that lead there."""
    board = position.board
    starts = [mail.square_named(board, named.places[0])] if named.places else []
    if named.areas:
        return fitting(replace(named, numbers=()), _in_area(named, position), MAX_MEANT)
    if named.half and not named.places:
        starts = [square for square in board.squares if named.half in mail.square_name(board, square)]
    moves = (move for square in starts for move in _moves_of(position, square))
    found = fitting(named, (possible(position, move) for move in moves), MAX_MEANT)
    if found or len(named.places) != 1 or _is_mine(position, starts[0]):
        return found
    return fitting(named, (possible(position, move) for move in _moves_to(position, starts[0])), MAX_MEANT)


def _in_area(named: Named, position: Position) -> Iterator[Possible[Move]]:
    """Yield the legal moves to the squares of a part of the board: first the placements, by the kind of the piece."""
    squares = squares_in(named, position.board)
    for kind in kinds_at_hand(position):
        for square in squares:
            if not position.stacks[square]:
                yield possible(position, Place(kind, square))
    for square in squares:
        yield from (possible(position, move) for move in _moves_to(position, square))


def _moves_of(position: Position, square: Square) -> Iterator[Move]:
    """Yield the legal moves of a square, the likeliest first."""
    if not position.stacks[square]:
        yield from (Place(kind, square) for kind in kinds_at_hand(position))
    elif _is_mine(position, square):
        yield from sorted(spreads_from(position, square), key=likeliness, reverse=True)


def _moves_to(position: Position, end: Square) -> Iterator[Move]:
    """Yield the legal moves that end on a square."""
    for square in position.board.squares:
        if _is_mine(position, square) and (way := _way(position.board, square, end)):
            for move in _moves_of(position, square):
                if isinstance(move, Spread) and (move.direction, len(move.drops)) == way:
                    yield move


def _is_mine(position: Position, square: Square) -> bool:
    return not position.in_opening and bool(position.controlled(position.to_move) >> square & 1)


def possible(position: Position, move: Move) -> Possible[Move]:
    """Return all that a text may name of a move: its squares, the pieces and ways, and the numbers."""
    places = [mail.square_name(position.board, square) for square in squares_of(position.board, move)]
    if isinstance(move, Place):
        return Possible(
            move, places, frozenset(("place", "upon", "call", move.kind.value, mail.LETTERS[move.kind])), (1,)
        )
    top, end = position.stacks[move.square][-1].kind, position.stacks[squares_of(position.board, move)[-1]]
    flattens = (Kind.WALL.value,) if end and end[-1].kind is Kind.WALL else ()
    things = frozenset(("move", "call", move.direction.value, top.value, *flattens))
    return Possible(move, places, things, (sum(move.drops), *move.drops))


def _guess(named: Named, position: Position) -> Move | None:
    """Return the move that is likeliest to be meant, legal or not, or None."""
    if not named.places:
        return None
    board = position.board
    start, *others = (mail.square_named(board, place) for place in named.places)
    numbers = named.numbers
    drops = numbers[1:] if len(numbers) > 1 and sum(numbers[1:]) == numbers[0] else numbers
    if 0 in drops or (named.is_counted and len(numbers) > 1 and drops == numbers):
        return None
    if others and (
        named.has("place") or (named.things and not position.stacks[start] and not named.has("move"))
    ):
        return None
    if others:
        straight = _way(board, start, others[-1])
        return None if straight is None else Spread(start, straight[0], drops or (1,) * straight[1])
    ways = [way for way in Direction if named.may_have(way.value)]
    kinds = [kind for kind in Kind if named.may_have(kind.value)]
    is_placed = (
        named.has("place")
        or (not ways and (not named.has("move")))
        or (bool(kinds) and not position.stacks[start])
    )
    if is_placed:
        return Place((kinds or [Kind.FLAT])[0], start)
    open_ways = ways or [way for way in Direction if board.ray(start, way).spaces]
    return Spread(start, open_ways[0], drops or (1,))


def _way(board: Board, start: Square, end: Square) -> tuple[Direction, int] | None:
    """Return the direction and the number of spaces that lead straight from one square to another, or None."""
    for way in Direction:
        spaces = board.ray(start, way).spaces
        if end in spaces:
            return way, spaces.index(end) + 1
    return None


def _off_the_board(named: Named, board: Board) -> Reason | None:
    try:
        for place in (*named.places, *(place for place, _ in named.beside)):
            mail.square_named(board, place)
    except NotationError as error:
        return error.reason
    return None


def _plies(text: str, board: Board) -> list[Move]:
    """Return the plies of a text that is written like PTN: with signs, counts or kinds, not only with squares."""
    found = [ply[0] for ply in _PLY.finditer(text[:MAX_MOVE_CHARS])]
    if not _IS_PTN.search(text):
        found = [ply for ply in found if not _BARE_SQUARE.fullmatch(ply)]
    moves = []
    for ply in found[:MAX_MEANT]:
        try:
            moves.append(ptn.parse_ply(board, ply).move)
        except NotationError:
            continue
    return moves
