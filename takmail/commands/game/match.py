"""The match: how two players stand after all the games that they have finished with each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from takmail.commands.game.table import result_of
from takmail.commands.records import GameNumber, GameRecord, PlayerId
from takmail.games.interface import Game, Refused, Seat, State

_COUNTED_AS = "1"
"""Another one where games score otherwise than they did."""


@dataclass(frozen=True, slots=True)
class Match:
    """A match as one of its players sees it; in pairs the reader comes first.

    `game` is the kind of game that it is played in, and `last` the newest one that counts, None before the
    first is over. `broken` games don't count: what is stored of them breaks the rules. A game that keeps no board
    counts as won or drawn, and brings nobody any points.
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
class Finished:
    """A finished game, void ones aside, as a match counts it: `winner` None and points: a draw; no points: broken."""

    number: GameNumber
    first: PlayerId
    winner: Seat | None
    points: tuple[int, int] | None


def match_of(kind: str, names: tuple[str, str], you: PlayerId, games: Sequence[Finished]) -> Match:
    """How the player `you`, whose name comes first, stands after the games with the other one, by number."""
    points, won, draws, broken, last = [0, 0], [0, 0], 0, 0, None
    for one in games:
        if one.points is None:
            broken += 1
            continue
        last = one.number
        yours = Seat.FIRST if one.first == you else Seat.SECOND
        points[0] += one.points[yours]
        points[1] += one.points[yours.other]
        if one.winner is None:
            draws += 1
        else:
            won[one.winner != yours] += 1
    return Match(kind, names, (points[0], points[1]), (won[0], won[1]), draws, broken, last)


def counted_as(record: GameRecord, turns: str) -> str:
    """The digest of all that the points of a game follow from; `turns` are its texts, a line each."""
    of_record = (
        _COUNTED_AS,
        record.kind,
        record.setup,
        record.is_relay,
        None if record.resigned is None else int(record.resigned),
        record.ruling,
    )
    return sha256("\n".join((*map(str, of_record), turns)).encode("utf-8", "surrogatepass")).hexdigest()


def finished(record: GameRecord, rules: Game, state: State | None) -> Finished:
    """A game that is over as a match counts it; `state` is its last one, None: its turns break the rules."""
    result = None if state is None else result_of(record, rules, state)
    if state is None or result is None:
        return Finished(record.number, record.seats[0], None, None)
    points = state.score(result).points if rules.keeps_board else (0, 0)
    return Finished(record.number, record.seats[0], result.winner, points)


def last_state(record: GameRecord, rules: Game, turns: Sequence[str]) -> State | None:
    """How a game stood in the end, played over; None if its turns break the rules."""
    try:
        state = rules.start(record.setup)
        for text in turns if rules.keeps_board else ():
            state = state.play(text)
    except (Refused, ValueError):
        return None
    return state
