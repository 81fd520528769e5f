"""The match: how two players stand after all the games that they have finished with each other.

It is counted from the turns each time that it is shown, and kept nowhere.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlmodel import Session

from takmail.games.game import Refused, Seat
from takmail.games.registry import GAMES
from takmail.service.game.table import result_of
from takmail.service.people import register
from takmail.service.trust.identify import game_number
from takmail.store import encounters, games, players
from takmail.store.tables import GameRow


@dataclass(frozen=True, slots=True)
class Match:
    """A match as one of its players sees it; in pairs the reader comes first.

    `game` is the kind of game that it is played in, and `last` the newest one that counts, None before the
    first is over. `broken` games don't count: what is stored of them breaks the rules. A relay game counts as won or
    drawn, and brings nobody any points.
    """

    game: str
    names: tuple[str, str]
    points: tuple[int, int] = (0, 0)
    won: tuple[int, int] = (0, 0)
    draws: int = 0
    broken: int = 0
    last: int | None = None

    @property
    def opponent(self) -> str:
        """The other player's name."""
        return self.names[1]

    @property
    def games(self) -> int:
        """How many games count."""
        return sum(self.won) + self.draws

    def turned(self) -> "Match":
        """The same match as the other player sees it."""
        return Match(
            self.game,
            self.names[::-1],
            self.points[::-1],
            self.won[::-1],
            self.draws,
            self.broken,
            self.last,
        )


@dataclass(frozen=True, slots=True)
class _Finished:
    """A game that counts: who won it, None for a draw, and the points of each seat."""

    winner: Seat | None
    points: tuple[int, int]


def match_of(session: Session, kind: str, you: int, other: int) -> Match:
    """How the players `you` and `other` stand in a kind of game."""
    names = (players.get(session, you).name, players.get(session, other).name)
    points, won, draws, broken, last = [0, 0], [0, 0], 0, 0, None
    rows = encounters.finished_between(session, kind, you, other)
    turns = games.texts(session, [game_number(row) for row, _ in rows])
    for row, first in rows:
        number = game_number(row)
        finished = _finished(row, turns.get(number, ()))
        if finished is None:
            broken += 1
            continue
        last = number
        yours = Seat.FIRST if first == you else Seat.SECOND
        points[0] += finished.points[yours]
        points[1] += finished.points[yours.other]
        if finished.winner is None:
            draws += 1
        else:
            won[finished.winner != yours] += 1
    return Match(kind, names, (points[0], points[1]), (won[0], won[1]), draws, broken, last)


def matches_with(session: Session, you: int, name: str) -> tuple[Match, ...]:
    """The matches, one a kind of game, with the player of that name, if a game of yours with them has begun."""
    player = register.by_name(session, name)
    return tuple(
        match_of(session, kind, you, other)
        for kind, other in encounters.opponents(session, you)
        if player is not None and other == player.id
    )


def _finished(row: GameRow, texts: Iterable[str]) -> _Finished | None:
    """A game played over; None if its turns break the rules or don't end it."""
    rules = GAMES[row.kind]
    try:
        state = rules.start(row.setup)
        for text in () if row.is_relay else texts:
            state = state.play(text)
    except (Refused, ValueError):
        return None
    result = result_of(row, rules, state)
    if result is None:
        return None
    return _Finished(result.winner, (0, 0) if row.is_relay else state.score(result).points)
