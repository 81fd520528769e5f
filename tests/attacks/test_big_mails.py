"""Big mails of strangers: hardly anything of them is stored, and nobody else waits for them."""

import base64
import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import col, select

from takmail.limits.mails import Limits
from takmail.runtime.mail_worker import NoRoom
from takmail.store import inbox
from takmail.store.database import Store
from takmail.store.tables import InboxRow
from tests.support.by_lmtp import begun, place, play, serving
from tests.support.harness import ADA, BEN, Harness, turns
from tests.support.lmtp import TAK, connected
from tests.support.network import bury, live, one_round
from tests.support.width import some_of

FILE = base64.encodebytes(os.urandom(750_000)).replace(b"\n", b"\r\n")
SMALL = Limits(stranger_bytes_per_day=64 * 1024)
TEXT = b"Content-Type: text/plain\r\n\r\n%b\r\n"
WORDS = (b"x" * 70 + b"\r\n") * 830
AWAY = b"Auto-Submitted: auto-replied\r\n"
PICTURE = b"Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n" + FILE
MIXED = b"Content-Type: multipart/mixed; boundary=B\r\n\r\n"
FULL = "451 4.7.1 Too much mail of strangers today; try again later"


def mail(number: int, body: bytes, sender: str = "", more: bytes = b"") -> bytes:
    who = sender or f"stranger{number}@example.net"
    ids = f"Subject: Tak\r\nMessage-ID: <{number}@mail.example.net>\r\n"
    return f"From: {who}\r\nTo: {TAK}\r\n{ids}".encode() + more + body


def several(*parts: bytes) -> bytes:
    return MIXED + b"".join(b"--B\r\n" + part + b"\r\n" for part in parts) + b"--B--\r\n"


def with_file(number: int, sender: str = "", more: bytes = b"") -> bytes:
    return mail(number, several(TEXT % b"help", PICTURE), sender, more)


def stored(store: Store) -> list[InboxRow]:
    with store.transaction() as session:
        return [*session.exec(select(InboxRow).order_by(col(InboxRow.id)))]


def sent(harness: Harness, mails: Iterator[bytes]) -> int:
    """Send mails until there is no room, handling each. Return how many are stored."""
    for count, raw in enumerate(mails):
        try:
            harness.mail_worker.keep_one(raw)
        except NoRoom:
            return count
        harness.mail_worker.work()
    raise AssertionError("there is room for all of them")


@pytest.mark.parametrize(
    ("body", "more", "state"),
    some_of(
        [
            (several(TEXT % b"help", PICTURE), b"", "answered"),
            (PICTURE, b"", "answered"),
            (several(TEXT % b"help", PICTURE), AWAY, "machine"),
            (several(TEXT % b"help", b"Content-Type: text/html\r\n\r\n" + FILE), b"", "answered"),
            (TEXT % FILE, b"", "rejected"),
            (b"Content-Type: text/html\r\n\r\n<!--" + FILE + b"-->", b"", "rejected"),
            (MIXED + FILE + b"\r\n--B\r\n" + TEXT % b"help", b"", "rejected"),
            (several(*[TEXT % b"help"] * 501) + FILE, b"", "rejected"),
        ],
        4,
    ),
)
def test_headers_and_text_are_stored(store: Store, body: bytes, more: bytes, state: str) -> None:
    harness = Harness(store)
    harness.mail_worker.keep_one(mail(1, body, more=more))
    [waiting] = stored(store)
    assert len(waiting.raw) < 40_000, "what is left out is not even stored while the mail waits"
    harness.mail_worker.work()
    [row] = stored(store)
    assert (row.state, row.size) == (state, len(mail(1, body, more=more)))
    assert len(row.raw) <= len(waiting.raw)


def test_a_page_is_kept_as_its_text_once_it_is_read(store: Store) -> None:
    harness = Harness(store)
    page = b"Content-Type: text/html\r\n\r\n" + b'<p style="color: black">hello</p>\r\n' * 500
    harness.mail_worker.keep_one(mail(1, page))
    assert stored(store)[0].raw == mail(1, page)
    harness.mail_worker.work()
    [row] = stored(store)
    assert len(row.raw) < len(page) // 3
    assert harness.causes.to_read(row.raw, row.size).read().body.text.split() == ["hello"] * 500


def test_text_is_stored_up_to_the_budget_of_all_strangers(store: Store) -> None:
    harness = Harness(store)
    harness.begin()
    harness.change(limits=SMALL)
    assert sent(harness, (mail(number, TEXT % WORDS) for number in range(5))) == 2
    # A player's answers come in, however long they are, and so do short mails from a player's address.
    answer = harness.mail(f"Ada <{ADA}>", "ps a1\n" + ("x" * 70 + "\n") * 1_000, harness.last(ADA)).as_bytes()
    for raw in (answer, harness.mail(f"Ben <{BEN}>", "games").as_bytes()):
        harness.mail_worker.keep_one(raw)
    harness.mail_worker.work()
    assert turns(harness) == ["ps a1"]
    harness.now += timedelta(days=1)
    harness.mail_worker.keep_one(mail(9, TEXT % b"help"))


def test_mails_that_anybody_may_have_written_in_a_players_name_use_up_a_budget_of_the_same_size(
    store: Store,
) -> None:
    harness = Harness(store)
    harness.begin()
    harness.change(limits=SMALL)
    assert sent(harness, (mail(number, TEXT % WORDS, sender=ADA) for number in range(5))) == 2
    for raw in (mail(8, TEXT % b"help"), mail(9, TEXT % b"games", sender=BEN)):
        harness.mail_worker.keep_one(raw)
    harness.play("ps a1")
    assert turns(harness) == ["ps a1"]


def test_a_made_up_token_proves_nothing(store: Store) -> None:
    harness = Harness(store)
    harness.begin()
    for token in ("1.abcdefghijklmnop", "me.abcdefghijklmnop"):
        harness.mail_worker.keep_one(
            mail(1, TEXT % b"help", more=f"Cc: tak+{token}@example.org\r\n".encode())
        )
    assert {row.budget for row in stored(store)[-2:]} == {inbox.STRANGERS}


@pytest.mark.parametrize("is_tagged", [True, False])
def test_whoever_answers_a_letter_is_no_stranger(store: Store, is_tagged: bool) -> None:
    harness = Harness(store, delimiter="+" if is_tagged else "")
    harness.send("Someone <someone@example.net>", "new 5 vs ben@example.org")
    question = harness.last("someone@example.net")
    answer = harness.mail("Someone <someone@example.net>", "yes", question).as_bytes()
    harness.mail_worker.keep_one(answer)
    assert stored(store)[-1].budget is None


async def test_by_lmtp_a_mail_server_is_told_to_try_again_and_a_player_does_not_wait(tmp_path: Path) -> None:
    async with begun(tmp_path) as game:
        game.limits = game.limits.model_copy(update={"stranger_bytes_per_day": 64 * 1024})
        async with serving(game) as app, play(game) as post, connected(place(game)) as client:
            answers = []
            for number in range(12):
                raw = with_file(number) if number < 6 else mail(number, TEXT % WORDS)
                answers += await client.sent(raw)
            assert [one == FULL for one in answers] == [False] * 7 + [True] * 5
            assert (await post.write(ADA, "ps a1")).startswith("250")
            assert "a1" in await post.read(ADA)
            assert sum(len(row.raw) for row in stored(app.store)) < 3 * len(WORDS)


async def test_by_imap_they_stay_in_the_mailbox_unread_until_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with live(tmp_path) as game:
        game.limits = game.limits.model_copy(update={"stranger_bytes_per_day": 64 * 1024})
        app = game.app(first_start="all")
        for number in range(4):
            await game.system.deliver(TAK, mail(number, TEXT % WORDS), mail_from="someone@example.net")
        await one_round(app)
        assert len(await game.system.mails(TAK)) == 2
        # Later ones are left, too, others come in, and what is left is not fetched again.
        await game.system.deliver(TAK, with_file(8), mail_from="someone@example.net")
        await one_round(app)
        assert len(await game.system.mails(TAK)) == 3
        began = stored(app.store)[0].received_at
        for days in (2, 4):
            monkeypatch.setattr(app.poller, "_now", lambda: began + timedelta(days=days))  # noqa: B023
            await one_round(app)
        assert await game.system.mails(TAK) == []
        assert len(stored(app.store)) == 5
        await bury(app)


async def test_by_imap_they_come_in_when_a_clock_that_was_ahead_is_set_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with live(tmp_path) as game:
        game.limits = game.limits.model_copy(update={"stranger_bytes_per_day": 64 * 1024})
        app = game.app(first_start="all")
        for number in range(4):
            await game.system.deliver(TAK, mail(number, TEXT % WORDS), mail_from="someone@example.net")
        began = app.poller._now()
        for days, left in ((3, 2), (3, 2), (0, 0)):
            monkeypatch.setattr(app.poller, "_now", lambda: began + timedelta(days=days))  # noqa: B023
            await one_round(app)
            assert len(await game.system.mails(TAK)) == left
        await bury(app)


async def test_by_imap_nobody_else_waits_for_them(tmp_path: Path) -> None:
    async with begun(tmp_path) as game:
        game.limits = game.limits.model_copy(update={"stranger_bytes_per_day": 64 * 1024})
        app = game.app()
        letter = (await game.letters(ADA))[-1]
        for number in range(4):
            await game.system.deliver(TAK, mail(number, TEXT % WORDS), mail_from="someone@example.net")
        await one_round(app)
        await game.write(ADA, "ps a1", answers=str(letter["Message-ID"]))
        await one_round(app)
        assert len(await game.system.mails(TAK)) == 2
        assert "a1" in (await game.letters(ADA))[-1].as_string()
        await bury(app)
