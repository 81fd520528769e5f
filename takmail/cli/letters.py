"""Show letters to the operator, and retry or drop them: `takmail outbox`."""

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial, wraps
from pathlib import Path
from typing import Any

import click
from sqlmodel import Session

from takmail.cli.common import as_option, config_option, opened
from takmail.cli.lists import Cells, Listed, list_options, short_reason, show_list
from takmail.letters.drawings import drawings_of
from takmail.letters.templates import age
from takmail.mail.address import normal_address, normal_domain
from takmail.mail.headers import decode_words, first_headers
from takmail.pipeline.explain import Written
from takmail.pipeline.rulings import OperatorNote, operator_note
from takmail.runtime.bootstrap import App
from takmail.store import outbox, people
from takmail.store.causes import Causes
from takmail.store.database import Store
from takmail.store.tables import AddressRow, OperatorLogRow, OutboxRow
from takmail.world import LetterState

_AT_ONCE = 100
"""How many letters a transaction changes."""
_PAUSE = 0.1  # seconds; as often does a process that waits for SQLite's lock try to take it


def written(session: Session, letter: OutboxRow) -> Written:
    """Return a stored letter in the form for the operator's pages."""
    reader = people.load(session, (), letter.mail_to).owner(letter.mail_to)
    return Written(
        number=letter.id or 0,
        to=reader.name if reader else "",
        subject=decode_words(first_headers(letter.raw)[0].first("subject")),
        text=letter.text,
        state=letter.state,
        error=letter.error,
    )


@dataclass(frozen=True, slots=True)
class Choice:
    """The numbers of the letters to change. If `is_by_hand` is true, the operator has typed them."""

    numbers: Sequence[int]
    is_by_hand: bool = True


@dataclass(frozen=True, slots=True)
class Changes:
    """How many letters were changed, and which can't be and why.

    The template console/outbox_done.txt words the reasons:

    * `none`: no letter has this number
    * `sent` and `withdrawn`: it is in this state
    * `in hand`: a process has claimed it and is sending it
    * `reduced`: its bytes are deleted
    * `stopped`: its recipient wants no more mail
    """

    changed: int
    refusals: Mapping[int, str]


def list_letters(
    store: Store, states: Sequence[LetterState], last: int, now: datetime
) -> tuple[list[Listed], int]:
    """Return the newest letters in these states, at most `last`, and the number of older ones.

    Without `states`, all unsent letters are counted.
    """
    wanted = states or outbox.UNSENT
    with store.transaction() as session:
        found = outbox.newest(session, wanted, last)
        left_out = outbox.count(session, wanted) - len(found)
    return [_listed(row, now) for row in found], left_out


def raw_letter(store: Store, number: int) -> OutboxRow:
    """Return the stored row of a letter. If no letter has this number, print that and exit with 1."""
    with store.transaction() as session:
        row = outbox.find(session, number)
    if row is None:
        raise click.ClickException(
            f"there is no letter {number}; `takmail outbox list` shows the unsent ones"
        )
    return row


def show_letter(store: Store, causes: Causes, number: int) -> str:
    """Return a page with everything that is stored of a letter."""
    row = raw_letter(store, number)
    with store.transaction() as session:
        said = written(session, row)
    return causes.services.templates.page(
        "console/letter.txt", row=row, it=said, listed=_listed(row, causes.now()), size=len(row.raw)
    )


def retry(store: Store, causes: Causes, choice: Choice) -> Changes:
    """Queue the chosen letters so that they are sent at once."""
    now = causes.now()
    return _change_all(store, choice, now, lambda _session, row: outbox.retry(row, now), _why_unsendable)


def drop(store: Store, causes: Causes, choice: Choice, by: OperatorNote) -> Changes:
    """Withdraw the chosen letters, and log who decided it and why."""
    now = causes.now()

    def one(session: Session, row: OutboxRow) -> None:
        row.state = LetterState.WITHDRAWN
        reader = people.load(session, (), row.mail_to).owner(row.mail_to)
        line = OperatorLogRow(at=now, who=by.who, what=f"dropped letter {row.id}", why=by.why)
        line.game_id, line.player_id = row.game_id, reader.id if reader else None
        session.add(line)

    return _change_all(store, choice, now, one, lambda *_: None)


def _change_all(
    store: Store,
    choice: Choice,
    now: datetime,
    do: Callable[[Session, OutboxRow], None],
    hindrance: Callable[[Session, OutboxRow], str | None],
) -> Changes:
    """Run `do` on the chosen letters.

    If a letter that was chosen by hand can't be changed, none is. Otherwise such letters are left out, and others can
    write to the database between the transactions. `hindrance` returns the reason why a letter can't be changed, or
    None. Sent, withdrawn and claimed letters never can.
    """
    changed, refusals = 0, dict[int, str]()
    at_once = len(choice.numbers) if choice.is_by_hand else _AT_ONCE
    for first in range(0, len(choice.numbers), at_once):
        time.sleep(_PAUSE if first else 0)
        with store.transaction() as session:
            rows = []
            for number in choice.numbers[first : first + at_once]:
                row = outbox.find(session, number)
                if row is None:
                    refusals[number] = "none"
                elif why := _why_final(row, now) or hindrance(session, row):
                    refusals[number] = why
                else:
                    rows.append(row)
            for row in () if choice.is_by_hand and refusals else rows:
                do(session, row)
                changed += 1
    return Changes(changed, refusals)


def _why_final(row: OutboxRow, now: datetime) -> str | None:
    if row.state in (LetterState.SENT, LetterState.WITHDRAWN):
        return row.state
    return "in hand" if outbox.is_claimed(row, now) else None


def _why_unsendable(session: Session, row: OutboxRow) -> str | None:
    if not row.raw or not row.mail_to:
        return "reduced"
    reader = session.get(AddressRow, row.mail_to)
    has_stopped = reader is not None and reader.stopped_at is not None
    # A player who wants no more mail gets only answers to the player's own mails.
    return "stopped" if has_stopped and not row.purpose.is_an_answer else None


def _listed(letter: OutboxRow, now: datetime) -> Listed:
    """Return a letter as a row.

    `age` is in seconds. `due` is the time from which it may be sent, or None if no time is set, as for a suspended
    letter, or if it is queued and was never tried. `reader` is the recipient's address. `reason` is why it is unsent.
    """
    is_untried = letter.state == LetterState.QUEUED and not letter.error
    return {
        "number": letter.id,
        "state": letter.state,
        "written": letter.created_at,
        "age": max(0, int((now - letter.created_at).total_seconds())),
        "due": letter.due_at if letter.state in outbox.LEAVING and not is_untried else None,
        "attempts": letter.attempts,
        "reader": letter.mail_to,
        "game": letter.game_id,
        "reason": letter.error,
    }


def _cells(row: Listed) -> Cells:
    return {
        "number": row["number"],
        "written": row["written"],
        "age": age(row["age"]),
        "state": row["state"],
        "reader": row["reader"] or "(erased)",
        "game": f"#{row['game']}" if row["game"] else None,
        "reason": short_reason(row["reason"]),
    }


@click.group("outbox")
def letter_commands() -> None:
    """Show unsent letters, and retry or drop them.

    \b
    Examples:
      takmail outbox list
      takmail outbox show 12
      takmail outbox retry 12
      takmail outbox retry --reason "relay access denied"
      takmail outbox drop 13 --why "the address was mistyped"
    """


@letter_commands.command("list")
@list_options(
    LetterState,
    "letter",
    "Only letters in this state; may be given more than once. By default all unsent ones.",
)
@config_option
def outbox_list(states: tuple[str, ...], last: int, as_json: bool, config_file: Path) -> None:
    """List unsent letters, the newest last. Times are in UTC.

    \b
    The states:
      queued     it is sent as soon as the mail server accepts it
      postponed  its reader has reached a limit, and it is sent later
      bounced    it bounced, and it is sent once more a day later
      resting    its reader's address bounces or wants no more mail; it waits until the reader writes
      failed     the mail server has refused it for good; `takmail outbox retry` or `drop` it
      withdrawn  it is never sent, because its content is outdated, you have dropped it,
                 or it is a receipt and its reader wants none
      sent       the mail server has accepted it

    With --json the keys are number, state, written, age (seconds), due, attempts, reader, game and reason.

    \b
    Examples:
      takmail outbox list --state failed
      takmail outbox list --last 1000 --json | jq .reason
    """
    with opened(config_file) as app:
        wanted = [LetterState(state) for state in states]
        found, left_out = list_letters(app.store, wanted, last, app.causes.now())
    nothing = "There are no letters in these states." if wanted else "There are no unsent letters."
    show_list(found, _cells, nothing, left_out, as_json=as_json)


@letter_commands.command("show")
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
        if not raw:
            click.echo(show_letter(app.store, app.causes, number))
            return
        row = raw_letter(app.store, number)
        if not row.raw:
            raise click.ClickException(f"letter {number}: its content is no longer stored")
        drawings = drawings_of(row.drawings)
        whole = (
            row.raw if drawings is None else app.illustrator.illustrated(row.raw, row.message_id, drawings)
        )
        click.echo(whole, nl=False)


def _choosing(
    states: Sequence[LetterState], words: str, command: Callable[..., Changes]
) -> Callable[..., None]:
    """Let a command choose letters by arguments and options: any by their numbers, others only in these states.

    The command gets the open app and a `Choice`, and its changes are printed. `words` names the states.
    """

    @click.argument("numbers", type=int, nargs=-1, metavar="[N...]")
    @click.option(
        "--reason",
        default="",
        metavar="TEXT",
        help=f"Only {words} letters with this text in their reason, in any case of letters.",
    )
    @click.option(
        "--to",
        default="",
        metavar="ADDRESS|DOMAIN",
        help=f"Only {words} letters to this address, or to this domain with its subdomains.",
    )
    @click.option("--all", "choose_all", is_flag=True, help=f"All {words} letters.")
    @wraps(command)
    def choose(
        numbers: tuple[int, ...], reason: str, to: str, choose_all: bool, config_file: Path, **others: Any
    ) -> None:
        if bool(numbers) == bool(reason or to or choose_all):
            raise click.UsageError("choose letters either by their numbers, or by --reason, --to or --all")
        reader = normal_address(to) or normal_domain(to)
        if to and not reader:
            raise click.BadParameter(f"{to!r} is neither an address nor a domain", param_hint="--to")
        with opened(config_file) as app:
            choice = Choice(tuple(dict.fromkeys(numbers)))
            if not numbers:
                with app.store.transaction() as session:
                    choice = Choice(outbox.matching(session, states, reason, reader), is_by_hand=False)
                click.echo(f"{words.capitalize()} letters that match: {len(choice.numbers)}.")
            changes = command(app=app, choice=choice, **others)
        is_refused = bool(numbers and changes.refusals)
        page = app.services.templates.page(
            "console/outbox_done.txt",
            how=command.__name__,
            it=changes,
            others=len(choice.numbers) - len(changes.refusals),
            is_refused=is_refused,
        )
        click.echo(page, err=is_refused)
        sys.exit(1 if is_refused else 0)

    return choose


@letter_commands.command("retry")
@partial(_choosing, (LetterState.QUEUED, LetterState.FAILED), "queued and failed")
@config_option
def retried(app: App, choice: Choice) -> Changes:
    """Send letters now.

    --reason, --to and --all choose among queued and failed letters. What takmail holds back on purpose, postponed,
    bounced and resting letters, is retried only by its number.

    A letter can't be retried if it was sent or withdrawn, is being sent, or is no longer stored completely. Neither
    can a letter to a reader who wants no more mail. If you name letters by number and one of them can't be retried,
    none is, and the exit code is 1. --reason, --to and --all leave such letters out. A letter that is older than five
    days gets a single attempt.

    \b
    Examples:
      takmail outbox retry 12 13
      takmail outbox retry --reason "relay access denied"
      takmail outbox retry --to example.org
    """
    return retry(app.store, app.causes, choice)


@letter_commands.command("drop")
@partial(_choosing, outbox.UNSENT, "unsent")
@click.option("--why", required=True, metavar="TEXT", help="The reason, for the log alone.")
@click.option(
    "--yes", is_flag=True, help="Don't ask before letters are dropped that --reason, --to or --all choose."
)
@as_option
@config_option
def dropped(app: App, choice: Choice, why: str, yes: bool, who: str) -> Changes:
    """Withdraw letters, so that they are never sent. The log stores who did it and why.

    Nobody is notified, and the content is not sent again. The reader sees the board in the next letter, or with the
    command `rs`. If you name letters by number and one of them was sent or is being sent, none is dropped, and the
    exit code is 1. --reason, --to and --all leave letters out that are being sent. With them, the command tells how
    many letters match, and asks on a terminal before it drops them.

    \b
    Examples:
      takmail outbox drop 13 --why "the address was mistyped"
      takmail outbox drop --to example.org --reason "no such user" --why "forged mails"
    """
    note = operator_note(app.services, who, why)
    if not choice.is_by_hand and not yes and sys.stdin.isatty():
        click.confirm("Drop them? They are never sent then.", abort=True)
    return drop(app.store, app.causes, choice, note)
