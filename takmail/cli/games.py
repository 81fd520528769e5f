"""Define the commands that show games, and the commands by which the operator rules on games."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from takmail.admin import games as console
from takmail.cli.common import as_option, config_option, opened, rulings_told, why_option
from takmail.commands.game.corruption import CorruptGameError
from takmail.commands.kinds import Ruling
from takmail.pipeline.rulings import NoGame, operator_note
from takmail.runtime.bootstrap import App


@click.group()
def game() -> None:
    """Show games, and rule on them.

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
    """List all games: number, standing, board, turns, result, players.

    A game whose stored rows are inconsistent is shown as corrupt. `takmail game show` describes the fault and how to
    restore the game.

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
    """Show one game: its board, turns, log and unsent letters.

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
    """Write one game to standard output, in PTN.

    \b
    Example:
      takmail game export 12 > game12.ptn
    """
    with opened(config_file) as app, _sound_game(app, number):
        click.echo(console.export_game(app.store, app.causes, number), nl=False)


@game.command("adjourn")
@click.argument("number", type=int)
@click.option("--resume", is_flag=True, help="Resume an adjourned game.")
@why_option
@as_option
@config_option
def game_adjourn(number: int, resume: bool, why: str, who: str, config_file: Path) -> None:
    """Adjourn a game, or resume it.

    In an adjourned game no move, offer or resignation is accepted. Its players can look at the board and write to each
    other. Both get a letter when it is adjourned, and when it is resumed. --resume also resumes a game that was frozen
    because it was corrupt, once its rows are consistent again. A running `takmail serve` sends the letters within a
    minute. Otherwise the next `takmail deliver` sends them.

    \b
    Examples:
      takmail game adjourn 12 --why "Ben is in hospital"
      takmail game adjourn 12 --resume --why "Ben is well again"
    """
    act = console.resume if resume else console.adjourn
    with opened(config_file) as app, _sound_game(app, number), rulings_told(app):
        click.echo(act(app.store, app.causes, number, operator_note(app.services, who, why)))


_RESULTS = {"1-0": Ruling.FIRST, "0-1": Ruling.SECOND, "draw": Ruling.DRAW, "void": Ruling.VOID}


@game.command("end")
@click.argument("number", type=int)
@click.option(
    "--result",
    required=True,
    type=click.Choice(list(_RESULTS)),
    help="The result: 1-0 if the first player wins, 0-1 if the second one wins, void for no result.",
)
@why_option
@as_option
@config_option
def game_end(number: int, result: str, why: str, who: str, config_file: Path) -> None:
    """End a running or adjourned game with a result of your choice.

    A win counts as if the loser had resigned. A void game has no result, and is not part of the match. Both players
    get a last letter with the reason. This can't be undone. A corrupt game can be ended, too, and its last letter
    shows no board. A running `takmail serve` sends the letters within a minute. Otherwise the next `takmail deliver`
    sends them.

    \b
    Examples:
      takmail game end 12 --result 1-0 --why "Ben has not written for a year"
      takmail game end 13 --result void --why "begun by mistake"
    """
    with opened(config_file) as app, _sound_game(app, number), rulings_told(app):
        by = operator_note(app.services, who, why)
        click.echo(console.end(app.store, app.causes, number, _RESULTS[result], by))


@contextmanager
def _sound_game(app: App, number: int) -> Iterator[None]:
    try:
        yield
    except NoGame:
        raise click.ClickException(f"there is no game {number}; `takmail game list` shows them all") from None
    except CorruptGameError as broken:
        raise click.ClickException(
            app.services.templates.line("console/corrupt_game.txt", fault=broken.fault)
        ) from None
