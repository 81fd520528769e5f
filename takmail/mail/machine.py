"""Telling a mail that a machine wrote from one that a person wrote."""

import re

from takmail.mail.envelope import MachineSign
from takmail.mail.headers import Headers, media_type
from takmail.mail.letter import MACHINE_HEADER

_BULK = frozenset({"bulk", "junk", "list", "auto_reply", "auto-reply"})
_LIST = frozenset(
    f"list-{name}" for name in ("id", "post", "unsubscribe", "help", "subscribe", "owner", "archive")
) | {"mailing-list", "x-mailing-list"}
# X-Auto-Response-Suppress is no such sign: Outlook puts it on what people write.
_AUTOMATIC = frozenset({"x-autoreply", "x-autorespond", "x-autoresponder", "x-auto-response", "x-auto-reply"})
_DAEMONS = frozenset({"mailer-daemon", "postmaster"})
_REPORTS = frozenset({"multipart/report", "message/delivery-status", "message/disposition-notification"})
# What a letter's reply address has behind the own one; a bare `-` or `.` may well stand in a player's address.
_DETAIL = re.compile(r"\+.*|[=_-]\d+\.[a-z0-9]+")


def machine_sign(headers: Headers, sender: str, own_addresses: frozenset[str]) -> MachineSign | None:
    """What shows that a machine wrote the mail, None if nothing does (RFC 3834 §2, RFC 5230 §4.6, RFC 2369).

    `sender` is the normal From address ('' if there is none), `own_addresses` are normal ones of this
    service; they are known with any detail behind a `+`, and with a token behind another delimiter, too.
    """
    names = headers.names()
    if MACHINE_HEADER.lower() in names or any(_is(sender, own) for own in own_addresses):
        return MachineSign.OWN
    kind, parameters = media_type(headers)
    if kind in _REPORTS or "report-type" in parameters or sender.partition("@")[0] in _DAEMONS:
        return MachineSign.REPORT
    if any(_first_word(value) not in ("", "no") for value in headers.all("auto-submitted")):
        return MachineSign.AUTO_SUBMITTED
    if any("".join(value.split()) == "<>" for value in headers.all("return-path")):
        return MachineSign.NULL_RETURN_PATH
    if any(_first_word(value) in _BULK for value in headers.all("precedence")):
        return MachineSign.PRECEDENCE
    if _LIST & names:
        return MachineSign.LIST
    if any(_first_word(headers.first(name)) not in ("", "no") for name in _AUTOMATIC & names):
        return MachineSign.AUTO_SUBMITTED
    return None if sender else MachineSign.NO_SENDER


def _first_word(value: str) -> str:
    """The value without comments and parameters, in lower case: `No (really); x=y` is `no`."""
    return value.partition(";")[0].partition("(")[0].strip().lower()


def _is(address: str, own: str) -> bool:
    """Whether an address is our own one, with a detail or without."""
    local, _, domain = own.rpartition("@")
    written, _, host = address.rpartition("@")
    if host != domain or not written.startswith(local):
        return False
    detail = written.removeprefix(local)
    return not detail or _DETAIL.fullmatch(detail) is not None
