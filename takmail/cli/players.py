"""The verbs that look at people, and those by which the operator decides about them."""

from pathlib import Path

import click

from takmail.admin import players as console
from takmail.cli.common import as_option, config_option, opened, rulings_told, why_option
from takmail.pipeline.rulings import word


@click.group()
def player() -> None:
    """Look at the players, block one, or make one of two.

    A player is named by number, by name (in any case of letters) or by address.

    \b
    Examples:
      takmail player list
      takmail player show ben@example.org
      takmail player block 7 --why "writes in other people's names"
    """


@player.command("list")
@config_option
def player_list(config_file: Path) -> None:
    """Every player on a line: number, games that run, when last heard of (UTC), name, addresses.

    Behind it stands who is blocked, and which address has asked for no more mail (stopped) or takes none (resting).

    \b
    Example:
      takmail player list --config config.toml
    """
    with opened(config_file) as app:
        click.echo(console.list_players(app.store, app.causes))


@player.command("show")
@click.argument("who", metavar="N|NAME|ADDRESS")
@config_option
def player_show(who: str, config_file: Path) -> None:
    """One player: addresses, games, and what was done to them, by whom and why.

    \b
    Examples:
      takmail player show 7
      takmail player show ben@example.org
    """
    with opened(config_file) as app, rulings_told(app):
        click.echo(console.show_player(app.store, app.causes, who))


@player.command("block")
@click.argument("whom", metavar="N|NAME|ADDRESS")
@click.option("--undo", is_flag=True, help="Let the player write again.")
@why_option
@as_option
@config_option
def player_block(whom: str, undo: bool, why: str, who: str, config_file: Path) -> None:
    """Carry out nothing of a player's any more.

    Their mails are rejected unread; they get one answer a day, which says so and gives the reason. Their games are
    adjourned, and the opponents are told, with the same reason. Their invitations and seeks are taken back. With --undo
    the games that were adjourned for it go on, which both players are told; `takmail game end` ends them
    meanwhile. The letters leave with `takmail serve`, within a minute where it runs, or else with the next `deliver`.

    \b
    Examples:
      takmail player block ben@example.org --why "writes in other people's names"
      takmail player block 7 --undo --why "it was somebody else"
    """
    with opened(config_file) as app, rulings_told(app):
        by = word(app.services, who, why)
        click.echo(console.block(app.store, app.causes, whom, by, undo=undo))


@player.command("merge")
@click.argument("source", metavar="FROM")
@click.argument("into", metavar="INTO")
@click.option("--why", required=True, metavar="TEXT", help="The reason, for the log alone.")
@as_option
@config_option
def player_merge(source: str, into: str, why: str, who: str, config_file: Path) -> None:
    """Make one player of two who are the same person.

    INTO keeps its name and gets the addresses, games and all else of FROM, which is no more. Every letter can be
    answered as before. Refused where both sit in one game, and where only one of them is blocked. There is no way back.

    \b
    Example:
      takmail player merge 9 ben@example.org --why "Ben has a new address"
    """
    with opened(config_file) as app, rulings_told(app):
        click.echo(console.merge(app.store, app.causes, source, into, word(app.services, who, why)))
