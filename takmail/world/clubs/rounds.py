"""Draw Nohat's rounds: four matches at once, then two, then one, each against players with about as many points.

A match is two games with sides changed. Everybody plays in all rounds, and the table has all games.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from takmail.world.clubs.form import Draw, Pair, Strength
from takmail.world.clubs.league import league_table
from takmail.world.clubs.pairing import Field, drawn
from takmail.world.clubs.table import WIN, TableLine
from takmail.world.clubs.values import Tournament
from takmail.world.kinds import PlayerId

MATCHES = 4, 2, 1
"""How many matches a player has in each round."""
_BYE = 2 * WIN
"""The points of a bye: those of a match that is won."""
_DIVISION = 1


@dataclass(frozen=True, slots=True)
class Rounds:
    """Three rounds with dates. A game that is open on a date goes on, so that nobody waits for it."""

    fewest: int = 8
    repeats: bool = False
    has_rounds: bool = True
    ends_games: bool = False

    def begin(
        self, tournament: Tournament, players: Sequence[PlayerId], strengths: Mapping[PlayerId, Strength]
    ) -> Draw:
        """Draw the first round by lot: ratings would let the best take points from each other."""
        ordered = sorted(players, key=lambda player: strengths[player].lot)
        entries = (tournament.coming_entry(player)._replace(division=_DIVISION) for player in ordered)
        pairs = drawn(Field(ordered, dict.fromkeys(ordered, 0), {}), MATCHES[0])
        return Draw((*entries,), games(pairs), has_date=True)

    def next_round(self, tournament: Tournament) -> Draw | None:
        """Draw the next round of those who have not dropped out, and of those who come late."""
        if tournament.round == len(MATCHES):
            return None
        late = [entry._replace(season=tournament.season, division=_DIVISION) for entry in tournament.coming]
        matches, standing = MATCHES[tournament.round], self.table(tournament, _DIVISION)
        points = {line.player: line.points for line in standing if tournament.plays(line.player)}
        points |= {entry.player: 0 for entry in late}
        ordered = [*points]
        # A match is two games.
        met = Counter(frozenset(one.players) for one in tournament.pairings_of() if one.first < one.second)
        if len(ordered) * min(matches, len(ordered) - 1) % 2:
            ordered.remove(_who_has_bye(tournament, ordered))
        pairs = drawn(Field(ordered, points, met), matches)
        is_last = tournament.round + 1 == len(MATCHES)
        return Draw((*late,), games(pairs), has_date=not is_last) if pairs else None

    def table(self, tournament: Tournament, division: int) -> tuple[TableLine, ...]:
        """Return the table of all games, with the points of byes."""
        byes = {player: _BYE * count for player, count in byes_of(tournament).items()}
        return league_table(tournament, division, byes)

    def takes_late(self, tournament: Tournament) -> bool:
        """Who comes in the first round is in the second one, with no points for the first."""
        return tournament.round == 1

    def winners(self, tournament: Tournament) -> list[PlayerId]:
        """Return who is first in the table."""
        return [
            line.player for line in self.table(tournament, _DIVISION) if line.place == 1 and not line.is_out
        ]


def games(pairs: Sequence[tuple[PlayerId, PlayerId]]) -> tuple[Pair, ...]:
    """Return the games of matches: two for each, with sides changed."""
    first = [Pair(one, other, _DIVISION) for one, other in pairs]
    return (*first, *(Pair(other, one, _DIVISION) for one, other in pairs))


def byes_of(tournament: Tournament) -> Counter[PlayerId]:
    """Return how many byes each player has had: rounds that they did not play in after one that they did."""
    played: dict[PlayerId, set[int]] = {}
    for pairing in tournament.pairings_of():
        for player in pairing.players:
            played.setdefault(player, set()).add(pairing.round)
    here = (entry.player for entry in tournament.entries_of(tournament.season) if entry.out is None)
    rounds = ((player, played[player]) for player in here if player in played)
    return Counter({player: tournament.round + 1 - min(own) - len(own) for player, own in rounds})


def _who_has_bye(tournament: Tournament, ordered: Sequence[PlayerId]) -> PlayerId:
    """Return the last player in the table who has had no bye yet, the last one if all have."""
    had = byes_of(tournament)
    return next((player for player in reversed(ordered) if not had[player]), ordered[-1])
