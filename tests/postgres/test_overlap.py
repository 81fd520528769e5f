"""Two transactions at the same moment: what one has claimed the other doesn't get, or waits for."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from sqlalchemy import text, update
from sqlmodel import Session

from takmail.limits.letters import SendingLimits
from takmail.pipeline import process, rulings
from takmail.pipeline.process import Conflict, Outcome
from takmail.pipeline.rulings import OperatorNote
from takmail.store import dispatch, inbox, leases, people
from takmail.store.causes import new_cause
from takmail.store.database import UNAVAILABLE, Store
from takmail.store.tables import OutboxRow
from takmail.store.write import write
from takmail.world.kinds import GameNumber, LetterState, Ruling
from takmail.world.world import Snapshot
from tests.support import rows
from tests.support.harness import ADA, BEN, Harness, turns


@contextmanager
def impatient(store: Store) -> Iterator[Session]:
    """A transaction that waits for no other."""
    with store.transaction() as session:
        session.execute(text("SET LOCAL lock_timeout = '50ms'"))
        yield session


def letter(harness: Harness, reader: str, name: str = "") -> OutboxRow:
    return OutboxRow(
        message_id=f"<{name}{reader}>",
        mail_from="",
        mail_to=reader,
        raw=b"",
        text="",
        due_at=harness.now,
        created_at=harness.now,
    )


def nobody_is_gone(_name: str) -> bool:
    return False


def everybody_is_gone(_name: str) -> bool:
    return True


def test_two_senders_never_claim_one_letter(harness: Harness) -> None:
    with harness.store.transaction() as session:
        numbers = [rows.add_letter(session, letter(harness, reader)) for reader in (ADA, BEN)]
    with harness.store.transaction() as one, impatient(harness.store) as two:
        claimed = [
            dispatch.claim(session, harness.now, name) for session, name in ((one, "one"), (two, "two"))
        ]
    assert [[each.id for each in some] for some in claimed] == [[numbers[0]], [numbers[1]]]


@pytest.mark.parametrize("state", [LetterState.BOUNCED, LetterState.POSTPONED])
def test_two_senders_never_have_letters_to_one_reader_that_were_postponed(
    harness: Harness, state: LetterState
) -> None:
    with harness.store.transaction() as session:
        numbers = [rows.add_letter(session, letter(harness, ADA, f"{n}")) for n in range(2)]
        session.execute(update(OutboxRow).values(state=state))
    with harness.store.transaction() as one, impatient(harness.store) as two:
        claimed = [
            dispatch.claim(session, harness.now, name) for session, name in ((one, "one"), (two, "two"))
        ]
    assert [[each.id for each in some] for some in claimed] == [[numbers[0]], []]
    with harness.store.transaction() as session:
        dispatch.sent(session, numbers[:1])
        assert [one.id for one in dispatch.claim(session, harness.now)] == numbers[1:]


def test_two_senders_never_both_send_the_last_letter_of_a_limit(harness: Harness) -> None:
    limits = SendingLimits(per_day=1)
    with harness.store.transaction() as session:
        for reader in (ADA, BEN):
            rows.add_letter(session, letter(harness, reader))
    with harness.store.transaction() as one:
        assert len(dispatch.claim(one, harness.now, "one", 9, None, limits)) == 1
        with pytest.raises(UNAVAILABLE), impatient(harness.store) as two:
            dispatch.claim(two, harness.now, "two", 9, None, limits)
    with harness.store.transaction() as session:
        assert dispatch.claim(session, harness.now, "two", 9, None, limits) == []


def test_two_workers_never_claim_one_mail(harness: Harness) -> None:
    for who in (f"Ada <{ADA}>", f"Ben <{BEN}>"):
        harness.mail_worker.keep_one(harness.mail(who, "help").as_bytes())
    with harness.store.transaction() as one, impatient(harness.store) as two:
        claimed = [inbox.claim(session, harness.now, name) for session, name in ((one, "one"), (two, "two"))]
    assert len({mail.id for mail in claimed if mail is not None}) == 2


def test_who_plays_in_a_game_has_it_alone(harness: Harness) -> None:
    harness.begin()
    mails = [in_game(harness, ADA, "ps a1"), in_game(harness, BEN, "draw")]
    with harness.store.transaction() as one:
        handle(harness, one, mails[0])
        with pytest.raises(UNAVAILABLE), impatient(harness.store) as two:
            handle(harness, two, mails[1])


def test_what_was_decided_before_a_game_went_on_is_not_stored(harness: Harness) -> None:
    harness.begin()
    mails = [in_game(harness, ADA, "ps a1"), in_game(harness, BEN, "draw")]
    with pytest.raises(Conflict), harness.store.transaction() as two:  # noqa: PT012 - the other one is in between
        snapshot, outcome = decided(harness, two, mails[1])
        with harness.store.transaction() as one:
            handle(harness, one, mails[0])
        write(two, snapshot, outcome, claimed_by="")
    assert turns(harness) == ["ps a1"]


def test_who_joins_a_game_that_was_offered_has_it_alone(harness: Harness) -> None:
    harness.send(f"Ada <{ADA}>", "seek 5")
    harness.send(f"Ada <{ADA}>", "yes", harness.last(ADA))
    mails = [kept(harness, who, "join 1") for who in (BEN, "other@example.org")]
    with harness.store.transaction() as one:
        handle(harness, one, mails[0])
        with pytest.raises(UNAVAILABLE), impatient(harness.store) as two:
            handle(harness, two, mails[1])


def test_two_processes_never_take_one_lease(harness: Harness) -> None:
    with harness.store.transaction() as session:
        leases.take(session, "the mailbox", "gone", nobody_is_gone)

    def meanwhile(_name: str) -> bool:
        """While one finds that its holder is gone, so does the other."""
        with pytest.raises(UNAVAILABLE), impatient(harness.store) as two:
            leases.take(two, "the mailbox", "two", everybody_is_gone)
        return True

    with harness.store.transaction() as one:
        assert leases.take(one, "the mailbox", "one", meanwhile)


def test_the_letters_of_one_that_has_died_are_taken_over_by_one_other(harness: Harness) -> None:
    with harness.store.transaction() as session:
        leases.renew_process(session, "gone")
        session.execute(text("UPDATE lease SET expires_at = expires_at - interval '1 day'"))
    with harness.store.transaction() as one, impatient(harness.store) as two:
        told = [
            leases.ended_processes(session, name, nobody_is_gone)
            for session, name in ((one, "one"), (two, "two"))
        ]
    assert told == [["gone"], []]


def test_a_process_that_is_known_to_be_gone_is_not_waited_for(harness: Harness) -> None:
    with harness.store.transaction() as session:
        leases.renew_process(session, "gone")
        assert timedelta(seconds=1) < leases.LENGTH, "its lease has not run out"
        assert leases.ended_processes(session, "one", everybody_is_gone) == ["gone"]


def corrected(harness: Harness, session: Session) -> None:
    """Correct the first game in a transaction that goes on."""
    by = OperatorNote("Olga", "it was Ben's")
    cause = new_cause("a ruling", harness.now)
    harness.causes.decide(
        session, cause, lambda context: rulings.end(context, GameNumber(1), Ruling.SECOND, by)
    )


def test_two_results_of_a_match_are_never_decided_without_each_other(harness: Harness) -> None:
    harness.begin("3 games=3")
    harness.play("ps a3", "ps a1", "ps b1", "ps b3", "ps c1")  # 1:0, and the next game begins
    harness.send(f"Ben <{BEN}>", "resign", harness.last(BEN))
    mail = in_game(harness, BEN, "yes")  # alone it would be 2:0, and the end
    with harness.store.transaction() as one:
        corrected(harness, one)
        with pytest.raises(UNAVAILABLE), impatient(harness.store) as two:
            handle(harness, two, mail)
    with harness.store.transaction() as two:
        handle(harness, two, mail)
        following = harness.causes.queries(two).game(GameNumber(3))  # 1:1
    assert following is not None
    assert following.record.is_open


def test_a_result_that_was_decided_before_another_one_of_its_match_is_not_stored(harness: Harness) -> None:
    harness.begin("3 games=3")
    harness.play("ps a3", "ps a1", "ps b1", "ps b3", "ps c1")
    harness.send(f"Ben <{BEN}>", "resign", harness.last(BEN))
    mail = in_game(harness, BEN, "yes")
    with pytest.raises(Conflict), harness.store.transaction() as two:  # noqa: PT012 - the other one is in between
        snapshot, outcome = decided(harness, two, mail)
        with harness.store.transaction() as one:
            corrected(harness, one)
        write(two, snapshot, outcome, claimed_by="")


def handle(harness: Harness, session: Session, number: int) -> None:
    """Handle a mail in a transaction that goes on."""
    row = inbox.claimed(session, number)
    harness.causes.mail(session, row, harness.causes.to_read(row.raw, row.size).read(), by="")


def decided(harness: Harness, session: Session, number: int) -> tuple[Snapshot, Outcome]:
    """What a mail leads to, decided and not stored."""
    causes, row = harness.causes, inbox.claimed(session, number)
    queries = causes.queries(session)
    snapshot, message = causes.snapshot(queries, row, causes.to_read(row.raw, row.size).read())
    return snapshot, process.process(harness.services, snapshot, message)


def in_game(harness: Harness, who: str, words: str) -> int:
    """A mail in the queue that answers the newest letter to a player."""
    mail = harness.mail(f"{who[:3].capitalize()} <{who}>", words, harness.last(who))
    return harness.mail_worker.keep_one(mail.as_bytes())


def kept(harness: Harness, sender: str, words: str) -> int:
    """A mail in the queue that surely comes from there: it went to an address that nobody else was told."""
    mail = harness.mail(f"Somebody <{sender}>", words, to=harness.services.key.personal_address(sender))
    return harness.mail_worker.keep_one(mail.as_bytes())


def test_the_answers_to_one_person_are_counted_by_one_process_at_a_time(harness: Harness) -> None:
    mails = [kept(harness, "other@example.org", "help") for _ in range(2)]
    with harness.store.transaction() as one:
        handle(harness, one, mails[0])
        with pytest.raises(UNAVAILABLE), impatient(harness.store) as two:
            handle(harness, two, mails[1])


@pytest.mark.parametrize("later", [timedelta(0), timedelta(seconds=5)])
def test_answers_that_were_counted_before_another_was_written_are_counted_again(
    harness: Harness, later: timedelta
) -> None:
    mails = [kept(harness, "other@example.org", "help") for _ in range(2)]
    with pytest.raises(Conflict), harness.store.transaction() as two:  # noqa: PT012 - the other one is in between
        row, queries = inbox.claimed(two, mails[1]), harness.causes.queries(two)
        harness.causes.snapshot(queries, row, harness.causes.to_read(row.raw, row.size).read())
        harness.now += later
        with harness.store.transaction() as one:
            handle(harness, one, mails[0])
        queries.counts.check()


def test_the_letters_to_one_person_are_counted_by_one_process_at_a_time(harness: Harness) -> None:
    harness.begin()
    someone = "someone@example.net"
    harness.send(f"Someone <{someone}>", f"new 5 vs {ADA}")
    mails = [kept(harness, who, f"new 5 vs {someone}") for who in (ADA, BEN)]
    with harness.store.transaction() as one:
        handle(harness, one, mails[0])
        with pytest.raises(UNAVAILABLE), impatient(harness.store) as two:
            handle(harness, two, mails[1])


def test_the_answers_to_two_people_are_counted_at_the_same_time(harness: Harness) -> None:
    with harness.store.transaction() as one, impatient(harness.store) as two:
        people.lock_count(one, ADA)
        people.lock_count(two, BEN)
