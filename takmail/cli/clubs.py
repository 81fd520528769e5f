"""Show tournaments to the operator, begin one, and do what an organiser can: `takmail club`."""

from collections.abc import Callable
from datetime import UTC, datetime, time
from functools import partial
from pathlib import Path

import click
from sqlmodel import Session

from takmail.cli.common import config_option, opened, why_option
from takmail.cli.lists import Cells, Listed, json_option, show_list, table
from takmail.cli.players import find
from takmail.commands import clubs_organising
from takmail.commands.answers import Events
from takmail.commands.command import Rest
from takmail.commands.context import Context
from takmail.commands.grammar.clubs import NewTournament
from takmail.commands.grammar.dates import length_of
from takmail.commands.grammar.skeletons import skeleton
from takmail.games.interface import Reading
from takmail.pipeline.clubs import by_operator
from takmail.pipeline.rulings import CannotRule, operator_note
from takmail.runtime.bootstrap import App
from takmail.store import people
from takmail.store.causes import Causes, new_cause, with_retries
from takmail.store.database import Store
from takmail.world import PlayerId
from takmail.world.clubs.forms import division_table
from takmail.world.clubs.values import Outcome, Tournament

_RESULTS = {"1-0": Outcome.FIRST, "0-1": Outcome.SECOND, "draw": Outcome.DRAW, "void": Outcome.VOID}
Decide = Callable[[Context, Tournament], Events]


def list_tournaments(store: Store, causes: Causes) -> list[Listed]:
    """Return the tournaments that go on, by number."""
    with store.transaction() as session:
        queries = causes.queries(session)
        every = [queries.tournament(number) for number in queries.tournaments(None)]
        return [_listed(one) for one in every if one is not None]


def _listed(tournament: Tournament) -> Listed:
    """Return a tournament as a row. `open` is the number of its games that are not decided."""
    return {
        "name": tournament.name,
        "state": tournament.standing.value,
        "season": tournament.season,
        "entered": len(
            tournament.coming if not tournament.is_running else tournament.entries_of(tournament.season)
        ),
        "open": sum(pairing.outcome is None for pairing in tournament.pairings_of()),
        "starts_at": tournament.starts_at,
    }


def show_tournament(store: Store, causes: Causes, name: str) -> str:
    """Return a page about a tournament: its tables, entries and steps. Raises CannotRule."""
    with store.transaction() as session:
        tournament = _named(session, causes, name)
        players = {entry.player for entry in tournament.entries} | {
            step.player for step in tournament.steps if step.player is not None
        }
        if tournament.organiser is not None:
            players.add(tournament.organiser)
        names = {player: one.name for player, one in people.load(session, players).players.items()}
        tables = [table(_lines(tournament, division, names)) for division in tournament.divisions]
        return causes.services.templates.page(
            "console/club.txt",
            tournament=tournament,
            organiser=None if tournament.organiser is None else names[tournament.organiser],
            tables=tables,
            coming=[names[entry.player] for entry in tournament.coming],
            games=table(_games(tournament, names)),
            steps=[(step, None if step.player is None else names[step.player]) for step in tournament.steps],
        )


def _lines(tournament: Tournament, division: int, names: dict[PlayerId, str]) -> list[Cells]:
    return [
        {
            "place": line.place,
            "points": line.points,
            "won": line.won,
            "drawn": line.drawn,
            "lost": line.lost,
            "to play": line.left,
            "player": names[line.player],
        }
        for line in division_table(tournament, division)
    ]


def _games(tournament: Tournament, names: dict[PlayerId, str]) -> list[Cells]:
    return [
        {
            "game": f"#{pairing.number}",
            "round": pairing.round,
            "division": pairing.division or "knock-out",
            "result": pairing.outcome or "open",
            "by": pairing.by or "",
            "players": f"{names[pairing.first]} – {names[pairing.second]}",
        }
        for pairing in tournament.pairings_of()
    ]


def begin(store: Store, causes: Causes, name: str, terms: str, organiser: str | None) -> str:
    """Open a tournament, and return a sentence about it. Raises CannotRule."""
    read = NewTournament.read(
        Rest("tournament", f'"{name}" {terms}', False, True, causes.services.games, frozenset(), _no_turn)
    )
    if not isinstance(read, NewTournament):
        raise CannotRule("bad_terms")
    starts_at = None if read.starts_on is None else datetime.combine(read.starts_on, time(), UTC)

    def rule(session: Session) -> str:
        player = None if organiser is None else find(session, organiser)
        opening = partial(clubs_organising.opened, command=read, starts_at=starts_at, organiser=player)
        causes.decide(session, new_cause("a tournament", causes.now()), partial(by_operator, decide=opening))
        return f"{read.name} takes entries"

    return with_retries(store, rule)


def _no_turn(_line: str) -> Reading:
    raise AssertionError("no turn is read here")


def step(store: Store, causes: Causes, name: str, decide: Decide) -> str:
    """Do something to a tournament, and return a sentence about it. Raises CannotRule."""

    def rule(session: Session) -> str:
        tournament = _named(session, causes, name)
        cause = new_cause(f"a step of tournament {tournament.number}", causes.now())
        stepping = partial(by_operator, decide=lambda context: decide(context, tournament))
        causes.decide(session, cause, stepping)
        return f"done; all players of {tournament.name} whom it concerns are told"

    return with_retries(store, rule)


def _named(session: Session, causes: Causes, name: str) -> Tournament:
    queries = causes.queries(session)
    number = queries.tournament_named(skeleton(name))
    tournament = None if number is None else queries.tournament(number)
    if tournament is None:
        raise CannotRule("no_club")
    return tournament


@click.group("club")
def club_commands() -> None:
    """Show tournaments, begin one, and do what its organiser can.

    \b
    Examples:
      takmail club begin "Autumn" 6 komi=2 days=3 max=12
      takmail club show Autumn
      takmail club take-out Autumn ben@example.org --why "no answer for weeks"
    """


@club_commands.command("list")
@json_option("tournament")
@config_option
def club_list(as_json: bool, config_file: Path) -> None:
    """List the tournaments that go on.

    \b
    Example:
      takmail club list
    """
    with opened(config_file) as app:
        rows = list_tournaments(app.store, app.causes)
    show_list(rows, lambda row: row, "There is no tournament.", as_json=as_json)


@club_commands.command("show")
@click.argument("name")
@config_option
def club_show(name: str, config_file: Path) -> None:
    """Show one tournament: its tables, games, entries and steps.

    \b
    Example:
      takmail club show Autumn
    """
    with opened(config_file) as app:
        click.echo(show_tournament(app.store, app.causes, name))


@club_commands.command("begin")
@click.argument("name")
@click.argument("terms", nargs=-1, required=True, metavar="TERMS...")
@click.option(
    "--organiser", metavar="WHO", help="The player who organises it: a number, a name or an address."
)
@config_option
def club_begin(name: str, terms: tuple[str, ...], organiser: str | None, config_file: Path) -> None:
    """Begin a tournament, which takes entries from now on.

    TERMS are those of the players' `new`, and max=, start=, form= (groups or rounds) and round= (days). It begins on
    the day of start= (at 0:00 UTC), or as soon as all places are taken. Without a time for turns, each turn has three
    days. Players who have written `news on` are told. Players whose addresses stand under `organisers` in config.toml
    can begin one by mail.

    \b
    Examples:
      takmail club begin "Autumn" 6 komi=2 days=3 max=12
      takmail club begin "Winter" 5 days=2 max=20 start=2026-12-15 --organiser ada@example.org
    """
    with opened(config_file) as app:
        click.echo(begin(app.store, app.causes, name, " ".join(terms), organiser))


@club_commands.command("start")
@click.argument("name")
@config_option
def club_start(name: str, config_file: Path) -> None:
    """Begin the next season now, with those who have entered.

    \b
    Example:
      takmail club start Autumn
    """
    with opened(config_file) as app:
        click.echo(step(app.store, app.causes, name, clubs_organising.begun))


@club_commands.command("put-off")
@click.argument("name")
@click.argument("time_off", metavar="TIME")
@why_option
@config_option
def club_put_off(name: str, time_off: str, why: str, config_file: Path) -> None:
    """Put the next season off.

    \b
    Example:
      takmail club put-off Autumn "7 days" --why "too few have entered"
    """
    by = length_of(time_off)
    if by is None:
        raise click.BadParameter('must be a time such as "7 days"', param_hint="TIME")
    with opened(config_file) as app:
        reason = _reason(app, why)
        decide: Decide = lambda context, one: clubs_organising.put_off(context, one, by, reason)  # noqa: E731
        click.echo(step(app.store, app.causes, name, decide))


@club_commands.command("take-out")
@click.argument("name")
@click.argument("who", metavar="N|PLAYER|ADDRESS")
@why_option
@config_option
def club_take_out(name: str, who: str, why: str, config_file: Path) -> None:
    """Take a player out of the season that is played, and of the next one.

    Before half of the player's games are over none of them counts in the table. Later, the rest counts as lost. Games
    that are still open end without a result.

    \b
    Example:
      takmail club take-out Autumn ben@example.org --why "no answer for weeks"
    """
    with opened(config_file) as app:
        reason = _reason(app, why)
        with app.store.transaction() as session:
            player = find(session, who)
        decide: Decide = lambda context, one: clubs_organising.taken_out(context, one, player, reason)  # noqa: E731
        click.echo(step(app.store, app.causes, name, decide))


@club_commands.command("correct")
@click.argument("name")
@click.argument("game", type=click.IntRange(min=1), metavar="N")
@click.option("--result", required=True, type=click.Choice([*_RESULTS]), help="How it counts in the table.")
@why_option
@config_option
def club_correct(name: str, game: int, result: str, why: str, config_file: Path) -> None:
    """Give a game another result in the table. One that is still open ends with that.

    \b
    Example:
      takmail club correct Autumn 41 --result 1-0 --why "the other letter was lost"
    """
    with opened(config_file) as app:
        reason = _reason(app, why)
        outcome = _RESULTS[result]
        decide: Decide = lambda context, one: clubs_organising.corrected(context, one, game, outcome, reason)  # noqa: E731
        click.echo(step(app.store, app.causes, name, decide))


@club_commands.command("end")
@click.argument("name")
@why_option
@config_option
def club_end(name: str, why: str, config_file: Path) -> None:
    """End a tournament for good. Games that are still open end without a result.

    \b
    Example:
      takmail club end Autumn --why "nobody wants to go on"
    """
    with opened(config_file) as app:
        reason = _reason(app, why)
        decide: Decide = lambda context, one: clubs_organising.ended(context, one, reason)  # noqa: E731
        click.echo(step(app.store, app.causes, name, decide))


def _reason(app: App, why: str) -> str:
    """Return the reason as letters quote it. Raises CannotRule."""
    return operator_note(app.services, "operator", why).why
