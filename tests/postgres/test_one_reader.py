"""Three takmails on one PostgreSQL and one mailbox: whoever reads it is killed, and another one goes on."""

import asyncio
import os
import secrets
import signal
from collections import Counter
from email.message import EmailMessage
from pathlib import Path
from random import Random

from sqlmodel import select

from takmail.store import marker
from takmail.store.tables import InboxRow, LeaseRow
from takmail.world.kinds import MailState
from tests.postgres.crowd import TAK, Worker, app_of, config_at
from tests.support import databases
from tests.support.mail_system import MailSystem
from tests.support.players import parsed
from tests.support.width import IS_WIDE

ADA = "ada@example.org"
KILLS = 10 if IS_WIDE else 2
MAILS = 5
"""The mails that come around each kill."""
SECONDS = 120
"""How long another one may take to go on, on a busy machine."""


def config_with_mailbox(folder: Path, system: MailSystem) -> Path:
    """Return the config.toml of a takmail that reads the mailbox of a mail system, and answers many strangers."""
    file = config_at(folder, databases.url_in(folder), system.smtp_port)
    limits = "[limits]\nstranger_answers_per_hour = 1000\nstranger_letters_per_day = 1000\n"
    file.write_text(
        file.read_text().replace("[limits]\n", limits)
        + f'[imap]\nhost = "127.0.0.1"\nport = {system.imap_port}\nuser = "{TAK}"\npassword = "secret"\ntls = "none"\n'
        'first_start = "all"\npoll_seconds = 5\n'
    )
    return file


async def write(system: MailSystem, numbers: range) -> None:
    for number in numbers:
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Message-ID"] = f"Ada <{ADA}>", TAK, f"<{number}@mail.example.org>"
        mail.set_content("help")
        await system.deliver(TAK, mail.as_bytes(), mail_from=ADA)


async def test_whoever_reads_is_killed_and_another_goes_on_without_an_alarm(tmp_path: Path) -> None:
    seed = secrets.randbits(32)
    print(f"seed {seed}")
    chance = Random(seed)
    async with MailSystem({TAK: "secret", ADA: "secret"}) as system:
        file = config_with_mailbox(tmp_path, system)
        app = app_of(file)

        async def when(happened: object) -> int:
            """Wait until something is true of the database, which tells nobody. Return what it is."""
            async with asyncio.timeout(SECONDS):
                while not (what := happened()):  # type: ignore[operator]  # noqa: ASYNC110
                    await asyncio.sleep(0.1)
            return int(what)

        def reader() -> int:
            """Return the process that reads the mailbox, 0 if none does."""
            with app.store.transaction() as session:
                lease = session.get(LeaseRow, marker.READING)
                pid = 0 if lease is None else int(lease.holder.split("/")[-2])
            return pid if pid in workers and marker_is_taken() else 0

        def marker_is_taken() -> bool:
            with app.store.transaction() as session:
                known = marker.state(session)
            return known is not None and not known.stopped

        def handled() -> int:
            with app.store.transaction() as session:
                return len(
                    session.exec(select(InboxRow.id).where(InboxRow.state == MailState.ANSWERED)).all()
                )

        async def answered() -> set[str]:
            return {str(parsed(raw)["In-Reply-To"]) for raw in await system.mails(ADA)}

        workers: dict[int, Worker] = {}

        async def start() -> None:
            worker = Worker(file)
            await worker.start()
            workers[worker.pid] = worker

        try:
            for _ in range(3):
                await start()
            for number in range(KILLS):
                killed = await when(reader)
                await write(system, range(number * MAILS, (number + 1) * MAILS))
                await asyncio.sleep(chance.choice((0, 0.1, 0.5)))  # in the midst of them, or after them
                os.kill(killed, signal.SIGKILL)
                await workers.pop(killed).kill()
                await start()
                await when(lambda: handled() == (number + 1) * MAILS)  # noqa: B023
            async with asyncio.timeout(SECONDS):
                while len(await answered()) < KILLS * MAILS:  # noqa: ASYNC110 - other processes tell nobody
                    await asyncio.sleep(0.1)
            ends = await asyncio.gather(*(one.end() for one in workers.values()))
            assert set(ends) <= {0, -signal.SIGTERM}  # the last one may not have begun yet
        finally:
            await asyncio.gather(*(one.kill() for one in workers.values()))
        log = (tmp_path / "log").read_text()
        assert "belongs to another" not in log
        answers = [parsed(raw) for raw in await system.mails(ADA)]
        # A letter that had left when its process was killed leaves again, with the same Message-ID.
        once = Counter(
            answer["In-Reply-To"] for answer in {str(one["Message-ID"]): one for one in answers}.values()
        )
        assert (len(once), set(once.values())) == (KILLS * MAILS, {1})
        print(
            f"{KILLS} kills, {len(answers) - len(once)} letters twice; {log.count('reading INBOX')} times reading"
        )
        app.close()
