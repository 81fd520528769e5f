"""Define what a child process is asked to think about. It imports the games and nothing else of takmail."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from time import monotonic

from takmail.games.interface import Game
from takmail.games.registry import GAMES
from takmail.games.thinking import Choice, Hint, IsOver, Player, Review, Reviewer

THINKING_SECONDS = 55.0
"""The number of seconds after which a search has to come to an end."""


@dataclass(frozen=True, slots=True)
class Question(ABC):
    """A question about a game after these turns. `seconds` is the time after which the answer is due."""

    game: str
    setup: str
    turns: tuple[str, ...]
    seconds: float = field(default=THINKING_SECONDS, kw_only=True)

    def answer(self) -> Choice | Review | Hint:
        """Return the answer. Raises whatever the game raises."""
        end = monotonic() + self.seconds
        return self._answer(GAMES.rules(self.game), lambda: monotonic() >= end)

    @abstractmethod
    def _answer(self, rules: Game, is_over: IsOver) -> Choice | Review | Hint:
        """Ask the part of the game that knows the answer."""


@dataclass(frozen=True, slots=True)
class TurnQuestion(Question):
    """Which turn to play at a level."""

    level: str
    seed: bytes

    def _answer(self, rules: Game, is_over: IsOver) -> Choice:
        assert isinstance(rules, Player)
        return rules.choose(self.setup, self.turns, self.level, self.seed, is_over)


@dataclass(frozen=True, slots=True)
class ReviewQuestion(Question):
    """What can be proven about a finished game, or about the turn with the number `only`."""

    only: int | None = None

    def _answer(self, rules: Game, is_over: IsOver) -> Review:
        assert isinstance(rules, Reviewer)
        return rules.review(self.setup, self.turns, is_over, self.only)


@dataclass(frozen=True, slots=True)
class HintQuestion(Question):
    """What helps the player to move."""

    def _answer(self, rules: Game, is_over: IsOver) -> Hint:
        assert isinstance(rules, Reviewer)
        return rules.hint(self.setup, self.turns, is_over)
