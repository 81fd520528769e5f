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


def with_season(world: World, number: TournamentNumber, season: int) -> Tournament:
    """Return a tournament with the rows of a season, which may be older than those that are read with it."""
    tournament = tournament_in(world, number)
    if season >= tournament.season or tournament.entries_of(season):
        return tournament
    rows, stored = world.ask(Queries.past_season, number, season), world.stored.tournament(number)
    assert stored is not None
    if not stored.entries_of(season):
        world.stored.read_more(stored.with_season(rows))
    return tournament.with_season(rows)


def in_season(world: World, number: TournamentNumber, season: int) -> Tournament:
    """Return a tournament as if a season were the last one."""
    return with_season(world, number, season).as_of(season)


def season_with_game(world: World, number: TournamentNumber, game: GameNumber) -> Tournament | None:
    """Return a tournament as if the season that has drawn a game were the last one, None if none has."""
    tournament = find_tournament(world, number)
    if tournament is None or tournament.pairing(game) is not None:
        return tournament
    season = world.ask(Queries.season_of_game, number, game)
    return None if season is None else in_season(world, number, season)


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
