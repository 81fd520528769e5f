"""Define a series: a match with an end, whose games two players play in turn.

How it stands is a fold over the results of its games, and never stored. So a result that is corrected, or that does not
count any more, needs nothing else.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from takmail.games.interface import Seat
from takmail.limits.games import MAX_MATCH_GAMES, MAX_MATCH_POINTS
from takmail.world.kinds import GameNumber, PlayerId
from takmail.world.match import Finished

_WRITTEN = re.compile(r"(?:games=(\d{1,2}))?(?: ?points=(all|\d{1,4}))?")
_STORED = re.compile(r"(\d+) ([^ ].*?)(?: given-up=([01]))?")


@dataclass(frozen=True, slots=True)
class SeriesTerms:
    """How a series ends.

    * `games` is the number of games, None if there is no such limit. Whoever can't be caught any more has won.
    * `goal` is the number of points that wins it, None if there is none
    * `is_total`: all games are played, and the most points win
    """

    games: int | None = None
    goal: int | None = None
    is_total: bool = False

    @property
    def counts_points(self) -> bool:
        """Whether the points of the games count, and not who has won them."""
        return self.goal is not None or self.is_total

    @classmethod
    def read(cls, text: str) -> "SeriesTerms | None":
        """Parse `games=5`, `points=100` or `games=4 points=all`, in either order. Return None if it is none of them."""
        found = _WRITTEN.fullmatch(" ".join(sorted(text.split())))
        if found is None or not text.strip():
            return None
        games = None if found[1] is None else int(found[1])
        is_total = found[2] == "all"
        goal = None if is_total or found[2] is None else int(found[2])
        # Two limits at once would not say which of them wins.
        is_clear = (games is None) != (goal is None) and not (is_total and games is None)
        in_range = (games is None or 2 <= games <= MAX_MATCH_GAMES) and (
            goal is None or 1 <= goal <= MAX_MATCH_POINTS
        )
        return cls(games, goal, is_total) if is_clear and in_range else None

    def write(self) -> str:
        """Return them as options of `new`, in canonical form."""
        if self.goal is not None:
            return f"points={self.goal}"
        return f"games={self.games}{' points=all' if self.is_total else ''}"


@dataclass(frozen=True, slots=True)
class Series:
    """The series that a game belongs to, as it is stored with the game.

    * `first` is the number of its first game
    * `given_up_by` is the seat in the game whose player gave the series up in it, None if nobody did
    """

    first: GameNumber
    terms: SeriesTerms
    given_up_by: Seat | None = None

    @classmethod
    def of(cls, stored: str | None) -> "Series | None":
        """Return what is stored with a game, None if the game is of no series."""
        found = None if stored is None else _STORED.fullmatch(stored)
        terms = None if found is None else SeriesTerms.read(found[2])
        if found is None or terms is None:
            return None
        return cls(GameNumber(int(found[1])), terms, None if found[3] is None else Seat(int(found[3])))

    def write(self) -> str:
        """Return it as it is stored."""
        mark = "" if self.given_up_by is None else f" given-up={int(self.given_up_by)}"
        return f"{self.first} {self.terms.write()}{mark}"


@dataclass(frozen=True, slots=True)
class SeriesScore:
    """How a series stands, as one of its players sees it, who comes first in each pair.

    * `totals` are points, or, if wins count, two for each game that is won and one for each draw
    * `counted` are the numbers of the games that count, in order. Games after the one that decided it don't.
    * `is_over`: it is decided. `winner` is then 0 or 1, or None for a tie.
    * `gave_up` is 0 or 1 for who gave it up or has left for good, None if nobody did
    """

    terms: SeriesTerms
    totals: tuple[int, int] = (0, 0)
    counted: tuple[GameNumber, ...] = ()
    is_over: bool = False
    winner: int | None = None
    gave_up: int | None = None

    @property
    def last(self) -> GameNumber | None:
        """The number of the last game that counts, None if there is none."""
        return self.counted[-1] if self.counted else None

    def place_of(self, game: GameNumber) -> int:
        """Return which of the games that count a game is or would be, counted from 1."""
        return 1 + sum(number < game for number in self.counted)

    def counts(self, game: GameNumber) -> bool:
        """Tell whether a game counts, or will when it is over."""
        return game in self.counted or not self.is_over

    def turned(self) -> "SeriesScore":
        """Return it as the other player sees it."""
        return replace(
            self,
            totals=self.totals[::-1],
            winner=None if self.winner is None else 1 - self.winner,
            gave_up=None if self.gave_up is None else 1 - self.gave_up,
        )


def series_score(
    series: Series, you: PlayerId, games: Sequence[Finished], *, left: int | None = None
) -> SeriesScore:
    """Return how a series stands after these games of it, in order. Those that are corrupt are left out.

    `left` is 0 if the player `you` has left for good, and 1 if the other one has.
    """
    score = SeriesScore(series.terms)
    for game in games:
        seat = Seat.FIRST if game.first == you else Seat.SECOND
        if game.points is not None and not score.is_over:
            score = _with_game(score, game, seat)
        of_game = Series.of(game.series)
        if of_game is not None and of_game.given_up_by is not None and score.gave_up is None:
            score = _given_up(score, 0 if of_game.given_up_by is seat else 1)
    return score if left is None else _given_up(score, left)


def _with_game(score: SeriesScore, game: Finished, seat: Seat) -> SeriesScore:
    """Return the score after one more game, which the player of the score played in `seat`."""
    terms, (yours, theirs) = score.terms, score.totals
    assert game.points is not None
    if terms.counts_points:
        more = (game.points[seat], game.points[seat.other])
    elif game.winner is None:
        more = (1, 1)
    else:
        more = (2, 0) if game.winner is seat else (0, 2)
    totals = (yours + more[0], theirs + more[1])
    counted = (*score.counted, game.number)
    score = replace(score, totals=totals, counted=counted)
    if not _is_decided(score):
        return score
    return replace(score, is_over=True, winner=None if totals[0] == totals[1] else int(totals[1] > totals[0]))


def _is_decided(score: SeriesScore) -> bool:
    terms, totals = score.terms, score.totals
    if terms.goal is not None:
        return max(totals) >= terms.goal
    assert terms.games is not None
    left = terms.games - len(score.counted)
    return left <= 0 or (not terms.is_total and max(totals) - min(totals) > 2 * left)


def _given_up(score: SeriesScore, by: int) -> SeriesScore:
    """Return the score after a player has given the series up. What was decided before stays so."""
    return score if score.is_over else replace(score, is_over=True, winner=1 - by, gave_up=by)
