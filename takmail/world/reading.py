"""Read stored data through: each question is asked once in a cause, and its answer is kept."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, Protocol, TypeAlias, TypeVar, TypeVarTuple, cast

from takmail.games.readonly import replace
from takmail.world.clubs.values import Tournament, TournamentNumber
from takmail.world.game import Game
from takmail.world.kinds import GameNumber, PendingId, PlayerId, SeekNumber
from takmail.world.pending import Pending
from takmail.world.players import Player, Seek
from takmail.world.queries import Queries

_Key = TypeVarTuple("_Key")
_Answer = TypeVar("_Answer")

Numbered: TypeAlias = Literal["game", "player", "seek", "tournament"]
"""A table whose rows get their numbers before they are stored."""


class Numbers(Protocol):
    """The numbers of new rows, in the transaction of a cause. None is given twice, and some may stay unused."""

    def following(self, table: Numbered) -> int:
        """Return the number of the next row of a table."""


class NoNumbers:
    """The numbers of rows that are never stored. All are below 0, and nothing is taken for them."""

    def __init__(self) -> None:
        self._last = 0

    def following(self, _table: Numbered) -> int:
        """Return the next number, which no other row of the same world has."""
        self._last -= 1
        return self._last


class ReadingEndedError(Exception):
    """Stored data was asked for after the transaction in which it could be read."""


class Reading:
    """What is stored, as one cause reads it in its transaction.

    The same question has the same answer, also if it is that there is nothing. A player, a game, a seek or a question
    is one value, whichever question has led to it. `players`, `games`, `seeks` and `questions` are those that were
    read: what the cause has changed is compared with them.
    """

    def __init__(
        self,
        queries: Queries | None = None,
        players: Iterable[Player] = (),
        games: Iterable[Game] = (),
        seeks: Iterable[Seek] = (),
        questions: Iterable[Pending] = (),
    ) -> None:
        self._queries = queries
        self._answers: dict[tuple[str, tuple[object, ...]], Any] = {}
        self.players: dict[PlayerId, Player] = {}
        self.games: dict[GameNumber, Game] = {}
        self.seeks: dict[SeekNumber, Seek] = {}
        self.questions: dict[PendingId, Pending] = {}
        self.tournaments: dict[TournamentNumber, Tournament] = {}
        for known in (*players, *games, *seeks, *questions):
            self._identified(known)

    def ask(self, query: Callable[[Queries, *_Key], _Answer], *key: *_Key) -> _Answer:
        """Return the answer to a query. Raises ReadingEndedError."""
        question = (query.__name__, key)
        if question not in self._answers:
            if self._queries is None:
                raise ReadingEndedError(*question)
            self.know(query, *key, answer=getattr(self._queries, query.__name__)(*key))
        return cast(_Answer, self._answers[question])

    def know(self, query: Callable[[Queries, *_Key], _Answer], *key: *_Key, answer: Any) -> None:
        """Keep an answer that was read together with others, so that it is not asked for."""
        self._answers[query.__name__, key] = self._identified(answer)

    def player(self, number: PlayerId) -> Player:
        """Return a player, who must exist."""
        known = self.players.get(number)
        return self.ask(Queries.player, number) if known is None else known

    def game(self, number: GameNumber) -> Game | None:
        """Return a game, None if there is no such game."""
        known = self.games.get(number)
        return self.ask(Queries.game, number) if known is None else known

    def tournament(self, number: TournamentNumber) -> Tournament | None:
        """Return a tournament, None if there is no such one."""
        known = self.tournaments.get(number)
        return self.ask(Queries.tournament, number) if known is None else known

    def read_more(self, tournament: Tournament) -> None:
        """Keep a tournament of which more rows were read: what the cause changes in them is compared, too."""
        self.tournaments[tournament.number] = tournament

    def end(self) -> None:
        """Answer only what was asked before, as the transaction is over."""
        self._queries = None

    def _identified(self, answer: Any) -> Any:
        """Return an answer in which what was read before is the same value as then."""
        match answer:
            case Player():
                return self.players.setdefault(answer.id, answer)
            case Tournament():
                return self.tournaments.setdefault(answer.number, answer)
            case Seek():
                return self.seeks.setdefault(answer.number, answer)
            case Pending(game=None):
                return self.questions.setdefault(answer.id, answer)
            case Game() if answer.number in self.games:
                return self.games[answer.number]
            case Game(players=(first, second)):
                pair = (self._identified(first), self._identified(second))
                return self.games.setdefault(answer.number, replace(answer, players=pair))
            case [Seek() | Pending(), *_]:
                return [self._identified(each) for each in cast(Sequence[Any], answer)]
            case _:
                return answer
