"""Decide what organisers and operators do to tournaments, and draw a season. Each step is told with its reason."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from takmail.commands import beginnings, profile
from takmail.commands.answers import Answer, Events, RefusalError, refuse_if, refused, refused_beyond
from takmail.commands.clubs import named
from takmail.commands.context import Context
from takmail.commands.grammar import tournament_names as names
from takmail.commands.grammar.clubs import NewTournament, OrganisersStep
from takmail.commands.grammar.line_reader import anywhere
from takmail.commands.grammar.names import NameFault, has_link
from takmail.commands.grammar.normalize import clipped, plain, writable
from takmail.commands.grammar.skeletons import skeleton
from takmail.limits.clubs import MOST_ORGANISED, MOST_TOURNAMENTS
from takmail.limits.words import MAX_NAME_CHARS, MAX_REASON_CHARS
from takmail.mail.address import mask_addresses
from takmail.world import GameNumber, Player, PlayerId, Queries, asks_bid, beginning_of, events, zone_of
from takmail.world.clubs.form import Draw, Strength
from takmail.world.clubs.forms import form_of
from takmail.world.clubs.results import counts_as
from takmail.world.clubs.values import (
    DecidedBy,
    Outcome,
    Pairing,
    Tournament,
    TournamentNumber,
    TournamentStanding,
    TournamentTerms,
)
from takmail.world.clubs_lookup import season_with_game, tournament_named, unfinished_tournaments
from takmail.world.ratings import MEAN, pool_of, rounded

DEFAULT_PACE = "days=3"
"""The time for turns if none is named. There is always one."""


# By mail.


def begin(context: Context, command: NewTournament) -> Answer:
    """Open a tournament that the sender organises, if the operator lets them."""
    own = (context.author.address, *(() if context.player is None else context.player.addresses))
    if not context.services.access.organisers.intersection(own):
        return refused("no_organiser")
    you, joined = profile.enrol(context)
    organised = [one for one in unfinished_tournaments(context.world) if one.organiser == you.id]
    refuse_if(refused_beyond("many_organised", len(organised), MOST_ORGANISED))
    starts_at = None if command.starts_on is None else beginning_of(command.starts_on, zone_of(you))
    return (*joined, *opened(context, command, starts_at, you))


def organise(context: Context, command: OrganisersStep) -> Answer:
    """Do what the organiser of a tournament wants."""
    tournament, you = named(context, command.name), context.player
    if you is None or tournament.organiser != you.id:
        return refused("not_your_tournament", name=tournament.name)
    redacted = context.services.key.redact_tokens(mask_addresses(command.why))
    why = clipped(plain(writable(redacted)), MAX_REASON_CHARS)
    if has_link(why):
        return refused("reason_has_link")
    match command.verb:
        case "start":
            return begun(context, tournament)
        case "put off":
            assert command.by is not None
            return put_off(context, tournament, command.by, why)
        case "take out":
            player = profile.by_name(context, command.player)
            return taken_out(context, tournament, player, why)
        case "game":
            assert command.outcome is not None
            return corrected(context, tournament, command.game, command.outcome, why)
        case _:
            return ended(context, tournament, why)


# What is done, by whoever may.


def opened(
    context: Context, command: NewTournament, starts_at: datetime | None, organiser: Player | None
) -> Events:
    """Return what opens a tournament. Raises RefusalError if its name or its terms are not allowed."""
    # Behind "enter", a word that begins small may be one of a sentence.
    name, terms = command.name[:1].upper() + command.name[1:], command.terms
    fault = profile.fault_of_name(context.services, name)
    reader = anywhere(context.services.games, context.services.commands)
    if fault is NameFault.MEANS_SOMETHING or not (fault or names.is_read_as_itself(name, reader)):
        raise RefusalError(refused("tournament_name_means_something"))
    if fault is not None:
        raise RefusalError(refused("tournament_name_refused", fault=fault.value, most=MAX_NAME_CHARS))
    known = tournament_named(context.world, skeleton(name))
    if known is not None and not known.is_over:
        raise RefusalError(refused("tournament_name_taken", name=known.name))
    refuse_if(
        refused_beyond("many_tournaments", len(unfinished_tournaments(context.world)), MOST_TOURNAMENTS)
    )
    setup, rules = beginnings.set_up(context, terms), context.services.games.rules_of(terms)
    if terms.is_relay or terms.first is not None or asks_bid(rules, setup):
        raise RefusalError(refused("no_tournament_of_such_games"))
    if starts_at is not None and starts_at <= context.now:
        raise RefusalError(refused("start_is_past"))
    number = TournamentNumber(context.world.numbers.following("tournament"))
    tournament = Tournament(
        number,
        1,
        name,
        skeleton(name),
        TournamentTerms(
            terms.kind, setup, terms.timing.pace or DEFAULT_PACE, command.form, command.round_days
        ),
        command.most,
        None if organiser is None else organiser.id,
        TournamentStanding.ENTERING,
        0,
        starts_at,
        context.now,
    )
    return (events.TournamentOpened(tournament=number, opened=tournament, opened_at=context.now),)


def begun(context: Context, tournament: Tournament) -> Events:
    """Return what begins the next season. Raises RefusalError if one runs, or if there are too few players."""
    if tournament.standing is not TournamentStanding.ENTERING:
        raise RefusalError(refused("no_season_to_begin", name=tournament.name))
    players, form = ready(context, tournament), form_of(tournament)
    if len(players) < form.fewest:
        raise RefusalError(refused("too_few_players", name=tournament.name, fewest=form.fewest))
    draw = form.begin(tournament, players, _strengths(context, tournament, players))
    return (
        events.SeasonBegun(
            tournament=tournament.number,
            entries=draw.entries,
            pairings=_numbered(context, draw, tournament.season + 1, 1),
            begun_at=context.now,
            next_at=_end_of_round(context, tournament, draw),
        ),
    )


def next_round(context: Context, tournament: Tournament, draw: Draw) -> events.RoundBegun:
    """Return what begins the next round of a season, as it is drawn."""
    return events.RoundBegun(
        tournament=tournament.number,
        entries=draw.entries,
        pairings=_numbered(context, draw, tournament.season, tournament.round + 1),
        begun_at=context.now,
        next_at=_end_of_round(context, tournament, draw),
    )


def _numbered(context: Context, draw: Draw, season: int, number: int) -> tuple[Pairing, ...]:
    """Return the pairings of a round, each with the number of a new game."""
    return tuple(
        Pairing(context.next_game(), season, pair.division, pair.first, pair.second, round=number)
        for pair in draw.pairs
    )


def _end_of_round(context: Context, tournament: Tournament, draw: Draw) -> datetime | None:
    """Return when a round that begins now is over at the latest, None if it has no date."""
    return context.now + timedelta(days=tournament.terms.round_days) if draw.has_date else None


def _strengths(
    context: Context, tournament: Tournament, players: Sequence[PlayerId]
) -> Mapping[PlayerId, Strength]:
    """Return how strong players count who are new: by the rating that anybody may see, and equal ones by lot.

    A division would tell a rating that its player hides. Who shows none counts as the middle.
    """
    pool = pool_of(context.services.games, tournament.terms)
    seen = context.world.ask(Queries.ratings, None)
    points = {one.player: rounded(one.rating) for one in seen if one.pool == pool and one.rating.is_shown}
    lots = context.rng("lots").sample(range(len(players)), len(players))
    return {
        player: Strength(points.get(player, MEAN), lot) for player, lot in zip(players, lots, strict=True)
    }


def ready(context: Context, tournament: Tournament) -> list[PlayerId]:
    """Return who has entered the next season and can play: letters reach them, and the operator does not block them."""
    players = [context.world.player(entry.player) for entry in tournament.coming]
    return [player.id for player in players if player.is_reachable and not player.is_blocked]


def put_off(context: Context, tournament: Tournament, by: timedelta, why: str) -> Events:
    """Return what puts the next season or round off. Raises RefusalError if one runs that has no date."""
    if tournament.is_over or (tournament.is_running and tournament.starts_at is None):
        raise RefusalError(refused("no_season_to_begin", name=tournament.name))
    until = max(context.now, tournament.starts_at or context.now) + by
    return (
        events.TournamentPutOff(tournament=tournament.number, until=until, put_off_at=context.now, why=why),
    )


def taken_out(context: Context, tournament: Tournament, player: Player | None, why: str) -> Events:
    """Return what takes a player out of the season that runs, and of the next. Raises RefusalError."""
    if player is not None and tournament.plays(player.id):
        return (
            events.PlayerDroppedOut(
                tournament=tournament.number,
                player=player.id,
                counts_as=counts_as(tournament, player.id),
                dropped_at=context.now,
                is_taken_out=True,
                why=why,
            ),
        )
    if player is None or tournament.is_over or tournament.entry(player.id, tournament.season + 1) is None:
        raise RefusalError(refused("not_in_tournament", name=tournament.name))
    return (
        events.EntryWithdrawn(
            tournament=tournament.number, player=player.id, refused_at=context.now, why=why
        ),
    )


def corrected(context: Context, tournament: Tournament, game: int, outcome: Outcome, why: str) -> Events:
    """Return what gives a game of any season another result in its table. Raises RefusalError."""
    season = season_with_game(context.world, tournament.number, GameNumber(game))
    pairing = None if season is None else season.pairing(GameNumber(game))
    if pairing is None or tournament.is_over:
        raise RefusalError(refused("no_game_of_tournament", name=tournament.name, number=game))
    ruled = pairing._replace(outcome=outcome, by=DecidedBy.RULING)
    if pairing == ruled:
        raise RefusalError(refused("result_stands", number=game))
    return (events.PairingRuled(tournament=tournament.number, pairing=ruled, ruled_at=context.now, why=why),)


def ended(context: Context, tournament: Tournament, why: str) -> Events:
    """Return what ends a tournament for good. Raises RefusalError if it is over."""
    if tournament.is_over:
        raise RefusalError(refused("tournament_is_over", name=tournament.name))
    return (events.TournamentEnded(tournament=tournament.number, ended_at=context.now, why=why),)
