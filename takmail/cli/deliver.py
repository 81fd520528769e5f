"""The verb that takes one mail from a mail server's pipe."""

import asyncio
import logging
import os
import sys
from pathlib import Path

import click

from takmail.cli.common import beginning, config_option, opened
from takmail.runtime import log_fields
from takmail.runtime.bootstrap import App
from takmail.store.database import AWAY

log = logging.getLogger(__name__)


class _Patient(click.Command):
    """A command whose wrong options are to be mended, too, before the mail is handed over again."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.show()
            ctx.exit(os.EX_TEMPFAIL)


@click.command(cls=_Patient)
@click.option(
    "--queue",
    is_flag=True,
    help="Only keep the mail; a running `serve` deals with it and sends the letters, within a second or so.",
)
@config_option
def deliver(queue: bool, config_file: Path) -> None:
    """Put one mail, given on standard input, through the service.

    For Postfix, procmail or a test; the letters that follow are sent at once or, where the mail server is away,
    by the next `deliver` or `serve`. Of a mail over the limit
    only the beginning is kept, for its headers.

    Exits with 0 once the mail is safe in the database, whatever follows; with 65 if there is none on standard input.
    Anything else, wrong settings too, ends with 75: the mail is to be handed over again later,
    and not to be sent back to who wrote it.

    \b
    Examples:
      takmail deliver --config config.toml < mail.eml
      in Postfix's master.cf, beside takmail serve:
        argv=/opt/takmail/.venv/bin/takmail deliver --queue --config /etc/takmail/config.toml
    """
    try:
        with opened(config_file, os.EX_TEMPFAIL) as app:
            _keep(app)
            if not queue:
                _work_off(app)
    except SystemExit as ended:  # why has been said
        sys.exit(os.EX_TEMPFAIL if ended.code == os.EX_CONFIG else ended.code)
    except Exception as error:  # a traceback would go back to the mail's writer, and the mail with it
        click.echo(f"the mail is not kept: {log_fields.cause(error)}", err=True)
        sys.exit(os.EX_TEMPFAIL)


def _keep(app: App) -> None:
    raw, size = beginning(sys.stdin.buffer, app.settings.limits.mail_bytes)
    if not raw.strip():
        click.echo("there is no mail on standard input; try: takmail deliver < mail.eml", err=True)
        sys.exit(os.EX_DATAERR)
    app.inbound.keep_one(raw, size)


def _work_off(app: App) -> None:
    """Deal with the mail and send the letters; what fails is left to the next one, as the mail is kept."""
    try:
        asyncio.run(app.work_off())
    except AWAY as error:
        log.warning("the mail is kept, and waits: %s", str(error).splitlines()[0])
    except Exception as error:
        log.error("the mail is kept, and waits: %s", log_fields.cause(error))
