"""Mails that are handed over by LMTP: a game without a mailbox, kills and locks between, and the worst of mails."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from email import policy
from email.message import EmailMessage
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from sqlmodel import select

from takmail import app as composition
from takmail import listener
from takmail.app import App
from takmail.inbound import Inbound
from takmail.mail.imap import FetchedMail
from takmail.mail.limits import USUAL
from takmail.settings import LmtpSettings
from takmail.store import database, games, intake, leases
from takmail.store.tables import IntakeRow
from tests.acceptance.live import ADA, BEN, TAK, Live, bury, live, text_of
from tests.acceptance.test_serving import SOON, said
from tests.databases import locked
from tests.lmtp import SOMEONE, Client, connected

CORPUS = sorted((Path(__file__).parent.parent / "data" / "mail").glob("*.eml"))[::6]
KEPT = "250 2.0.0 kept as mail {}"


class Killed(BaseException):
    """The process is gone; nothing that runs on an ordinary exception may run."""


def place(game: Live) -> Path:
    return game.folder / "lmtp.sock"


def app_on(game: Live) -> App:
    """A takmail without a mailbox, on the database that the last one left."""
    lmtp = LmtpSettings(socket=place(game))
    return App(game.settings().model_copy(update={"imap": None, "lmtp": lmtp}), lot=Random(1))


@asynccontextmanager
async def serving(game: Live) -> AsyncIterator[App]:
    app, stop = app_on(game), asyncio.Event()
    with said("listening at") as listens:
        task = asyncio.create_task(app.serve(stop))
        async with asyncio.timeout(10):
            await listens.wait()
    try:
        yield app
    finally:
        stop.set()
        await task
        app.close()


def mail(sender: str, text: str, to: str = TAK, number: int = 1) -> bytes:
    written = EmailMessage(policy=policy.SMTP)
    written["From"], written["To"], written["Subject"] = sender, to, "Tak"
    written["Message-ID"] = f"<{number}@mail.example.org>"
    written.set_content(text)
    return written.as_bytes()


class Post:
    """Ada and Ben write by LMTP, and read what has come for them."""

    def __init__(self, game: Live, client: Client) -> None:
        self._game = game
        self._client = client
        self._written = 0
        self.last: dict[str, EmailMessage] = {}

    async def write(self, who: str, text: str, to: str = "") -> str:
        """Hand a mail over, an answer to the last letter if there is one; gives the answer that it got."""
        self._written += 1
        to = to or reply_address(self.last[who])
        [answer] = await self._client.sent(mail(who, text, to, self._written), [to], who)
        return answer

    async def read(self, who: str, letters: int = 1) -> str:
        """The newest of so many letters that are still to come."""
        for _ in range(letters):
            await self._game.system.next_mail(who)
        self.last[who] = (await self._game.letters(who))[-1]
        return text_of(self.last[who])

    async def begin(self) -> None:
        """A game of 5x5, in which Ada has the first turn."""
        await self.write(ADA, f"new 5 vs {BEN} first=me", TAK)
        await self.read(ADA)
        await self.write(ADA, "yes")
        await self.read(BEN)
        await self.write(BEN, "accept")
        await self.read(BEN)
        await self.read(ADA, 2)


def reply_address(letter: EmailMessage) -> str:
    return str(letter["Reply-To"].addresses[0].addr_spec)


@asynccontextmanager
async def play(game: Live) -> AsyncIterator[Post]:
    async with connected(place(game)) as client:
        post = Post(game, client)
        await post.begin()
        yield post


def rows(app: App) -> list[IntakeRow]:
    with app.store.transaction() as session:
        return list(session.exec(select(IntakeRow).order_by(IntakeRow.id)))  # type: ignore[arg-type]


def turns(app: App) -> list[str]:
    with app.store.transaction() as session:
        return [turn.text for turn in games.turns(session, 1)]


async def test_a_game_is_played_without_a_mailbox(tmp_path: Path) -> None:
    async with live(tmp_path) as game, serving(game) as app, play(game) as post:
        for number, (who, move) in enumerate([(ADA, "ps a1"), (BEN, "ps e5"), (ADA, "ps b2")], 4):
            assert await post.write(who, move) == KEPT.format(number)
            await post.read(who)
            await post.read(BEN if who == ADA else ADA)
        assert turns(app) == ["ps a1", "ps e5", "ps b2"]


async def test_a_second_service_takes_the_socket_over_when_the_first_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "RENEWED_EVERY", timedelta(milliseconds=20))
    async with live(tmp_path) as game:
        second, stop = app_on(game), asyncio.Event()
        async with AsyncExitStack() as first:
            await first.enter_async_context(serving(game))
            with said("another takmail listens at") as waits:
                task = asyncio.create_task(second.serve(stop))
                async with asyncio.timeout(10):
                    await waits.wait()
            with said("listening at") as listens:
                await first.aclose()
                async with asyncio.timeout(10):
                    await listens.wait()
        async with connected(place(game)) as client:
            assert await client.sent(mail(ADA, "help")) == [KEPT.format(1)]
        stop.set()
        await task
        second.close()
        assert not place(game).exists()


async def test_the_seat_is_known_by_the_envelope_where_no_header_names_it(tmp_path: Path) -> None:
    async with live(tmp_path) as game, serving(game) as app, play(game) as post:
        hidden = mail(ADA, "ps b4", to="Friends:;", number=20)
        await post._client.sent(hidden, [reply_address(post.last[ADA])], ADA)
        await post.read(ADA)
        assert turns(app) == ["ps b4"]


async def test_a_mail_for_two_of_our_addresses_is_one_mail_that_names_both(tmp_path: Path) -> None:
    async with live(tmp_path) as game, serving(game) as app, play(game) as post:
        both = [TAK, reply_address(post.last[ADA])]
        assert await post._client.sent(mail(ADA, "ps b4", number=20), both, ADA) == [KEPT.format(4)] * 2
        await post.read(ADA)
        assert turns(app) == ["ps b4"]
        assert len(rows(app)) == 4


async def test_what_comes_from_nobody_is_a_machines_and_never_answered(tmp_path: Path) -> None:
    async with live(tmp_path) as game, serving(game) as app, connected(place(game)) as client:
        with said("mail 2: answered") as answered:
            await client.sent(mail(ADA, "help"), [TAK], "")
            await client.sent(mail(SOMEONE, "help", number=2), [TAK])
            async with asyncio.timeout(10):
                await answered.wait()
        assert (rows(app)[0].state, rows(app)[0].note) == ("machine", "null-return-path")


async def test_the_writer_of_a_mail_over_the_limit_is_told_so_by_a_letter(tmp_path: Path) -> None:
    async with live(tmp_path) as game, serving(game) as app, play(game) as post:
        assert await post.write(ADA, "ps a1\r\n" * (USUAL.mail_bytes // 7)) == KEPT.format(4)
        assert "longer than the 10 MiB" in await post.read(ADA)
        assert turns(app) == []
        assert len(rows(app)[-1].raw) <= USUAL.header_bytes


KILLS = [
    "before it is kept",
    "while it is kept",
    "between its commit and the answer",
    "after the answer",
]


@pytest.mark.parametrize("when", KILLS)
async def test_a_kill_at_any_moment_leaves_the_mail_with_one_of_the_two(when: str, tmp_path: Path) -> None:
    async with live(tmp_path) as game:
        async with serving(game), play(game) as post:
            to = reply_address(post.last[ADA])
        handed_over = mail(ADA, "ps b4", to, 20)
        died = app_on(game)
        assert died.door is not None
        alive = _killed(when)
        await died.door.open()
        async with connected(place(game)) as client:
            await client.begin([to], ADA)
            client.send(handed_over + b".\r\n")
            if when == "after the answer":
                assert await client.answer() == KEPT.format(4)
            else:
                await _dies(died)
        alive.undo()
        await _buried(died)
        with said(": played") as played:
            async with serving(game) as app, connected(place(game)) as client:
                if when != "after the answer":
                    await client.sent(handed_over, [to], ADA)
                async with asyncio.timeout(10):
                    await played.wait()
                assert turns(app) == ["ps b4"]
                twice = when == "between its commit and the answer"
                assert [row.state for row in rows(app)[3:]] == ["played", "duplicate"][: 1 + twice]
        for who in (ADA, BEN):
            copies = Counter(str(letter["Message-ID"]) for letter in await game.letters(who))
            assert max(copies.values()) == 1


def _killed(when: str) -> pytest.MonkeyPatch:
    """Let the process die there; to be undone."""
    patch = pytest.MonkeyPatch()
    keep_one, record = Inbound.keep_one, intake.record

    def killed(*_: object) -> None:
        raise Killed

    def kept(self: Inbound, raw: bytes, size: int) -> None:
        keep_one(self, raw, size)
        raise Killed

    def recorded(session: object, row: IntakeRow) -> None:
        record(session, row)  # type: ignore[arg-type]
        raise Killed

    match when:
        case "before it is kept":
            patch.setattr(Inbound, "keep_one", killed)
        case "while it is kept":
            patch.setattr(intake, "record", recorded)
        case "between its commit and the answer":
            patch.setattr(Inbound, "keep_one", kept)
    return patch


async def _dies(app: App) -> None:
    """Wait until what deals with the client has died."""
    assert app.door is not None
    async with asyncio.timeout(10):
        await asyncio.wait(app.door._inside)


async def _buried(app: App) -> None:
    """Let go of what the operating system closes; the file of the socket stays."""
    assert app.door is not None
    assert app.door._server is not None
    app.door._server.close()
    await bury(app)


async def test_while_the_database_is_locked_a_mail_is_put_off_and_nobody_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.05)
    monkeypatch.setattr(listener, "REST_SECONDS", 0.2)
    monkeypatch.setattr(composition, "DATABASE_AWAY", SOON)
    async with live(tmp_path) as game, serving(game) as app, connected(place(game)) as client:
        later = "451 4.3.0 It can't be kept now; try again later"
        with locked(tmp_path):
            with said("a mail is not taken, and will be handed over again") as told:
                assert await client.sent(mail(ADA, "help"), [TAK] * 2) == [later] * 2
            assert told.is_set()
            with said("a mail is not taken") as told:
                assert await client.sent(mail(ADA, "help"), [TAK]) == [later]
            assert not told.is_set(), "the database rests, and is not asked for each"
        await asyncio.sleep(listener.REST_SECONDS)
        assert await client.sent(mail(ADA, "help"), [TAK]) == [KEPT.format(1)]
        await game.system.next_mail(ADA)
        assert len(rows(app)) == 1


async def test_a_mail_that_is_being_handed_over_at_the_end_is_kept_and_played_at_the_next_start(
    tmp_path: Path,
) -> None:
    async with live(tmp_path) as game:
        app, stop = app_on(game), asyncio.Event()
        with said("listening at") as listens:
            task = asyncio.create_task(app.serve(stop))
            await listens.wait()
        async with connected(place(game)) as client, connected(place(game)) as idle:
            await client.begin([TAK], ADA)
            stop.set()
            assert (await idle.answer()).startswith("421")
            client.send(mail(ADA, "help") + b".\r\n")
            assert await client.answer() == KEPT.format(1)
        await task
        app.close()
        async with serving(game):
            await game.system.next_mail(ADA)


def hostile() -> list[bytes]:
    """Mails as nobody should write them."""
    head = b"From: Ada <ada@example.org>\r\nMessage-ID: <1@mail.example.org>\r\n"
    nested = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(500)
    )
    parts = b"--b\r\n\r\nhelp\r\n" * 10_000
    mixed = b"Content-Type: multipart/mixed; boundary=b\r\n\r\n"
    text = b"Content-Type: text/plain; charset=%b\r\n\r\nhelp\r\n"
    return [
        b"",
        b"\r\n",
        b" help\r\n",
        b"help",
        b"\0\xff\r\n\r\n\0",
        head + nested + b"\r\nhelp\r\n",
        head + mixed + parts + b"--b--\r\n",
        head + mixed + b"help\r\n",
        head + b"Content-Type: message/rfc822\r\n\r\n" * 300 + b"\r\nhelp\r\n",
        head + b"\r\n" + b"x" * 5_000_000,
        head + b"X: " + b"y" * 300_000 + b"\r\n\r\nhelp\r\n",
        head + b"\r\nhelp\rhelp\nhelp\r\r\n",
        *(
            head + text % name
            for name in (b"rot13", b"idna", b"undefined", b"no-such", b'"', b"utf-16", b"\xff")
        ),
        head + b"Content-Transfer-Encoding: base64\r\n\r\n!!!!=\r\n",
        b"From: " + b"(" * 3_000 + b"\r\n\r\nhelp\r\n",
        b"From: ada@example.org, ben@example.org\r\n\r\nhelp\r\n",
        b"From: Friends: ada@example.org;\r\n\r\nhelp\r\n",
        "From: \u0410da <\u0430da@example.org>\r\n\r\nhelp\r\n".encode(),
        b"Subject: =?utf-8?b?####?=\r\nDate: 99 Foo 99999\r\nFrom: ada@example.org\r\n\r\nhelp\r\n",
    ]


def told(app: App) -> list[tuple[object, ...]]:
    """Where the mails have ended, and why; of a mail that raised its traceback would stand there."""
    return [(row.state, row.note, row.sender, row.fingerprint, row.raw.rstrip(b"\r\n")) for row in rows(app)]


async def test_the_worst_of_mails_end_as_they_do_by_imap(tmp_path: Path) -> None:
    mails = [*hostile(), *(file.read_bytes() for file in CORPUS)]
    # One that does not end with a line end gets one where it is handed over.
    mails = [one if one.endswith(b"\r\n") else one + b"\r\n" for one in mails]
    (tmp_path / "imap").mkdir()
    (tmp_path / "lmtp").mkdir()
    async with live(tmp_path / "imap") as game:
        app = game.app(first_start="all")
        head = f"Return-Path: <{SOMEONE}>\r\nDelivered-To: {TAK}\r\n".encode()
        mailbox = SimpleNamespace(account=app.mailbox.account, uid_validity=1)
        for uid, raw in enumerate(mails, 1):
            fetched = FetchedMail(uid, len(head + raw), head + raw, app.desk.clock())
            app.poller.keep(mailbox, [fetched])  # type: ignore[arg-type]
        app.inbound.work()
        by_imap = told(app)
        await bury(app)
    async with live(tmp_path / "lmtp") as game, serving(game) as app, connected(place(game)) as client:
        for number, raw in enumerate(mails, 1):
            assert await client.sent(raw) == [KEPT.format(number)]
        with said(f"mail {len(mails) + 1}: ") as done:
            await client.sent(mail(SOMEONE, "help", number=0))
            async with asyncio.timeout(60):
                await done.wait()
        by_lmtp = told(app)[:-1]
    assert {state for state, *_ in by_imap} >= {"answered", "duplicate", "machine", "rejected"}
    assert "shunted" not in {state for state, *_ in by_lmtp}
    assert by_lmtp == by_imap
