"""Find tournaments in a world."""

from takmail.world.clubs.values import Tournament, TournamentNumber
from takmail.world.kinds import GameNumber, PlayerId
from takmail.world.queries import Queries
from takmail.world.world import World


def tournament_in(world: World, number: TournamentNumber) -> Tournament:
    """Return a tournament, which must exist."""
    found = find_tournament(world, number)
    assert found is not None
    return found


def find_tournament(world: World, number: TournamentNumber) -> Tournament | None:
    """Return a tournament, None if there is no such one."""
    changed = world.tournaments.get(number)
    return world.stored.tournament(number) if changed is None else changed


def tournament_named(world: World, skeleton: str) -> Tournament | None:
    """Return the tournament with this skeleton: the one that goes on, else the last one. None if there is none."""
    changed = next((one for one in world.tournaments.values() if one.skeleton == skeleton), None)
    if changed is not None:
        return changed
    number = world.ask(Queries.tournament_named, skeleton)
    return None if number is None else find_tournament(world, number)


def tournament_of_game(world: World, game: GameNumber) -> Tournament | None:
    """Return the tournament that has drawn a game, which may not have begun, None if there is none."""
    for changed in world.tournaments.values():
        if changed.pairing(game) is not None:
            return changed
    number = world.ask(Queries.tournament_of_game, game)
    return None if number is None else find_tournament(world, number)


def unfinished_tournaments(world: World, player: PlayerId | None = None) -> list[Tournament]:
    """Return the tournaments that go on, by number: all, or those that a player has entered."""
    numbers = {*world.ask(Queries.tournaments, player), *world.tournaments}
    found = (tournament_in(world, number) for number in sorted(numbers))
    return [
        tournament
        for tournament in found
        if not tournament.is_over and (player is None or is_in(tournament, player))
    ]


def is_in(tournament: Tournament, player: PlayerId) -> bool:
    """Tell whether a player plays in a tournament now, or will in its next season."""
    return tournament.plays(player) or any(entry.player == player for entry in tournament.coming)
