"""Remove the traces of erased players from the mails and letters of others, a few at a time."""

import html
import re
from collections.abc import Collection, Iterator, Sequence

from sqlalchemy import and_, exists, func, or_
from sqlmodel import Session, col, delete, select

from takmail.commands.kinds import MailState
from takmail.mail.charsets import decoded
from takmail.mail.headers import decode_words, first_headers
from takmail.mail.limits import Limits
from takmail.mail.mime import leaf_parts
from takmail.mail.quotes.words import in_one_way
from takmail.store import games, mail_queries, outbox
from takmail.store.erasure import WAITING, Traces, reduce_mails
from takmail.store.tables import ErasureRow, InboxRow, OutboxRow

ROWS_AT_ONCE = 5_000
"""The maximum length of the range of row numbers that one transaction covers. Most of its rows may be reduced already.
"""

_IS_DONE = and_(col(ErasureRow.mails) == 0, col(ErasureRow.letters) == 0)


def begin(session: Session, traces: Traces, label: str) -> None:
    """Store that all current mails and letters are to be searched for a player's traces. `label` replaces them."""
    newest = session.exec(select(func.max(InboxRow.id))).one()
    session.add(
        ErasureRow(
            addresses="\n".join(traces.addresses),
            names="\n".join(traces.names),
            label=label,
            mails=newest or 0,
            letters=outbox.last_number(session),
        )
    )
    session.flush()


def next_one(session: Session) -> ErasureRow | None:
    """Return the next erasure to work on, or None, and lock it until the transaction ends.

    Erasures whose search is done come last. An erasure whose next mail is not handled yet is skipped if its letters
    are all searched.
    """
    waits = exists().where(col(InboxRow.id) == ErasureRow.mails, col(InboxRow.state) == MailState.NEW)
    query = select(ErasureRow).where(or_(col(ErasureRow.letters) > 0, ~waits))
    query = query.order_by(_IS_DONE, col(ErasureRow.id)).limit(1)
    return session.exec(query.with_for_update(skip_locked=True)).first()


def traces_of(one: ErasureRow) -> Traces:
    """Return the traces that an erasure searches for."""
    return Traces(*(tuple(filter(None, lines.split("\n"))) for lines in (one.addresses, one.names)))


def mails_done(session: Session, one: ErasureRow, found: Collection[int], up_to: int) -> None:
    """Reduce the mails in which traces were found (`found`), and store that the mails up to `up_to` come next."""
    reduce_mails(session, found)
    one.mails = up_to
    _store_progress(session, one)


def look_at_letters(session: Session, one: ErasureRow, most: int) -> None:
    """Remove the traces from the next letters, at most `most`, and store the progress.

    In letters about a running game only addresses are searched, as a name can be any word. A letter that waits to be
    sent is still sent unchanged, because its recipient needs it. Its content is deleted after that.
    """
    above = max(one.letters - ROWS_AT_ONCE, 0)
    numbers = _next_letters(session, above, one.letters, most)
    # Locked, so that no letter is sent between this query and the mark `purge_after_send`.
    query = select(OutboxRow).where(col(OutboxRow.id).in_(numbers)).order_by(col(OutboxRow.id))
    rows = session.exec(query.with_for_update()).all()
    running = games.running_of(session, {row.game_id for row in rows if row.game_id is not None})
    traces = traces_of(one)
    for row in rows:
        sought = traces.sure if row.game_id in running else traces
        if not sought.stands_in(f"{row.text}\n{row.html_text or ''}\n{row.error}"):
            continue
        if row.state in WAITING:
            row.purge_after_send = True
        else:
            outbox.reduce_letter(row)
            row.text = sought.without(row.text, one.label)
            row.html_text = sought.without(row.html_text, one.label) if row.text and row.html_text else None
            row.error = sought.without(row.error, one.label)
        session.add(row)
    one.letters = numbers[-1] - 1 if len(numbers) == most else above
    _store_progress(session, one)


def _next_letters(session: Session, above: int, up_to: int, most: int) -> Sequence[int]:
    """Return the numbers of the newest letters of a range that still have text or an error, newest first."""
    says_something = or_(col(OutboxRow.text) != "", col(OutboxRow.error) != "")
    query = select(col(OutboxRow.id)).where(
        col(OutboxRow.id) > above, col(OutboxRow.id) <= up_to, says_something
    )
    found = session.exec(query.order_by(col(OutboxRow.id).desc()).limit(most))
    return [number for number in found if number is not None]


def is_done(one: ErasureRow) -> bool:
    """Return whether an erasure has searched all its mails and letters."""
    return one.mails == one.letters == 0


def end(session: Session, one: ErasureRow) -> None:
    """Delete the row of a finished erasure."""
    session.exec(delete(ErasureRow).where(col(ErasureRow.id) == one.id))


def _store_progress(session: Session, one: ErasureRow) -> None:
    """Store the progress of an erasure. When the search is done, also delete the traces from its row."""
    if is_done(one):
        one.addresses, one.names = "", ""
    session.add(one)
    session.flush()


AT_ONCE = 20
"""The maximum number of mails or letters that one transaction searches, as it blocks other writers."""
BYTES_AT_ONCE = 256 * 1024
"""The number of bytes of mails after which a transaction also ends."""
_SOFT_END = re.compile(r"=\r?\n")
# A match stops at the next "<", as otherwise each of many "<" would cost 2,000 steps.
_TAG = re.compile(r"<[^<>]{0,2000}>")


def go_on(session: Session, limits: Limits) -> ErasureRow | None:
    """Search the next few mails or letters of the next erasure. Return the erasure, or None if there is none."""
    one = next_one(session)
    if one is not None and one.mails > mail_queries.newest_waiting(session, one.mails):
        _look_at_mails(session, one, limits)
    elif one is not None and one.letters:
        look_at_letters(session, one, AT_ONCE)
    return one


def _look_at_mails(session: Session, one: ErasureRow, limits: Limits) -> None:
    """Search the next mails, and reduce each one that contains a trace or can't be searched.

    In a shunted mail only addresses are searched, as the mail may contain a turn and a name can be any word. The
    search stops at a mail that waits, and continues once that mail is handled.
    """
    traces = traces_of(one)
    found, length = [], 0
    above = max(mail_queries.newest_waiting(session, one.mails), one.mails - ROWS_AT_ONCE, 0)
    kept = mail_queries.kept(session, above, one.mails, AT_ONCE)
    for looked_at, (number, state, raw) in enumerate(kept, 1):
        if _holds(raw, traces.sure if state == MailState.SHUNTED else traces, limits):
            found.append(number)
        length += len(raw)
        if looked_at == AT_ONCE or length >= BYTES_AT_ONCE:
            above = number - 1
            break
    mails_done(session, one, found, above)


def _holds(raw: bytes, traces: Traces, limits: Limits) -> bool:
    try:
        return any(traces.stands_in(in_one_way(text)) for text in _texts(raw, limits))
    except Exception:  # one mail that is malformed or over a limit must not stop the search
        return True


def _texts(raw: bytes, limits: Limits) -> Iterator[str]:
    """Yield all texts of a mail: its source, its headers, and each decoded part."""
    yield _SOFT_END.sub("", decoded(raw, "utf-8"))
    headers, body = first_headers(raw, limits)
    yield from (decode_words(value) for _, value in headers.items)
    for part in leaf_parts(headers, body or b"", limits):
        yield from (decode_words(value) for _, value in part.headers.items)
        text = decoded(part.payload(limits.mail_bytes), part.parameters.get("charset", "utf-8"))
        yield text
        yield html.unescape(_TAG.sub("", text))
