"""Show incoming mails to the operator, and put them back into the queue."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from takmail.admin.explain import explain
from takmail.admin.letters import written
from takmail.admin.list_lines import MOST_ADDRESS, MOST_REASON, as_json, clipped
from takmail.commands.kinds import MailState
from takmail.letters.templates import Templates
from takmail.mail.headers import decode_words, first_headers
from takmail.mail.limits import Excess, Limits
from takmail.mail.message import Message
from takmail.mail.queue import queue_of
from takmail.mail.reader import MailToRead, read_id_and_sender
from takmail.pipeline.explain import Explained
from takmail.store import inbox, mail_queries, outbox
from takmail.store.causes import Causes
from takmail.store.database import Store
from takmail.store.tables import InboxRow

Read = Callable[[MailToRead], Message | str]
"""Reads a mail with its body. Returns the reason instead if reading takes too much time or memory."""

_REQUEUEABLE = (MailState.SHUNTED, MailState.REJECTED)


@dataclass(frozen=True, slots=True)
class Listed:
    """A mail in a list. `sender`, `subject` and `message_id` are from its headers, and may be forged."""

    number: int
    received: datetime
    state: MailState
    reason: str
    sender: str
    subject: str
    size: int
    message_id: str | None

    @property
    def short_reason(self) -> str:
        """The last line of the reason, cut to `MOST_REASON` characters. In a traceback it names the error."""
        return clipped(
            next((line for line in reversed(self.reason.splitlines()) if line.strip()), ""), MOST_REASON
        )

    @property
    def short_sender(self) -> str:
        """The sender's address, cut to `MOST_ADDRESS` characters."""
        return clipped(self.sender, MOST_ADDRESS)

    def as_json(self) -> str:
        """Return the mail as one line of JSON."""
        return as_json({name: getattr(self, name) for name in self.__slots__})


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason why a mail can't be put back into the queue.

    * `state` is its state, or None if no mail has this number
    * `cut`: only its beginning is stored
    * `excess` is the limit that it still exceeds, or None
    * `reduced`: its bytes are deleted
    """

    number: int
    state: MailState | None
    cut: bool = False
    excess: Excess | None = None
    reduced: bool = False


def list_mails(
    store: Store, states: Sequence[MailState], last: int, limits: Limits
) -> tuple[list[Listed], int]:
    """Return the newest mails in these states, at most `last`, and the number of older ones.

    Without `states`, mails in all states are counted.
    """
    with store.transaction() as session:
        found = mail_queries.newest(session, states, last, limits.header_bytes)
        left_out = mail_queries.count(session, states) - len(found)
    return [_listed(one, limits) for one in found], left_out


def _listed(one: mail_queries.Glimpse, limits: Limits) -> Listed:
    message_id, sender = read_id_and_sender(one.head)
    subject = decode_words(first_headers(one.head, limits)[0].first("subject"))
    return Listed(one.number, one.received_at, one.state, one.note, sender, subject, one.size, message_id)


def mails_page(templates: Templates, mails: Sequence[Listed], left_out: int, *, some: bool) -> str:
    """Return a list of mails as text. `left_out` is the number of older ones.

    `some`: the operator has chosen the states.
    """
    return templates.page("console/mails.txt", mails=mails, left_out=left_out, some=some)


def raw_mail(store: Store, number: int) -> InboxRow:
    """Return the stored row of a mail. Raises LookupError if no mail has this number."""
    with store.transaction() as session:
        row = inbox.find(session, number)
    if row is None:
        raise LookupError(number)
    return row


def show_mail(store: Store, causes: Causes, number: int, read_body: Read) -> str:
    """Return a page with everything that is stored of a mail, and how it would be read now.

    Raises LookupError as `raw_mail` does.
    """
    row = raw_mail(store, number)
    size, templates = max(row.size, len(row.raw)), causes.services.templates
    is_kept = row.state != MailState.OLDER and not row.is_reduced
    mail = causes.to_read(row.raw, size)
    # A mail that was too expensive to read is not read again.
    read = row.note if row.is_costly or not is_kept else read_body(mail)
    with store.dry_run() as session:
        letters = [written(session, one) for one in outbox.following(session, number)]
        reading = reading_page(templates, explain(session, causes, mail, read)) if is_kept else ""
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
    orders = [(type(one.command).__name__, one) for one in it.orders]
    return templates.page(f"console/{page}.txt", it=it, orders=orders, **facts)


def requeue(
    store: Store, causes: Causes, numbers: Sequence[int], read_body: Read, *, is_from_person: bool
) -> list[Refusal]:
    """Put mails back into the queue. If any of them has to be refused, none is put back. Return the refusals.

    `is_from_person`: automatic mails are accepted, too, and then processed as if a person had written them.
    """
    states = (*_REQUEUEABLE, MailState.MACHINE) if is_from_person else _REQUEUEABLE
    with store.transaction() as session:
        rows = {number: inbox.find(session, number) for number in numbers}
    # Bodies are read outside of a transaction, because reading may take long.
    refusals = [
        one for number, row in rows.items() if (one := _refusal(number, row, states, causes, read_body))
    ]
    if not refusals:
        with store.transaction() as session:
            for row in (inbox.get(session, number) for number in numbers):
                if row.state in states:  # another process may have put it back already
                    queue = queue_of(causes.services.key, row.raw, row.sender)
                    inbox.put_back(session, row, queue, is_from_person=is_from_person)
    return refusals


def _refusal(
    number: int, row: InboxRow | None, states: Sequence[MailState], causes: Causes, read_body: Read
) -> Refusal | None:
    if row is None:
        return Refusal(number, None)
    state = MailState(row.state)
    if state not in states:
        return Refusal(number, state)
    if row.is_reduced:
        return Refusal(number, state, reduced=True)
    if row.size > len(row.raw):
        return Refusal(number, state, cut=True)
    mail = causes.to_read(row.raw, row.size)
    # The service reads an expensive body in a separate process, so it is not read here.
    read = mail.read_head().mail if row.is_costly else read_body(mail)
    excess = read.excess if isinstance(read, Message) else None
    return Refusal(number, state, excess=excess) if excess else None
