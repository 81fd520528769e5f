"""Find the mark that a spam filter has put on a mail.

Anybody can write these headers into a mail. A forged one does no harm: a mark only keeps takmail from answering a
stranger's mail, and that stranger could as well have sent none. But the filter through which mails leave the sender's
own provider may be wrong. Its mark must not silence a newcomer, as far as takmail can tell it from the operator's.
"""

import re

from takmail.mail.headers import Headers

_YES = re.compile(r"\s*yes\b", re.IGNORECASE)
_MARKS = {
    "x-spam-flag": _YES,  # SpamAssassin, amavis
    "x-spam-status": _YES,
    "x-spam": _YES,  # rspamd
    # Exchange: the spam confidence level, of which 5 and more are spam.
    "x-ms-exchange-organization-scl": re.compile(r"\s*[5-9]\b"),
    "x-forefront-antispam-report": re.compile(r"(?:.*;)?\s*scl:\s*[5-9]\b", re.IGNORECASE),
}


def is_marked_as_spam(headers: Headers, authserv_id: str | None) -> bool:
    """Return whether a spam filter says that the mail is spam.

    A mark between two Received headers was made on the way, by the sender's provider, unless it stands above the
    Authentication-Results of the server that the operator trusts. Filters of the receiving side write above all
    Received headers or, as milters and Exchange do, below them.
    """
    if not _MARKS.keys() & headers.names():
        return False
    items = tuple(enumerate(headers.items))
    hops = [at for at, (name, _) in items if name == "received"]
    marks = [at for at, (name, value) in items if name in _MARKS and _MARKS[name].match(value)]
    trusted = next(
        (
            at
            for at, (name, value) in items
            if name == "authentication-results"
            and authserv_id
            and value.strip(' "').lower().startswith(authserv_id.lower())
        ),
        0,
    )
    return any(at < trusted or not hops or not hops[0] < at < hops[-1] for at in marks)
