"""Draw a league, in which all of a division play all at once: divisions, who moves up and down, and who plays whom."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType

from takmail.world.clubs.form import Draw, Pair, Strength
from takmail.world.clubs.table import TableLine, table
from takmail.world.clubs.values import DroppedOut, Entry, Tournament
from takmail.world.kinds import PlayerId

MOST_IN_DIVISION = 10
"""The highest number of players of a division: each plays two games with each of the others at the same time."""
_MOVED = 2
"""How many players of a division move up, and how many down."""
_MOVED_IF_SMALL = 1
_SMALL = 6
"""A division of fewer players moves one up and one down."""


def cut(players: Sequence[PlayerId], most: int = MOST_IN_DIVISION) -> list[list[PlayerId]]:
    """Return players in divisions of at most `most`, in their order. The sizes differ by at most one."""
    count = -(-len(players) // most)
    divisions, begin = [], 0
    for place in range(count):
        end = begin + len(players) // count + (place < len(players) % count)
        divisions.append([*players[begin:end]])
        begin = end
    return divisions


def all_pairs(players: Sequence[PlayerId]) -> list[tuple[PlayerId, PlayerId]]:
    """Return two games for each pair, with sides changed. The first player of each game stands first.

    They come in the rounds of the circle, so that the numbers of a player's games are spread evenly.
    """
    seats: list[PlayerId | None] = [*players, *([None] if len(players) % 2 else [])]
    rounds: list[tuple[PlayerId, PlayerId]] = []
    for _ in range(len(seats) - 1):
        half = len(seats) // 2
        for one, other in zip(seats[:half], reversed(seats[half:]), strict=True):
            if one is not None and other is not None:
                rounds.append((one, other))
        seats.insert(1, seats.pop())
    return [*rounds, *((other, one) for one, other in rounds)]


def league_table(
    tournament: Tournament, division: int, byes: Mapping[PlayerId, int] = MappingProxyType({})
) -> tuple[TableLine, ...]:
    """Return the table of a division of the last season, without who counts as if they had never played."""
    entries = tournament.entries_of(tournament.season, division)
    players = [entry.player for entry in entries if entry.out is not DroppedOut.UNCOUNTED]
    out = {entry.player for entry in entries if entry.out is not None}
    return table(players, tournament.pairings_of(division), out, byes)


def _moved(size: int) -> int:
    """Return how many players of a division of this size move up, and how many down."""
    return _MOVED if size >= _SMALL else min(_MOVED_IF_SMALL, size // 2)


def after_moves(tournament: Tournament) -> list[list[PlayerId]]:
    """Return the divisions of the last season after the best have moved up and the last ones down."""
    tables = [[line.player for line in league_table(tournament, number)] for number in tournament.divisions]
    for upper, lower in pairwise(tables):
        count = min(_moved(len(upper)), _moved(len(lower)))
        if count:
            upper[-count:], lower[:count] = lower[:count], upper[-count:]
    return tables


def next_order(
    tournament: Tournament, players: Sequence[PlayerId], strengths: Mapping[PlayerId, Strength]
) -> list[PlayerId]:
    """Return the players of the next season in the order in which they fill its divisions.

    In each division of the last season the best have moved up, and the last ones down. Where somebody has left, the
    next ones in order fill the place. New players come last, the strongest first.
    """
    ordered = [player for division in after_moves(tournament) for player in division if player in players]
    new = [player for player in players if player not in ordered]
    return [*ordered, *sorted(new, key=strengths.__getitem__, reverse=True)]


@dataclass(frozen=True, slots=True)
class League:
    """All of a division play all at once, from season to season."""

    fewest: int = 3
    repeats: bool = True
    has_rounds: bool = False
    ends_games: bool = False

    def begin(
        self, tournament: Tournament, players: Sequence[PlayerId], strengths: Mapping[PlayerId, Strength]
    ) -> Draw:
        """Draw all games of the next season."""
        entries, pairs = list[Entry](), list[Pair]()
        for division, seated in enumerate(cut(next_order(tournament, players, strengths)), 1):
            pairs += (Pair(first, second, division) for first, second in all_pairs(seated))
            entries += (tournament.coming_entry(player)._replace(division=division) for player in seated)
        return Draw((*entries,), (*pairs,))

    def next_round(self, _tournament: Tournament) -> Draw | None:
        """Draw nothing: a season is one round."""
        return None

    def table(self, tournament: Tournament, division: int) -> tuple[TableLine, ...]:
        """Return the table of a division of the last season, without who counts as if they had never played."""
        return league_table(tournament, division)

    def takes_late(self, _tournament: Tournament) -> bool:
        """Who comes late waits for the next season."""
        return False

    def winners(self, tournament: Tournament) -> list[PlayerId]:
        """Return who is first in the first division."""
        return [line.player for line in league_table(tournament, 1) if line.place == 1 and not line.is_out]
