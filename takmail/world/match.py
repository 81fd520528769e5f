"""Compute the match score of two players: the points of all games that they have finished with each other."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from takmail.games.game_rules import GameRules
from takmail.games.interface import Seat, State
from takmail.world.game import Game, account_of, result_decided, result_of
from takmail.world.kinds import GameNumber, PlayerId
from takmail.world.records import GameRecord
from takmail.world.replay import Run

_SCORING_VERSION = "1"
"""The version of the scoring. It must change when the points of a game are computed in another way."""


@dataclass(frozen=True, slots=True)
class Match:
    """A match as one of its players sees it. In each pair, that player comes first.

    * `game` is the kind of game
    * `broken` is the number of corrupt games, which do not count
    * `points` are those of all games but the ones for coins, None if there was no such game
    * `coins` is what each has won or lost in all games for coins, None if there was no such game
    * `last` is the number of the newest game that counts, None if there is none

    Games without a board count as won or drawn, but give no points.
    """

    game: str
    names: tuple[str, str]
    points: tuple[int, int] | None = None
    won: tuple[int, int] = (0, 0)
    draws: int = 0
    broken: int = 0
    last: int | None = None
    coins: tuple[int, int] | None = None

    @property
    def opponent(self) -> str:
        """The opponent's name."""
        return self.names[1]

    @property
    def is_lost_throughout(self) -> bool:
        """Whether the player has lost all games, and more than one."""
        return self.won[1] == self.games > 1

    @property
    def games(self) -> int:
        """The number of games that count."""
        return sum(self.won) + self.draws

    def turned(self) -> "Match":
        """Return the match as the opponent sees it."""
        return Match(
            self.game,
            self.names[::-1],
            None if self.points is None else self.points[::-1],
            self.won[::-1],
            self.draws,
            self.broken,
            self.last,
            None if self.coins is None else self.coins[::-1],
        )


@dataclass(frozen=True, slots=True)
class BegunGame:
    """A game of a kind that two players have begun with each other. `first` is who has the first seat."""

    number: GameNumber
    kind: str
    first: PlayerId


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished game that is not void.

    If `points` is None, the game is corrupt. Otherwise, it is a draw if `winner` is None. `coins` is what each player
    has won or lost, None if the game was not played for coins. If it was, its points don't count. `series` is as in
    `GameRecord`.
    """

    number: GameNumber
    first: PlayerId
    winner: Seat | None
    points: tuple[int, int] | None
    coins: tuple[int, int] | None = None
    series: str | None = None


def match_of(kind: str, names: tuple[str, str], you: PlayerId, games: Sequence[Finished]) -> Match:
    """Return the match score after these games, which are ordered by number.

    `you` is the player whose name comes first.
    """
    counted = [game for game in games if game.points is not None]
    seated = [(game, Seat.FIRST if game.first == you else Seat.SECOND) for game in counted]
    return Match(
        kind,
        names,
        points=_total(
            [(game.points, seat) for game, seat in seated if game.points is not None and game.coins is None]
        ),
        won=(
            sum(game.winner == seat for game, seat in seated),
            sum(game.winner == seat.other for game, seat in seated),
        ),
        draws=sum(game.winner is None for game in counted),
        broken=len(games) - len(counted),
        last=counted[-1].number if counted else None,
        coins=_total([(game.coins, seat) for game, seat in seated if game.coins is not None]),
    )


def _total(scores: Sequence[tuple[tuple[int, int], Seat]]) -> tuple[int, int] | None:
    """Return the sums for the player who had these seats and for the opponent, None if there are no scores."""
    if not scores:
        return None
    return sum(score[seat] for score, seat in scores), sum(score[seat.other] for score, seat in scores)


def score_digest_of(record: GameRecord, turns: str) -> str:
    """Return the digest of the data from which the points of a game are computed. `turns` has one turn per line."""
    end = record.end
    of_record = (
        _SCORING_VERSION,
        record.kind,
        record.setup,
        record.is_relay,
        None if end.resigned is None else int(end.resigned),
        end.ruling,
    )
    return sha256("\n".join((*map(str, of_record), turns)).encode("utf-8", "surrogatepass")).hexdigest()


def finished(record: GameRecord, rules: GameRules, state: State, runs: Sequence[Run]) -> Finished:
    """Return a finished game as a match counts it. `state` is its final state, and `runs` were taken back."""
    result = result_of(record.end, rules, state)
    if result is None:
        return uncounted(record)
    points = state.score(result).points if rules.keeps_board else (0, 0)
    account = account_of(rules, state, runs, result)
    coins = None if account is None else account.net
    return Finished(record.number, record.players[0], result.winner, points, coins, record.series)


def uncounted(record: GameRecord) -> Finished:
    """Return a finished game that is corrupt."""
    return Finished(record.number, record.players[0], None, None, series=record.series)


def finished_game(game: Game) -> Finished:
    """Return a finished game, as a match counts it."""
    if game.is_corrupt:
        return uncounted(game.record)
    return finished(game.record, game.rules, game.state, game.taken_back)


def with_result(game: Game) -> Game:
    """Return an ended game with its result in its record. A corrupt game has no points."""
    counted = finished_game(game)
    if game.is_corrupt:
        result, score_digest = result_decided(game.record.end, game.rules), None
    else:
        result, score_digest = game.result, score_digest_of(game.record, "\n".join(game.texts()))
    end = replace(
        game.record.end,
        score=result.score if result else None,
        winner=counted.winner,
        points=counted.points,
        score_digest=score_digest,
    )
    return replace(game, record=replace(game.record, end=end))
