"""Draw the rounds of a knock-out: who meets whom in a match of two games, and who has a bye."""

from collections.abc import Collection, Sequence

from takmail.world.clubs.form import Draw, Pair
from takmail.world.clubs.values import KNOCK_OUT, Entry
from takmail.world.kinds import PlayerId


def knock_out_round(
    entries: Sequence[Entry], players: Sequence[PlayerId], met: Collection[frozenset[PlayerId]] = ()
) -> Draw | None:
    """Draw a round for these players of a season, the best seed first, None if fewer than two are left.

    Each has the place as seed, and nobody else has one. The best ones have byes if there are not 2, 4, 8 or 16.
    """
    if len(players) < 2:
        return None
    seeds = {player: place for place, player in enumerate(players, 1)}
    changed = (entry._replace(seed=seeds.get(entry.player, 0)) for entry in entries)
    drawn = opponents(players, met)
    pairs = [Pair(better, worse, KNOCK_OUT) for better, worse in drawn]
    pairs += [Pair(worse, better, KNOCK_OUT) for better, worse in drawn]
    return Draw(tuple(entry for entry in changed if entry not in entries), (*pairs,), has_date=True)


def opponents(
    players: Sequence[PlayerId], met: Collection[frozenset[PlayerId]]
) -> list[tuple[PlayerId, PlayerId]]:
    """Return who plays whom, the better seed first: the best against the worst of those that have not met.

    After this round 1, 2, 4, 8 … players are left. Whom that leaves without an opponent has a bye.
    """
    size = 1 << (len(players) - 1).bit_length()
    waiting, pairs = [*players[size - len(players) :]], list[tuple[PlayerId, PlayerId]]()
    while waiting:
        best, *others = waiting
        fresh = [other for other in others if frozenset((best, other)) not in met]
        opponent = (fresh or others)[-1]
        pairs.append((best, opponent))
        waiting = [other for other in others if other != opponent]
    return pairs
