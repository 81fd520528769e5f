"""Define the command line. Each command calls functions of other packages and prints the result."""

from importlib import import_module

import click

from takmail import __version__

_VERBS = {
    "init": ("setup", "init"),
    "serve": ("running", "serve"),
    "install-service": ("service", "install_service"),
    "status": ("status", "status"),
    "check-config": ("running", "check_config"),
    "login": ("setup", "login"),
    "deliver": ("deliver", "deliver"),
    "game": ("games", "game_commands"),
    "player": ("players", "player_commands"),
    "club": ("clubs", "club_commands"),
    "rating": ("ratings", "rating_commands"),
    "mail": ("mails", "mail_commands"),
    "outbox": ("letters", "letter_commands"),
    "backup": ("backups", "backup"),
    "restore": ("backups", "restore"),
    "upgrade": ("backups", "upgrade"),
    "take-mailbox": ("backups", "take_mailbox"),
    "key": ("keys", "key"),
    "replay": ("replays", "replay"),
    "review": ("reviews", "review"),
    "tinue": ("reviews", "tinue"),
    "picture": ("pictures", "picture"),
    "bot": ("bots", "bot"),
    "demo": ("running", "demo"),
}
"""The commands by name, each with its module and its function."""


class _Verbs(click.Group):
    """The commands, each imported when it is looked up. All together take a second, and most need few modules."""

    def list_commands(self, _context: click.Context) -> list[str]:
        return sorted(_VERBS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        # Of an unknown command click tells which ones are like it, so that it needs all of them.
        for verb in [name] if name in _VERBS else _VERBS:
            module, function = _VERBS[verb]
            self.add_command(getattr(import_module(f"{__name__}.{module}"), function), verb)
        return super().get_command(context, name)


def _print_version(context: click.Context, _option: click.Parameter, is_wanted: bool) -> None:
    if is_wanted and not context.resilient_parsing:
        click.echo(f"takmail {__version__}, schema {import_module('takmail.store.schema').HEAD}")
        context.exit()


@click.group(cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version, and that of the database's schema, and exit.",
)
def main() -> None:
    """Run a mail address through which two people play Tak.

    Begin with `takmail demo`, which plays a whole game while you watch. To run the service:

    \b
      takmail init you@provider.example
      takmail serve

    Exits with 0 on success, 78 if the settings are wrong, 75 if a retry may help, 65 if the database has to be upgraded
    first, 2 if the command line is wrong, and 1 for any other error. `takmail status` and `takmail deliver` have their
    own exit codes.
    """
