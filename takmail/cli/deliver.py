"""Define the command that receives one mail from a mail server's pipe."""

import asyncio
import logging
import os
import sys
from pathlib import Path

import click

from takmail.cli.common import beginning, config_option, opened
from takmail.runtime import log_fields
from takmail.runtime.bootstrap import App
from takmail.runtime.mail_worker import NoRoom
from takmail.store.database import UNAVAILABLE

log = logging.getLogger(__name__)


class _TempfailCommand(click.Command):
    """A command that exits with 75 (EX_TEMPFAIL) for wrong options, so that the mail is delivered again later."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.show()
            ctx.exit(os.EX_TEMPFAIL)


@click.command(cls=_TempfailCommand)
@click.option(
    "--queue",
    is_flag=True,
    help="Only store the mail. A running `serve` handles it and sends the letters within about a second.",
)
@config_option
def deliver(queue: bool, config_file: Path) -> None:
    """Handle one mail from standard input.

    Use it with Postfix, with procmail, or for a test. The answers to the mail are sent at once. If the mail server
    can't be reached, the next `deliver` or `serve` sends them. If the mail is larger than the limit, only its
    beginning is stored, for its headers. Attachments are not stored.

    Exits with 0 as soon as the mail is stored in the database, whatever fails after that. Exits with 65 if standard
    input is empty. Exits with 75 for any other error, such as wrong settings. The mail server then tries again later,
    and does not bounce the mail to its sender.

    \b
    Examples:
      takmail deliver --config config.toml < mail.eml
      in Postfix's master.cf, if takmail serve runs:
        argv=/opt/takmail/.venv/bin/takmail deliver --queue --config /etc/takmail/config.toml
    """
    try:
        with opened(config_file, os.EX_TEMPFAIL) as app:
            _store(app)
            if not queue:
                _work_off(app)
    except SystemExit as ended:  # the reason was printed
        sys.exit(os.EX_TEMPFAIL if ended.code == os.EX_CONFIG else ended.code)
    except (
        Exception
    ) as error:  # with a traceback, the mail would bounce, and its sender would get the traceback
        click.echo(f"the mail is not stored: {log_fields.cause(error)}", err=True)
        sys.exit(os.EX_TEMPFAIL)


def _store(app: App) -> None:
    raw, size = beginning(sys.stdin.buffer, app.settings.limits.mail_bytes)
    if not raw.strip():
        click.echo("there is no mail on standard input; try: takmail deliver < mail.eml", err=True)
        sys.exit(os.EX_DATAERR)
    try:
        app.mail_worker.keep_one(raw, size)
    except NoRoom:
        limit = app.settings.limits.stranger_bytes_per_day
        click.echo(f"the mail is not stored: [limits] stranger_bytes_per_day = {limit} is used up", err=True)
        sys.exit(os.EX_TEMPFAIL)


def _work_off(app: App) -> None:
    """Process the mail and send the letters. Errors are only logged, because a later run can process a stored mail."""
    try:
        asyncio.run(app.work_off())
    except UNAVAILABLE as error:
        log.warning("the mail is stored and will be handled later: %s", str(error).splitlines()[0])
    except Exception as error:
        log.error("the mail is stored and will be handled later: %s", log_fields.cause(error))
