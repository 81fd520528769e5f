"""Draw groups, in which all play all, and a knock-out of the best: as USTA does since 2025."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from takmail.world.clubs.form import Draw, Pair, Strength
from takmail.world.clubs.knock_out import knock_out_round
from takmail.world.clubs.league import all_pairs, league_table
from takmail.world.clubs.matches import still_in
from takmail.world.clubs.table import TableLine
from takmail.world.clubs.values import Tournament
from takmail.world.kinds import PlayerId

_SIZE = 4
"""The usual number of players of a group. There may be one less or one more."""
_GO_ON = 2
"""How many of a group go on."""


@dataclass(frozen=True, slots=True)
class Groups:
    """All of a group play all in the first round. The two best of each play a knock-out."""

    fewest: int = _SIZE
    repeats: bool = False
    has_rounds: bool = True
    ends_games: bool = True

    def begin(
        self, tournament: Tournament, players: Sequence[PlayerId], strengths: Mapping[PlayerId, Strength]
    ) -> Draw:
        """Draw the groups so that they are as strong as each other. The strongest player is the first seed."""
        ordered = sorted(players, key=strengths.__getitem__, reverse=True)
        entries, pairs = [], list[Pair]()
        for group, seated in enumerate(groups(ordered), 1):
            pairs += (Pair(first, second, group) for first, second in all_pairs(seated))
            entries += [
                tournament.coming_entry(player)._replace(division=group, seed=ordered.index(player) + 1)
                for player in seated
            ]
        return Draw((*entries,), (*pairs,), has_date=True)

    def next_round(self, tournament: Tournament) -> Draw | None:
        """Draw the next round of the knock-out, None after the final."""
        met = {frozenset(pairing.players) for pairing in tournament.pairings_of()}
        return knock_out_round(tournament.entries_of(tournament.season), _left(tournament), met)

    def table(self, tournament: Tournament, division: int) -> tuple[TableLine, ...]:
        """Return the table of a group."""
        return league_table(tournament, division)

    def takes_late(self, _tournament: Tournament) -> bool:
        """The groups are drawn once."""
        return False

    def winners(self, tournament: Tournament) -> list[PlayerId]:
        """Return who has won the final, nobody if both players have dropped out."""
        return _left(tournament)[:1]


def groups(ordered: Sequence[PlayerId]) -> list[list[PlayerId]]:
    """Return players, the strongest first, in groups of three to five: to and fro, so that each has some of all."""
    count = max(1, (len(ordered) + _SIZE // 2) // _SIZE)
    seated: list[list[PlayerId]] = [[] for _ in range(count)]
    for place, player in enumerate(ordered):
        turn, seat = divmod(place, count)
        seated[count - 1 - seat if turn % 2 else seat].append(player)
    return seated


def _left(tournament: Tournament) -> list[PlayerId]:
    """Return who can still win, the best seed first."""
    return qualified(tournament) if tournament.round == 1 else still_in(tournament)


def qualified(tournament: Tournament) -> list[PlayerId]:
    """Return who goes on from the groups: by place, by points for each game, then by seed."""
    entries = {entry.player: entry for entry in tournament.entries_of(tournament.season)}
    ranked: list[tuple[int, Fraction, int, PlayerId]] = []
    for division in tournament.divisions:
        lines = [line for line in league_table(tournament, division) if entries[line.player].out is None]
        lines.sort(key=lambda line: (line.place, entries[line.player].seed))
        for place, line in enumerate(lines[:_GO_ON]):
            share = Fraction(line.points, max(line.played, 1))
            ranked.append((place, -share, entries[line.player].seed, line.player))
    return [player for *_, player in sorted(ranked)]
