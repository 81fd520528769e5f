"""Explain how a mail would be read, and what it would lead to.

The code of the service processes the mail in a transaction that is rolled back.
"""

import traceback
from dataclasses import replace
from datetime import datetime

from sqlalchemy import bindparam, update
from sqlmodel import Session, col

from takmail.cli import letters
from takmail.mail.message import Mail
from takmail.mail.reader import MailToRead, read_id_and_sender
from takmail.pipeline import process
from takmail.pipeline.explain import Explained, Written, explained, lines_of
from takmail.pipeline.process import Trace
from takmail.store import inbox, outbox
from takmail.store.causes import Causes
from takmail.store.database import UNAVAILABLE
from takmail.store.statements import run, select
from takmail.store.tables import AddressRow, InboxRow, SeatRow

_OF_SENDER = select(AddressRow.player_id).where(col(AddressRow.address) == bindparam("sender"))
_HIDE_PREPARED = (
    update(SeatRow)
    .where(col(SeatRow.in_advance) != "", col(SeatRow.player_id).not_in(_OF_SENDER))
    .values(in_advance="")
)
"""Takes out what others than the sender have prepared in their games, so that no explanation tells it."""


def _stored(session: Session, mail: MailToRead, fingerprint: str, now: datetime) -> inbox.StoredMail:
    """Store a mail as if it came now, and hide what its sender has prepared."""
    row = InboxRow(
        mailbox="",
        raw=mail.raw,
        size=mail.size,
        excess=mail.excess,
        fingerprint=fingerprint,
        received_at=now,
    )
    session.add(row)
    session.flush()
    run(session, _HIDE_PREPARED, sender=read_id_and_sender(mail.raw)[1])
    assert row.id is not None
    return inbox.claimed(session, row.id)


def explain(
    session: Session, causes: Causes, mail: MailToRead, read: Mail | str, fingerprint: str = ""
) -> Explained:
    """Return how a mail is read now, and what it leads to. The caller rolls back the changes.

    `read` is the mail with its body, or the reason why the body is not read. In the second case, only the outcome of
    the headers is explained. If a stage raises, the stages before it are explained, together with the traceback.
    `fingerprint` is the mail's, and needed if less is stored of the mail than it had.
    """
    services, raw, size = causes.services, mail.raw, mail.size
    print_ = fingerprint or inbox.fingerprint(
        raw, *read_id_and_sender(raw), is_whole=size <= services.limits.mail_bytes
    )
    twin = inbox.first_of_kind(session, print_)
    known_row = None if twin is None else inbox.find(session, twin)
    stored = _stored(session, mail, print_, causes.now())
    message = mail.read_head().mail if isinstance(read, str) else read
    unread = read if isinstance(read, str) else None
    explanations, error = [Explained(size, message, lines=lines_of(message.body.text))], ""

    try:
        with session.begin_nested():  # the session stays usable if a stage raises
            queries = causes.queries(session)
            snapshot, message = causes.snapshot(queries, stored, message)
            # After each stage anew, so that a fault in one leaves what is known until then.
            for trace in process.stages(services, snapshot, message, unread):
                explanation = explained(services, message, trace)
                explanations.append(replace(explanation, answers=_answered(session, trace)))
    except UNAVAILABLE:
        raise  # not caused by the mail
    except Exception:  # as in `mail_worker`: the error is reported
        error = traceback.format_exc()
    return replace(
        explanations[-1],
        size=size,
        before=None if twin is None or known_row is None else (twin, known_row.state),
        error=error,
        unread=unread or "",
    )


def _answered(session: Session, trace: Trace) -> Written | None:
    """Return the letter of takmail that the mail answers, or None."""
    letter = None if trace.reply is None else trace.reply.letter
    return (
        None if letter is None else letters.written(session, outbox.by_message_id(session, letter.message_id))
    )
