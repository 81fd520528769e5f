"""Say after which events the ratings are computed anew."""

from collections.abc import Iterator

from takmail.world import World, events
from takmail.world.ratings import LEAST_TURNS


def game_counts_otherwise(
    world: World, event: events.GameEnded | events.ResultCorrected
) -> Iterator[events.RatingsOutdated]:
    """Compute them after a game that may count, or has counted. That of one for coins never does."""
    game = world.game(event.game)
    record = game.record
    if not (record.is_relay or record.is_unrated) and len(game.turns) >= LEAST_TURNS:
        yield events.RatingsOutdated()


def two_are_one(
    _world: World,
    event: events.PlayersMerged,  # noqa: ARG001 - each does
) -> Iterator[events.RatingsOutdated]:
    """Compute them if two players are the same person."""
    yield events.RatingsOutdated()


def player_is_gone(world: World, event: events.PlayerErased) -> Iterator[events.RatingsOutdated]:
    """Compute them without a player who has left. A service that computes meanwhile may store the player's."""
    if world.player(event.erasure.player).begun_games:
        yield events.RatingsOutdated()
