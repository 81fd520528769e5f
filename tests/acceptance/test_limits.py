"""A mail that is too large is never fetched completely, is moved to the folder Rejected, and delays no other mail."""

from pathlib import Path

from sqlmodel import select

from takmail.config import LimitSettings
from takmail.limits.mails import DEFAULT_LIMITS, MAX_FETCH_BYTES
from takmail.runtime.imap_poller import loads
from takmail.runtime.net.imap import FetchedMail, Mailbox
from takmail.store.tables import InboxRow
from tests.support.network import ADA, TAK, begin, bury, live, one_round, text_of

HEAD = b"From: Ada <ada@example.org>\r\nMessage-ID: <20@mail.example.org>\r\n\r\n"


class Watched(Mailbox):
    """A mailbox that records the maximum number of bytes of a fetch in `most`."""

    most = 0

    async def fetch(self, uids, at_most=None) -> list[FetchedMail]:  # type: ignore[no-untyped-def]
        mails = await super().fetch(uids, at_most)
        self.most = max(self.most, sum(len(mail.raw) for mail in mails))
        return mails


async def test_what_is_over_the_limit_is_not_fetched_and_lies_in_the_rejected_folder(tmp_path: Path) -> None:
    async with live(tmp_path) as game:
        game.limits = LimitSettings(mail_bytes=1024 * 1024)
        app = await begin(game)
        assert app.mailbox is not None
        app.mailbox = watched = Watched(app.mailbox.account)
        letter = (await game.letters(ADA))[-1]
        await game.system.deliver(TAK, HEAD + b"ps a1\r\n" * 300_000, mail_from=ADA)
        await game.write(f"Ada <{ADA}>", "ps b4", to=str(letter["Reply-To"].addresses[0].addr_spec))
        await one_round(app)
        assert watched.most < 2 * DEFAULT_LIMITS.header_bytes
        assert len(await game.system.mails(TAK, "Rejected")) == 1
        assert len(await game.system.mails(TAK, "Processed")) == 4
        said = [text_of(letter) for letter in await game.letters(ADA)]
        assert sum("longer than the 1 MiB" in text for text in said) == 1
        assert any("played as turn 1 " in text for text in said)
        with app.store.transaction() as session:
            rows = session.exec(select(InboxRow)).all()
        assert [str(row.state) for row in rows] == ["answered", "answered", "answered", "played", "rejected"]
        assert rows[-1].size > 2_000_000
        await bury(app)


def test_mails_are_fetched_by_loads_that_a_small_machine_can_hold() -> None:
    sizes = {
        1: 100,
        2: MAX_FETCH_BYTES // 2,
        3: MAX_FETCH_BYTES // 2,
        4: DEFAULT_LIMITS.mail_bytes + 1,
        5: 100,
        6: 9_000_000,
    }
    whole, beginning = DEFAULT_LIMITS.mail_bytes + 1, DEFAULT_LIMITS.header_bytes
    assert list(loads(sizes, DEFAULT_LIMITS)) == [
        ([1, 2], whole),
        ([3, 5], whole),
        ([6], whole),
        ([4], beginning),
    ]


def test_nothing_is_no_load() -> None:
    assert list(loads({}, DEFAULT_LIMITS)) == []
