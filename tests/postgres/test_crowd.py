"""Four takmails on one PostgreSQL, of which two are killed at random: as if one had done it all, each thing once."""

import asyncio
import os
import secrets
from collections import Counter
from pathlib import Path
from random import Random

from sqlmodel import col, select

from takmail.config import SmtpSettings
from takmail.runtime.bootstrap import App
from takmail.runtime.delivery_worker import CLAIMED_AT_ONCE
from takmail.store.tables import InboxRow, OutboxRow, TurnRow
from takmail.world.kinds import LetterState, MailState
from tests.postgres.crowd import MOVES, TAK, Worker, app_of, begin, config_at, moves, players
from tests.support import databases
from tests.support.mail_system import MailSystem
from tests.support.players import parsed

GAMES = 5
PEOPLE = [who for game in range(1, GAMES + 1) for who in players(game)]
DOUBLES_A_KILL = CLAIMED_AT_ONCE * SmtpSettings.model_fields["connections"].default
"""The letters that may have left, and not be noted, when one is killed."""

SECONDS = 240
"""How long all may take on a busy machine."""

Played = list[tuple[int, int, int, str, str | None]]
Written = dict[tuple[int | None, int | None], list[str]]


def played(app: App) -> Played:
    """Every turn that is stored, with the board's checksum."""
    with app.store.transaction() as session:
        rows = session.exec(select(TurnRow).order_by(col(TurnRow.game_id), col(TurnRow.number))).all()
        return [(one.game_id, one.number, one.seat, one.text, one.checksum) for one in rows]


def written(app: App) -> Written:
    """What the letters to each seat say, in the order in which they were written."""
    with app.store.transaction() as session:
        found: Written = {}
        for one in session.exec(select(OutboxRow).order_by(col(OutboxRow.id))).all():
            found.setdefault((one.game_id, one.seat), []).append(one.text)
        return found


def is_done(app: App) -> bool:
    """Whether no mail waits and every letter has left."""
    with app.store.transaction() as session:
        mails = session.exec(select(InboxRow.id).where(InboxRow.state == MailState.NEW)).first()
        letters = session.exec(select(OutboxRow.id).where(OutboxRow.state != LetterState.SENT)).first()
        return mails is None and letters is None


def as_one_would(folder: Path, smtp: int) -> tuple[Played, Written]:
    """The same games, played by one takmail alone."""
    folder.mkdir()
    app = app_of(config_at(folder, databases.url_in(folder), smtp))
    begin(app, GAMES)
    for raw in moves(app.services.key, GAMES):
        app.mail_worker.keep_one(raw)
    app.mail_worker.work()
    found = played(app), written(app)
    app.close()
    databases.let_go(folder)
    return found


async def killed_at_random(workers: list[Worker], chance: Random, done: asyncio.Event) -> int:
    """Kill two of the workers again and again, and start them again; gives how often."""
    kills = 0
    while not done.is_set():
        worker = workers[chance.randrange(2)]
        try:
            async with asyncio.timeout(chance.uniform(1, 4)):
                await done.wait()
        except TimeoutError:
            await worker.kill()
            await worker.start()
            kills += 1
    return kills


async def test_four_workers_of_which_two_are_killed_do_everything_once(tmp_path: Path) -> None:
    seed = secrets.randbits(32)
    print(f"seed {seed}")
    async with MailSystem(dict.fromkeys((TAK, *PEOPLE), "secret")) as system:
        expected = as_one_would(tmp_path / "one", system.smtp_port)
        file = config_at(tmp_path, databases.url_in(tmp_path), system.smtp_port)
        app = app_of(file)
        begin(app, GAMES)
        workers, done = [Worker(file) for _ in range(4)], asyncio.Event()
        try:
            await asyncio.gather(*(one.start() for one in workers))
            killing = asyncio.create_task(killed_at_random(workers, Random(seed), done))
            for raw in moves(app.services.key, GAMES):
                app.mail_worker.keep_one(raw)
                await asyncio.sleep(0)
            async with asyncio.timeout(SECONDS):
                while not is_done(app):  # noqa: ASYNC110 - other processes have no event to wait for
                    await asyncio.sleep(0.2)
            done.set()
            kills = await killing
            print(f"{kills} kills")
            # Beside four starts on a busy machine, one may not get the database in time. systemd would start it again.
            assert set(await asyncio.gather(*(one.end() for one in workers[2:]))) <= {0, os.EX_TEMPFAIL}
        finally:
            done.set()
            await asyncio.gather(*(one.kill() for one in workers))
        assert (played(app), written(app)) == expected
        with app.store.transaction() as session:
            states = Counter(session.exec(select(InboxRow.state)).all())
            letters = session.exec(select(OutboxRow.mail_to, OutboxRow.message_id)).all()
        assert states == {MailState.ANSWERED: 2 * GAMES, MailState.PLAYED: len(MOVES) * GAMES}
        copies = Counter(
            [(who, str(parsed(raw)["Message-ID"])) for who in PEOPLE for raw in await system.mails(who)]
        )
        assert set(copies) == set(letters)
        assert max(copies.values()) <= 1 + kills
        assert copies.total() - len(copies) <= kills * DOUBLES_A_KILL
        app.close()
