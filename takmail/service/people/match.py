"""The match: how two players stand after all the games that they have finished with each other.

What each game has scored is kept with it, and counted anew where what it follows from is not as it was then.
"""

from dataclasses import dataclass
from hashlib import sha256

from sqlmodel import Session

from takmail.games.game import Refused, Seat, State
from takmail.games.registry import GAMES
from takmail.service.game.table import Table, result_of
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


_COUNTED_AS = "1"
"""Another one where games score otherwise than they did."""


def match_of(session: Session, kind: str, you: int, other: int, loaded: Table | None = None) -> Match:
    """How the players `you` and `other` stand in a kind of game; `loaded` is a game that needs no replay."""
    names = (players.get(session, you).name, players.get(session, other).name)
    points, won, draws, broken, last = [0, 0], [0, 0], 0, 0, None
    rows = encounters.finished_between(session, kind, you, other)
    turns = games.texts_in_one(session, [game_number(row) for row, _ in rows])
    for row, first in rows:
        number = game_number(row)
        digest = _digest(row, turns.get(number, ""))
        if row.counted != digest:
            _count(session, row, loaded)
            row.counted = digest
        if row.first_points is None or row.second_points is None:
            broken += 1
            continue
        last = number
        yours = Seat.FIRST if first == you else Seat.SECOND
        both = (row.first_points, row.second_points)
        points[0] += both[yours]
        points[1] += both[yours.other]
        if row.winner is None:
            draws += 1
        else:
            won[row.winner != yours] += 1
    session.flush()
    return Match(kind, names, (points[0], points[1]), (won[0], won[1]), draws, broken, last)


def matches_with(session: Session, you: int, name: str) -> tuple[Match, ...]:
    """The matches, one a kind of game, with the player of that name, if a game of yours with them has begun."""
    player = register.by_name(session, name)
    return tuple(
        match_of(session, kind, you, other)
        for kind, other in encounters.opponents(session, you)
        if player is not None and other == player.id
    )


def _digest(row: GameRow, turns: str) -> str:
    """All that the points of a game follow from, in a few letters."""
    of_row = (_COUNTED_AS, row.kind, row.setup, row.is_relay, row.resigned, row.ruling)
    return sha256("\n".join((*map(str, of_row), turns)).encode("utf-8", "surrogatepass")).hexdigest()


def _count(session: Session, row: GameRow, loaded: Table | None) -> None:
    """Note who has won a game, and the points of each seat; no points if its turns break the rules or don't end it."""
    row.winner = row.first_points = row.second_points = None
    session.add(row)
    state = loaded.state if loaded is not None and loaded.row is row else _last_state(session, row)
    result = None if state is None else result_of(row, GAMES[row.kind], state)
    if state is None or result is None:
        return
    row.winner = result.winner
    row.first_points, row.second_points = (0, 0) if row.is_relay else state.score(result).points


def _last_state(session: Session, row: GameRow) -> State | None:
    """How a game stood in the end, played over; None if its turns break the rules."""
    try:
        state = GAMES[row.kind].start(row.setup)
        for text in () if row.is_relay else games.texts(session, game_number(row)):
            state = state.play(text)
    except (Refused, ValueError):
        return None
    return state
