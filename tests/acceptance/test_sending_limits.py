"""A mail server that limits how much we send gets no letter lost, and one domain can't stop the letters to others."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest

from takmail.games.registry import GAMES
from takmail.limits.letters import UNLIMITED, SendingLimits
from takmail.runtime import delivery_failures, delivery_worker
from takmail.runtime.delivery_failures import retry_delay
from takmail.runtime.delivery_worker import DeliveryWorker
from takmail.runtime.illustrator import Illustrator
from takmail.runtime.mail_worker import MailWorker
from takmail.runtime.net.smtp import SmtpAccount, SmtpSender
from takmail.runtime.process_lease import ProcessLease
from takmail.store import health
from takmail.store.database import Store
from takmail.store.tables import OutboxRow
from takmail.world.kinds import DeliveryClass, LetterState
from tests.mail.scripted import HANG_UP
from tests.mail.smtp_script import GOOD, PIPELINING, SmtpScript
from tests.store.plans import noted
from tests.support import rows
from tests.support.harness import ADA, BEN, Harness
from tests.support.limit_texts import LIMITS
from tests.support.sending import NoDisk
from tests.support.width import IS_WIDE, combined, some_of, tenth_of

MOST_STATEMENTS = 28
"""The number of statements from a mail with a move until both of its letters are marked as sent."""
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
BEFORE_RECIPIENT = ("greeting", "EHLO", "STARTTLS", "AUTH", "MAIL")
AFTER_RECIPIENT = ("RCPT", "DATA", ".")
TEXTS = (
    "Gmail",
    "Gmail, logins",
    "Gmail, rate",
    "Workspace, peak",
    "Outlook.com",
    "Exchange Online",
    "Exchange Online, day",
    "Exchange Online, tenant",
    "Exchange Server, rate",
    "GMX, WEB.DE",
    "Yahoo, for good",
    "Zoho",
    "QQ",
    "Postfix, mails",
)


def answer(text: str) -> str:
    """Return a text as a server sends it: each line with the code. After 421 it hangs up (RFC 5321 §3.8)."""
    code, words = text[:3], text[4:].splitlines()
    lines = [f"{code}-{line}\r\n" for line in words[:-1]] + [f"{code} {words[-1]}\r\n"]
    return "".join(lines) + (HANG_UP if code == "421" else "")


class LimitedServer(SmtpScript):
    """A mail server that gives the answer `text` at the command `step`.

    It does so for the next `limited` times, and for letters to the domains in `hostile`. `tried` are the
    recipients that it has heard, and `taken` those whose letters it has accepted. `has_spoken` is set by each answer.
    """

    def __init__(self, step: str = "", text: str = "", limited: int = 0, ehlo: str = GOOD["EHLO"]) -> None:
        super().__init__({"EHLO": ehlo})
        self.step = step
        self.text = answer(text) if text else ""
        self.limited = limited
        self.hostile: set[str] = set()
        self.tried: list[str] = []
        self.taken: list[str] = []
        self.has_spoken = asyncio.Event()
        self._reader: dict[asyncio.StreamWriter, str] = {}
        self._counted = 0

    def say(self, writer: asyncio.StreamWriter, name: str) -> str:
        self.has_spoken.set()
        if name == "RCPT":
            self._reader[writer] = self.heard[-1].partition("<")[2].rstrip(">")
            self.tried.append(self._reader[writer])
        if name == self.step and self._refuses(writer):
            self.limited -= self.limited > 0
            self._counted = len(self.letters)
            return self.write(writer, self.text)
        if name == "." and len(self.letters) > self._counted:  # a lone dot is no letter
            self.taken.append(self._reader[writer])
            self._counted = len(self.letters)
        return super().say(writer, name)

    def _refuses(self, writer: asyncio.StreamWriter) -> bool:
        domain = self._reader.get(writer, "").partition("@")[2]
        return self.limited > 0 or (domain in self.hostile and self.step in AFTER_RECIPIENT)


@dataclass
class Post:
    """An outbox, a mail server and a clock that only the test moves."""

    store: Store
    server: LimitedServer
    connections: int = 1
    tls: str = "none"
    limits: SendingLimits = UNLIMITED
    now: datetime = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
    workers: list[DeliveryWorker] = field(default_factory=list)

    def worker(self, name: str = "serve") -> DeliveryWorker:
        account = SmtpAccount("127.0.0.1", self.server.port, "tak", "secret", tls=self.tls, timeout=5)  # type: ignore[arg-type]
        self.workers.append(
            DeliveryWorker(
                self.store,
                [SmtpSender(account) for _ in range(self.connections)],
                Illustrator(GAMES),
                lambda: self.now,
                name,
                disk=NoDisk(self.store),
                limits=self.limits,
            )
        )
        return self.workers[-1]

    def letters(self, *readers: str, of: DeliveryClass = DeliveryClass.GAMES) -> list[int]:
        with self.store.transaction() as session:
            return [
                rows.add_letter(
                    session, rows.new_letter(reader, self.now, of, b"Subject: x\r\n\r\nA letter\r\n")
                )
                for reader in readers
            ]

    def row(self, number: int) -> OutboxRow:
        with self.store.transaction() as session:
            return session.get_one(OutboxRow, number)

    def states(self) -> set[str]:
        with self.store.transaction() as session:
            return {str(row.state) for row in rows.letters(session)}

    def attempts(self) -> int:
        with self.store.transaction() as session:
            return sum(row.attempts for row in rows.letters(session))

    async def until_sent(self, worker: DeliveryWorker, most: int = 40) -> timedelta:
        """Send and move the clock by a minute until all letters are sent. Return how long that took."""
        begun = self.now
        for _ in range(most):
            await worker.send_due()
            assert LetterState.FAILED not in self.states()
            if self.states() == {LetterState.SENT}:
                return self.now - begun
            self.now += MINUTE
        raise AssertionError("letters still wait")


@asynccontextmanager
async def post_to(server: LimitedServer, store: Store, **how: object) -> AsyncIterator[Post]:
    async with server.running():
        it = Post(store, server, **how)  # type: ignore[arg-type]
        try:
            yield it
        finally:
            for worker in it.workers:
                await worker.close()


@pytest.mark.parametrize(
    ("step", "ehlo", "name"),
    combined(BEFORE_RECIPIENT + AFTER_RECIPIENT, [GOOD["EHLO"], PIPELINING], tenth_of(TEXTS)),
)
async def test_a_limit_fails_no_letter_and_games_leave_first_after_it(
    store: Store, step: str, ehlo: str, name: str
) -> None:
    if step == "STARTTLS":
        ehlo = ehlo.replace("250 AUTH", "250-STARTTLS\r\n250 AUTH")
    server = LimitedServer(step, LIMITS[name], limited=4, ehlo=ehlo)
    async with post_to(server, store, tls="starttls" if step == "STARTTLS" else "none") as post:
        post.letters("eve@strangers.example", of=DeliveryClass.OTHERS)
        post.letters("cy@example.com", "di@example.com", of=DeliveryClass.PLAYERS)
        post.letters("ada@example.org", "ben@example.net")
        worker = post.worker()
        assert await worker.send_due() is False
        assert post.states() == {LetterState.QUEUED}
        if step == "STARTTLS":  # the server has no certificate, so the letters leave without TLS then
            post.tls, server.step, post.now = "none", "", post.now + MINUTE
            await worker.close()
            worker = post.worker()
        waited = await post.until_sent(worker)
        assert waited <= (1 + 2 + 4 + 8) * MINUTE
        if step in BEFORE_RECIPIENT:
            assert post.attempts() == 0
            assert set(server.taken[:2]) == {"ada@example.org", "ben@example.net"}
            assert server.taken[-1] == "eve@strangers.example"
        assert len(server.taken) == 5


@pytest.mark.parametrize(
    ("step", "expected", "longest"),
    [("MAIL", [1, 2, 4, 8, 16, 30, 30, 30, 30], 30 * MINUTE), (".", [1] * 9, timedelta(hours=2))],
)
async def test_pauses_for_a_limit_that_is_surely_ours_grow_and_one_letter_is_tried_after_each(
    store: Store, step: str, expected: list[int], longest: timedelta
) -> None:
    server = LimitedServer(step, LIMITS["Gmail"], limited=1_000)
    async with post_to(server, store, connections=4) as post:
        post.letters(*(f"reader@domain{number}.example" for number in range(30)))
        worker = post.worker()
        await worker.send_due()
        begun, last, asked, pauses = post.now, post.now, 1_000 - server.limited, []
        while len(pauses) < len(expected) and post.now - begun < timedelta(hours=3):
            post.now += MINUTE
            await worker.send_due()
            if (more := 1_000 - server.limited - asked) > 0:
                assert more <= 2  # a used connection is replaced once
                pauses.append((post.now - last) // MINUTE)
                asked, last = asked + more, post.now
        assert pauses == expected
        assert post.states() == {LetterState.QUEUED}
        server.limited = 0
        # One success is enough, and all others leave at once, or when each is retried.
        assert await post.until_sent(worker, most=121) <= longest
        assert len(server.taken) == 30


@pytest.mark.parametrize("step", AFTER_RECIPIENT)
async def test_one_domain_that_claims_a_limit_holds_up_its_own_letters_only(store: Store, step: str) -> None:
    server = LimitedServer(step, LIMITS["Gmail"])
    server.hostile = {"hostile.example", "mail.hostile.example"}
    async with post_to(server, store) as post:
        theirs = post.letters(
            "a@hostile.example", "b@mail.hostile.example", "c@hostile.example", "d@hostile.example"
        )
        others = ("ada@example.org", "ben@example.net", "cy@example.com")
        post.letters(*others, of=DeliveryClass.OTHERS)
        worker = post.worker()
        assert await worker.send_due() is True
        assert sorted(server.taken) == sorted(others)
        for attempts in range(1, 5):
            assert [post.row(one).attempts for one in theirs] == [attempts] * 4
            assert {post.row(one).due_at - post.now for one in theirs} == {retry_delay(attempts)}
            assert {post.row(one).state for one in theirs} == {LetterState.QUEUED}
            post.now += retry_delay(attempts)
            assert await worker.send_due() is True
        assert "sending limit" in post.row(theirs[0]).error


@pytest.mark.parametrize(("step", "of"), combined(AFTER_RECIPIENT, DeliveryClass))
async def test_two_domains_that_claim_a_limit_hold_up_nobody_elses_letters(
    store: Store, step: str, of: DeliveryClass
) -> None:
    server = LimitedServer(step, LIMITS["Outlook.com"])
    server.hostile = {"hostile.example", "other.example"}
    async with post_to(server, store, connections=4) as post:
        worker = post.worker()
        for hour in range(8 if IS_WIDE else 3):
            theirs = post.letters(f"eve{hour}@hostile.example", f"mallory{hour}@other.example")
            post.letters(f"ada{hour}@example.org", f"ben{hour}@example.org", f"cy{hour}@example.com", of=of)
            await worker.send_due()
            assert len(server.taken) == 3 * (hour + 1), "all others leave at once"
            # A new letter leaves at once, too, whatever the two have said since.
            await worker.send_due()
            post.letters(f"di{hour}@example.org", of=of)
            await worker.send_due()
            assert server.taken.pop() == f"di{hour}@example.org"
            post.now += timedelta(hours=1)
        assert {post.row(one).state for one in theirs} == {LetterState.QUEUED}


async def test_a_new_letter_to_a_third_domain_ends_what_two_have_begun(store: Store) -> None:
    server = LimitedServer("RCPT", LIMITS["Gmail"])
    server.hostile = {"hostile.example", "other.example"}
    async with post_to(server, store) as post:
        worker = post.worker()
        theirs = post.letters(*(f"{name}@{domain}" for name in "abcd" for domain in server.hostile))
        assert await worker.send_due() is False
        assert len(server.tried) == 3, "one at a time is tried, and the others wait"
        post.letters("ada@example.org", "ben@example.org", of=DeliveryClass.OTHERS)
        post.now += MINUTE
        await worker.send_due()
        assert sorted(server.taken) == ["ada@example.org", "ben@example.org"]
        assert server.tried[3] in server.taken, "others are tried first"
        assert {post.row(one).state for one in theirs} == {LetterState.QUEUED}


@pytest.mark.parametrize("step", some_of(AFTER_RECIPIENT, 1))
async def test_many_letters_to_hostile_domains_delay_another_one_by_two_minutes_at_most(
    store: Store, step: str
) -> None:
    server = LimitedServer(step, LIMITS["Outlook.com"])
    server.hostile = {f"hostile{number}.example" for number in range(3)}
    async with post_to(server, store, connections=4) as post:
        worker = post.worker()
        for hour in range(3 if IS_WIDE else 1):
            post.letters(*(f"reader{hour}.{number}@{one}" for number in range(8) for one in server.hostile))
            for _ in range(60):
                await worker.send_due()
                post.now += MINUTE
            (letter,) = post.letters(f"ada{hour}@example.org", of=DeliveryClass.OTHERS)
            for _ in range(2):
                await worker.send_due()
                post.now += MINUTE
            assert post.row(letter).state == LetterState.SENT


async def test_letters_that_only_hostile_domains_get_alarm_nobody(store: Store) -> None:
    server = LimitedServer("RCPT", LIMITS["Outlook.com"])
    server.hostile = {f"hostile{number}.example" for number in range(3)}
    async with post_to(server, store, connections=4) as post:
        readers = [f"reader{number}@{domain}" for number in range(8) for domain in server.hostile]
        letters, worker = post.letters(*readers, of=DeliveryClass.OTHERS), post.worker()
        for _ in range(90):
            await worker.send_due()
            post.now += MINUTE
        assert all(post.row(one).attempts for one in letters)
        with store.transaction() as session:
            assert health.oldest_letter(session) is None


@pytest.fixture
def given_up_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A letter is given up after a day in place of five, so that it is tried less often."""
    monkeypatch.setattr(delivery_failures, "GIVE_UP_AFTER", DAY)


@pytest.mark.usefixtures("given_up_soon")
async def test_letters_that_only_hostile_domains_get_are_given_up_like_any(store: Store) -> None:
    server = LimitedServer("RCPT", LIMITS["Outlook.com"])
    server.hostile = {f"hostile{number}.example" for number in range(3)}
    async with post_to(server, store) as post:
        post.letters(*(f"eve@{domain}" for domain in server.hostile))
        worker, begun = post.worker(), post.now
        while post.states() == {LetterState.QUEUED}:
            await worker.send_due()
            post.now += 60 * MINUTE
        assert DAY <= post.now - begun <= 3 * DAY


@pytest.mark.usefixtures("given_up_soon")
async def test_a_hostile_domains_letter_is_given_up_like_any_that_is_deferred(store: Store) -> None:
    server = LimitedServer("RCPT", LIMITS["Gmail"])
    server.hostile = {"hostile.example"}
    async with post_to(server, store) as post:
        (letter,) = post.letters("eve@hostile.example")
        worker, begun = post.worker(), post.now
        while post.row(letter).state == LetterState.QUEUED:
            await worker.send_due()
            post.now = max(post.row(letter).due_at, post.now)
        assert DAY <= post.now - begun <= DAY + timedelta(hours=3)


async def test_a_connection_over_which_no_more_letters_go_is_replaced_at_once(store: Store) -> None:
    server = LimitedServer("MAIL", "450 4.7.1 Error: too many messages over this connection")
    async with post_to(server, store, connections=1) as post:
        worker = post.worker()
        post.letters("ada@example.org")
        await worker.send_due()
        server.limited = 1
        post.letters("ben@example.org")
        assert await worker.send_due() is True
        assert (server.connections, server.taken) == (2, ["ada@example.org", "ben@example.org"])


async def test_the_operator_is_told_once_and_what_helps(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    server = LimitedServer("MAIL", LIMITS["Gmail, older"], limited=8)
    async with post_to(server, store) as post:
        post.letters("ada@example.org", "ben@example.org")
        worker = post.worker()
        with caplog.at_level(logging.INFO, "takmail"):
            await worker.send_due()
            server.text = server.text.replace("o65sm25351206pga", "another")
            await post.until_sent(worker)
        stopped, resumed = [text for text in caplog.messages if text.startswith("delivery ")]
        assert stopped.startswith("delivery stopped; retrying in 0:01:00: 2 letters wait: ")
        assert "550 5.4.5 Daily user sending quota exceeded." in stopped
        assert stopped.endswith("a limit on sending: check `per_minute` and `per_day` in [smtp]")
        assert resumed == "delivery resumed"
        assert [record for record in caplog.records if record.levelno > logging.INFO] == caplog.records[:1]


@pytest.mark.parametrize("connections", [1, 4])
async def test_no_more_letters_leave_within_a_minute_than_are_allowed(store: Store, connections: int) -> None:
    server = LimitedServer()
    async with post_to(server, store, connections=connections, limits=SendingLimits(per_minute=10)) as post:
        post.letters(*(f"reader{number}@example.org" for number in range(25)))
        worker = post.worker()
        for taken, later in ((10, 0), (10, 59), (20, 1), (20, 30), (25, 30)):
            post.now += timedelta(seconds=later)
            assert await worker.send_due() is True
            assert len(server.taken) == taken
        assert post.states() == {LetterState.SENT}
        assert post.attempts() == 0


async def test_half_of_a_days_letters_are_kept_for_games(store: Store) -> None:
    server = LimitedServer()
    async with post_to(server, store, limits=SendingLimits(per_day=10)) as post:
        worker = post.worker()
        post.letters(*(f"other{number}@example.org" for number in range(4)), of=DeliveryClass.OTHERS)
        post.letters(*(f"player{number}@example.org" for number in range(4)), of=DeliveryClass.PLAYERS)
        await worker.send_due()
        assert [to[0] for to in server.taken] == ["p"] * 4 + ["o"]
        post.letters(*(f"game{number}@example.org" for number in range(7)))
        await worker.send_due()
        assert [to[0] for to in server.taken[5:]] == ["g"] * 5
        post.now += DAY
        await worker.send_due()
        assert [to[0] for to in server.taken[10:]] == ["g"] * 2 + ["o"] * 3
        assert post.states() == {LetterState.SENT}


async def test_games_may_use_a_whole_days_letters(store: Store) -> None:
    server = LimitedServer()
    async with post_to(server, store, limits=SendingLimits(per_day=10)) as post:
        post.letters(*(f"player{number}@example.org" for number in range(4)), of=DeliveryClass.PLAYERS)
        post.letters(*(f"game{number}@example.org" for number in range(9)))
        await post.worker().send_due()
        assert [to[0] for to in server.taken] == ["g"] * 9 + ["p"]


async def test_a_letter_that_has_to_wait_for_a_day_holds_up_no_game(store: Store) -> None:
    server = LimitedServer()
    async with post_to(server, store, limits=SendingLimits(per_day=4)) as post:
        post.letters("a@example.com", "b@example.com", of=DeliveryClass.PLAYERS)
        worker = post.worker()
        await worker.send_due()
        (waits,) = post.letters("ada@example.org", of=DeliveryClass.PLAYERS)
        (leaves,) = post.letters("ada@example.org")
        await worker.send_due()
        assert (post.row(waits).state, post.row(leaves).state) == (LetterState.QUEUED, LetterState.SENT)


@pytest.mark.parametrize("limits", [SendingLimits(per_minute=6), SendingLimits(per_day=6)])
async def test_a_limit_holds_over_a_restart(store: Store, limits: SendingLimits) -> None:
    server = LimitedServer()
    async with post_to(server, store, limits=limits) as post:
        post.letters(*(f"reader{number}@example.org" for number in range(4)))
        await post.worker().send_due()
        post.letters(*(f"reader{number}@example.org" for number in range(4, 12)))
        for _ in range(3):
            ProcessLease(post.store, lambda: post.now, "serve").renew()
            await post.worker().send_due()
        assert len(server.taken) == 6


async def test_two_processes_keep_to_a_limit_together(store: Store) -> None:
    server = LimitedServer()
    async with post_to(server, store, connections=3, limits=SendingLimits(per_minute=7, per_day=50)) as post:
        post.letters(*(f"reader{number}@example.org" for number in range(20)))
        one, two = post.worker("one"), post.worker("two")
        for minutes in range(1, 4):
            await asyncio.gather(one.send_due(), two.send_due())
            assert len(server.taken) == min(7 * minutes, 20)
            post.now += MINUTE


@pytest.mark.parametrize("back", [timedelta(minutes=5), timedelta(hours=5), timedelta(days=400)])
async def test_letters_leave_and_are_counted_after_the_clock_was_set_back(
    store: Store, back: timedelta
) -> None:
    server = LimitedServer()
    async with post_to(server, store, limits=SendingLimits(per_minute=5, per_day=10)) as post:
        worker = post.worker()
        post.letters(*(f"reader{number}@example.org" for number in range(5)))
        await worker.send_due()
        post.now -= back
        post.letters(*(f"later{number}@example.org" for number in range(12)))
        for taken in (10, 15, 15):
            await worker.send_due()
            assert len(server.taken) == taken
            post.now += MINUTE
        post.now += DAY
        await worker.send_due()
        assert post.states() == {LetterState.SENT}


async def test_a_letter_that_was_refused_does_not_count(store: Store) -> None:
    server = LimitedServer("RCPT", "451 4.3.0 later")
    server.hostile = {"away.example"}
    async with post_to(server, store, limits=SendingLimits(per_day=3)) as post:
        post.letters(*(f"reader{number}@away.example" for number in range(6)))
        post.letters(*(f"reader{number}@example.org" for number in range(3)))
        worker = post.worker()
        for _ in range(4):
            await worker.send_due()
        assert len(server.taken) == 3


async def test_a_pause_ends_if_the_clock_is_set_back(store: Store) -> None:
    server = LimitedServer("MAIL", LIMITS["Zoho"], limited=1)
    async with post_to(server, store) as post:
        post.letters("ada@example.org", "ben@example.net")
        worker = post.worker()
        assert await worker.send_due() is False
        post.now -= timedelta(days=30)
        post.letters("cy@example.com")
        assert await worker.send_due() is True
        assert post.states() == {LetterState.SENT}


@pytest.mark.parametrize("limits", [UNLIMITED, SendingLimits(per_day=500), SendingLimits(per_minute=9)])
async def test_the_letters_of_a_move_leave_at_once(
    store: Store, monkeypatch: pytest.MonkeyPatch, limits: SendingLimits
) -> None:
    monkeypatch.setattr(delivery_worker, "LOOK_AGAIN", timedelta(hours=1))
    harness = Harness(store)
    harness.begin()
    move = harness.mail(f"Ada <{ADA}>", "ps a1", harness.last(ADA)).as_bytes()
    server = LimitedServer()
    async with post_to(server, store, connections=2, limits=limits, now=harness.now) as post:
        worker = post.worker()
        await worker.send_due()
        server.taken.clear()
        running = asyncio.create_task(worker.run())
        await asyncio.sleep(0)
        mail_worker = MailWorker(store, harness.causes, delivery=worker)
        mail_worker.keep_one(move)
        with noted(store) as statements:
            mail_worker.work()
            async with asyncio.timeout(60):
                while len(server.taken) < 2:
                    await server.has_spoken.wait()
                    server.has_spoken.clear()
            worker.stop()
            await running
        assert sorted(server.taken) == [ADA, BEN]
    assert len(statements) <= MOST_STATEMENTS


@pytest.mark.parametrize("limits", [UNLIMITED, SendingLimits(per_day=100)])
async def test_letters_are_handed_over_by_the_mail_worker_only_without_a_limit(
    store: Store, limits: SendingLimits
) -> None:
    server = LimitedServer()
    async with post_to(server, store, limits=limits) as post:
        worker = post.worker()
        running = asyncio.create_task(worker.run())
        await asyncio.sleep(0)
        assert worker.takes_letters == (limits == UNLIMITED)
        worker.stop()
        await running
