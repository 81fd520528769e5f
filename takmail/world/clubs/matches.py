"""Find the matches of a knock-out: two games of two players, of whom one goes on."""

from collections.abc import Sequence
from typing import NamedTuple

from takmail.world.clubs.table import points_in
from takmail.world.clubs.values import KNOCK_OUT, Pairing, Tournament
from takmail.world.kinds import PlayerId


class Match(NamedTuple):
    """The games of two players in a round of a knock-out. The better seed stands first.

    `points` are those of both, and `left` is the number of games that are not decided. `winner` is who goes on, None
    while a game is open, or if both players are out.
    """

    players: tuple[PlayerId, PlayerId]
    points: tuple[int, int]
    left: int
    winner: PlayerId | None

    def opponent_of(self, player: PlayerId) -> PlayerId:
        """Return the other player."""
        first, second = self.players
        return second if player == first else first

    def points_of(self, player: PlayerId) -> int:
        """Return the points of one of the players."""
        return self.points[self.players.index(player)]


def matches(tournament: Tournament, number: int) -> list[Match]:
    """Return the matches of a round of a knock-out in the last season, in the order in which they were drawn."""
    games: dict[frozenset[PlayerId], list[Pairing]] = {}
    for pairing in sorted(tournament.pairings_of(), key=lambda one: one.number):
        if pairing.round == number and pairing.division == KNOCK_OUT:
            games.setdefault(frozenset(pairing.players), []).append(pairing)
    return [_match(tournament, of_both) for of_both in games.values()]


def match_of(tournament: Tournament, player: PlayerId, number: int) -> Match | None:
    """Return the match of a player in a round of a knock-out, None if there is none."""
    return next((match for match in matches(tournament, number) if player in match.players), None)


def _match(tournament: Tournament, pairings: Sequence[Pairing]) -> Match:
    """Return the match of these games. The better seed has the first turn in the first one."""
    first, second = pairings[0].players
    own, others = (sum(points_in(one, player) or 0 for one in pairings) for player in (first, second))
    left = sum(one.outcome is None for one in pairings)
    playing = [player for player in (first, second) if not _is_out(tournament, player)]
    if len(playing) == len(pairings[0].players):
        playing = [] if left else [first if own >= others else second]
    return Match((first, second), (own, others), left, next(iter(playing), None))


def _is_out(tournament: Tournament, player: PlayerId) -> bool:
    entry = tournament.entry(player)
    return entry is None or entry.out is not None


def size_of_round(tournament: Tournament, number: int) -> int:
    """Return how many players a round of a knock-out is for, without its byes: 2 in the final, 4 before it."""
    seeded = sum(entry.seed > 0 for entry in tournament.entries_of(tournament.season))
    last: int = 1 << max(seeded - 1, 1).bit_length()
    return last << (tournament.round - number)


def still_in(tournament: Tournament) -> list[PlayerId]:
    """Return who can still win a knock-out after its last round, the best seed first."""
    entries = sorted(tournament.entries_of(tournament.season), key=lambda entry: entry.seed)
    lost = {
        player
        for match in matches(tournament, tournament.round)
        for player in match.players
        if player != match.winner
    }
    return [
        entry.player for entry in entries if entry.seed and entry.out is None and entry.player not in lost
    ]
