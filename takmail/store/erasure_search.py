"""Whoever has left, searched for in the mails of others that are kept, however these are encoded."""

import html
import re
from collections.abc import Iterator

from sqlmodel import Session

from takmail.commands.kinds import MailState
from takmail.mail.charsets import decoded
from takmail.mail.headers import first_headers, words_decoded
from takmail.mail.limits import Limits
from takmail.mail.mime import leaves
from takmail.mail.quotes.typography import in_one_way
from takmail.store import erasure_progress, mail_queries
from takmail.store.erasure import Traces
from takmail.store.tables import Forgetting

AT_ONCE = 20
"""Mails or letters that one transaction looks through at most, as nothing else is done meanwhile."""
BYTES_AT_ONCE = 256 * 1024
"""After so many bytes of mails it ends, too: those of one mail are bounded by the limits."""
_SOFT_END = re.compile(r"=\r?\n")
_TAG = re.compile(r"<[^<>]{0,2000}>")  # it ends at the next <, or many of these would each cost 2,000 steps


def go_on(session: Session, limits: Limits) -> Forgetting | None:
    """Look for somebody who has left in the next few mails or letters; gives for whom, None: there is nobody left."""
    one = erasure_progress.next_one(session)
    if one is not None and one.mails > mail_queries.newest_waiting(session, one.mails):
        _look_at_mails(session, one, limits)
    elif one is not None and one.letters:
        erasure_progress.look_at_letters(session, one, AT_ONCE)
    return one


def _look_at_mails(session: Session, one: Forgetting, limits: Limits) -> None:
    """Keep nothing of those of the next mails in which one of the traces stands, or that can't be searched.

    A mail that raised may hold a turn: only an address takes it away, as a name may be any word. One that waits is
    looked at once it has been handled, and so are those below it.
    """
    traces = erasure_progress.traces_of(one)
    found, length = [], 0
    above = max(mail_queries.newest_waiting(session, one.mails), one.mails - erasure_progress.ROWS_AT_ONCE, 0)
    kept = mail_queries.kept(session, above, one.mails, AT_ONCE)
    for looked_at, (number, state, raw) in enumerate(kept, 1):
        if _holds(raw, traces.sure if state == MailState.SHUNTED else traces, limits):
            found.append(number)
        length += len(raw)
        if looked_at == AT_ONCE or length >= BYTES_AT_ONCE:
            above = number - 1
            break
    erasure_progress.mails_done(session, one, found, above)


def _holds(raw: bytes, traces: Traces, limits: Limits) -> bool:
    try:
        return any(traces.stands_in(in_one_way(text)) for text in _texts(raw, limits))
    except Exception:  # over a limit or odd: no mail may keep the others from being looked at
        return True


def _texts(raw: bytes, limits: Limits) -> Iterator[str]:
    """All that a mail says: as it stands, its headers, and each part with its encoding undone."""
    yield _SOFT_END.sub("", decoded(raw, "utf-8"))
    headers, body = first_headers(raw, limits)
    yield from (words_decoded(value) for _, value in headers.items)
    for part in leaves(headers, body or b"", limits):
        yield from (words_decoded(value) for _, value in part.headers.items)
        text = decoded(part.payload(limits.mail_bytes), part.parameters.get("charset", "utf-8"))
        yield text
        yield html.unescape(_TAG.sub("", text))
