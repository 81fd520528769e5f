"""Define the command line. Each command calls functions of other packages and prints the result."""

import click

from takmail import __version__
from takmail.cli import (
    backups,
    bots,
    deliver,
    games,
    keys,
    letters,
    mails,
    pictures,
    players,
    replays,
    reviews,
    running,
    setup,
    status,
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="takmail")
def main() -> None:
    """Run a mail address through which two people play Tak.

    Begin with `takmail demo`, which plays a whole game while you watch. To run the service:

    \b
      takmail init you@provider.example
      takmail serve

    Exits with 0 on success, 78 if the settings are wrong, 75 if a retry may help, 2 if the command line is wrong,
    and 1 for any other error. `takmail status` and `takmail deliver` have their own exit codes.
    """


for verb in (
    setup.init,
    running.serve,
    status.status,
    running.check_config,
    setup.login,
    deliver.deliver,
    games.game_commands,
    players.player_commands,
    mails.mail_commands,
    letters.letter_commands,
    backups.backup,
    backups.restore,
    backups.take_mailbox,
    keys.key,
    replays.replay,
    reviews.review,
    reviews.tinue,
    pictures.picture,
    bots.bot,
    running.demo,
):
    main.add_command(verb)
