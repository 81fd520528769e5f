"""Retention: old mails and letters are reduced to the data that games still need."""

import hashlib
from datetime import timedelta

import pytest
from sqlmodel import SQLModel, select

from takmail.commands.seek import SOUGHT_FOR
from takmail.pipeline import process
from takmail.pipeline.process import Conflict
from takmail.runtime import scheduler
from takmail.runtime.scheduler import Retention
from takmail.store import causes, outbox
from takmail.store.database import Store
from takmail.store.records import TURNS
from takmail.store.tables import ChatRow, InboxRow, OutboxRow, PendingRow, SeekRow
from takmail.world.kinds import LetterState, LetterView, MailState, PendingEnd
from takmail.world.pending import LIFETIME
from takmail.world.waiting import CONSENTS, PendingKind
from tests.support.harness import ADA, BEN, Harness, broken_hand, said, turns

DAYS = 30
LATER = timedelta(days=DAYS, seconds=1)


def run_retention(harness: Harness) -> int:
    """Run retention, as a service does at its start and then daily."""
    return Retention(harness.store, harness.causes, DAYS).work()


def mails(harness: Harness) -> list[InboxRow]:
    with harness.store.transaction() as session:
        return list(session.exec(select(InboxRow).order_by(InboxRow.id)))  # type: ignore[arg-type]


def letters(harness: Harness) -> list[OutboxRow]:
    with harness.store.transaction() as session:
        return list(session.exec(select(OutboxRow).order_by(OutboxRow.id)))  # type: ignore[arg-type]


def facts(row: SQLModel) -> list[tuple[str, object]]:
    """Return all columns of a row."""
    return [(name, getattr(row, name)) for name in type(row).model_fields]


def settle(harness: Harness, state: LetterState = LetterState.SENT) -> None:
    """Give every letter a final state, by default `sent`."""
    with harness.store.transaction() as session:
        for row in session.exec(select(OutboxRow)):
            row.state = state


def test_an_old_mail_is_reduced_to_its_outcome(harness: Harness) -> None:
    harness.begin_and_play("ps b4")
    before = mails(harness)
    harness.now += LATER
    assert run_retention(harness) == len(before)
    for old, new in zip(before, mails(harness), strict=True):
        assert (new.raw, new.sender, new.is_reduced) == (b"", None, True)
        gone = ("raw", "sender", "budget", "is_reduced")
        assert [one for one in facts(new) if one[0] not in gone] == [
            one for one in facts(old) if one[0] not in gone
        ]


A_DAY = timedelta(days=1, seconds=1)
STRANGER, NEWCOMER = "someone@example.net", "nora@example.net"


def test_a_stranger_s_mail_is_kept_for_a_day(harness: Harness) -> None:
    harness.begin()
    harness.confirms = False
    for words in ("help", "hello", f"new 5 vs {BEN}", "new 9 vs x@example.org"):
        harness.send(STRANGER, words)
    before = len(mails(harness))
    harness.now += A_DAY - timedelta(seconds=1)
    assert run_retention(harness) == 0
    harness.now += timedelta(seconds=1)
    assert run_retention(harness) == 4
    assert [bool(one.raw) for one in mails(harness)] == [True] * (before - 4) + [False] * 4


def test_mails_of_players_guests_and_whoever_has_proven_something_stay(harness: Harness) -> None:
    harness.begin()
    harness.send(f"Ada <{ADA}>", "new 4 vs guest@example.net")
    harness.confirms = False
    harness.send("guest@example.net", "hello")
    (letter,) = harness.send(NEWCOMER, "help")
    harness.send(NEWCOMER, "help", letter)
    harness.send(f"Ada <{ADA}>", "games")
    harness.now += A_DAY
    assert run_retention(harness) == 0
    assert all(one.raw for one in mails(harness))


def test_a_stranger_s_mail_that_waits_for_the_operator_stays(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(process, "execute", broken_hand)
        harness.mail_worker.keep_one(harness.mail(STRANGER, "help").as_bytes())
        harness.mail_worker.work()
    harness.now += A_DAY
    run_retention(harness)
    assert [(one.state, bool(one.raw)) for one in mails(harness)] == [(MailState.SHUNTED, True)]


def test_what_is_remembered_of_a_newcomer_goes_after_thirty_days(harness: Harness) -> None:
    (answer,) = harness.send(NEWCOMER, "help")
    assert not answer.wants_it_again
    harness.confirms = False
    harness.now += timedelta(days=DAYS)
    run_retention(harness)
    assert not harness.send(NEWCOMER, "help")[0].wants_it_again
    harness.now += timedelta(seconds=1)
    run_retention(harness)
    assert harness.send(NEWCOMER, "help")[0].wants_it_again


def test_a_mail_of_thirty_days_is_kept(harness: Harness) -> None:
    harness.begin()
    settle(harness)
    harness.now += timedelta(days=DAYS)
    assert run_retention(harness) == 0
    assert all(one.raw for one in (*mails(harness), *letters(harness)))


def test_a_second_run_changes_nothing_more(harness: Harness) -> None:
    harness.begin()
    settle(harness)
    harness.now += LATER
    assert run_retention(harness) > 0
    once = [facts(one) for one in (*mails(harness), *letters(harness))]
    assert run_retention(harness) == 0
    assert [facts(one) for one in (*mails(harness), *letters(harness))] == once


def test_more_mails_than_one_step_takes_are_all_reduced(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduler, "ROWS_AT_ONCE", 20)
    for number in range(45):
        harness.mail_worker.keep_one(f"From: Other <other@example.org>\n\n{number}".encode())
    with harness.store.transaction() as session:
        for row in session.exec(select(InboxRow)):
            row.state = MailState.REJECTED
    harness.now += LATER
    assert run_retention(harness) == 45


def test_a_mail_that_waits_or_raised_is_kept_however_old_it_is(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness.begin()
    with monkeypatch.context() as patch:
        patch.setattr(process, "execute", broken_hand)
        harness.mail_worker.keep_one(harness.mail(f"Ada <{ADA}>", "ps b4", harness.last(ADA)).as_bytes())
        harness.mail_worker.work()
    harness.mail_worker.keep_one(harness.mail(f"Ada <{ADA}>", "rs", harness.last(ADA)).as_bytes())
    harness.now += LATER
    run_retention(harness)
    assert [(one.state, bool(one.raw)) for one in mails(harness)[-2:]] == [
        (MailState.SHUNTED, True),
        (MailState.NEW, True),
    ]


@pytest.mark.parametrize("state", [LetterState.SENT, LetterState.FAILED, LetterState.WITHDRAWN])
def test_of_an_old_letter_the_hash_stays(harness: Harness, state: LetterState) -> None:
    harness.begin()
    settle(harness, state)
    before = letters(harness)
    harness.now += LATER
    run_retention(harness)
    assert [(one.raw, one.sha256) for one in letters(harness)] == [
        (b"", hashlib.sha256(one.raw).hexdigest()) for one in before
    ]


@pytest.mark.parametrize("state", [LetterState.QUEUED, LetterState.BOUNCED, LetterState.RESTING])
def test_a_letter_that_waits_is_kept_however_old_it_is(harness: Harness, state: LetterState) -> None:
    harness.begin()
    settle(harness, state)
    harness.now += LATER
    run_retention(harness)
    assert all(one.raw and one.sha256 is None for one in letters(harness))


def test_a_game_goes_on_from_letters_that_are_reduced(harness: Harness) -> None:
    harness.begin_and_play("ps b4")
    settle(harness)
    harness.now += LATER
    run_retention(harness)
    news = harness.last(BEN)
    bare = "\n".join(news.lines)  # quoted with no marks at all, so that only the kept text tells it
    harness.send(f"Ben <{BEN}>", f"ps c3\n\n{bare}", news, quoting=False)
    assert turns(harness) == ["ps b4", "ps c3"]
    assert "something to say" not in said(harness.last(ADA))
    assert not any(one.words for one in _chat(harness))


def test_what_an_html_side_reads_as_is_kept_as_long_as_the_text(store: Store) -> None:
    harness = Harness(store, letter_view=LetterView.BOTH)
    harness.send("Other <other@example.org>", "help")
    harness.begin()
    settle(harness)
    assert all(one.text for one in letters(harness))
    assert {bool(one.game_id) for one in letters(harness) if one.html_text} == {True, False}
    harness.now += LATER
    run_retention(harness)
    kept = [(bool(one.text), bool(one.html_text)) for one in letters(harness) if one.game_id]
    gone = [(one.text, one.html_text) for one in letters(harness) if not one.game_id]
    assert set(kept) == {(True, True)}
    assert set(gone) == {("", None)}


def test_of_a_finished_game_the_texts_of_the_last_letters_stay(harness: Harness) -> None:
    harness.begin_and_play("ps b4", "ps c3", "ps a1", "ps a2", "ps a3", "ps d4", "ps d5", "ps e1")
    settle(harness)
    harness.now += LATER
    run_retention(harness)
    assert all(one.text for one in letters(harness) if one.game_id)
    harness.send(f"Ada <{ADA}>", "resign", harness.last(ADA))
    harness.send(f"Ada <{ADA}>", "yes", harness.last(ADA))
    settle(harness)
    harness.now += LATER
    run_retention(harness)
    for seat in (0, 1):
        kept = [bool(one.text) for one in letters(harness) if one.seat == seat]
        assert kept[-6:] == [True] * 6
        assert not any(kept[:-6])


def test_receipts_that_nobody_got_take_no_text_from_the_letters_that_came(harness: Harness) -> None:
    harness.begin()
    harness.send(f"Ada <{ADA}>", "receipts off", harness.last(ADA))
    harness.play("ps b4", "ps c3", "ps a1", "ps a2", "ps a3", "ps d4", "ps d5", "ps e1")
    harness.send(f"Ada <{ADA}>", "resign", harness.last(ADA))
    harness.send(f"Ada <{ADA}>", "yes", harness.last(ADA))
    to_ada = [one for one in letters(harness) if one.seat == 0]
    came = [one.id for one in to_ada if one.state != LetterState.WITHDRAWN]
    assert len(to_ada) - len(came) == 4
    with harness.store.transaction() as session:
        for row in session.exec(select(OutboxRow).where(OutboxRow.state != LetterState.WITHDRAWN)):
            row.state = LetterState.SENT
    harness.now += LATER
    run_retention(harness)
    assert [one.id for one in letters(harness) if one.seat == 0 and one.text] == came[-6:]


def test_letters_about_no_game_keep_no_text(harness: Harness) -> None:
    harness.send("Other <other@example.org>", "hello")
    settle(harness)
    harness.now += LATER
    run_retention(harness)
    assert [one.text for one in letters(harness)] == [""]


def test_old_words_that_were_brought_go_but_the_newest_of_each_seat(harness: Harness) -> None:
    harness.begin()
    for words in ("One.", "Two."):
        harness.send(f"Ada <{ADA}>", words, harness.last(ADA))
        harness.send(f"Ben <{BEN}>", f"And {words.lower()}", harness.last(BEN))
    harness.now += LATER
    run_retention(harness)
    assert [one.words for one in _chat(harness)] == ["Two.", "And two."]


def test_words_that_wait_stay_however_old_they_are(harness: Harness) -> None:
    harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN} first=me")
    harness.send(f"Ada <{ADA}>", "Do you know this game?", harness.last(ADA))
    harness.now += LATER
    run_retention(harness)
    assert [one.words for one in _chat(harness)] == ["Do you know this game?"]


def test_a_proposal_whose_time_is_over_lapses_though_nobody_looks(harness: Harness) -> None:
    harness.begin_and_play("ps b4", "ps c3", "propose back 1")
    harness.now += LIFETIME - timedelta(seconds=1)
    run_retention(harness)
    assert _offers(harness) == [None]
    harness.now += timedelta(seconds=1)
    run_retention(harness)
    assert _offers(harness) == [PendingEnd.LAPSED]
    assert harness.collect() == []
    harness.send(f"Ben <{BEN}>", "agree", harness.last(BEN))
    assert turns(harness) == ["ps b4", "ps c3"]


def test_a_seek_whose_time_is_over_goes(harness: Harness) -> None:
    harness.send(f"Ada <{ADA}>", "seek 5")
    harness.now += SOUGHT_FOR
    run_retention(harness)
    assert _seeks(harness) == 1
    harness.now += timedelta(seconds=1)
    run_retention(harness)
    assert _seeks(harness) == 0


def test_what_others_keep_it_from_closing_is_closed_at_the_next_round(
    harness: Harness, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    harness.send(f"Ada <{ADA}>", "seek 5")
    harness.now += SOUGHT_FOR + timedelta(seconds=1)

    def in_the_way(*_: object) -> None:
        raise Conflict("seek 1")

    with monkeypatch.context() as patch:
        patch.setattr(causes, "write", in_the_way)
        run_retention(harness)
    assert "because of conflicts: seek 1" in caplog.text
    assert _seeks(harness) == 1
    run_retention(harness)
    assert _seeks(harness) == 0


def test_more_that_is_overdue_than_one_step_takes_is_all_closed(harness: Harness) -> None:
    with harness.store.transaction() as session:
        for number in range(450):
            session.add(
                PendingRow(kind=PendingKind.COMMANDS, address=f"p{number}@example.org", asked_at=harness.now)
            )
    harness.now += LATER
    run_retention(harness)
    assert _questions(harness) == 0


def test_questions_that_nobody_can_answer_any_more_go(harness: Harness) -> None:
    harness.begin()
    harness.send(f"Ada <{ADA}>", "resign", harness.last(ADA))
    seconds = 0.0
    service = Retention(harness.store, harness.causes, DAYS, lambda: seconds)
    service.work()
    for left in (1, 1, 0, 0):
        harness.now += timedelta(days=2, hours=12)
        seconds += timedelta(days=2, hours=12).total_seconds()
        service.work()
        assert _questions(harness) == left


def test_a_mail_that_comes_again_when_its_bytes_are_gone_is_a_duplicate_and_not_kept(
    harness: Harness,
) -> None:
    harness.begin()
    move = harness.mail(f"Ada <{ADA}>", "ps b4", harness.last(ADA)).as_bytes()
    harness.deliver(move)
    harness.now += LATER
    run_retention(harness)
    assert harness.deliver(move) == []
    assert turns(harness) == ["ps b4"]
    assert (mails(harness)[-1].state, mails(harness)[-1].raw) == (MailState.DUPLICATE, b"")


def test_a_letter_whose_bytes_are_gone_is_not_sent_again_when_it_comes_back(harness: Harness) -> None:
    harness.begin()
    settle(harness)
    harness.now += LATER
    run_retention(harness)
    with harness.store.transaction() as session:
        harness.causes.refused_letter(session, outbox.returned(session.get_one(OutboxRow, 1)), "no such user")
    assert letters(harness)[0].state == LetterState.FAILED


def _chat(harness: Harness) -> list[ChatRow]:
    with harness.store.transaction() as session:
        return list(session.exec(select(ChatRow)))


def _offers(harness: Harness) -> list[PendingEnd | None]:
    with harness.store.transaction() as session:
        return [one.ended for one in session.exec(select(PendingRow)) if one.kind in CONSENTS]


def _seeks(harness: Harness) -> int:
    with harness.store.transaction() as session:
        return len(session.exec(select(SeekRow)).all())


def _questions(harness: Harness) -> int:
    with harness.store.transaction() as session:
        return len([one for one in session.exec(select(PendingRow)) if one.kind not in CONSENTS])


def test_the_turns_of_an_old_game_stay(harness: Harness) -> None:
    harness.begin_and_play("ps b4", "ps c3")
    harness.now += LATER
    run_retention(harness)
    with harness.store.transaction() as session:
        assert [one.written for one in TURNS.load(session, 1)] == ["ps b4", "ps c3"]
