"""Get takmail's own access to a mailbox at an OAuth 2 provider: `takmail login`."""

from pathlib import Path

import click

from takmail.cli.common import config_option, settings_of, wrong
from takmail.runtime.net.oauth_login import log_in


@click.command()
@click.argument("provider", required=False)
@config_option
def login(provider: str | None, config_file: Path) -> None:
    """Log in to the mailbox with OAuth 2, once, in a browser.

    Shows an address to open, on this machine or another one, and waits until you have logged in there. The tokens go to
    the token file. A running `takmail serve` uses them from then on, and renews them.

    PROVIDER is google, microsoft, or the address of another one: `provider` in [oauth], which has to be the same.

    \b
    Examples:
      takmail login
      takmail login microsoft --config /etc/takmail/config.toml
    """
    settings = settings_of(config_file)
    oauth = settings.oauth
    if oauth is None or (provider or oauth.provider).rstrip("/") != oauth.provider:
        wrong(
            config_file, [f'[oauth] needs provider = "{provider or "…"}" and client_id (docs/operating.md)']
        )
    user = settings.imap.user if settings.imap else settings.smtp.user
    try:
        log_in(oauth, user or settings.service.address, click.echo)
    except (OSError, ValueError) as error:  # a TokenError is an OSError
        raise click.ClickException(str(error)) from None
    click.echo(
        f"{oauth.token_file} has the tokens now. Next: takmail check-config --connect --config {config_file}"
    )
