"""The registry of games; `Services.games` holds one, and `wiring` alone takes `GAMES`."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from takmail.games.interface import Game, Reading, Seat, WrittenBoard
from takmail.games.relay import Relay
from takmail.games.tak.game import TakGame


@dataclass(frozen=True)
class Games:
    """Games by their names in small letters; `usual` is the one that `new` means where it names none."""

    by_name: Mapping[str, Game]
    usual: str

    def rules(self, kind: str, *, is_relay: bool = False) -> Game:
        """The game of this name, or the one in which its moves are only passed on."""
        game = self.by_name[kind]
        return game if not is_relay else Relay(game)

    def read_anywhere(self, line: str) -> Reading:
        """Read a line as a turn of any game that it may belong to."""
        return next(
            (reading for game in self.by_name.values() if (reading := game.read_anywhere(line))), None
        )

    def is_place(self, word: str) -> bool:
        """Whether a word in small letters has the form of a place of any game."""
        return any(game.is_place(word) for game in self.by_name.values())

    def seat_anywhere(self, word: str) -> Seat | None:
        """The seat that a word names in whichever game it may belong to."""
        return next(
            (seat for game in self.by_name.values() if (seat := game.seat_named(word)) is not None), None
        )

    def boards_anywhere(
        self, lines: Sequence[str], expected: Collection[int] = ()
    ) -> tuple[WrittenBoard, ...]:
        """Find the boards among lines, of any game that they may belong to."""
        return next(
            (found for game in self.by_name.values() if (found := game.boards_in(lines, expected))), ()
        )


GAMES = Games({"tak": TakGame()}, "tak")
"""The games of takmail, one line a game."""
