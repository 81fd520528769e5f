"""The registry of games. `Services.games` is a `Games`; only the start-up code in `runtime` imports `GAMES`."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from takmail.games.game_rules import GameRules
from takmail.games.interface import Meant, Reading, ReadTurn, Seat, WrittenBoard, as_turn
from takmail.games.optional import Recorded
from takmail.games.relay import Relay
from takmail.games.tak.game import TakGame
from takmail.games.teaching import Teacher
from takmail.games.tzaar.game import TzaarGame
from takmail.games.wording import Worded, Wording


class OfKind(Protocol):
    """What is of a kind of game: a game, a seek, or a command that asks for either. `is_relay` as in `Games.rules`."""

    @property
    def kind(self) -> str: ...

    @property
    def is_relay(self) -> bool: ...


@dataclass(frozen=True, eq=False)
class Games:
    """The games by lower-case name; `default` is the game that the command `new` starts if it names none."""

    by_name: Mapping[str, Worded]
    default: str

    def wording(self, kind: str) -> Wording:
        """Return the words of a game."""
        return self.by_name[kind].wording

    def rules(self, kind: str, *, is_relay: bool = False) -> GameRules:
        """Return the game called `kind`, or its relay, which only passes moves on."""
        game = self.by_name[kind]
        return game if not is_relay else Relay(game)

    def rules_of(self, terms: OfKind) -> GameRules:
        """Return the rules of a game, a seek, or what a command asks for."""
        return self.rules(terms.kind, is_relay=terms.is_relay)

    def teacher(self, kind: str) -> Teacher | None:
        """Return the game called `kind` if it has lessons."""
        game = self.by_name[kind]
        return game if isinstance(game, Teacher) else None

    def topic(self, word: str) -> tuple[str, str] | None:
        """Return the game that explains a lower-case word as a topic of its own, and its page; None if none does."""
        games = self.by_name.items()
        return next(
            ((name, game.topics[word]) for name, game in games if word in game.topics),
            None,
        )

    def of_file(self, name: str) -> GameRules:
        """Return the game that reads record files with the ending of this name, or the default game."""
        readers = (game for game in self.by_name.values() if isinstance(game, Recorded))
        return next(
            (game for game in readers if name.lower().endswith(f".{game.file_ending}")),
            self.by_name[self.default],
        )

    def read_anywhere(self, line: str) -> Reading:
        """Read a line as a turn of the first game that recognises it."""
        return next(
            (reading for game in self.by_name.values() if (reading := game.anywhere.read(line))), None
        )

    def exact_anywhere(self, line: str) -> ReadTurn | None:
        """Return the turn that a line is for `read_anywhere`, None if it is none."""
        if not any(game.anywhere.exact(line) for game in self.by_name.values()):
            return None  # the usual case
        return as_turn(self.read_anywhere(line))

    def turns_anywhere(self, text: str) -> tuple[str, ...]:
        """Return the turns in a text, as read by the first game that recognises any."""
        return next((turns for game in self.by_name.values() if (turns := game.anywhere.turns_in(text))), ())

    def meant_anywhere(self, text: str) -> Meant | None:
        """Return what a text means in a game that is unknown: no line, as it is not known what can be played."""
        found = (game.anywhere.meant(text) for game in self.by_name.values())
        return next((replace(meant, meant=(), is_only=False) for meant in found if meant is not None), None)

    def is_place(self, word: str) -> bool:
        """Return whether a lower-case word has the form of a place in any game."""
        return any(game.is_place(word) for game in self.by_name.values())

    def seat_anywhere(self, word: str) -> Seat | None:
        """Return the seat that a word names in any game."""
        return next(
            (seat for game in self.by_name.values() if (seat := game.seat_named(word)) is not None), None
        )

    def boards_anywhere(
        self, lines: Sequence[str], expected: Collection[int] = ()
    ) -> tuple[WrittenBoard, ...]:
        """Return the boards written among lines, as found by the first game that finds any."""
        return next(
            (found for game in self.by_name.values() if (found := game.boards_in(lines, expected))), ()
        )


GAMES = Games({"tak": TakGame(), "tzaar": TzaarGame()}, "tak")
"""All games that takmail offers, one per line."""
