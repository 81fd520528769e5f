"""Run a minimal mail responder, the baseline for takmail: `python -m bench.responder JOB`.

JOB is a JSON file with the fields of `Job`. The responder fetches 50 mails at a time, parses only their headers, sends
prepared letters, and moves the mails to another folder. It prints `ready` when it is connected. Each line of its input
is the number of mails in the mailbox. It prints `done` when the last letter that answers them is accepted.
"""

import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from email.parser import BytesHeaderParser
from pathlib import Path
from typing import Any

from aioimaplib import IMAP4
from aiosmtplib import SMTP

BATCH = 50


@dataclass(frozen=True, slots=True)
class Job:
    """The servers and the login, and the letters to send.

    Each of the `letters` is its sender, its recipient and its bytes (as Latin-1). `letters_a_mail` of them answer each
    mail. `connections` is the number of SMTP connections.
    """

    host: str
    imap_port: int
    smtp_port: int
    user: str
    password: str
    connections: int
    letters: Sequence[tuple[str, str, str]]
    letters_a_mail: int

    def write(self, file: Path) -> None:
        """Save the job to a file."""
        file.write_text(json.dumps(asdict(self)))


class Responder:
    """The connections, and the queue of letters to send over them."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.letters = iter([(one, to, raw.encode("latin-1")) for one, to, raw in job.letters])
        self.waiting: asyncio.Queue[tuple[str, str, bytes]] = asyncio.Queue()

    async def open(self) -> None:
        """Log in on all connections."""
        job = self.job
        self.mailbox = IMAP4(job.host, job.imap_port)
        await self.mailbox.wait_hello_from_server()
        await self.mailbox.login(f'"{job.user}"', job.password)
        await self.mailbox.create("Processed")
        await self.mailbox.select("INBOX")
        lines = [SMTP(hostname=job.host, port=job.smtp_port, start_tls=False) for _ in range(job.connections)]
        for line in lines:
            await line.connect()
        self.senders = [asyncio.create_task(self._send(line)) for line in lines]

    async def answer(self, mails: int) -> None:
        """Answer all mails in the mailbox, of which there are `mails`. Letters are sent while mails are fetched."""
        await self.mailbox.noop()
        found = (await self.mailbox.uid_search("ALL", charset=None)).lines[0].split()
        assert len(found) == mails, f"{len(found)} mails instead of {mails}"
        for start in range(0, mails, BATCH):
            uids = b",".join(found[start : start + BATCH]).decode()
            answer = await self.mailbox.uid("fetch", uids, "(UID RFC822.SIZE INTERNALDATE BODY.PEEK[])")
            for raw in (line for line in answer.lines if isinstance(line, bytearray)):
                _read(bytes(raw))
                for _ in range(self.job.letters_a_mail):
                    self.waiting.put_nowait(next(self.letters))
            await self.mailbox.uid("store", uids, r"+FLAGS.SILENT (\Seen)")
            await self.mailbox.uid("move", uids, "Processed")
        await self.waiting.join()

    async def _send(self, line: SMTP) -> None:
        while True:
            mail_from, mail_to, raw = await self.waiting.get()
            await line.sendmail(mail_from, mail_to, raw)
            self.waiting.task_done()


def _read(raw: bytes) -> list[Any]:
    headers = BytesHeaderParser().parsebytes(raw)
    return [headers[name] for name in ("From", "Message-ID", "In-Reply-To", "Subject")]


async def main(job: Job) -> None:
    """Connect, and answer the mails in the mailbox at each line of the input."""
    responder = Responder(job)
    await responder.open()
    print("ready", flush=True)
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        await responder.answer(int(line))
        print("done", flush=True)


if __name__ == "__main__":
    asyncio.run(main(Job(**json.loads(Path(sys.argv[1]).read_text()))))
