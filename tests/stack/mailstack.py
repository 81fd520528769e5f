"""A real Dovecot and Postfix on loopback, for the tests marked `stack` wherever they stand."""

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

from takmail.runtime.net.imap import ImapAccount
from takmail.runtime.net.smtp import SmtpAccount
from tests.support.token_server import TokenServer

_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class MailStack:
    """How to reach the servers.

    `imaps_port` is IMAP with implicit TLS, `submission_port` SMTP with STARTTLS and AUTH; `imap_port` and
    `smtp_port` (without AUTH) are in the clear. The certificate in `ca_file` is good for 127.0.0.1 and
    localhost. Both let in who has an access token of `provider`.
    """

    folder: Path
    provider: TokenServer
    imap_port: int
    imaps_port: int
    smtp_port: int
    submission_port: int
    ca_file: str
    host: str = "127.0.0.1"
    tak: str = "tak@example.test"
    ada: str = "ada@example.test"
    ben: str = "ben@example.test"
    password: str = "secret"
    _numbers: Iterator[int] = field(default_factory=lambda: iter(range(1, 121)), repr=False)

    def imap(self, user: str, mailbox: str = "INBOX") -> ImapAccount:
        """A mailbox of `user`, over TLS."""
        return ImapAccount(
            self.host,
            self.imaps_port,
            user,
            self.password,
            tls="implicit",
            mailbox=mailbox,
            ca_file=self.ca_file,
        )

    def smtp(self, user: str) -> SmtpAccount:
        """The way for `user` to send, over STARTTLS."""
        return SmtpAccount(
            self.host, self.submission_port, user, self.password, tls="starttls", ca_file=self.ca_file
        )

    def with_newcomers(self) -> Self:
        """The same servers with a tak, an ada and a ben whose mailboxes are empty; good for 120 calls."""
        number = next(self._numbers)
        tak, ada, ben = (f"{name}{number}@example.test" for name in ("tak", "ada", "ben"))
        return replace(self, tak=tak, ada=ada, ben=ben)

    def maildir(self, user: str, folder: str = "") -> Path:
        """Where the mails of `user` lie: the INBOX, or a folder such as `.Processed`."""
        return self.folder / "mail" / user.partition("@")[0] / "Maildir" / folder


@contextmanager
def running_stack() -> Iterator[MailStack]:
    """Start the servers in a folder of their own and stop them whatever happens; takes about three seconds.

    Raises subprocess.CalledProcessError, with the scripts' own words on stderr.
    """
    with tempfile.TemporaryDirectory(prefix="takmail-stack-") as name, TokenServer().running() as provider:
        folder = Path(name)
        # The servers' processes run as users of their own, who have to get in here.
        folder.chmod(0o755)
        try:
            where = {"INTROSPECTION_URL": f"http://127.0.0.1:{provider.port}/introspect"}
            subprocess.run([_HERE / "up.sh", folder], check=True, env=_without_ports() | where)
            yield _described(folder, provider)
        finally:
            subprocess.run([_HERE / "down.sh", folder], check=True)


def _without_ports() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.endswith("_PORT")}


def _described(folder: Path, provider: TokenServer) -> MailStack:
    lines = (folder / "ports.env").read_text().split()
    port = {name: int(number) for name, _, number in (line.partition("=") for line in lines)}
    return MailStack(
        folder=folder,
        provider=provider,
        imap_port=port["IMAP_PORT"],
        imaps_port=port["IMAPS_PORT"],
        smtp_port=port["SMTP_PORT"],
        submission_port=port["SUBMISSION_PORT"],
        ca_file=str(folder / "cert.pem"),
    )
