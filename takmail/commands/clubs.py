"""Carry out what players write about tournaments: enter, leave, table and tournaments."""

import re

from takmail.commands import profile
from takmail.commands.answers import Answer, Refusal, RefusalError, Told, refused, refused_to_all, told
from takmail.commands.context import Context
from takmail.commands.grammar.clubs import OneTournament
from takmail.commands.grammar.skeletons import skeleton
from takmail.world import PlayerId, events
from takmail.world.clubs.forms import form_of, takes_entries
from takmail.world.clubs.results import counts_as
from takmail.world.clubs.values import Tournament
from takmail.world.clubs_lookup import is_in, tournament_named, unfinished_tournaments

_OLDER = re.compile(r"(?P<name>.+) (?P<season>\d{1,6})")
"""The name of a tournament, and the number of a season."""


def enter(context: Context, command: OneTournament) -> Answer:
    """Enter the sender for the next season of a tournament."""
    tournament = named(context, command.name)
    if tournament.is_over:
        return refused("tournament_is_over", name=tournament.name)
    you = context.player
    if you is not None and tournament.entry(you.id, tournament.season + 1) is not None:
        return told("entered_already", name=tournament.name)
    playing = None if you is None else tournament.entry(you.id)
    if playing is not None and tournament.is_running and playing.out is None and playing.stays:
        return told("entered_already", name=tournament.name)
    if not takes_entries(tournament):
        return refused("takes_no_entries", name=tournament.name)
    if tournament.is_full:
        return refused("tournament_is_full", name=tournament.name, most=tournament.most)
    player, joined = profile.enrol(context)
    entered = events.PlayerEntered(tournament=tournament.number, player=player.id, entered_at=context.now)
    return (*joined, entered)


def leave(context: Context, command: OneTournament) -> Answer:
    """Take the sender out of the next season. The one that runs they play to its end."""
    tournament, you = _entered(context, command.name)
    if tournament.plays(you) and not form_of(tournament).repeats:
        return told("no_next_season", name=tournament.name, line=f"leave now {tournament.name}")
    playing = tournament.entry(you)
    is_coming = tournament.entry(you, tournament.season + 1) is not None
    if tournament.plays(you) and playing is not None and not (playing.stays or is_coming):
        return told("leaves_already", name=tournament.name)
    return (events.EntryWithdrawn(tournament=tournament.number, player=you),)


def leave_now(context: Context, command: OneTournament) -> Answer:
    """Take the sender out of the season that runs, or of the next one if they are only in that."""
    tournament, you = _entered(context, command.name)
    if not tournament.plays(you):
        return (events.EntryWithdrawn(tournament=tournament.number, player=you),)
    return (
        events.PlayerDroppedOut(
            tournament=tournament.number,
            player=you,
            counts_as=counts_as(tournament, you),
            dropped_at=context.now,
        ),
    )


def _entered(context: Context, name: str) -> tuple[Tournament, PlayerId]:
    """Return a tournament that the sender is in, and the sender. Raises RefusalError."""
    tournament, you = named(context, name), context.player
    if you is None or tournament.is_over or not is_in(tournament, you.id):
        raise RefusalError(refused("not_entered", name=tournament.name))
    return tournament, you.id


def show_table(context: Context, command: OneTournament) -> Answer:
    """Show the table of a tournament, and who has entered, or the table of an older season: "table Autumn 1"."""
    older = _OLDER.fullmatch(command.name)
    if older is not None and tournament_named(context.world, skeleton(command.name)) is None:
        tournament, season = named(context, older["name"]), int(older["season"])
        if not 0 < season <= tournament.season:
            return refused("no_such_season", name=tournament.name, season=season)
        return told("season_shown", number=tournament.number, season=season)
    return told("tournament_shown", number=named(context, command.name).number)


def show_own_table(context: Context) -> Answer:
    """Show the table of the tournament that the mail's game belongs to, or of the only one of the sender."""
    if context.game_number is not None and context.game.record.invitation.tournament is not None:
        return told("tournament_shown", number=context.game.record.invitation.tournament)
    own = [] if context.player is None else unfinished_tournaments(context.world, context.player.id)
    if len(own) == 1:
        return told("tournament_shown", number=own[0].number)
    return list_tournaments(context)


def list_tournaments(context: Context) -> Told:
    """List the tournaments that go on."""
    return told(
        "tournaments_listed", numbers=tuple(one.number for one in unfinished_tournaments(context.world))
    )


def named(context: Context, name: str) -> Tournament:
    """Return the tournament with a name, or one that looks the same. Raises RefusalError."""
    found = tournament_named(context.world, skeleton(name)) if skeleton(name) else None
    if found is None:
        raise RefusalError(no_such_tournament())
    return found


def no_such_tournament() -> Refusal:
    """Refuse a name that no tournament has. It repeats none of it, so that nobody is asked first who wrote it."""
    return refused_to_all("no_such_tournament")
