"""Define the commands that show, requeue, reduce and explain incoming mails."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from takmail.admin import mails as console
from takmail.admin.explain import explain
from takmail.cli.common import beginning, config_option, faults_told, list_options, opened, settings_of
from takmail.commands.kinds import MailState
from takmail.letters.templates import printable
from takmail.runtime.dry_run import dry_run
from takmail.runtime.reader_process import read_once
from takmail.runtime.retention import Reduced


@click.group()
def mail() -> None:
    """Show incoming mails: the state in which each one ended, and why.

    \b
    Examples:
      takmail mail list --state shunted
      takmail mail show 7
      takmail mail requeue 7
    """


@mail.command("list")
@list_options(MailState, "mail", "Only mails in this state; may be given more than once.")
@config_option
def mail_list(states: tuple[str, ...], last: int, as_json: bool, config_file: Path) -> None:
    """List mails, the newest last: number, time (UTC), state, sender, bytes, reason.

    \b
    The states:
      new        it waits to be processed
      played     it played a turn
      answered   it was answered by a letter, and played no turn
      duplicate  the same mail arrived before
      machine    no person wrote it; such a mail is never answered
      rejected   it is over a limit or from a blocked player, or needs no answer
      shunted    processing it failed, or it is too expensive to read; see `takmail mail show`
      older      it was in the mailbox before the first start, and is ignored

    With --json the keys are number, received, state, reason, sender, subject, size and message_id.

    \b
    Examples:
      takmail mail list --state shunted --state rejected
      takmail mail list --last 1000 --json | jq .reason
    """
    with opened(config_file) as app:
        wanted = [MailState(state) for state in states]
        found, left_out = console.list_mails(app.store, wanted, last, app.services.limits)
        if as_json:
            for one in found:
                click.echo(one.as_json())
        else:
            click.echo(console.mails_page(app.services.templates, found, left_out, some=bool(states)))


@mail.command("show")
@click.argument("number", type=int)
@click.option("--raw", is_flag=True, help="Write the mail itself to standard output, byte for byte.")
@config_option
def mail_show(number: int, raw: bool, config_file: Path) -> None:
    """Show one mail: its source, its state and the reason, the letters in response, and how it is read.

    For a shunted mail, the reason is the traceback or the exceeded limit. Only the beginning is stored of a mail that
    is too large. The page shows how the mail would be read in the current state of the games. Nothing is changed.

    \b
    Examples:
      takmail mail show 7
      takmail mail show 7 --raw > mail7.eml
    """
    with opened(config_file) as app, _known_mail(number):
        if not raw:
            click.echo(console.show_mail(app.store, app.causes, number, read_once))
            return
        row = console.raw_mail(app.store, number)
        if row.is_reduced:
            raise click.ClickException(f"mail {number}: its text is no longer stored")
        click.echo(row.raw, nl=False)
        if row.size > len(row.raw):
            click.echo(
                f"these are the first {len(row.raw)} of {row.size} bytes; the rest is not stored", err=True
            )


@mail.command("requeue")
@click.argument("numbers", type=int, nargs=-1, required=True, metavar="N...")
@click.option(
    "--person",
    "is_from_person",
    is_flag=True,
    help="Also requeue automatic mails, and process them as if a person had written them.",
)
@config_option
def mail_requeue(numbers: tuple[int, ...], is_from_person: bool, config_file: Path) -> None:
    """Requeue shunted or rejected mails, and with --person also automatic ones.

    A running `takmail serve` processes them within about a second. Otherwise the next `takmail deliver` does. Mails in
    any other state, and mails that still exceed a limit, can't be requeued. If there is one among them, none is
    requeued, and the exit code is 1. The copy of a mail in the folder Processed or Rejected stays there.

    \b
    Example:
      takmail mail requeue 7 9
    """
    numbers = tuple(dict.fromkeys(numbers))
    with opened(config_file) as app:
        refusals = console.requeue(app.store, app.causes, numbers, read_once, is_from_person=is_from_person)
        page = app.services.templates.page("console/requeued.txt", numbers=numbers, refusals=refusals)
        click.echo(page, err=bool(refusals))
    sys.exit(1 if refusals else 0)


@mail.command("reduce")
@click.argument("numbers", type=int, nargs=-1, metavar="[N...]")
@config_option
def mail_reduce(numbers: tuple[int, ...], config_file: Path) -> None:
    """Delete the bytes of mails that are older than `keep_mail_days`, as a running `takmail serve` does daily.

    If you use only `takmail deliver`, let cron run this command once a day. Games, the log and the letters' hashes are
    kept. Mails given by number are reduced whatever their age, and can't be requeued after that. Shunted mails are
    reduced only by number.

    \b
    Examples:
      takmail mail reduce
      takmail mail reduce 7 9
    """
    with opened(config_file) as app:
        page = app.retention.reduce_mails(numbers) if numbers else Reduced(app.retention.work())
        click.echo(app.services.templates.page("console/reduced.txt", it=page), err=bool(page.refused))
    sys.exit(1 if page.refused else 0)


@mail.command("explain")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True), metavar="FILE.eml")
@click.option(
    "--parse", is_flag=True, help="Read the body in this process, without limits on time and memory."
)
@config_option
def mail_explain(file: Path, parse: bool, config_file: Path) -> None:
    """Explain how a mail would be read now, and what it would lead to. FILE `-` is standard input.

    Shows the sender and how certain the sender is, the typed and the quoted lines, the commands and the chat. After
    them it shows the decision, the events, the mail's final state with the reason, and the letters. Nothing is changed
    or sent, and no database or key is created. For a mail that is too expensive to read, only the outcome of its
    headers is shown.

    \b
    Examples:
      takmail mail explain odd.eml
      takmail mail show 7 --raw | takmail mail explain -
    """
    settings = settings_of(config_file)
    raw, size = _contents(file, settings.limits.mail_bytes)
    with faults_told(config_file, settings), dry_run(settings) as there:
        mail = there.causes.to_read(raw, size)
        it = explain(there.session, there.causes, mail, mail.read() if parse else read_once(mail))
        has = {"has_store": there.has_store, "has_key": there.has_key}
        click.echo(console.reading_page(there.causes.services.templates, it, "explained", **has))


def _contents(file: Path, at_most: int) -> tuple[bytes, int]:
    """Return the first `at_most` bytes of the mail in a file, and its full length. Exit with 1 if it can't be read."""
    try:
        with click.open_file(str(file), "rb") as stream:
            raw, size = beginning(stream, at_most)
    except OSError as error:
        raise click.ClickException(
            f"{printable(str(file))} can't be read: {error.strerror or error}"
        ) from None
    if not raw.strip():
        raise click.ClickException(f"{printable(str(file))} is empty")
    return raw, size


@contextmanager
def _known_mail(number: int) -> Iterator[None]:
    try:
        yield
    except LookupError:
        raise click.ClickException(
            f"there is no mail {number}; `takmail mail list` shows the newest"
        ) from None
