"""Telling a mail that a machine wrote from one that a person wrote."""

import re

from takmail.mail.auto_reply import has_automatic_header, is_automatic_subject, is_challenge
from takmail.mail.headers import Headers, first_word, media_type, words_decoded
from takmail.mail.letter import MACHINE_HEADER
from takmail.mail.message import MachineSign

_BULK = frozenset({"bulk", "junk", "list", "auto_reply", "auto-reply", "autoreply"})
_LIST = frozenset(
    f"list-{name}" for name in ("id", "post", "unsubscribe", "help", "subscribe", "owner", "archive")
) | {"mailing-list", "x-mailing-list"}
# Exchange reports from microsoftexchange and 32 hexadecimal digits.
_DAEMON = re.compile(r"mail(?:er)?[-_.]?d(?:ae|ea)mon|mdaemon|postmaster|microsoftexchange[0-9a-f]{32}")
_REPORTS = frozenset(
    f"message/{kind}{what}"
    for kind in ("", "global-")
    for what in ("delivery-status", "disposition-notification")
) | {"multipart/report"}
_REPORT_HEADERS = frozenset({"x-failed-recipients", "x-ms-embedded-report"})
_FAILS = re.compile(
    r"undeliver|non-?deliver|failure notice|returned (?:mail|to sender)|returning message to sender"
    r"|not (?:be )?delivered|(?:mail|message|delivery)\b.{0,20}\bfail|fail\w*\b.{0,20}\bdeliver"
    r"|delivery (?:problem|error|status)|unzustellbar|nicht zugestellt|non (?:remis|distribu)"
    r"|échec de (?:la )?remise|no se (?:ha )?(?:pudo|podido) entregar|mancat[ao] (?:consegna|recapito)"
    r"|onbestelbaar|недоставлен|не доставлен",
    re.IGNORECASE,
)
_NEVER_READ = (
    r"no[-_.]?repl(?:y|ies)|(?:do|does)[-_.]?not[-_.]?reply|dont[-_.]?reply|no[-_.]?response"
    r"|nicht[-_.]?antworten|keine[-_.]?antwort|ne[-_.]?pas[-_.]?repondre|nepasrepondre"
    r"|no[-_.]?responder|nao[-_.]?respond(?:a|er)|non[-_.]?rispondere"
    r"|auto[-_.]?(?:reply|responder|respond)|automated[-_.]response"
)
# Nobody is called so, but Bounce is a name: in the singular it counts only with an address encoded behind it.
_ROBOT = re.compile(
    rf"(?:.*[-_.])?(?:{_NEVER_READ})(?:[-_.].*)?"
    r"|(?:.*-)?bounces|listserv|majordomo"
)
_ENCODED_BOUNCE = re.compile(r"(?:.*-)?bounces\+.*|bounces?[-+].*=.*")
# What a letter's reply address has behind the own one; a bare `-` or `.` may well stand in a player's address.
_DETAIL = re.compile(r"\+.*|[=_-]\d+\.[a-z0-9]+")


def machine_sign(headers: Headers, sender: str, own_addresses: frozenset[str]) -> MachineSign | None:
    """What shows that a machine wrote the mail, None if nothing does (RFC 3834 §2, RFC 5230 §4.6, RFC 2369).

    `sender` is the normal From address ('' if there is none), `own_addresses` are normal ones of this
    service; they are known with any detail behind a `+`, and with a token behind another delimiter, too.
    Where several signs are there, the first one here counts: our own, then a report, then the others.
    """
    names = headers.names()
    if MACHINE_HEADER.lower() in names or any(_is(sender, own) for own in own_addresses):
        return MachineSign.OWN
    null_path = any("".join(value.split()) == "<>" for value in headers.all("return-path"))
    subject = words_decoded(headers.first("subject"))
    if _is_report(headers, names) or is_daemon(sender) or (null_path and tells_of_failure(subject)):
        return MachineSign.REPORT
    if is_challenge(headers, sender):
        return MachineSign.CHALLENGE
    if any(first_word(value) not in ("", "no") for value in headers.all("auto-submitted")):
        return MachineSign.AUTO_SUBMITTED
    if null_path:
        return MachineSign.NULL_RETURN_PATH
    if any(first_word(value) in _BULK for value in headers.all("precedence")):
        return MachineSign.PRECEDENCE
    if _LIST & names:
        return MachineSign.LIST
    if has_automatic_header(headers):
        return MachineSign.AUTO_SUBMITTED
    return _weaker_sign(subject, sender)


def _weaker_sign(subject: str, sender: str) -> MachineSign | None:
    """What shows a machine that hides: its Subject, its address."""
    if is_automatic_subject(subject):
        return MachineSign.OUT_OF_OFFICE
    if not sender:
        return MachineSign.NO_SENDER
    local = sender.rpartition("@")[0][:200]
    if _ROBOT.fullmatch(local.partition("+")[0]) or _ENCODED_BOUNCE.fullmatch(local):
        return MachineSign.NO_REPLY
    return None


def is_daemon(sender: str) -> bool:
    """Whether a normal address is one that mail servers report from (RFC 5321 §4.5.1, RFC 3464 §2)."""
    return _DAEMON.fullmatch(sender.rpartition("@")[0]) is not None


def tells_of_failure(subject: str) -> bool:
    """Whether a decoded Subject is one of those under which mail servers bring letters back."""
    return _FAILS.search(subject) is not None and not is_automatic_subject(subject)


def _is_report(headers: Headers, names: frozenset[str]) -> bool:
    kind, parameters = media_type(headers)
    return kind in _REPORTS or "report-type" in parameters or bool(_REPORT_HEADERS & names)


def _is(address: str, own: str) -> bool:
    """Whether an address is our own one, with a detail or without."""
    local, _, domain = own.rpartition("@")
    written, _, host = address.rpartition("@")
    if host != domain or not written.startswith(local):
        return False
    detail = written.removeprefix(local)
    return not detail or _DETAIL.fullmatch(detail) is not None
