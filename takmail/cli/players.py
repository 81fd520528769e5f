"""Define the commands that show players, and the commands by which the operator rules on players."""

from pathlib import Path

import click

from takmail.admin import players as console
from takmail.cli.common import as_option, config_option, opened, rulings_told, why_option
from takmail.pipeline.rulings import operator_note


@click.group()
def player() -> None:
    """Show players, block one, or merge two.

    Name a player by number, by name (in any case of letters) or by address.

    \b
    Examples:
      takmail player list
      takmail player show ben@example.org
      takmail player block 7 --why "writes in other people's names"
    """


@player.command("list")
@config_option
def player_list(config_file: Path) -> None:
    """List all players: number, running games, last mail (UTC), name, addresses.

    The list marks blocked players, addresses that want no more mail (stopped), and addresses that bounce (resting).

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
    """Show one player: addresses, games and log.

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
    """Block a player, or unblock the player with --undo.

    A blocked player's mails are rejected unread. One letter a day tells the player so, with the reason. The player's
    games are adjourned, and the opponents get a letter with the same reason. The player's invitations and seeks are
    withdrawn. --undo resumes the games that the block adjourned, and notifies both players. `takmail game end` can end
    an adjourned game. A running `takmail serve` sends the letters within a minute. Otherwise the next
    `takmail deliver` sends them.

    \b
    Examples:
      takmail player block ben@example.org --why "writes in other people's names"
      takmail player block 7 --undo --why "it was somebody else"
    """
    with opened(config_file) as app, rulings_told(app):
        by = operator_note(app.services, who, why)
        click.echo(console.block(app.store, app.causes, whom, by, undo=undo))


@player.command("merge")
@click.argument("source", metavar="FROM")
@click.argument("into", metavar="INTO")
@click.option("--why", required=True, metavar="TEXT", help="The reason, for the log alone.")
@as_option
@config_option
def player_merge(source: str, into: str, why: str, who: str, config_file: Path) -> None:
    """Merge two players who are the same person.

    INTO keeps its name, and gets the addresses, the games and everything else of FROM. FROM is deleted. Letters to both
    can still be answered. Two players can't be merged if they are in the same game, or if only one of them is blocked.
    A merger can't be undone.

    \b
    Example:
      takmail player merge 9 ben@example.org --why "Ben has a new address"
    """
    with opened(config_file) as app, rulings_told(app):
        click.echo(console.merge(app.store, app.causes, source, into, operator_note(app.services, who, why)))
