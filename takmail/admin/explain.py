"""How a mail would be read and its outcome: the service's own work, in a transaction that is rolled back."""

import traceback
from collections.abc import Iterator
from dataclasses import replace

from sqlmodel import Session

from takmail.admin import letters
from takmail.commands.kinds import MailState
from takmail.mail.message import Message
from takmail.mail.reader import ToRead, light
from takmail.pipeline import process
from takmail.pipeline.explain import Explained, Written, explained, lines_of
from takmail.pipeline.process import Trace
from takmail.store import inbox, outbox
from takmail.store.causes import Causes
from takmail.store.database import AWAY
from takmail.store.tables import IntakeRow


def explain(session: Session, causes: Causes, mail: ToRead, read: Message | str) -> Explained:
    """How a mail is read and its outcome now; the caller rolls back what it changes.

    `read` is the mail with its body, or says why that is not read: then only what its headers lead to is told. What
    raises is explained as far as it went.
    """
    services, raw, size = causes.services, mail.raw, mail.size
    print_ = inbox.fingerprint(raw, *light(raw), is_whole=size <= services.limits.mail_bytes)
    twin = inbox.first_of_kind(session, print_)
    known = None if twin is None else inbox.find(session, twin)
    row = IntakeRow(
        mailbox="",
        raw=services.limits.kept(raw, size),
        size=size,
        fingerprint=print_,
        received_at=causes.clock(),
    )
    session.add(row)
    session.flush()
    message = mail.read_head().mail if isinstance(read, str) else read
    it, error = Explained(size, message, lines=lines_of(message.text)), ""
    try:
        with session.begin_nested():  # so that the database can be asked further if it raises
            for trace in _stages(session, causes, row, message, read if isinstance(read, str) else None):
                it = explained(services, message, trace)
                it = replace(it, answers=_answered(session, trace))
    except AWAY:
        raise  # no fault of the mail's
    except Exception:  # as in `inbound`: what it is is to be told
        error = traceback.format_exc()
    return replace(
        it,
        size=size,
        before=None if twin is None or known is None else (twin, MailState(known.state)),
        state=MailState.SHUNTED if error else it.state,
        error=error,
        unread=read if isinstance(read, str) else "",
    )


def _stages(
    session: Session, causes: Causes, row: IntakeRow, message: Message, why_unread: str | None
) -> Iterator[Trace]:
    """The work on a mail, stage by stage."""
    snapshot, message = causes.snapshot(session, row, message, is_costly=why_unread is not None)
    queries = causes.queries(session, snapshot.now)
    if why_unread is None:
        return process.stages(causes.services, queries, snapshot, message)
    return process.unreadable_stages(causes.services, queries, snapshot, message, why_unread)


def _answered(session: Session, trace: Trace) -> Written | None:
    """The letter of ours that the mail answers."""
    letter = None if trace.reply is None else trace.reply.letter
    return (
        None if letter is None else letters.written(session, outbox.by_message_id(session, letter.message_id))
    )
