"""Show how strong players are, and how often the first player wins: the commands ratings and statistics."""

from collections.abc import Mapping, Sequence

from takmail.commands.answers import Told, told
from takmail.commands.context import Context
from takmail.world import ListedRating, PlayerId, Pool, Queries, rounded


def list_ratings(context: Context) -> Told:
    """List the ratings that the sender may see, with their own."""
    player = context.player
    return told(
        "ratings",
        ratings=tuple(shown_ratings(context)),
        you=None if player is None else player.id,
        shown=None if player is None else player.preferences.rating_seen_by,
    )


def tell_statistics(context: Context) -> Told:
    """Tell how often the first player wins here, as others have counted, and in the sender's own games."""
    player, ask = context.player, context.world.ask
    return told(
        "statistics",
        first_turns=ask(Queries.first_turns),
        own=() if player is None else ask(Queries.results_of, player.id),
    )


def shown_ratings(context: Context) -> Sequence[ListedRating]:
    """Return the ratings that the sender may see. Who is blocked by the same mail is not among them."""
    player = context.player
    if player is None:
        return context.world.ask(Queries.ratings, None)
    found = context.world.ask(Queries.ratings, player.id)
    return [one for one in found if one.player not in player.blocked]


def points_seen(context: Context) -> Mapping[tuple[PlayerId | None, Pool | None], int]:
    """Return the ratings that the sender may see, with their own, by player and pool."""
    seen = (one for one in shown_ratings(context) if one.rating.is_shown)
    return {(one.player, one.pool): rounded(one.rating) for one in seen}
