"""Count the games of a given length: `bench/perft.py SIZE DEPTH [TPS]`.

Prints only the node count on the first line, then the time and the nodes per second. Exits with code 2 if the
arguments are invalid.
"""

import sys
from time import perf_counter

from takmail.games.tak.notation import tps
from takmail.games.tak.notation.errors import NotationError
from takmail.games.tak.perft import perft
from takmail.games.tak.pieces import SIZES
from takmail.games.tak.position import Position, empty_position


def main(arguments: list[str]) -> int:
    """Count the games, and print the results. Return the exit code."""
    try:
        position, depth = _parsed_arguments(arguments)
    except (ValueError, KeyError) as error:
        print(f"{error}\nusage: perft.py SIZE DEPTH [TPS]", file=sys.stderr)
        return 2
    begin = perf_counter()
    nodes = perft(position, depth)
    seconds = perf_counter() - begin
    print(nodes)
    print(f"{seconds:.3f} s, {nodes / seconds:,.0f} nodes/s")
    return 0


def _parsed_arguments(arguments: list[str]) -> tuple[Position, int]:
    if len(arguments) not in (2, 3):
        raise ValueError("two or three arguments")
    size, depth = int(arguments[0]), int(arguments[1])
    if size not in SIZES or depth < 0:
        raise ValueError(f"a size of {SIZES[0]} to {SIZES[-1]} and a depth from 0")
    if len(arguments) == 2 or arguments[2] == "start":
        return empty_position(size), depth
    position = tps.parse(arguments[2])
    if position.size != size:
        raise NotationError("size-mismatch", size=size, rows=position.size)
    return position, depth


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
