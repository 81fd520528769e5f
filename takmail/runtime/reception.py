"""Decide what is stored of a mail that comes in, and whether there is room for it today."""

import logging
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from sqlmodel import Session

from takmail.letters.services import Services
from takmail.limits.mails import MAIL_ROW_BYTES, MAX_SHORT_BODY_BYTES, Excess, Limits, OverLimit
from takmail.mail.abridged import abridged
from takmail.mail.queue import head_of, queue_of
from takmail.mail.reader import read_head, read_id_and_sender
from takmail.store import inbox, people
from takmail.store.inbox import STRANGERS, NewMail
from takmail.store.tables.column_types import ADDRESS

log = logging.getLogger(__name__)

LOGGED_EVERY = timedelta(hours=1)
"""The minimum interval between two warnings that mails of strangers have to wait."""


def new_mail(
    services: Services,
    now: datetime,
    raw: bytes,
    size: int,
    *,
    mailbox: str = "",
    uid_validity: int | None = None,
    uid: int | None = None,
    arrived_at: datetime | None = None,
) -> NewMail:
    """Return a mail to be stored. `size` is the mail's full length, as `raw` may be cut.

    Its `budget` is the address of its sender, unless its headers prove that the sender has got a letter.
    """
    message_id, sender = read_id_and_sender(raw)
    is_proven = services.key.is_proven_by(head_of(raw), sender)
    size = max(size, len(raw))
    kept, excess = _kept(services, raw, size, is_proven=is_proven)
    return NewMail(
        mailbox=mailbox,
        uid_validity=uid_validity,
        uid=uid,
        raw=kept,
        size=size,
        excess=excess,
        sender=sender,
        budget=None if is_proven else sender[: ADDRESS.length],
        queue=queue_of(services.key, raw, sender),
        fingerprint=inbox.fingerprint(raw, message_id, sender, is_whole=excess is not Excess.MAIL),
        received_at=now,
        arrived_at=arrived_at,
    )


def _kept(services: Services, raw: bytes, size: int, *, is_proven: bool) -> tuple[bytes, Excess | None]:
    """Return what is stored of a mail of `size` bytes, and the limit that it exceeds if these are only its headers.

    A mail that is not proven exceeds a limit also if it is long and costly to read.
    """
    limits = services.limits
    if size > limits.mail_bytes:
        return raw[: limits.header_bytes], Excess.MAIL
    if len(raw) <= MAX_SHORT_BODY_BYTES:
        return raw, None
    head = read_head(raw, frozenset({services.address}), limits, size)
    try:
        kept = abridged(raw, head, limits)
    except OverLimit as over:
        excess = over.excess
    else:
        if is_proven or len(kept) <= limits.text_bytes:
            return kept, None
        excess = Excess.TEXT
    return (raw, None) if is_proven else (_headers(raw, head.body, limits), excess)


def _headers(raw: bytes, body: bytes, limits: Limits) -> bytes:
    return raw[: min(len(raw) - len(body), limits.header_bytes)]


class Admission:
    """Tells for which mails there is room within the budgets of bytes, and logs if there is none."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._logged_at: datetime | None = None

    def admitted(
        self, session: Session, mails: Sequence[NewMail], now: datetime
    ) -> list[tuple[NewMail, bool]]:
        """Return the mails with their budgets, each with whether there is room for it now.

        A budget may be exceeded by its last mail, so that there is room for any mail.
        """
        limit, used = self._services.limits.stranger_bytes_per_day, dict[str, int]()
        senders = {mail.budget for mail in mails if mail.budget}
        known = people.known_addresses(session, self._services.key, senders) if senders else frozenset()
        admitted = []
        for mail in mails:
            if mail.budget is None:
                admitted.append((mail, True))
                continue
            budget = mail.budget if mail.budget in known else STRANGERS
            if budget not in used:
                used[budget] = inbox.bytes_of_day(session, budget, now)
            has_room = used[budget] < limit
            if has_room:
                used[budget] += len(mail.raw) + MAIL_ROW_BYTES
            else:
                self._log(limit, now)
            admitted.append((replace(mail, budget=budget), has_room))
        return admitted

    def with_much_room(self, session: Session, budgets: Collection[str], now: datetime) -> set[str]:
        """Return those of these budgets of which at least half is free."""
        half = self._services.limits.stranger_bytes_per_day // 2
        return {budget for budget in budgets if inbox.bytes_of_day(session, budget, now) <= half}

    def _log(self, limit: int, now: datetime) -> None:
        last = self._logged_at
        if last is None or not timedelta(0) <= now - last < LOGGED_EVERY:
            self._logged_at = now
            log.warning(
                "mails that may be forged wait, as [limits] stranger_bytes_per_day = %d is used up", limit
            )
