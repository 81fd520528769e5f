"""The verbs that look at the games, and those by which the operator decides about them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from takmail.admin import games as console
from takmail.cli.common import as_option, config_option, opened, rulings_told, why_option
from takmail.commands.game.corruption import CorruptGameError
from takmail.commands.kinds import Ruling
from takmail.pipeline.rulings import NoGame, word
from takmail.runtime.bootstrap import App


@click.group()
def game() -> None:
    """Look at the games, and decide about them.

    \b
    Examples:
      takmail game list
      takmail game show 12
      takmail game adjourn 12 --why "Ben is in hospital"
      takmail game export 12 > game12.ptn
    """


@game.command("list")
@config_option
def game_list(config_file: Path) -> None:
    """Every game on a line: number, standing, board, turns, result, players.

    A game whose stored turns break the rules stands there as broken; `game show` tells which turn it is.

    \b
    Example:
      takmail game list --config config.toml
    """
    with opened(config_file) as app:
        click.echo(console.list_games(app.store, app.causes))


@game.command("show")
@click.argument("number", type=int)
@config_option
def game_show(number: int, config_file: Path) -> None:
    """One game: its board, its turns, what else was done to it, by whom and why, and the letters that have not left.

    \b
    Example:
      takmail game show 12
    """
    with opened(config_file) as app, _sound_game(app, number):
        click.echo(console.show_game(app.store, app.causes, number))


@game.command("export")
@click.argument("number", type=int)
@config_option
def game_export(number: int, config_file: Path) -> None:
    """One game in PTN, on standard output.

    \b
    Example:
      takmail game export 12 > game12.ptn
    """
    with opened(config_file) as app, _sound_game(app, number):
        click.echo(console.export_game(app.store, app.causes, number), nl=False)


@game.command("adjourn")
@click.argument("number", type=int)
@click.option("--resume", is_flag=True, help="Let an adjourned game go on.")
@why_option
@as_option
@config_option
def game_adjourn(number: int, resume: bool, why: str, who: str, config_file: Path) -> None:
    """Have a game stand still, or go on.

    While it is adjourned no move, offer or resignation counts; its players can look at it and write to each other. Both
    get a letter when it is adjourned, and when it goes on. A game that takmail has frozen, as what is stored of it
    doesn't agree, goes on by --resume too, once it is mended. The letters leave with `takmail serve`, within a
    minute where it runs, or else with the next `deliver`.

    \b
    Examples:
      takmail game adjourn 12 --why "Ben is in hospital"
      takmail game adjourn 12 --resume --why "Ben is well again"
    """
    act = console.resume if resume else console.adjourn
    with opened(config_file) as app, _sound_game(app, number), rulings_told(app):
        click.echo(act(app.store, app.causes, number, word(app.services, who, why)))


_RESULTS = {"1-0": Ruling.FIRST, "0-1": Ruling.SECOND, "draw": Ruling.DRAW, "void": Ruling.VOID}


@game.command("end")
@click.argument("number", type=int)
@click.option(
    "--result",
    required=True,
    type=click.Choice(list(_RESULTS)),
    help="Who wins: 1-0 is who began, 0-1 the other one; void: it has no result.",
)
@why_option
@as_option
@config_option
def game_end(number: int, result: str, why: str, who: str, config_file: Path) -> None:
    """End a game that is running or adjourned, as you decide.

    A won game scores as if the loser had resigned; a void one has no result, scores nothing and is no part of the
    match. Both players get their last letter, which gives the reason. There is no way back. A broken game can be
    ended, too; its letter shows no board. The letters leave with `takmail serve`, within a minute where it runs,
    or else with the next `deliver`.

    \b
    Examples:
      takmail game end 12 --result 1-0 --why "Ben has not written for a year"
      takmail game end 13 --result void --why "begun by mistake"
    """
    with opened(config_file) as app, _sound_game(app, number), rulings_told(app):
        by = word(app.services, who, why)
        click.echo(console.end(app.store, app.causes, number, _RESULTS[result], by))


@contextmanager
def _sound_game(app: App, number: int) -> Iterator[None]:
    try:
        yield
    except NoGame:
        raise click.ClickException(f"there is no game {number}; `takmail game list` shows them all") from None
    except CorruptGameError as broken:
        raise click.ClickException(
            app.services.templates.line("console/mend_first.txt", fault=broken.fault)
        ) from None
