"""Let only one database's service read a mailbox, so that no two answer the same mails (decision 59).

The service that takes a mailbox over leaves a marker in it (`takmail.mail.marker`). Whenever it opens the mailbox, and
at least once a second while mails come or letters leave, it looks whether its marker is still the newest. A look is
good for TRUSTED. A service that finds a marker in another place than before waits for longer than that, GRACE, until
it reads its first mail. So whoever has read the mailbox until then has noticed, and has stopped.
"""

import asyncio
import logging
import socket
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from takmail.letters.templates import Templates
from takmail.mail.marker import Marker, Owner, Ownership, digest, marker_message, owner_of, read_marker
from takmail.runtime.net.imap import CommandRefused, FolderState, ImapAccount, Mailbox, MailboxLost
from takmail.store import dispatch, health, mailboxes, marker, process_name
from takmail.store.database import Store
from takmail.store.machine_time import TimeSource, machine_seconds

log = logging.getLogger(__name__)

LOOK_EVERY = timedelta(seconds=1)
"""The minimum time between two looks at the marker."""

TRUSTED = timedelta(seconds=8)
"""For how long letters may leave after a look at the marker."""

GRACE = timedelta(seconds=15)
"""How long a service waits that has found a marker written elsewhere, for the one that may still read the mailbox."""

FOLLOWED = timedelta(seconds=15)
"""For how long letters may leave after this process saw that another one of its database reads the mailbox."""


_IN_TRANSIT = (
    "on its way when this copy of the database was made; the other copy's service has most likely sent it"
)


class MailboxTaken(Exception):  # noqa: N818  (the name says what happened)
    """Another database's service, or one with a copy of this database, reads the mailbox.

    The message tells the operator what to do.
    """


class MarkerMoved(MailboxLost):
    """The folder of the marker has changed, so the mailbox has to be opened again, which looks whose it is."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """The folder of markers, and the markers of the mailbox that is read, with their UIDs, oldest first."""

    state: FolderState
    markers: tuple[tuple[int, Marker], ...]

    @property
    def newest(self) -> Marker | None:
        return self.markers[-1][1] if self.markers else None


class MailboxGuard:
    """Guards a mailbox for the service with the database `store`.

    `name` is this process's name in leases. `address` is takmail's own, and `place` tells a person where the database
    is. `running` returns seconds by a clock that can't leap, and that runs on while the machine sleeps: after it
    has slept, the guard looks before a letter leaves. `on_trust` is called when letters may leave again.
    """

    def __init__(
        self,
        store: Store,
        account: ImapAccount,
        name: str,
        templates: Templates,
        time_source: TimeSource,
        *,
        address: str,
        place: str,
        on_trust: Callable[[], None] = lambda: None,
        running: Callable[[], float] = machine_seconds,
    ) -> None:
        self._store = store
        self._account = account
        self._name = name
        self._templates = templates
        self._now = time_source
        self._address = address
        self._place = place
        self._on_trust = on_trust
        self._running = running
        self.has_seen = asyncio.Event()
        """Set once it is known that this database may read the mailbox."""
        self.is_stopped = asyncio.Event()
        """Set while this database may not read the mailbox."""
        self._mailbox: Mailbox | None = None
        self._token = ""
        self._state: FolderState | None = None
        self._moved_to: FolderState | None = None
        self._is_marked = False
        self._was_copied = False
        self._looked_at = self._trusted_until = float("-inf")

    @property
    def may_send(self) -> bool:
        """Whether letters may leave now. If not, `ask` for a look."""
        return self._running() < self._trusted_until

    @property
    def may_claim(self) -> bool:
        """Whether letters may leave now or after a look."""
        return self.has_seen.is_set() and (self._mailbox is not None or self.may_send)

    def ask(self) -> None:
        """Let the process that reads the mailbox look at the marker soon, if it is this one."""
        if self._mailbox is not None:
            self._looked_at = float("-inf")
            self._mailbox.wake()

    def leave(self) -> None:
        """Note that this process does not read the mailbox any more."""
        self._mailbox = None

    async def open(self, mailbox: Mailbox) -> None:
        """Look whose the mailbox is, and take it over if it may be read. `Mailbox.open` calls this.

        Raises MailboxTaken, MarkerMoved if another process of this database takes it over, and the errors of
        `Mailbox`. If the server refuses a marker, warn, and let the mailbox be read.
        """
        self._mailbox = None
        if not self._account.marker:
            self._note_unmarked("")
        else:
            try:
                await self._open(mailbox)
            except CommandRefused as error:
                why = self._templates.line(
                    "console/unmarked.txt", folder=self._account.marker, why=str(error)
                )
                log.warning("%s", why)
                self._note_unmarked(why)
        self._mailbox = mailbox
        self._looked_at = float("-inf")

    async def look(self, mailbox: Mailbox) -> None:
        """Look whether the marker is still the newest, unless that is known for LOOK_EVERY. Raises MarkerMoved."""
        if self._running() - self._looked_at < LOOK_EVERY.total_seconds():
            return
        if self._is_marked:
            state = await mailbox.marker_state()
            if state != self._state:
                self._moved_to = state
                raise MarkerMoved(f"{self._account.server}: the folder {self._account.marker} has changed")
        if self._was_copied:
            await self._forget_gone(mailbox)
        self._trust()

    def follow(self) -> None:
        """Look in the database what the process has found that reads the mailbox, if that is another one."""
        if self._mailbox is not None:
            return
        with self._store.transaction(durable=False) as session:
            is_stopped = bool(marker.stopped(session))
            is_read = marker.is_read_elsewhere(session, self._name, process_name.is_gone)
            contact = health.last_contact(session, self._account.mailbox)
        longest = timedelta(seconds=self._account.poll_seconds) + FOLLOWED + timedelta(minutes=2)
        if is_stopped:
            self._stop()
        elif is_read and contact is not None and abs(self._now() - contact) <= longest:
            self._trust(FOLLOWED)

    async def _open(self, mailbox: Mailbox) -> None:
        seen = await self._seen(mailbox)
        newest, moved_to = seen.newest, self._moved_to
        with self._store.transaction() as session:
            known = marker.made(session)
        whose = owner_of(newest, known.ours)
        if whose.forbids and not known.takes_over:
            self._refuse(newest, whose, known.ours)
        ours, state = known.ours, moved_to or seen.state
        if newest is None or not self._token == newest.token == ours.token:
            waits = newest is not None and (known.has_moved or whose is not Owner.OURS)
            # A file that is overwritten with an older copy stays where it was, but doesn't know the newest marker.
            is_copy = known.is_copy or whose is Owner.COPY
            self._was_copied = self._was_copied or (waits and is_copy)
            ours, seen = await self._take_over(mailbox, ours, seen, waits=waits)
            state = seen.state
        with self._store.transaction() as session:
            is_taken = marker.taken(session, ours)
        if not is_taken:
            raise MarkerMoved(f"{self._account.server}: another process takes the mailbox over")
        self._token, self._state, self._moved_to, self._is_marked = ours.token, state, None, True

    async def _take_over(
        self, mailbox: Mailbox, ours: Ownership, seen: _Seen, *, waits: bool
    ) -> tuple[Ownership, _Seen]:
        """Raise the generation in the database, then in the mailbox. Return what is in both then."""
        with self._store.transaction() as session:
            raised = marker.take_over(session, ours, seen.newest)
        if raised is None:
            raise MarkerMoved(f"{self._account.server}: another process takes the mailbox over")
        try:
            await mailbox.add_marker(self._message(raised))
        except CommandRefused as error:
            if seen.newest is None:
                raise
            # The marker that is there, and is one of the two that are known, does as well.
            log.warning("%s", error)
        else:
            await mailbox.delete_markers(uid for uid, _ in seen.markers)
        if waits:
            log.info(
                "the mailbox was last read from elsewhere; waiting for %d s, so that nobody answers a mail twice",
                GRACE.total_seconds(),
            )
            await asyncio.sleep(GRACE.total_seconds())
        seen = await self._seen(mailbox)
        whose = owner_of(seen.newest, raised)
        if whose.forbids:
            self._refuse(seen.newest, whose, raised)
        if whose is not Owner.OURS:
            raise MarkerMoved(f"{self._account.server}: the folder {self._account.marker} has changed")
        return raised, seen

    async def _forget_gone(self, mailbox: Mailbox) -> None:
        """Leave to the service whose database was copied what it was doing then: it has moved its mails since."""
        present = await mailbox.new_uids(0)
        with self._store.transaction() as session:
            mails = mailboxes.forget_gone(session, self._account.mailbox, mailbox.uid_validity, present)
            letters = dispatch.fail_copied(session, _IN_TRANSIT)
        self._was_copied = False
        if mails or letters:
            log.warning(
                "when this copy of the database was made, its service was handling %d mails and sending %d letters,"
                " and has most likely gone on; those mails are in %s, and `takmail outbox list` has those letters",
                mails,
                letters,
                self._account.processed,
            )

    async def _seen(self, mailbox: Mailbox) -> _Seen:
        state, mails = await mailbox.markers()
        return _Seen(state, markers_of(self._account, [(mail.uid, mail.raw) for mail in mails]))

    def _message(self, ours: Ownership) -> bytes:
        """Return the marker to write."""
        now, account = self._now(), self._account
        written = Marker(digest(account.mailbox), ours.database, ours.generation, ours.token)
        facts = {"mailbox": account.mailbox, "now": now, "host": socket.gethostname(), "place": self._place}
        text = self._templates.page("console/marker.txt", **facts)
        subject, _, body = text.partition("\n")
        return marker_message(written, subject, body.strip(), self._address, now)

    def _refuse(self, newest: Marker | None, whose: Owner, ours: Ownership) -> None:
        why = taken(self._templates, self._account, newest, whose, ours)
        with self._store.transaction() as session:
            marker.stop(session, why, self._now())
        self._stop()
        raise MailboxTaken(why)

    def _stop(self) -> None:
        self._trusted_until = float("-inf")
        self.has_seen.clear()
        self.is_stopped.set()

    def _note_unmarked(self, why: str) -> None:
        self._is_marked = False
        with self._store.transaction() as session:
            marker.note_unmarked(session, why)

    def _trust(self, length: timedelta = TRUSTED) -> None:
        """Let letters leave for some time, as the mailbox is this database's."""
        now = self._running()
        was_trusted = now < self._trusted_until
        self._looked_at, self._trusted_until = now, now + length.total_seconds()
        self.is_stopped.clear()
        self.has_seen.set()
        if not was_trusted:
            self._on_trust()


def markers_of(account: ImapAccount, messages: list[tuple[int, bytes]]) -> tuple[tuple[int, Marker], ...]:
    """Return the markers of the account's mailbox among messages, each with its UID, in the same order."""
    found = ((uid, read_marker(raw)) for uid, raw in messages)
    mailbox = digest(account.mailbox)
    return tuple((uid, one) for uid, one in found if one is not None and one.mailbox == mailbox)


def taken(
    templates: Templates, account: ImapAccount, newest: Marker | None, whose: Owner, ours: Ownership
) -> str:
    """Return in words that another service reads the mailbox, which one, and what to do."""
    facts = {"account": account, "newest": newest, "is_copy": whose is Owner.COPY, "ours": ours}
    return templates.line("console/taken.txt", **facts)


async def while_ours(
    guard: MailboxGuard | None, work: Callable[[], Coroutine[Any, Any, bool | None]]
) -> bool | None:
    """Run the work of a task once this database may read the mailbox, and cancel it once it may not any more."""
    if guard is None:
        return await work()
    await guard.has_seen.wait()
    working, stopped = asyncio.create_task(work()), asyncio.create_task(guard.is_stopped.wait())
    try:
        await asyncio.wait({working, stopped}, return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        for task in (working, stopped):
            task.cancel()
        await asyncio.gather(working, stopped, return_exceptions=True)
