"""Finding somebody in the mails that are kept, however these are encoded."""

import html
import re
import unicodedata
from collections.abc import Iterator

from sqlmodel import Session

from takmail.mail.charsets import decoded
from takmail.mail.headers import first_headers, words_decoded
from takmail.mail.limits import Limits, OverLimit
from takmail.mail.mime import leaves
from takmail.store import intake
from takmail.store.forget import Traces

_SOFT_END = re.compile(r"=\r?\n")


def mails_with(session: Session, traces: Traces, limits: Limits) -> set[int]:
    """The numbers of the kept mails in which one of the traces stands; what can't be searched counts as found."""
    return {number for number, raw in intake.kept(session) if _holds(raw, traces, limits)}


def _holds(raw: bytes, traces: Traces, limits: Limits) -> bool:
    try:
        return any(traces.stands_in(unicodedata.normalize("NFKC", text)) for text in _texts(raw, limits))
    except OverLimit:
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
        yield html.unescape(re.sub(r"<[^>]{0,2000}>", "", text))
