"""Parse the alternative text of a Tak board as a listener who can't see the picture would."""

import re
from dataclasses import dataclass

_OPENING = re.compile(r"Tak board, (\d)x(\d); A1 is the north-west corner\.")
_SQUARE = re.compile(r"([A-H][1-8]) (white|black) (flat|wall|capstone)(?: on ([a-z0-9, ]+))?[.;]")
_RUN = re.compile(r"(?:(\d+) )?(white|black)")
_SIDE = re.compile(
    r"(White|Black), ([^:]+): (\d+) flats? on top, (\d+) stones?(?: and (\d+) capstones?)? left(?:, komi ([\d.]+))?\."
)
_ROAD = re.compile(r"(White|Black) has a road: ((?:[A-H][1-8](?:, )?)+)\.")
_LAST = re.compile(r"The last move: (.+?)\.(?= |$)")
_TO_MOVE = re.compile(r"To move: (White|Black), ([^.]+)\.")
_OVER = re.compile(r"The game is over: (\S+)\.(?= |$)")


@dataclass(frozen=True)
class SideHeard:
    name: str
    flats: int
    stones: int
    capstones: int | None


@dataclass(frozen=True)
class BoardHeard:
    """The board as described. `stacks` are from bottom to top; a piece is its colour and orientation."""

    size: int
    stacks: dict[str, tuple[tuple[str, str], ...]]
    sides: dict[str, SideHeard]
    komi: str
    last: str | None
    to_move: str | None
    roads: dict[str, tuple[str, ...]]
    score: str | None


def read_alt(text: str) -> BoardHeard:
    """Return the board that a text describes. Fails if the text is unclear or incomplete."""
    said = " ".join(text.split())
    opening = _OPENING.match(said)
    assert opening, said
    assert opening[1] == opening[2]
    size = int(opening[1])
    squares = _SQUARE.findall(said)
    stacks = {place: _stack(color, kind, below) for place, color, kind, below in squares}
    assert len(stacks) == len(squares)
    nothing, rest = "All squares are empty." in said, "All other squares are empty." in said
    assert nothing == (not stacks)
    assert rest == (0 < len(stacks) < size * size)
    sides = {
        color: SideHeard(name, int(flats), int(stones), int(capstones) if capstones else None)
        for color, name, flats, stones, capstones, _ in _SIDE.findall(said)
    }
    assert sides.keys() == {"White", "Black"}
    last, turn, over = _LAST.search(said), _TO_MOVE.search(said), _OVER.search(said)
    assert bool(turn) != bool(over)
    assert not turn or sides[turn[1]].name == turn[2]
    return BoardHeard(
        size,
        stacks,
        sides,
        next((komi for *_, komi in _SIDE.findall(said) if komi), "0"),
        last[1] if last else None,
        turn[1] if turn else None,
        {color: tuple(places.split(", ")) for color, places in _ROAD.findall(said)},
        over[1] if over else None,
    )


def _stack(color: str, kind: str, below: str) -> tuple[tuple[str, str], ...]:
    pieces = [(color, kind)]
    for run in below.split(", ") if below else ():
        found = _RUN.fullmatch(run)
        assert found, run
        pieces += [(found[2], "flat")] * int(found[1] or 1)
    return tuple(reversed(pieces))
