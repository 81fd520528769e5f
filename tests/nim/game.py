"""Nim, as a second game: its places are called 1 to 5, its turns take two lines, and its heaps are drawn late."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from random import Random

from takmail.games.interface import (
    Branch,
    Comparison,
    Decided,
    Game,
    Reading,
    Refused,
    Result,
    Seat,
    WrittenBoard,
)
from tests.nim.notation import HIGHEST, MOST, PLACES, SEATS, Setup, boards_in, heaps_of, read_agreed
from tests.nim.state import NimState


class NimGame(Game):
    """A set-up is `random`, or `heaps=3,4,5`; once the game is accepted, `random heaps=3,4,5`."""

    name = "nim"
    file_ending = "nim.txt"
    keeps_board = True

    @property
    def referee(self) -> "NimGame":
        """Nim's own rules."""
        return self

    def complete(self, setup: str, host: Seat, rng: Random) -> tuple[str, Seat]:
        """Draw three to five heaps, if they are to be drawn."""
        return str(Setup.of(setup.split()).drawn(rng)), host

    def rematch_setup(self, setup: str) -> str:
        """The set-up without the heaps, if they were drawn."""
        asked = Setup.of(setup.split())
        return str(Setup(True, None) if asked.by_lot else asked)

    def set_up(self, words: Sequence[str], rng: Random) -> str:  # noqa: ARG002 - lots are drawn at the acceptance
        """Read `random` or `heaps=3,4,5`, or nothing, which is `random`; raises `Refused`."""
        return str(Setup.of(words))

    def title(self, setup: str) -> str:
        """The heaps, or that they are drawn by lot, when the game is accepted."""
        heaps = Setup.of(setup.split()).heaps
        return "heaps by lot" if heaps is None else "heaps of " + "-".join(map(str, heaps))

    def start(self, setup: str) -> NimState:
        """The heaps before the first turn, none where they are not drawn yet."""
        heaps = Setup.of(setup.split()).heaps
        return NimState(heaps, heaps or ())

    def read_anywhere(self, line: str) -> Reading:
        """Read a line with all heaps at their highest."""
        return NimState((HIGHEST,) * MOST).read(line)

    def is_place(self, word: str) -> bool:
        """Whether it is 1 to 5."""
        return word in PLACES

    def boards_in(self, lines: Sequence[str], expected: Collection[int] = ()) -> tuple[WrittenBoard, ...]:
        """Boards of numbered heaps."""
        return tuple(boards_in(lines, expected))

    def rows(self, board: str) -> tuple[str, ...]:
        """A line for each heap."""
        return tuple(board.split("/"))

    def compare(self, setup: str, turns: Sequence[str], board: str) -> Comparison:
        """`same`, `earlier`, `differs`, or `size` where the heaps are not those of the game."""
        film = _film(self.start(setup), turns)
        heaps, now = heaps_of(board), film[-1].heaps or ()
        if heaps is None or len(heaps) != len(now):
            return Comparison("size", {"count": len(now)})
        if heaps == now:
            return Comparison("same", {"turn": len(film) - 1})
        earlier = [at for at, state in enumerate(film) if state.heaps == heaps]
        if earlier:
            return Comparison("earlier", {"turn": earlier[-1], "now": len(film) - 1})
        places = zip(PLACES, heaps, now, strict=False)
        return Comparison("differs", {"heaps": tuple(one for one in places if one[1] != one[2])})

    def compare_two(
        self,
        setup: str,
        turns: Sequence[str],
        one: str,
        other: str,
        numbers: Sequence[int] = (),  # noqa: ARG002 - no turn is named
    ) -> Comparison:
        """`two`: the comparison of each of them with the game, and whether they are the same."""
        boards = (self.compare(setup, turns, one), self.compare(setup, turns, other))
        return Comparison("two", {"boards": boards, "is_same": one == other})

    def seat_named(self, word: str) -> Seat | None:
        """First or second."""
        return SEATS.get(word)

    def is_agreement(self, text: str) -> bool:
        """Whether it is `board ...`."""
        return read_agreed(text) is not None

    def resign(self, seat: Seat) -> Result:
        """The other seat wins."""
        return Result(seat.other, ("0-1", "1-0")[seat], "resigned")

    def decide(self, winner: Seat | None, how: Decided) -> Result:
        """As the players or the operator say."""
        return Result(winner, "1/2-1/2" if winner is None else ("1-0", "0-1")[winner], how)

    def record(
        self,
        setup: str,
        turns: Sequence[str],
        tags: Mapping[str, str],
        result: Result | None,
        branches: Sequence[Branch] = (),
    ) -> str:
        """Tags, then a line for each turn; what was given up stands in braces below the turn that it followed."""
        head = {**tags, "Game": "Nim", "Setup": setup, "Result": "*" if result is None else result.score}
        lines = [f'[{name} "{said}"]' for name, said in head.items()]
        return "\n".join((*lines, "", *_with_branches(turns, branches))) + "\n"

    def address(
        self,
        setup: str,  # noqa: ARG002 - nothing on the web shows a game of Nim
        turns: Sequence[str],  # noqa: ARG002
        tags: Mapping[str, str],  # noqa: ARG002
        result: Result | None,  # noqa: ARG002
    ) -> str | None:
        """Nowhere."""
        return None


def _film(state: NimState, turns: Sequence[str]) -> list[NimState]:
    """The states up to the first turn that can't be played."""
    film = [state]
    for text in turns:
        try:
            film.append(film[-1].play(text))
        except Refused:
            break
    return film


def _with_branches(turns: Sequence[str], branches: Sequence[Branch]) -> Iterator[str]:
    for at in range(len(turns) + 1):
        if at:
            yield f"{at}. {turns[at - 1]}"
        for branch in branches:
            if branch.after == at:
                given_up = ", ".join(f"{number}. {text}" for number, text in enumerate(branch.turns, at + 1))
                yield f"{{ given up {branch.how}: {given_up} }}"
