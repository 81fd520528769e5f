"""The verbs that look at the games."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from takmail.cli.common import config_option, opened
from takmail.console import games as console
from takmail.service.table import BrokenGame


@click.group()
def game() -> None:
    """Look at the games.

    \b
    Examples:
      takmail game list
      takmail game show 12
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
        click.echo(console.list_games(app.store, app.desk.templates))


@game.command("show")
@click.argument("number", type=int)
@config_option
def game_show(number: int, config_file: Path) -> None:
    """One game: its board, its turns, and the letters that have not left.

    \b
    Example:
      takmail game show 12
    """
    with opened(config_file) as app, _sound_game(number):
        click.echo(console.show_game(app.store, app.desk.templates, number))


@game.command("export")
@click.argument("number", type=int)
@config_option
def game_export(number: int, config_file: Path) -> None:
    """One game in PTN, on standard output.

    \b
    Example:
      takmail game export 12 > game12.ptn
    """
    with opened(config_file) as app, _sound_game(number):
        click.echo(console.export_game(app.store, number), nl=False)


@contextmanager
def _sound_game(number: int) -> Iterator[None]:
    try:
        yield
    except (LookupError, OverflowError):  # a number too large for the database is no game's either
        raise click.ClickException(f"there is no game {number}; `takmail game list` shows them all") from None
    except BrokenGame as error:
        raise click.ClickException(str(error)) from None
