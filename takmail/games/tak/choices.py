"""Group the legal turns so that a letter can list them, and choose those that its board offers by touch."""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import groupby

from takmail.blocks import message
from takmail.games.choice import Choice, Choices
from takmail.games.grid import Touch, Touches
from takmail.games.interface import Refused
from takmail.games.tak.board import Board, Direction, Square
from takmail.games.tak.explain import to_reason
from takmail.games.tak.moves import Place, Spread, kinds_at_hand, spreads_by_direction, spreads_from
from takmail.games.tak.notation import mail, rs
from takmail.games.tak.notation.errors import NotationError
from takmail.games.tak.pieces import Kind
from takmail.games.tak.position import Position
from takmail.games.tak.rules import refusal

_MAX_CACHED = 4_000
"""The maximum number of moves of stacks in the cache. A board of 6x6 has 120 of single pieces."""


def choices(position: Position) -> tuple[Choices, ...]:
    """Return the placements by kind of piece, then the moves by stack; nothing once the game is over."""
    if position.outcome is not None:
        return ()
    return (*_placing(position), *_moving(position))


def examples(position: Position) -> Iterator[Choices]:
    """Yield choices that show how turns are typed: the first placement of each kind of piece, and a move of a stack.

    It is the first choice of the highest stack. The game must go on.
    """
    for kind in kinds_at_hand(position):
        first = next(choice for at, choice in _places(position.board, kind) if not position.stacks[at])
        yield _placements_of(position, kind, (first,))
    mine = 0 if position.in_opening else position.controlled(position.to_move)
    squares = (square for square in position.board.squares if mine >> square & 1)
    for square in sorted(squares, key=lambda square: -len(position.stacks[square])):
        for spreads in spreads_by_direction(position, square):
            yield _moves_of(position, square, [spreads])
            return


def choices_at(position: Position, place: str) -> tuple[Choices, ...]:
    """Return all turns of a square: the placements on an empty square, or the moves of its stack by direction.

    The result is empty if the player's own stack can't move. Raises `Refused` for an invalid square, for an
    opponent's stack, for any stack in the first two turns, and once the game is over.
    """
    try:
        square = mail.square_named(position.board, place)
    except NotationError as error:
        raise Refused(error.reason) from None
    stack = position.stacks[square]
    move = Spread(square, Direction.NORTH, (1,)) if stack else Place(kinds_at_hand(position)[0], square)
    mine = position.controlled(position.to_move) >> square & 1
    reason = None if stack and mine and not position.in_opening else refusal(position, move)
    if reason is not None:
        raise Refused(to_reason(reason, lambda one: mail.square_name(position.board, one)))
    if not stack:
        turns = tuple(_placed(position.board, kind, square) for kind in kinds_at_hand(position))
        return (Choices("square", turns, len(turns), _facts(position, square)),)
    return tuple(_spreads(position, square))


MAX_TOUCHED_TURNS = 6
"""The maximum number of turns that a stack offers by touch."""


def touches(position: Position) -> Touches:
    """Return what the player to move can touch: each empty square, and each own stack that can move.

    On an empty square that places the first kind of piece at hand, a flat if there is one left.
    """
    if position.outcome is not None:
        return {}
    board, kind = position.board, kinds_at_hand(position)[0]
    mine = 0 if position.in_opening else position.controlled(position.to_move)
    found = {}
    for square, name, placement in _placements(board, kind):
        if not position.stacks[square]:
            found[name] = placement
        elif mine >> square & 1:
            likely = sorted(spreads_from(position, square), key=likeliness, reverse=True)[:MAX_TOUCHED_TURNS]
            if likely:
                found[name] = Touch(tuple(mail.write(board, one) for one in likely), True)
    return found


MAX_TOUCHED_SQUARES = 12
"""The maximum number of squares on which a wall or a capstone is offered by touch."""


def likely_squares(position: Position) -> tuple[str, ...]:
    """Return the empty squares where a wall or a capstone is likeliest, row by row.

    They are those beside most pieces, and of these the nearest to the middle.
    """
    board, stacks = position.board, position.white | position.black
    # The squares with a stack to their north, south, west and east. No shift wraps into another row.
    n, s = stacks << board.stride, stacks >> board.stride
    w, e = stacks << 1, stacks >> 1
    ranked = [
        (-((n >> at & 1) + (s >> at & 1) + (w >> at & 1) + (e >> at & 1)), distance, at)
        for distance, at in _distances(board)
        if not stacks >> at & 1
    ]
    likely = {at for _, _, at in sorted(ranked)[:MAX_TOUCHED_SQUARES]}
    return tuple([name for at, name, _ in _placements(board, Kind.FLAT) if at in likely])


@cache
def _distances(board: Board) -> tuple[tuple[float, Square], ...]:
    """Return the squares, each with the square of its distance from the middle."""
    middle = (board.size - 1) / 2
    return tuple(
        ((board.column(square) - middle) ** 2 + (board.row(square) - middle) ** 2, square)
        for square in board.squares
    )


@cache
def _placements(board: Board, kind: Kind) -> tuple[tuple[Square, str, Touch], ...]:
    """Return the squares row by row, each with its name and with the placement of a piece of this kind."""
    return tuple(
        (square, mail.square_name(board, square), Touch((mail.write(board, Place(kind, square)),), False))
        for square in board.squares
    )


def _placing(position: Position) -> Iterator[Choices]:
    for kind in kinds_at_hand(position):
        turns = tuple(
            choice for square, choice in _places(position.board, kind) if not position.stacks[square]
        )
        yield _placements_of(position, kind, turns)


def _placements_of(position: Position, kind: Kind, turns: tuple[Choice, ...]) -> Choices:
    facts = {"piece": kind.value, "color": position.color_placed.value, "opening": position.in_opening}
    return Choices("place", turns, len(turns), facts)


@cache
def _places(board: Board, kind: Kind) -> tuple[tuple[Square, Choice], ...]:
    """Return the squares row by row, each with the turn that places a piece of this kind there."""
    return tuple((square, _placed(board, kind, square)) for square in board.squares)


def _moving(position: Position) -> Iterator[Choices]:
    """Yield a row for each movable stack: for each direction, the one-space move of the most pieces."""
    if position.in_opening:
        return
    mine = position.controlled(position.to_move)
    for square in position.board.squares:
        if not mine >> square & 1:
            continue
        by_direction = list(spreads_by_direction(position, square))
        if by_direction:
            yield _moves_of(position, square, by_direction)


def _moves_of(position: Position, square: Square, by_direction: Sequence[Sequence[Spread]]) -> Choices:
    """Return the row of a stack with these moves."""
    board, height = position.board, len(position.stacks[square])
    turns = tuple(_likely(board, max(spreads, key=likeliness), height) for spreads in by_direction)
    count = sum(map(len, by_direction))
    return Choices("stack", turns, count, _facts(position, square), mail.square_name(board, square))


def likeliness(spread: Spread) -> tuple[int, int]:
    """Return a sort key whose highest value is the likeliest move: the fewest spaces, then the most pieces."""
    return -len(spread.drops), sum(spread.drops)


def _spreads(position: Position, square: Square) -> Iterator[Choices]:
    found = sorted(spreads_from(position, square), key=_order)
    facts = _facts(position, square)
    for way, alike in groupby(found, key=lambda one: one.direction):
        turns = tuple(_spread(position, one) for one in alike)
        yield Choices("spread", turns, len(turns), {**facts, "direction": way.value})


def _spread(position: Position, spread: Spread) -> Choice:
    """Return a choice for a stack move. Its name ends with the count and drops as typed, but lacks the square."""
    drops = " ".join(map(str, spread.drops))
    typed = f"p{sum(spread.drops)} {drops}"
    name = message("tak_choice_spread", direction=spread.direction.value, typed=typed)
    return Choice(mail.write(position.board, spread), name)


def _order(spread: Spread) -> tuple[int, int, int, tuple[int, ...]]:
    """Return a sort key: direction, number of spaces, number of pieces, then the drops on the nearest spaces."""
    return list(Direction).index(spread.direction), len(spread.drops), sum(spread.drops), spread.drops


def _placed(board: Board, kind: Kind, square: Square) -> Choice:
    name = message("tak_choice_place", square=mail.square_name(board, square), piece=kind.value)
    return Choice(mail.write(board, Place(kind, square)), name)


@lru_cache(_MAX_CACHED)
def _likely(board: Board, spread: Spread, height: int) -> Choice:
    """Return the choice for a move of a stack with so many pieces."""
    carried = sum(spread.drops)
    name = message(
        "tak_choice_likely",
        square=mail.square_name(board, spread.square),
        direction=spread.direction.value,
        hand="" if height == 1 else "all" if carried == height else "top",
        carried=carried,
    )
    return Choice(mail.write(board, spread), name)


def _facts(position: Position, square: Square) -> dict[str, object]:
    stack = position.stacks[square]
    return {
        "square": mail.square_name(position.board, square),
        "height": len(stack),
        "limit": position.carry_limit,
        "stack": rs.spot(stack),
    }
