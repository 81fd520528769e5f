"""Tell how a match with an end stands, and what players may agree on for one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from takmail.commands.answers import Refusal, Told, refused, told
from takmail.commands.context import Context
from takmail.games.game_rules import GameRules
from takmail.games.interface import Seat
from takmail.world import (
    RUNNING,
    Game,
    GameNumber,
    GameRecord,
    Match,
    Player,
    Queries,
    Series,
    SeriesScore,
    SeriesTerms,
    World,
    account_of,
    asks_bid,
    finished_game,
    series_score,
)


@dataclass(frozen=True, slots=True)
class ListedSeries:
    """A match with an end, as a player hears of it: how it stands for them, and the number of the game that is on."""

    game: GameNumber
    opponent: str
    score: SeriesScore


def score_for(world: World, record: GameRecord, seat: Seat) -> SeriesScore | None:
    """Return how the match of a game stands for the player in a seat, None if the game is of no match."""
    score = score_of(world, record)
    return score if score is None or seat is Seat.FIRST else score.turned()


def score_of(world: World, record: GameRecord) -> SeriesScore | None:
    """Return how the match of a game stands for the player in its first seat, None if the game is of no match."""
    series = Series.of(record.series)
    if series is None:
        return None
    one, other = sorted(record.players)
    stored = world.ask(Queries.finished, record.kind, one, other, series.first)
    games = {game.number: game for game in stored if game.number not in world.games}
    for game in world.games.values():
        if {*game.record.players} == {one, other} and game.record.counts_in_match:
            games[game.number] = finished_game(game)
    of_series = [game for _, game in sorted(games.items()) if is_of_series(game.series, series)]
    gone = [world.player(number).is_erased for number in record.players]
    return series_score(series, record.players[0], of_series, left=gone.index(True) if any(gone) else None)


def how_it_stands(context: Context, you: Player, other: Player, matches: Sequence[Match]) -> Told:
    """Tell the sender how it stands with another player: the sums of all games, and the matches with an end.

    These are told of which a game is running.
    """
    games = [game for game in context.world.games_of(you.id, *RUNNING) if other.id in game.players]
    scores = ((game, score_for(context.world, game, game.seat_of(you.id))) for game in games)
    series = tuple(
        ListedSeries(game.number, other.name, score) for game, score in scores if score is not None
    )
    return told("match", matches=tuple(matches), series=series)


def begun_after(world: World, game: Game) -> Game | None:
    """Return the game that the cause has begun by itself as the next one of a game's match, None if it hasn't."""
    series = Series.of(game.record.series)
    if series is None:
        return None
    begun = (new for new in world.new_games if new.record.is_open)
    return next((new for new in begun if is_of_series(new.record.series, series)), None)


def is_of_series(stored: str | None, series: Series) -> bool:
    """Tell whether what is stored with a game says that it belongs to a match."""
    of_game = Series.of(stored)
    return of_game is not None and of_game.first == series.first


# What may be agreed on.


def refuse_terms(options: str | None, rules: GameRules, setup: str) -> Refusal | None:
    """Return a refusal if there can be no such match of games with a set-up, otherwise None."""
    terms = None if options is None else SeriesTerms.read(options)
    if terms is None:
        return None
    if asks_bid(rules, setup):
        return refused("match_with_bids")
    has_points = rules.keeps_board and account_of(rules, rules.start(setup), (), None) is None
    return None if has_points or not terms.counts_points else refused("match_without_points_to_count")


def series_of_new(
    world: World, number: GameNumber, options: str | None, before: GameRecord | None
) -> str | None:
    """Return the match of a new game: the one that begins with these options of `new`, or else that of the game before.

    Return None if there is none, or if that one is over.
    """
    terms = None if options is None else SeriesTerms.read(options)
    if terms is not None:
        return Series(number, terms).write()
    series = None if before is None else Series.of(before.series)
    if before is None or series is None or not goes_on(world, before):
        return None
    return replace(series, given_up_by=None).write()


def goes_on(world: World, record: GameRecord) -> bool:
    """Tell whether a game belongs to a match that is not over."""
    score = score_of(world, record)
    return score is not None and not score.is_over
