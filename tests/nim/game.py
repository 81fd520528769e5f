"""Nim as a second game, with places named 1 to 5, turns of two lines, and heaps that are drawn at acceptance."""

from collections.abc import Collection, Mapping, Sequence
from random import Random
from types import MappingProxyType

from takmail.games.game_rules import GameRules
from takmail.games.interface import Comparison, Decided, RecordedRun, Refused, Result, Seat, WrittenBoard
from takmail.games.picture import Scene
from takmail.vocabulary import Table
from tests.nim.notation import HIGHEST, MOST, PLACES, SEATS, Setup, boards_in, heaps_of, read_agreed
from tests.nim.picture import cell_scene
from tests.nim.state import NimState
from tests.nim.wording import NimWording


class NimGame(GameRules):
    """Nim. A set-up is `random` or `heaps=3,4,5`. After acceptance, `random` becomes `random heaps=3,4,5`."""

    name = "nim"
    file_ending = "nim.txt"
    keeps_board = True
    wording = NimWording()
    topics: Mapping[str, str] = MappingProxyType({})

    @property
    def referee(self) -> "NimGame":
        """This game, because Nim has rules of its own."""
        return self

    def complete(self, setup: str, rng: Random) -> str:
        """Return the set-up; if it is random, draw three to five heaps."""
        return str(Setup.of(setup.split()).drawn(rng))

    def rematch_setup(self, setup: str) -> str:
        """Return the set-up without heaps that were drawn at acceptance."""
        asked = Setup.of(setup.split())
        return str(Setup(True, None) if asked.by_lot else asked)

    def set_up(self, words: Sequence[str], rng: Random) -> str:  # noqa: ARG002 - lots are drawn at the acceptance
        """Parse `random` or `heaps=3,4,5`; no words mean `random`. Raises `Refused`."""
        return str(Setup.of(words))

    def needs_board(self, setup: str) -> None:
        """Return None: every game of Nim can be a relay game."""

    def title(self, setup: str) -> str:
        """Return the heaps, or say that they are drawn at acceptance."""
        heaps = Setup.of(setup.split()).heaps
        return "heaps by lot" if heaps is None else "heaps of " + "-".join(map(str, heaps))

    def start(self, setup: str) -> NimState:
        """Return the heaps before the first turn; none if they are not drawn yet."""
        heaps = Setup.of(setup.split()).heaps
        return NimState(heaps, heaps or ())

    def unseen(self, setup: str) -> NimState:
        """Return the heaps before the first turn, as every turn has its form whatever the heaps are."""
        return self.start(setup)

    @property
    def anywhere(self) -> NimState:
        """The state in which all heaps have the maximum height."""
        return NimState((HIGHEST,) * MOST)

    @property
    def words(self) -> Table:
        """Return the words of Nim."""
        return Table(dict.fromkeys(("take", "takes", "from", "heap", "stone", "stones"), "take"))

    def is_place(self, word: str) -> bool:
        """Return whether the word is a number from 1 to 5."""
        return word in PLACES

    def boards_in(self, lines: Sequence[str], expected: Collection[int] = ()) -> tuple[WrittenBoard, ...]:
        """Return boards of numbered heaps."""
        return tuple(boards_in(lines, expected))

    def rows(self, board: str) -> tuple[str, ...]:
        """Return a line for each heap."""
        return tuple(board.split("/"))

    def compare(self, setup: str, turns: Sequence[str], board: str) -> Comparison:
        """Compare a board with the game: `same`, `earlier`, `differs`, or `size` for another number of heaps."""
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
        """Return `two`, with the comparison of each board with the game and whether the boards are equal."""
        boards = (self.compare(setup, turns, one), self.compare(setup, turns, other))
        return Comparison("two", {"boards": boards, "is_same": one == other})

    def cell(self, picture: str) -> Scene:
        """Draw a heap by its name. Raises ValueError."""
        return cell_scene(picture)

    def seat_named(self, word: str) -> Seat | None:
        """Return the first or the second seat."""
        return SEATS.get(word)

    def is_agreement(self, text: str) -> bool:
        """Return whether a turn is `board ...`."""
        return read_agreed(text) is not None

    def resign(self, seat: Seat) -> Result:
        """Return a win for the opponent."""
        return Result(seat.other, ("0-1", "1-0")[seat], "resigned")

    def decide(self, winner: Seat | None, how: Decided) -> Result:
        """Return the result that the players or the operator decided."""
        return Result(winner, "1/2-1/2" if winner is None else ("1-0", "0-1")[winner], how)

    def record(
        self,
        setup: str,
        turns: Sequence[str],
        tags: Mapping[str, str],
        result: Result | None,
        runs: Sequence[RecordedRun] = (),
    ) -> str:
        """Return tags, then a line for each turn, then a line in braces for each run."""
        head = {**tags, "Game": "Nim", "Setup": setup, "Result": "*" if result is None else result.score}
        lines = [f'[{name} "{said}"]' for name, said in head.items()]
        played = [f"{number}. {text}" for number, text in enumerate(turns, 1)]
        asides = [f"{{ {run.heading}: {', '.join(run.turns)} }}" for run in runs]
        return "\n".join((*lines, "", *played, *asides)) + "\n"

    def viewer_url(
        self,
        setup: str,  # noqa: ARG002 - nothing on the web shows a game of Nim
        turns: Sequence[str],  # noqa: ARG002
        tags: Mapping[str, str],  # noqa: ARG002
        result: Result | None,  # noqa: ARG002
    ) -> str | None:
        """Return None, because Nim has no viewer."""
        return None


def _film(state: NimState, turns: Sequence[str]) -> list[NimState]:
    """Return the states up to the first turn that can't be played."""
    film = [state]
    for text in turns:
        try:
            film.append(film[-1].play(text))
        except Refused:
            break
    return film
