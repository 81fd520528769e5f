"""The inbox: each mail is handled once, and none is lost."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import Session, col, select

from takmail.store import inbox, mailboxes
from takmail.store.database import Store
from takmail.store.tables import InboxRow
from takmail.world.kinds import MailState
from tests.store.plans import noted, plans, scanned
from tests.support.databases import ON_POSTGRESQL
from tests.support.rows import waiting_mails

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def mail(
    raw: bytes = b"ps a1", uid: int | None = None, validity: int = 7, print_: str | None = None
) -> inbox.NewMail:
    fingerprint = print_ or inbox.fingerprint(raw, None, "ada@example.org")
    return inbox.NewMail(
        mailbox="INBOX" if uid else "",
        uid_validity=validity if uid else None,
        uid=uid,
        raw=raw,
        size=len(raw),
        fingerprint=fingerprint,
        received_at=NOW,
    )


def recorded(store: Store, new: inbox.NewMail) -> str | None:
    """What happens to a mail when it is stored."""
    with store.transaction() as session:
        number = inbox.record(session, new)
        return None if number is None else str(session.get_one(InboxRow, number).state)


def waiting(store: Store) -> list[int]:
    with store.transaction() as session:
        return waiting_mails(session)


def finish(store: Store, number: int, state: MailState = MailState.ANSWERED) -> None:
    with store.transaction() as session:
        inbox.end(session, number, state)


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ((b"a", "<1@x>", "ada@x"), (b"b", "<1@x>", "ada@x"), True),
        ((b"a", "<1@x>", "ada@x"), (b"a", "<1@x>", "ben@x"), False),
        ((b"a", "<1@x>", "ada@x"), (b"a", "<2@x>", "ada@x"), False),
        ((b"a", None, "ada@x"), (b"a", None, "ada@x"), True),
        ((b"a", None, "ada@x"), (b"b", None, "ada@x"), False),
        ((b"a", None, "ada@x"), (b"a", "<1@x>", "ada@x"), False),
    ],
)
def test_two_mails_are_one_by_message_id_and_sender_or_else_by_their_bytes(
    first: tuple[bytes, str | None, str], second: tuple[bytes, str | None, str], same: bool
) -> None:
    assert (inbox.fingerprint(*first) == inbox.fingerprint(*second)) is same


def test_a_second_mail_with_the_same_fingerprint_is_kept_as_a_duplicate(store: Store) -> None:
    assert recorded(store, mail()) == "new"
    assert recorded(store, mail()) == "duplicate"
    assert recorded(store, mail(b"ps a2")) == "new"
    first, _ = waiting(store)
    with store.transaction() as session:
        duplicates = session.exec(select(InboxRow).where(InboxRow.state == MailState.DUPLICATE)).all()
        assert [row.note for row in duplicates] == [f"the same mail as {first}"]


def test_a_mail_that_was_handled_long_ago_has_duplicates_still(store: Store) -> None:
    recorded(store, mail())
    finish(store, 1)
    assert recorded(store, mail()) == "duplicate"


def test_one_delivery_that_is_fetched_twice_is_kept_once(store: Store) -> None:
    assert recorded(store, mail(uid=5)) == "new"
    assert recorded(store, mail(uid=5)) is None
    assert waiting(store) == [1]


def test_a_uid_of_a_mailbox_numbered_anew_is_another_delivery(store: Store) -> None:
    recorded(store, mail(uid=5, validity=7))
    assert recorded(store, mail(uid=5, validity=8)) == "duplicate"
    assert recorded(store, mail(b"other", uid=6, validity=8)) == "new"


def test_mails_without_a_mailbox_have_no_uid_to_clash(store: Store) -> None:
    assert [recorded(store, mail(raw)) for raw in (b"a", b"b")] == ["new", "new"]


def test_known_tells_which_uids_of_this_mailbox_are_kept(store: Store) -> None:
    recorded(store, mail(b"a", uid=3))
    recorded(store, mail(b"b", uid=5))
    with store.transaction() as session:
        assert mailboxes.known(session, "INBOX", 7, range(10)) == {3, 5}
        assert mailboxes.known(session, "INBOX", 8, range(10)) == set()
        assert mailboxes.known(session, "Other", 7, range(10)) == set()


def test_mails_that_come_together_are_kept_as_if_one_after_the_other(store: Store) -> None:
    mails = [(b"a", 3), (b"b", 4), (b"a", 5), (b"c", 6), (b"d", 7)]
    recorded(store, mail(b"b"))
    recorded(store, mail(b"d", uid=7))
    with store.transaction() as session:
        inbox.record_many(session, [mail(raw, uid=uid) for raw, uid in mails])
    with store.transaction() as session:
        rows = {row.uid: row for row in session.exec(select(InboxRow)).all()}
        states = [str(rows[uid].state) for _, uid in mails]
    assert states == ["new", "duplicate", "duplicate", "new", "new"]
    assert [rows[uid].note for uid in (4, 5)] == ["the same mail as 1", f"the same mail as {rows[3].id}"]
    assert len(rows) == 6
    assert all(rows[uid].unique_fingerprint == rows[uid].fingerprint for uid in (3, 6, 7))


def test_mails_that_come_together_take_few_statements(store: Store) -> None:
    with noted(store) as found, store.transaction() as session:
        inbox.record_many(session, [mail(str(uid).encode(), uid=uid) for uid in range(1, 51)])
    assert len(found) <= 7, "\n".join(statement for statement, _ in found)
    assert len(waiting(store)) == 50
    assert scanned(store, found) == []


def test_what_is_to_be_filed_is_found_by_an_index_however_many_mails_are(store: Store) -> None:
    with noted(store) as found, store.transaction() as session:
        mailboxes.to_file(session, "INBOX", 7, [1, 2, 3])
    (step,) = [step for statement, step in plans(store, found) if "is_filed" in statement]
    assert ("Index Cond: ((uid" if ON_POSTGRESQL else "uid=?") in step or "uid = ANY" in step


def test_a_mail_that_raises_is_tried_three_times_and_then_shunted(store: Store) -> None:
    recorded(store, mail())
    seen = []
    for attempt in range(3):
        with store.transaction() as session:
            seen.append(inbox.record_error(session, 1, f"error {attempt}", ""))
    assert seen == [False, False, True]
    assert waiting(store) == []
    with store.transaction() as session:
        row = session.get_one(InboxRow, 1)
        assert (row.state, row.note, row.raw) == ("shunted", "error 2", b"ps a1")


def test_a_mail_that_raises_in_a_process_that_has_lost_it_stays_with_the_other_one(store: Store) -> None:
    recorded(store, mail())
    with store.transaction() as session:
        assert inbox.claim(session, NOW, "one") is not None
        inbox.release(session, "one")
        assert inbox.claim(session, NOW, "two") is not None
    with store.transaction() as session:
        assert not inbox.record_error(session, 1, "an error", "one")
    with store.transaction() as session:
        row = session.get_one(InboxRow, 1)
        assert (row.claimed_by, row.errors) == ("two", 0)


def stumbles(session: Session) -> None:
    assert not inbox.record_error(session, 1, "an error", "")


def is_shunted(session: Session) -> None:
    with pytest.raises(inbox.ClaimLost):
        inbox.end(session, 1, MailState.SHUNTED, "an error", claimed_by="")


@pytest.mark.parametrize("ends", [stumbles, is_shunted])
def test_a_mail_that_another_process_has_handled_meanwhile_is_not_shunted(
    store: Store, ends: Callable[[Session], None]
) -> None:
    recorded(store, mail())
    finish(store, 1)
    for _ in range(inbox.ATTEMPTS):
        with store.transaction() as session:
            ends(session)
    with store.transaction() as session:
        row = session.get_one(InboxRow, 1)
        assert (row.state, row.note, row.errors) == (MailState.ANSWERED, "", 0)


def test_a_process_that_ends_releases_its_own_mails_alone(store: Store) -> None:
    for raw in (b"a", b"b"):
        recorded(store, mail(raw))
    with store.transaction() as session:
        for by in ("one", "two"):
            assert inbox.claim(session, NOW, by) is not None
        inbox.release(session, "one")
        assert [row.claimed_by for row in session.exec(select(InboxRow).order_by(col(InboxRow.id)))] == [
            "",
            "two",
        ]


def test_a_mail_is_free_again_for_who_has_claimed_it_and_does_not_work_on_it(store: Store) -> None:
    recorded(store, mail())
    with store.transaction() as session:
        first = inbox.claim(session, NOW, "one")
        assert first is not None
        assert inbox.claim(session, NOW, "one", [first.id]) is None
        assert inbox.claim(session, NOW, "two") is None
        assert inbox.claim(session, NOW, "one") is not None


def test_what_has_left_a_mailbox_is_forgotten_of_that_mailbox_and_numbering_while_it_waits(
    store: Store,
) -> None:
    handled = mail(b"handled", uid=1)
    for new in (
        handled,
        mail(b"gone", uid=2),
        mail(b"there", uid=3),
        mail(b"numbered anew", uid=2, validity=8),
    ):
        recorded(store, new)
    recorded(store, replace(mail(b"elsewhere", uid=2), mailbox="Other"))
    recorded(store, mail(b"by LMTP"))
    finish(store, waiting(store)[0])
    with store.transaction() as session:
        assert mailboxes.forget_gone(session, "INBOX", 7, [3]) == 1
        left = session.exec(select(InboxRow.raw).order_by(col(InboxRow.id))).all()
    assert left == [b"handled", b"there", b"numbered anew", b"elsewhere", b"by LMTP"]


def test_what_is_handled_is_filed_once(store: Store) -> None:
    for uid in (4, 5, 6):
        recorded(store, mail(str(uid).encode(), uid=uid))
    finish(store, 1)
    finish(store, 3, MailState.REJECTED)
    with store.transaction() as session:
        ended = {4: MailState.ANSWERED, 6: MailState.REJECTED}
        assert mailboxes.to_file(session, "INBOX", 7, [3, 4, 5, 6]) == ended
        mailboxes.filed(session, "INBOX", 7, [4, 6])
    with store.transaction() as session:
        assert mailboxes.to_file(session, "INBOX", 7, [4, 5, 6]) == {}


def test_the_watermark_is_set_at_the_first_call_and_stays(store: Store) -> None:
    with store.transaction() as session:
        assert mailboxes.watermark(session, "INBOX", 7, 41, NOW) == (41, True)
    with store.transaction() as session:
        assert mailboxes.watermark(session, "INBOX", 7, 99, NOW + timedelta(days=1)) == (41, False)
        assert mailboxes.watermark(session, "Other", 7, 3, NOW) == (3, True)


def test_uids_of_a_mailbox_numbered_anew_say_nothing_and_the_date_of_the_first_start_does(
    store: Store,
) -> None:
    start = NOW.replace(microsecond=5)
    with store.transaction() as session:
        mailboxes.watermark(session, "INBOX", 7, 41, start)
        assert mailboxes.first_start_to_heed(session, "INBOX", 7) is None
        assert mailboxes.watermark(session, "INBOX", 8, 99, NOW) == (0, False)
        assert mailboxes.first_start_to_heed(session, "INBOX", 8) == NOW


def test_where_nothing_was_old_no_date_is_heeded(store: Store) -> None:
    with store.transaction() as session:
        mailboxes.watermark(session, "INBOX", 7, 0, NOW)
        assert mailboxes.first_start_to_heed(session, "INBOX", 8) is None
