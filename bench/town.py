"""Run a Dovecot and a Postfix for the benchmarks, with mailboxes for any number of players."""

import os
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count

from tests.stack.mailstack import MailStack, running_stack

QUEUES = ("incoming", "active", "deferred", "maildrop")
"""Postfix's queue folders, in which a mail waits until it is delivered."""


@dataclass(frozen=True, slots=True)
class MailNetwork:
    """The servers on loopback, without TLS, with a mailbox for each player."""

    servers: MailStack
    _names: Iterator[int] = field(default_factory=count)

    def let_in(self, addresses: Iterable[str]) -> None:
        """Create mailboxes for these addresses. Dovecot reads its list of users again after each change."""
        owner = (self.servers.folder / "mail").stat()
        with (self.servers.folder / "dovecot" / "users").open("a") as users:
            for address in addresses:
                home = self.servers.folder / "mail" / address.partition("@")[0]
                users.write(f"{address}:{{PLAIN}}secret:{owner.st_uid}:{owner.st_gid}::{home}::\n")

    def put(self, address: str, mails: Iterable[bytes]) -> None:
        """Deliver mails to a mailbox, as Dovecot does. Somebody must have logged in to the mailbox before."""
        box = self.servers.maildir(address)
        owner = box.stat()
        for raw in mails:
            number = next(self._names)
            name = f"{time.time():.6f}.M{number:07}.bench"
            (box / "tmp" / name).write_bytes(raw)
            os.chown(box / "tmp" / name, owner.st_uid, owner.st_gid)
            (box / "tmp" / name).rename(box / "new" / name)

    def left_in(self, address: str) -> int:
        """Return how many mails are in a mailbox, without its subfolders."""
        box = self.servers.maildir(address)
        return sum(len(os.listdir(box / place)) for place in ("new", "cur"))

    def at_rest(self) -> None:
        """Wait until Postfix has delivered all mails that it has accepted."""
        while any(files for queue in QUEUES for *_, files in os.walk(self.servers.folder / "spool" / queue)):
            time.sleep(0.05)


@contextmanager
def town() -> Iterator[MailNetwork]:
    """Run the servers during the block. This needs root, and that tests/stack/install.sh was run once."""
    with running_stack() as servers:
        place = MailNetwork(servers)
        yield place
        # A delivery in progress would write into folders that are being deleted.
        place.at_rest()
