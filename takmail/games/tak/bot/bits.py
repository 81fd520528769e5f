"""Positions of Tak for searches: sets of squares and stacks as ints, in plain tuples that are quick to copy.

The squares are those of `games.tak.board`. Nothing here checks a rule: only plies that `plies` returns are made, and
`games.tak.rules` stays the referee.
"""

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from takmail.games.tak.board import Board, Square, board_of
from takmail.games.tak.moves import Move, Place, Spread, spread_drops
from takmail.games.tak.pieces import Color, Kind, Stack
from takmail.games.tak.position import OPENING_PLIES, Position

Bits = tuple[int, int, int, int, tuple[int, ...], int, int, int, int, int]
"""A position: white, black, walls, capstones, stacks, White's stones and capstones in reserve, Black's, the ply.

The first four are sets of squares: those that each side controls, and those with a wall or a capstone on top. `stacks`
has an int for each index of the board: a leading 1, then a bit for each piece from bottom to top, 0 for White and 1
for Black. So an empty space is 1, and the lowest bit of another is the piece on top.
"""

Ply = tuple[int, int, tuple[int, ...], int]
"""A ply: the square, the step to the next square, the drops with the farthest first, and the set of changed squares.

A placement has the step 0, and the kind of the piece in place of the drops: `FLAT`, `WALL` or `CAPSTONE`.
"""

FLAT: Final = 0
WALL: Final = 1
CAPSTONE: Final = 2
"""The kinds of pieces, as in a placement."""

WON: Final = 1
DRAWN: Final = 0
LOST: Final = -1
"""The results for the player who made the last ply."""

_KINDS = (Kind.FLAT, Kind.WALL, Kind.CAPSTONE)
_MOST_SPREADS: Final = 5_000
_MOST_PLACEMENTS: Final = 2_000


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """What does not change in a game: the board, komi in half flats, and tables of plies.

    * `places` has the placements by kind and square
    * `lines` has for each square and direction the step, the spaces to the edge as in `Ray.mask` and `Ray.reach`, and
      the sets of the nearest spaces by their number
    * `cross` has for each square the spaces to the edge in all directions
    * `north`, `south`, `west` and `east` are the edges
    * `rings` are the board without its outermost ring of squares, without the two outermost, and so on
    """

    board: Board
    size: int
    stride: int
    full: int
    half_komi: int
    places: tuple[tuple[Ply, ...], ...]
    lines: tuple[tuple[tuple[int, int, dict[int, tuple[int, int]], tuple[int, ...]], ...], ...]
    cross: tuple[int, ...]
    north: int
    south: int
    west: int
    east: int
    rings: tuple[int, ...]


@cache
def layout_of(size: int, half_komi: int = 0) -> Layout:
    """Return the layout of a game. The same object is returned each time."""
    board = board_of(size)
    places = tuple(
        tuple((square, 0, (kind,), 1 << square) for square in range(size * board.stride))
        for kind in (FLAT, WALL, CAPSTONE)
    )
    lines = tuple(
        tuple(
            (
                board.step[ray.direction],
                ray.mask,
                dict(ray.reach),
                tuple(
                    sum(1 << space for space in ray.spaces[:length]) for length in range(len(ray.spaces) + 1)
                ),
            )
            for ray in rays
        )
        for rays in board.rays
    )
    cross = tuple(sum(line[1] for line in square) for square in lines)
    return Layout(
        board=board,
        size=size,
        stride=board.stride,
        full=board.full,
        half_komi=half_komi,
        places=places,
        lines=lines,
        cross=cross,
        north=board.north,
        south=board.south,
        west=board.west,
        east=board.east,
        rings=tuple(_inside(size, board.stride, margin) for margin in range(1, (size + 1) // 2)),
    )


def _inside(size: int, stride: int, margin: int) -> int:
    """Return the squares that are so far from the edge."""
    inside = range(margin, size - margin)
    return sum(1 << row * stride + column for row in inside for column in inside)


def plies(layout: Layout, bits: Bits) -> list[Ply]:
    """Return all legal plies of a game that is not over: flats, capstones, moves of stacks, then walls."""
    white, black, walls, caps, stacks, white_stones, white_caps, black_stones, black_caps, ply = bits
    flats, standing, tops = placements(layout, layout.full ^ white ^ black)
    if ply < OPENING_PLIES:
        return list(flats)
    if ply & 1:
        own, stones, capstones = black, black_stones, black_caps
    else:
        own, stones, capstones = white, white_stones, white_caps
    found = list(flats) if stones else []
    if capstones:
        found += tops
    size, cross = layout.size, layout.cross
    blocked = walls | caps
    while own:
        low = own & -own
        own ^= low
        square = low.bit_length() - 1
        height = stacks[square].bit_length() - 1
        around = cross[square]
        found += spreads(
            layout,
            square,
            height if height < size else size,
            blocked & around,
            walls & around if low & caps else 0,
        )
    if stones:
        found += standing
    return found


@lru_cache(maxsize=_MOST_PLACEMENTS)
def placements(layout: Layout, empty: int) -> tuple[tuple[Ply, ...], ...]:
    """Return the plies that lay a piece on one of the `empty` squares: flats, walls and capstones."""
    squares = _squares(empty)
    return tuple(tuple(kind[square] for square in squares) for kind in layout.places)


@lru_cache(maxsize=_MOST_SPREADS)
def spreads(layout: Layout, square: int, hand: int, blocked: int, crushable: int) -> tuple[Ply, ...]:
    """Return the moves of a stack of which `hand` pieces can be taken.

    `blocked` are the squares in line with it that stop it, and `crushable` those of them that its capstone may crush.
    """
    found: list[Ply] = []
    for step, mask, reach, prefixes in layout.lines[square]:
        distance, blocker = reach[blocked & mask]
        origin = 1 << square
        for spaces in range(1, distance + 1):
            changed = origin | prefixes[spaces]
            found += [(square, step, drops[::-1], changed) for drops in spread_drops(hand, spaces)]
        if blocker & crushable:
            changed = origin | prefixes[distance + 1]
            found += [
                (square, step, (1, *drops[::-1]), changed) for drops in spread_drops(hand - 1, distance)
            ]
    return tuple(found)


def make(bits: Bits, ply: Ply) -> Bits:
    """Return the position after a legal ply."""
    white, black, walls, caps, stacks, white_stones, white_caps, black_stones, black_caps, number = bits
    square, step, drops, changed = ply
    piles = list(stacks)
    if not step:
        kind = drops[0]
        # The first two plies place one of the opponent's flats.
        if (number & 1 == 0) is (number >= OPENING_PLIES):
            piles[square] = 2
            white |= changed
            if kind == CAPSTONE:
                white_caps -= 1
            else:
                white_stones -= 1
        else:
            piles[square] = 3
            black |= changed
            if kind == CAPSTONE:
                black_caps -= 1
            else:
                black_stones -= 1
        if kind == WALL:
            walls |= changed
        elif kind == CAPSTONE:
            caps |= changed
        return (
            white,
            black,
            walls,
            caps,
            tuple(piles),
            white_stones,
            white_caps,
            black_stones,
            black_caps,
            number + 1,
        )
    stack = piles[square]
    target = square + step * len(drops)
    last = 1 << target
    whites = blacks = 0
    # From the far end back, as the top of the stack gets farthest.
    for drop in drops:
        piles[target] = pile = piles[target] << drop | stack & (1 << drop) - 1
        if pile & 1:
            blacks |= 1 << target
        else:
            whites |= 1 << target
        stack >>= drop
        target -= step
    piles[square] = stack
    if stack > 1:
        if stack & 1:
            blacks |= 1 << square
        else:
            whites |= 1 << square
    rest = ~changed
    if (walls | caps) & changed:
        origin = 1 << square
        # What stands on top of the stack stands at the far end now; a wall there has been crushed.
        walls, caps = (
            walls & rest | (last if walls & origin else 0),
            caps & rest | (last if caps & origin else 0),
        )
    return (
        white & rest | whites,
        black & rest | blacks,
        walls,
        caps,
        tuple(piles),
        white_stones,
        white_caps,
        black_stones,
        black_caps,
        number + 1,
    )


def passed(bits: Bits) -> Bits:
    """Return the same position with the other player to move."""
    return (*bits[:9], bits[9] + 1)


def has_road(layout: Layout, squares: int, seeds: int) -> bool:
    """Return whether `squares` contain a road through one of `seeds`."""
    reached = squares & seeds
    if not reached or squares.bit_count() < layout.size:
        return False
    stride = layout.stride
    grown = 0
    while grown != reached:
        grown = reached
        reached |= reached << 1 | reached >> 1
        reached |= reached << stride | reached >> stride
        reached &= squares
    north, west = reached & layout.north, reached & layout.west
    if north and reached & layout.south and flood(north, reached, stride) & layout.south:
        return True
    return bool(west and reached & layout.east and flood(west, reached, stride) & layout.east)


def flood(reached: int, squares: int, stride: int) -> int:
    """Return the `squares` that are connected with those `reached`, which are some of them."""
    grown = 0
    while grown != reached:
        grown = reached
        reached = (reached | reached << 1 | reached >> 1 | reached << stride | reached >> stride) & squares
    return reached


def result(layout: Layout, bits: Bits, changed: int) -> int | None:
    """Return the result for the player who made the last ply, which changed these squares; None if the game goes on."""
    white, black, walls, ply = bits[0], bits[1], bits[2], bits[9]
    own, other = (white, black) if ply & 1 else (black, white)
    roads = ~walls
    if own & changed and has_road(layout, own & roads, changed):
        return WON
    # The ply of a stack may have opened the way for the other, too.
    if other & changed and has_road(layout, other & roads, changed):
        return LOST
    return counted(layout, bits)


def counted(layout: Layout, bits: Bits) -> int | None:
    """Return the result by a count of flats for the player who made the last ply; None if it is not yet the end."""
    white, black, walls, caps, _, white_stones, white_caps, black_stones, black_caps, ply = bits
    if white | black != layout.full and (white_stones or white_caps) and (black_stones or black_caps):
        return None
    flats = ~(walls | caps)
    lead = 2 * ((white & flats).bit_count() - (black & flats).bit_count()) - layout.half_komi
    if not ply & 1:
        lead = -lead
    return (lead > 0) - (lead < 0)


def bits_of(position: Position) -> Bits:
    """Return a position of `games.tak` as bits."""
    (white_stones, white_caps), (black_stones, black_caps) = position.white_reserve, position.black_reserve
    return (
        position.white,
        position.black,
        position.walls,
        position.capstones,
        tuple(map(_stack, position.stacks)),
        white_stones,
        white_caps,
        black_stones,
        black_caps,
        position.ply,
    )


def move_of(layout: Layout, ply: Ply) -> Move:
    """Return a ply as a move of `games.tak`, which has notations."""
    square, step, drops, _ = ply
    if not step:
        return Place(_KINDS[drops[0]], Square(square))
    direction = next(direction for direction, by in layout.board.step.items() if by == step)
    return Spread(Square(square), direction, drops[::-1])


def ply_of(layout: Layout, move: Move) -> Ply:
    """Return a move of `games.tak` as a ply."""
    if isinstance(move, Place):
        return layout.places[_KINDS.index(move.kind)][move.square]
    spaces = layout.board.ray(move.square, move.direction).spaces[: len(move.drops)]
    changed = 1 << move.square | sum(1 << space for space in spaces)
    return move.square, layout.board.step[move.direction], move.drops[::-1], changed


def _stack(stack: Stack) -> int:
    bits = 1
    for piece in stack:
        bits = bits << 1 | (piece.color is Color.BLACK)
    return bits


def _squares(mask: int) -> list[int]:
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found
