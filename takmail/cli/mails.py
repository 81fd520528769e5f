"""Show incoming mails to the operator, and requeue, reduce or explain them: `takmail mail`."""

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import UTC
from pathlib import Path

import click

from takmail.cli.common import beginning, config_option, faults_told, opened, settings_of, time_source
from takmail.cli.explain import explain
from takmail.cli.letters import written
from takmail.cli.lists import Cells, Listed, list_options, short_reason, show_list
from takmail.commands.command import Order
from takmail.games.interface import Reason
from takmail.letters.news.rows import has_row
from takmail.letters.templates import Templates, printable
from takmail.limits.mails import Limits
from takmail.mail.headers import decode_words, first_headers
from takmail.mail.message import Mail
from takmail.mail.queue import queue_of
from takmail.mail.reader import MailToRead, read_id_and_sender
from takmail.pipeline.explain import Explained
from takmail.runtime.parts import dry_run, has_keys
from takmail.runtime.reader_process import read_once
from takmail.runtime.reception import new_mail
from takmail.runtime.scheduler import Reduced
from takmail.store import inbox, outbox
from takmail.store.causes import Causes
from takmail.store.database import Store, is_there
from takmail.store.tables import InboxRow
from takmail.world import MailState, Timing

Read = Callable[[MailToRead], Mail | str]
"""Reads a mail with its body. Returns the reason instead if reading takes too much time or memory."""

_BID = re.compile(r"(\bbid\b(?:\W|is\b|of\b){1,5})[0-9]+", re.IGNORECASE)
_REQUEUEABLE = (MailState.SHUNTED, MailState.REJECTED)


def list_mails(
    store: Store, states: Sequence[MailState], last: int, limits: Limits
) -> tuple[list[Listed], int]:
    """Return the newest mails in these states, at most `last`, and the number of older ones.

    Without `states`, mails in all states are counted.
    """
    with store.transaction() as session:
        found = inbox.newest(session, states, last, limits.header_bytes)
        left_out = inbox.count(session, states) - len(found)
        return [_listed(*one, limits) for one in found], left_out


def _listed(mail: InboxRow, size: int, head: bytes, limits: Limits) -> Listed:
    """Return a mail as a row. `sender`, `subject` and `message_id` are from its headers, and may be forged.

    The number of a bid in the Subject is left out, as the operator may be a player.
    """
    message_id, sender = read_id_and_sender(head)
    return {
        "number": mail.id,
        "received": mail.received_at,
        "state": mail.state,
        "reason": mail.note,
        "part": None if mail.part_of is None else inbox.name_of(mail.id, mail.part_of, mail.part),
        "sender": sender,
        "subject": _BID.sub(r"\1?", decode_words(first_headers(head, limits)[0].first("subject"))),
        "size": size,
        "message_id": message_id,
    }


def _cells(row: Listed) -> Cells:
    """Return what the list shows of a mail. Of a traceback, it is the last line, which names the error."""
    reason = short_reason((row["reason"].strip().splitlines() or [""])[-1])
    return {
        "number": row["number"],
        "received": row["received"],
        "state": row["state"],
        "sender": row["sender"] or "nobody",
        "bytes": row["size"],
        "reason": f"{row['part']}: {reason}" if row["part"] else reason,
    }


def raw_mail(store: Store, number: int) -> InboxRow:
    """Return the stored row of a mail. If no mail has this number, print that and exit with 1."""
    with store.transaction() as session:
        row = inbox.find(session, number)
    if row is None:
        raise click.ClickException(f"there is no mail {number}; `takmail mail list` shows the newest")
    return row


def show_mail(store: Store, causes: Causes, number: int, read_body: Read) -> str:
    """Return a page with everything that is stored of a mail, and how it would be read now."""
    row = raw_mail(store, number)
    size, templates = max(row.size, len(row.raw)), causes.services.templates
    is_kept = row.state != MailState.OLDER and not row.is_reduced
    mail = causes.to_read(row.raw, size, row.excess)
    # A mail that was too expensive to read is not read again.
    read = row.note if row.is_costly or not is_kept else read_body(mail)
    with store.dry_run() as session:
        letters = [written(session, one) for one in outbox.following(session, number)]
        it = explain(session, causes, mail, read, row.fingerprint) if is_kept else None
        reading = "" if it is None else reading_page(templates, it)
    return templates.page(
        "console/mail.txt",
        mail=row,
        received=row.received_at.astimezone(UTC),
        size=size,
        reason=row.note.splitlines(),
        letters=letters,
        reading=reading,
    )


def reading_page(templates: Templates, it: Explained, page: str = "reading", **facts: object) -> str:
    """Return a page about how a mail is read. `page` is the name of its template: `reading`, or `explained`.

    The page `explained` also shows the outcome.
    """
    trace = it.trace
    read = None if trace is None else trace.interpreted
    orders = [] if read is None else [(order.line, described(order)) for order in read.understood.orders]
    happened = () if trace is None or trace.outcome is None else filter(has_row, trace.outcome.happened)
    events = [(type(event).__name__, event) for event in happened]
    return templates.page(
        f"console/{page}.txt", it=it, trace=trace, read=read, orders=orders, events=events, **facts
    )


def described(order: Order) -> str:
    """Return an order as its keyword, or the name of its arguments' class and their fields that are not empty."""
    return order.command.keyword if order.arguments is None else _described(order.arguments)


def _described(arguments: object) -> str:
    assert is_dataclass(arguments)
    values = {one.name: getattr(arguments, one.name) for one in fields(arguments)}
    given = ", ".join(f"{name}={_shown(value)}" for name, value in values.items() if _says_something(value))
    return f"{type(arguments).__name__}({given})"


def _says_something(value: object) -> bool:
    if is_dataclass(value):
        return any(_says_something(getattr(value, part.name)) for part in fields(value))
    return value not in (None, "", ()) and value is not False


def _shown(value: object) -> str:
    if isinstance(value, Reason):
        return value.name
    if isinstance(value, Timing):
        return _described(value)
    return repr(str(value) if isinstance(value, str) else value)  # an enumeration as its text


def requeue(
    store: Store, causes: Causes, numbers: Sequence[int], read_body: Read, *, is_from_person: bool
) -> Mapping[int, str]:
    """Put mails back into the queue. If any of them has to be refused, none is put back. Return why, by number.

    `is_from_person`: automatic mails are accepted, too, and then processed as if a person had written them.
    """
    states = (*_REQUEUEABLE, MailState.MACHINE) if is_from_person else _REQUEUEABLE
    with store.transaction() as session:
        rows = {number: inbox.find(session, number) for number in numbers}
    # Bodies are read outside of a transaction, because reading may take long.
    refusals = {
        number: why for number, row in rows.items() if (why := _why_refused(row, states, causes, read_body))
    }
    if not refusals:
        with store.transaction() as session:
            for number in numbers:
                row = session.get_one(InboxRow, number, with_for_update=True)
                if row.state in states:  # another process may have put it back already
                    queue = queue_of(causes.services.key, row.raw, row.sender)
                    inbox.put_back(row, queue, is_from_person=is_from_person)
    return refusals


def _why_refused(
    row: InboxRow | None, states: Sequence[MailState], causes: Causes, read_body: Read
) -> str | None:
    """Return why a mail can't be put back into the queue, or None if it can. console/requeued.txt words the reasons.

    It is `none` if no mail has this number, `reduced` if its bytes are deleted, and `cut` if only its beginning is
    stored, for its headers. Otherwise it is the mail's state, or the limit that it still exceeds.
    """
    if row is None:
        return "none"
    if row.state not in states:
        return row.state
    if row.is_reduced:
        return "reduced"
    if row.excess is not None:
        return "cut"
    mail = causes.to_read(row.raw, row.size)
    # The service reads an expensive body in a separate process, so it is not read here.
    read = mail.read_head().mail if row.is_costly else read_body(mail)
    return read.excess if isinstance(read, Mail) else None


@click.group("mail")
def mail_commands() -> None:
    """Show incoming mails, and why each ended as it did.

    \b
    Examples:
      takmail mail list --state shunted
      takmail mail show 7
      takmail mail requeue 7
    """


@mail_commands.command("list")
@list_options(MailState, "mail", "Only mails in this state; may be given more than once.")
@config_option
def mail_list(states: tuple[str, ...], last: int, as_json: bool, config_file: Path) -> None:
    """List mails, the newest last. Times are in UTC.

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
        found, left_out = list_mails(app.store, wanted, last, app.services.limits)
    nothing = "There are no mails in these states." if wanted else "There are no mails yet."
    show_list(found, _cells, nothing, left_out, as_json=as_json)


@mail_commands.command("show")
@click.argument("number", type=int)
@click.option("--raw", is_flag=True, help="Write the mail itself to standard output, byte for byte.")
@config_option
def mail_show(number: int, raw: bool, config_file: Path) -> None:
    """Show one mail, what became of it, and why.

    The page shows its source, its state and the reason, the letters in response, and how it would be read in the
    current state of the games. For a shunted mail, the reason is the traceback or the exceeded limit. Only the
    beginning is stored of a mail that is too large. Nothing is changed.

    \b
    Examples:
      takmail mail show 7
      takmail mail show 7 --raw > mail7.eml
    """
    with opened(config_file) as app:
        if not raw:
            click.echo(show_mail(app.store, app.causes, number, read_once))
            return
        row = raw_mail(app.store, number)
        if row.is_reduced:
            raise click.ClickException(f"mail {number}: its text is no longer stored")
        click.echo(row.raw, nl=False)
        if row.excess is not None:
            click.echo(
                f"these are the first {len(row.raw)} of {row.size} bytes; the rest is not stored", err=True
            )
        elif row.size > len(row.raw):
            click.echo(
                f"these are {len(row.raw)} of {row.size} bytes; attachments and what else is not read are not stored",
                err=True,
            )


@mail_commands.command("requeue")
@click.argument("numbers", type=int, nargs=-1, required=True, metavar="N...")
@click.option(
    "--person",
    "is_from_person",
    is_flag=True,
    help="Also requeue automatic mails, and process them as if a person had written them.",
)
@config_option
def mail_requeue(numbers: tuple[int, ...], is_from_person: bool, config_file: Path) -> None:
    """Requeue shunted or rejected mails.

    A running `takmail serve` processes them within about a second. Otherwise the next `takmail deliver` does. Mails in
    any other state, and mails that still exceed a limit, can't be requeued. If there is one among them, none is
    requeued, and the exit code is 1. The copy of a mail in the folder Processed or Rejected stays there.

    \b
    Example:
      takmail mail requeue 7 9
    """
    numbers = tuple(dict.fromkeys(numbers))
    with opened(config_file) as app:
        refusals = requeue(app.store, app.causes, numbers, read_once, is_from_person=is_from_person)
        page = app.services.templates.page("console/requeued.txt", numbers=numbers, refusals=refusals)
        click.echo(page, err=bool(refusals))
    sys.exit(1 if refusals else 0)


@mail_commands.command("reduce")
@click.argument("numbers", type=int, nargs=-1, metavar="[N...]")
@config_option
def mail_reduce(numbers: tuple[int, ...], config_file: Path) -> None:
    """Delete the bytes of old mails.

    Without numbers, these are mails older than `keep_mail_days`. A running `takmail serve` does this daily.

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


@mail_commands.command("explain")
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
    with faults_told(config_file, settings), dry_run(settings, time_source()) as (causes, session):
        new = new_mail(causes.services, causes.now(), raw, size)
        mail = causes.to_read(new.raw, new.size, new.excess)
        it = explain(session, causes, mail, mail.read() if parse else read_once(mail), new.fingerprint)
        has = {"has_store": is_there(settings.store.url), "has_key": has_keys(settings)}
        click.echo(reading_page(causes.services.templates, it, "explained", **has))


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
