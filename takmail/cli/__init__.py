"""The verbs of the command line. Each one does a little and hands over; what it says is for the console."""

import click

from takmail import __version__
from takmail.cli import (
    backups,
    deliver,
    games,
    health,
    keys,
    letters,
    mails,
    pictures,
    players,
    replays,
    running,
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="takmail")
def main() -> None:
    """A mail address that two people can play Tak through.

    Begin with `takmail demo`, which plays a game before your eyes. To run it for real, copy config.example.toml
    to config.toml, fill it in, and then:

    \b
      takmail check-config --connect
      takmail serve

    Exits with 0 when all went well, 78 when the settings are to be mended, 75 when trying again later may
    help, 2 when the command line is wrong, and 1 for anything else; `takmail status` and `takmail deliver` have
    codes of their own.
    """


for verb in (
    running.serve,
    health.status,
    running.check_config,
    deliver.deliver,
    games.game,
    players.player,
    mails.mail,
    letters.outbox,
    backups.backup,
    backups.restore,
    keys.key,
    replays.replay,
    pictures.picture,
    running.demo,
):
    main.add_command(verb)
