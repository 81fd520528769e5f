"""Define the commands that show, retry and drop letters."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from takmail.admin import letters as console
from takmail.admin.letters import Refusal
from takmail.cli.common import as_option, config_option, list_options, opened, rulings_told
from takmail.commands.kinds import LetterState
from takmail.pipeline.rulings import operator_note
from takmail.runtime.bootstrap import App


@click.group()
def outbox() -> None:
    """Show unsent letters, and retry or drop them.

    \b
    Examples:
      takmail outbox list
      takmail outbox show 12
      takmail outbox retry 12
      takmail outbox drop 13 --why "the address was mistyped"
    """


@outbox.command("list")
@list_options(
    LetterState,
    "letter",
    "Only letters in this state; may be given more than once. By default all unsent ones.",
)
@config_option
def outbox_list(states: tuple[str, ...], last: int, as_json: bool, config_file: Path) -> None:
    """List unsent letters, the newest last: number, time (UTC), age, state, reader, game, reason.

    \b
    The states:
      queued     it is sent as soon as the mail server accepts it
      postponed  its reader has reached a limit, and it is sent later
      bounced    it bounced, and it is sent once more a day later
      resting    its reader's address bounces or wants no more mail; it waits until the reader writes
      failed     the mail server has refused it for good; `takmail outbox retry` or `drop` it
      withdrawn  it is never sent, because its content is outdated or you have dropped it
      sent       the mail server has accepted it

    With --json the keys are number, state, written, age (seconds), due, attempts, reader, game and reason.

    \b
    Examples:
      takmail outbox list --state failed
      takmail outbox list --last 1000 --json | jq .reason
    """
    with opened(config_file) as app:
        wanted = [LetterState(state) for state in states]
        found, left_out = console.list_letters(app.store, wanted, last, app.causes.clock())
        if as_json:
            for one in found:
                click.echo(one.as_json())
        else:
            click.echo(console.letters_page(app.services.templates, found, left_out, is_chosen=bool(wanted)))


@outbox.command("show")
@click.argument("number", type=int)
@click.option("--raw", is_flag=True, help="Write the letter itself to standard output, byte for byte.")
@config_option
def outbox_show(number: int, raw: bool, config_file: Path) -> None:
    """Show one letter, sent or unsent: reader, time, state and text.

    Anybody who has its bytes can write in its reader's place, so keep the output of --raw secret.

    \b
    Examples:
      takmail outbox show 12
      takmail outbox show 12 --raw > letter12.eml
    """
    with opened(config_file) as app:
        try:
            if not raw:
                click.echo(console.show_letter(app.store, app.causes, number))
                return
            row = console.raw_letter(app.store, number)
        except LookupError:
            raise click.ClickException(
                f"there is no letter {number}; `takmail outbox list` shows the unsent ones"
            ) from None
        if not row.raw:
            raise click.ClickException(f"letter {number}: its content is no longer stored")
        click.echo(row.raw, nl=False)


@outbox.command("retry")
@click.argument("numbers", type=int, nargs=-1, required=True, metavar="N...")
@config_option
def outbox_retry(numbers: tuple[int, ...], config_file: Path) -> None:
    """Send letters now, in any unsent state, failed ones included.

    A letter can't be retried if it was sent or withdrawn, is being sent, or is no longer stored completely. Neither
    can a letter to a reader who wants no more mail. If one of the letters can't be retried, none is, and the exit code
    is 1. A letter that is older than five days gets a single attempt.

    \b
    Example:
      takmail outbox retry 12 13
    """
    numbers = tuple(dict.fromkeys(numbers))
    with opened(config_file) as app:
        refusals = console.retry(app.store, app.causes, numbers)
        _print_result(app, "retried", numbers, refusals)
    sys.exit(1 if refusals else 0)


@outbox.command("drop")
@click.argument("numbers", type=int, nargs=-1, required=True, metavar="N...")
@click.option("--why", required=True, metavar="TEXT", help="The reason, for the log alone.")
@as_option
@config_option
def outbox_drop(numbers: tuple[int, ...], why: str, who: str, config_file: Path) -> None:
    """Withdraw letters, so that they are never sent. The log stores who did it and why.

    Nobody is notified, and the content is not sent again. The reader sees the board in the next letter, or with the
    command `rs`. If one of the letters was sent or is being sent, none is dropped, and the exit code is 1.

    \b
    Example:
      takmail outbox drop 13 --why "the address was mistyped"
    """
    numbers = tuple(dict.fromkeys(numbers))
    with opened(config_file) as app, rulings_told(app):
        refusals = console.drop(app.store, app.causes, numbers, operator_note(app.services, who, why))
        _print_result(app, "dropped", numbers, refusals)
    sys.exit(1 if refusals else 0)


def _print_result(app: App, how: str, numbers: Sequence[int], refusals: Sequence[Refusal]) -> None:
    facts = {"how": how, "numbers": numbers, "refusals": refusals}
    click.echo(app.services.templates.page("console/outbox_done.txt", **facts), err=bool(refusals))
