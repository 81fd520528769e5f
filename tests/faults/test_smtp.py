"""Faults of a mail server: refusals, delays, silence, and lost answers."""

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from pathlib import Path
from uuid import uuid4

import pytest

from takmail.cli.letters import list_letters
from takmail.games.registry import GAMES
from takmail.runtime.delivery_failures import GIVE_UP_AFTER
from takmail.runtime.delivery_worker import SERVER_RETRY, DeliveryWorker
from takmail.runtime.illustrator import Illustrator
from takmail.runtime.net.smtp import SmtpAccount, SmtpSender
from takmail.store.database import Store
from takmail.store.tables import OutboxRow
from takmail.world.kinds import LetterState
from tests.faults.scene import scene
from tests.faults.wire import HANG_UP, SILENCE, Way, Wire, wire
from tests.support import rows
from tests.support.cost import PATIENCE
from tests.support.mail_system import MailSystem
from tests.support.network import ADA, BEN, PASSWORDS, TAK, text_of
from tests.support.players import parsed

MINUTE = timedelta(minutes=1)
STEPS = ("MAIL", "RCPT", "DATA", r"\.")
IN_ORDER = ["to Ada", "to Ada again"]


@dataclass
class Post:
    """An outbox with a letter to Ada, one to Ben and another one to Ada. A test moves its clock."""

    store: Store
    system: MailSystem
    wire: Wire
    sender: SmtpSender
    delivery_worker: DeliveryWorker
    now: datetime = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)

    def write(self) -> None:
        for to, subject in ((ADA, "to Ada"), (BEN, "to Ben"), (ADA, "to Ada again")):
            row = OutboxRow(
                message_id=f"<{uuid4()}@mail.example.org>",
                mail_from=TAK,
                mail_to=to,
                raw=b"",
                text="",
                due_at=self.now,
                created_at=self.now,
            )
            row.raw = f"Message-ID: {row.message_id}\r\nSubject: {subject}\r\n\r\nA letter\r\n".encode()
            with self.store.transaction() as session:
                rows.add_letter(session, row)

    async def send(self, after: timedelta = timedelta(0)) -> None:
        self.now += after
        await self.delivery_worker.send_due()

    async def got(self, who: str) -> list[str]:
        """Return the subjects of a player's letters."""
        return [str(message_from_bytes(raw)["Subject"]) for raw in await self.system.mails(who)]

    async def ids(self, who: str) -> list[str]:
        return [str(message_from_bytes(raw)["Message-ID"]) for raw in await self.system.mails(who)]

    def row(self, number: int = 1) -> OutboxRow:
        with self.store.transaction() as session:
            return session.get_one(OutboxRow, number)

    def fault_at(self, step: str, answer: str) -> None:
        """Answer the next letter in this way at this step. At the final dot, the server has read it but discards it."""
        if step == r"\.":
            self.system.answer_next(answer)
        else:
            self.wire.answer(step, f"{answer}\r\n")


@pytest.fixture
async def post(store: Store) -> AsyncIterator[Post]:
    async with MailSystem(PASSWORDS) as system, wire(system.smtp_port) as line:
        line.patience = 5
        sender = SmtpSender(
            SmtpAccount("127.0.0.1", line.port, TAK, "secret", tls="none", timeout=line.patience)
        )
        it = Post(store, system, line, sender, None)  # type: ignore[arg-type]
        it.delivery_worker = DeliveryWorker(store, [sender], Illustrator(GAMES), lambda: it.now)
        it.write()
        yield it
        await it.delivery_worker.close()


@pytest.mark.parametrize("step", STEPS)
async def test_a_passing_refusal_delays_its_reader_and_nobody_else(post: Post, step: str) -> None:
    post.fault_at(step, "451 4.3.0 come back later")
    await post.send()
    assert (await post.got(ADA), await post.got(BEN)) == ([], ["to Ben"])
    row = post.row()
    assert (row.state, row.attempts, row.due_at - post.now) == ("queued", 1, MINUTE)
    ((shown, queued), _) = list_letters(post.store, [LetterState.QUEUED], 10, post.now)
    assert "451 4.3.0 come back later" in shown["reason"]
    assert (queued["number"], queued["reason"]) == (3, "")
    await post.send(MINUTE - timedelta(seconds=1))
    assert await post.got(ADA) == []
    await post.send(timedelta(seconds=1))
    assert await post.got(ADA) == IN_ORDER


@pytest.mark.parametrize("step", [step for step in STEPS if step != "MAIL"])
async def test_a_letter_refused_for_good_is_the_operators_and_the_next_goes_on(post: Post, step: str) -> None:
    post.fault_at(step, "554 5.7.1 no such thing")
    await post.send()
    assert (await post.got(ADA), await post.got(BEN)) == (["to Ada again"], ["to Ben"])
    assert post.row().state == "failed"
    ((shown,), _) = list_letters(post.store, [], 10, post.now)
    assert "554 5.7.1 no such thing" in shown["reason"]
    await post.send(GIVE_UP_AFTER)
    assert await post.got(ADA) == ["to Ada again"]


async def test_a_server_that_takes_no_letter_from_us_fails_none_and_gets_all_later(post: Post) -> None:
    post.fault_at("MAIL", "554 5.7.1 no such thing")
    await post.send()
    assert (post.row().state, post.row().attempts) == ("queued", 0)
    assert "554 5.7.1 no such thing" in post.row().error
    await post.send(SERVER_RETRY)
    assert (await post.got(ADA), await post.got(BEN)) == (IN_ORDER, ["to Ben"])


@pytest.mark.parametrize("greeting", ["421 4.3.2 not now", "554 5.3.2 nobody"])
async def test_a_server_that_lets_nobody_in_fails_no_letter_and_delays_all_alike(
    post: Post, greeting: str
) -> None:
    post.wire.answer("greeting", *[f"{greeting}\r\n"] * 3)
    for _ in range(3):
        await post.send(SERVER_RETRY)
    assert (post.row().state, post.row().attempts) == ("queued", 0)
    assert greeting in post.row().error
    assert await post.got(BEN) == []
    await post.send(SERVER_RETRY)
    assert (await post.got(ADA), await post.got(BEN)) == (IN_ORDER, ["to Ben"])


async def test_a_server_that_shuts_down_in_the_middle_takes_the_rest_when_it_is_back(post: Post) -> None:
    async def shuts_down() -> None:
        post.wire.answer("greeting", "421 4.3.2 shutting down\r\n")

    post.wire.before["RCPT"] = shuts_down
    post.wire.answer("RCPT", f"421 4.3.2 shutting down\r\n{HANG_UP}")
    await post.send()
    await post.send(MINUTE)
    assert (await post.got(ADA), await post.got(BEN)) == (IN_ORDER, ["to Ben"])


async def test_greylisting_is_waited_for(post: Post) -> None:
    """Accept a letter five minutes after the first attempt, and answer 450 until then (greylisting)."""
    begun = post.now
    while post.row().state != "sent":
        if post.now - begun < 5 * MINUTE:
            post.wire.answer("RCPT", "450 4.2.0 greylisted\r\n")
        await post.send()
        post.wire.answers.clear()
        if post.row().state != "sent":
            post.now = post.row().due_at
    assert post.now - begun == 7 * MINUTE
    await post.send()
    assert (await post.got(ADA), await post.got(BEN)) == (IN_ORDER, ["to Ben"])
    assert post.row().attempts == 3


async def test_a_letter_that_is_dropped_before_its_final_dot_arrives_later_and_once(post: Post) -> None:
    async def dropped() -> None:
        post.wire.hang_up()

    post.wire.before[r"\.$"] = dropped
    await post.send()
    assert "to Ada" not in await post.got(ADA)
    await post.send(MINUTE)
    assert await post.got(ADA) == IN_ORDER


@pytest.mark.parametrize("is_silent", [False, True], ids=["hangs up", "falls silent"])
async def test_a_letter_whose_receipt_is_lost_is_sent_again_with_the_same_message_id(
    post: Post, is_silent: bool
) -> None:
    async def loses_the_answer() -> None:
        post.wire.break_after(Way.DOWN, 0, is_silent=is_silent)

    post.wire.before[r"\.$"] = loses_the_answer
    await post.send()
    assert (await post.got(ADA), post.row().state) == (["to Ada"], "queued")
    await post.send(MINUTE)
    first, second, third = await post.ids(ADA)
    assert first == second != third
    assert post.row().state == "sent"


@pytest.mark.parametrize("step", ["greeting", "EHLO", "AUTH", "MAIL", "RCPT", "DATA"])
async def test_a_server_that_hangs_at_any_step_is_given_up_and_tried_again(post: Post, step: str) -> None:
    post.wire.answer(step, SILENCE)
    await post.send()
    assert (await post.got(ADA), post.row().state) == ([], "queued")
    assert post.row().error
    await post.send(MINUTE)
    assert (await post.got(ADA), await post.got(BEN)) == (IN_ORDER, ["to Ben"])


async def test_a_server_that_says_yes_to_everything_but_one_reader_gets_no_letter_for_that_one(
    post: Post,
) -> None:
    post.wire.answer("RCPT", "550 5.1.1 no such user\r\n")
    await post.send()
    assert (await post.got(ADA), await post.got(BEN)) == (["to Ada again"], ["to Ben"])
    assert post.row().state == "failed"
    assert sum(line == "DATA" for line in post.wire.heard) == 2


async def test_letters_leave_in_ascii_where_the_server_takes_no_eight_bits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with scene(tmp_path, monkeypatch) as it:
        it.smtp.swallows = re.compile(rb"250-(8BITMIME|SMTPUTF8)\r\n")
        it.smtp.hang_up()
        await it.turn()
        await it.game.write(f"Ada <{ADA}>", "Grüße aus Köln, я тут", to=it.reply_to[ADA])
        raw = await it.game.system.next_mail(BEN, PATIENCE)
        assert not any("8BITMIME" in line for line in it.smtp.heard[-6:])
        assert raw.isascii()
        assert "Grüße aus Köln, я тут" in text_of(parsed(raw))
