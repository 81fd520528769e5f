"""The commands that show players, and those by which the operator rules on them."""

from pathlib import Path

import click

from takmail.admin import players as console
from takmail.cli.common import as_option, config_option, opened, rulings_told, why_option
from takmail.pipeline.rulings import word


@click.group()
def player() -> None:
    """Show players, block one, or merge two.

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
    """List all players: number, running games, last mail (UTC), name, addresses.

    Blocked players are marked, and addresses that asked for no more mail (stopped) or accept none (resting).

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
    """Block a player, or with --undo unblock them.

    A blocked player's mails are rejected unread. One answer a day says so and gives the reason. Their games are
    adjourned, and the opponents are notified, with the same reason. Their invitations and seeks are withdrawn. --undo
    resumes the games that were adjourned for the block, and notifies both players. Until then, `takmail game end` can
    end them. A running `takmail serve` sends the letters within a minute; otherwise the next `deliver` does.

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
    """Merge two players who are the same person.

    INTO keeps its name and gets the addresses, games and all else of FROM, which is deleted. All letters can still be
    answered. Refused if both are in the same game, or if only one of them is blocked. This can't be undone.

    \b
    Example:
      takmail player merge 9 ben@example.org --why "Ben has a new address"
    """
    with opened(config_file) as app, rulings_told(app):
        click.echo(console.merge(app.store, app.causes, source, into, word(app.services, who, why)))
