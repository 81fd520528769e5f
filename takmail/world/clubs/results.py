"""Ask what is decided in a tournament, and what follows from that for who drops out."""

from takmail.world.clubs.values import DroppedOut, Outcome, Pairing, Tournament
from takmail.world.kinds import PlayerId


def counts_as(tournament: Tournament, player: PlayerId) -> DroppedOut:
    """Return how a player counts who drops out now: before half of their games are decided as if they never played.

    Games that are void, as others have dropped out, are none of them.
    """
    outcomes = [pairing.outcome for pairing in tournament.pairings_of(player=player)]
    counted = [outcome for outcome in outcomes if outcome is not Outcome.VOID]
    decided = sum(outcome is not None for outcome in counted)
    return DroppedOut.LOST if decided and 2 * decided >= len(counted) else DroppedOut.UNCOUNTED


def open_pairings(tournament: Tournament, player: PlayerId | None = None) -> tuple[Pairing, ...]:
    """Return the pairings that are not decided: of a player, or all."""
    return tuple(one for one in tournament.pairings_of(player=player) if one.outcome is None)
