"""A Dovecot and a Postfix for the benches, with mailboxes for as many players as they want."""

import os
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count

from tests.stack.mailstack import MailStack, running_stack

QUEUES = ("incoming", "active", "deferred", "maildrop")
"""The folders of Postfix in which a mail waits."""


@dataclass(frozen=True, slots=True)
class Town:
    """The servers on loopback, without TLS; everybody has a mailbox of their own."""

    servers: MailStack
    _names: Iterator[int] = field(default_factory=count)

    def let_in(self, addresses: Iterable[str]) -> None:
        """Give these people a mailbox; Dovecot looks at the file whenever it has changed."""
        owner = (self.servers.folder / "mail").stat()
        with (self.servers.folder / "dovecot" / "users").open("a") as users:
            for address in addresses:
                home = self.servers.folder / "mail" / address.partition("@")[0]
                users.write(f"{address}:{{PLAIN}}secret:{owner.st_uid}:{owner.st_gid}::{home}::\n")

    def put(self, address: str, mails: Iterable[bytes]) -> None:
        """Lay mails into a mailbox, as Dovecot does when it delivers; somebody has logged in there before."""
        box = self.servers.maildir(address)
        owner = box.stat()
        for raw in mails:
            number = next(self._names)
            name = f"{time.time():.6f}.M{number:07}.bench"
            (box / "tmp" / name).write_bytes(raw)
            os.chown(box / "tmp" / name, owner.st_uid, owner.st_gid)
            (box / "tmp" / name).rename(box / "new" / name)

    def left_in(self, address: str) -> int:
        """How many mails lie in a mailbox, and not in a folder of it."""
        box = self.servers.maildir(address)
        return sum(len(os.listdir(box / place)) for place in ("new", "cur"))

    def at_rest(self) -> None:
        """Wait until Postfix has delivered all that it has taken."""
        while any(files for queue in QUEUES for *_, files in os.walk(self.servers.folder / "spool" / queue)):
            time.sleep(0.05)


@contextmanager
def town() -> Iterator[Town]:
    """Start the servers, and stop them whatever happens; needs root, and tests/stack/install.sh once."""
    with running_stack() as servers:
        place = Town(servers)
        yield place
        # Whoever still delivers would put mails into folders that are being taken away.
        place.at_rest()
