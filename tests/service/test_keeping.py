"""Keeping little: what old mails and letters are reduced to, and what the game still needs of them."""

import hashlib
from datetime import timedelta

import pytest
from sqlmodel import SQLModel, select

from takmail.commands.game.table import STANDS_FOR
from takmail.commands.kinds import LetterState, LetterView, MailState, OfferEnd, QuestionKind
from takmail.commands.seek import SOUGHT_FOR
from takmail.keeper import Keeper
from takmail.pipeline import process
from takmail.pipeline.values import Conflict
from takmail.store import causes, games, outbox
from takmail.store.database import Store
from takmail.store.tables import Chat, IntakeRow, Offer, OutboxRow, Question, Seek
from tests.office import ADA, BEN, Office, broken_hand, said, turns

DAYS = 30
LATER = timedelta(days=DAYS, seconds=1)


def keep_little(office: Office) -> int:
    """What a service does at its start and then daily."""
    return Keeper(office.store, office.causes, DAYS).work()


def mails(office: Office) -> list[IntakeRow]:
    with office.store.transaction() as session:
        return list(session.exec(select(IntakeRow).order_by(IntakeRow.id)))  # type: ignore[arg-type]


def letters(office: Office) -> list[OutboxRow]:
    with office.store.transaction() as session:
        return list(session.exec(select(OutboxRow).order_by(OutboxRow.id)))  # type: ignore[arg-type]


def facts(row: SQLModel) -> list[tuple[str, object]]:
    """All that is stored in a row."""
    return [(name, getattr(row, name)) for name in type(row).model_fields]


def settle(office: Office, state: LetterState = LetterState.SENT) -> None:
    """Have every letter leave, or end otherwise."""
    with office.store.transaction() as session:
        for row in session.exec(select(OutboxRow)):
            row.state = state


def test_an_old_mail_is_reduced_to_what_became_of_it(office: Office) -> None:
    office.begin()
    office.play("ps b4")
    before = mails(office)
    office.now += LATER
    assert keep_little(office) == len(before)
    for old, new in zip(before, mails(office), strict=True):
        assert (new.raw, new.sender, new.is_reduced) == (b"", None, True)
        gone = ("raw", "sender", "is_reduced")
        assert [one for one in facts(new) if one[0] not in gone] == [
            one for one in facts(old) if one[0] not in gone
        ]


def test_a_mail_of_thirty_days_is_kept(office: Office) -> None:
    office.begin()
    settle(office)
    office.now += timedelta(days=DAYS)
    assert keep_little(office) == 0
    assert all(one.raw for one in (*mails(office), *letters(office)))


def test_to_keep_little_twice_changes_nothing_more(office: Office) -> None:
    office.begin()
    settle(office)
    office.now += LATER
    assert keep_little(office) > 0
    once = [facts(one) for one in (*mails(office), *letters(office))]
    assert keep_little(office) == 0
    assert [facts(one) for one in (*mails(office), *letters(office))] == once


def test_more_mails_than_one_step_takes_are_all_reduced(office: Office) -> None:
    for number in range(450):
        office.inbound.keep_one(f"From: Other <other@example.org>\n\n{number}".encode())
    with office.store.transaction() as session:
        for row in session.exec(select(IntakeRow)):
            row.state = MailState.REJECTED
    office.now += LATER
    assert keep_little(office) == 450


def test_a_mail_that_waits_or_raised_is_kept_however_old_it_is(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.begin()
    with monkeypatch.context() as patch:
        patch.setattr(process, "execute", broken_hand)
        office.inbound.keep_one(office.mail(f"Ada <{ADA}>", "ps b4", office.last(ADA)).as_bytes())
        office.inbound.work()
    office.inbound.keep_one(office.mail(f"Ada <{ADA}>", "rs", office.last(ADA)).as_bytes())
    office.now += LATER
    keep_little(office)
    assert [(one.state, bool(one.raw)) for one in mails(office)[-2:]] == [
        (MailState.SHUNTED, True),
        (MailState.NEW, True),
    ]


@pytest.mark.parametrize("state", [LetterState.SENT, LetterState.FAILED, LetterState.WITHDRAWN])
def test_of_an_old_letter_the_hash_stays(office: Office, state: LetterState) -> None:
    office.begin()
    settle(office, state)
    before = letters(office)
    office.now += LATER
    keep_little(office)
    assert [(one.raw, one.sha256) for one in letters(office)] == [
        (b"", hashlib.sha256(one.raw).hexdigest()) for one in before
    ]


@pytest.mark.parametrize("state", [LetterState.QUEUED, LetterState.BOUNCED, LetterState.RESTING])
def test_a_letter_that_waits_is_kept_however_old_it_is(office: Office, state: LetterState) -> None:
    office.begin()
    settle(office, state)
    office.now += LATER
    keep_little(office)
    assert all(one.raw and one.sha256 is None for one in letters(office))


def test_a_game_goes_on_from_letters_that_are_reduced(office: Office) -> None:
    office.begin()
    office.play("ps b4")
    settle(office)
    office.now += LATER
    keep_little(office)
    news = office.last(BEN)
    bare = "\n".join(news.lines)  # quoted with no marks at all, so that only the kept text tells it
    office.send(f"Ben <{BEN}>", f"ps c3\n\n{bare}", news, quoting=False)
    assert turns(office) == ["ps b4", "ps c3"]
    assert "something to say" not in said(office.last(ADA))
    assert not any(one.words for one in _chat(office))


def test_what_an_html_side_reads_as_is_kept_as_long_as_the_text(store: Store) -> None:
    office = Office(store, letter_view=LetterView.BOTH)
    office.send("Other <other@example.org>", "hello")
    office.begin()
    settle(office)
    assert all(one.text and one.html_text for one in letters(office))
    office.now += LATER
    keep_little(office)
    kept = [(bool(one.text), bool(one.html_text)) for one in letters(office) if one.game_id]
    gone = [(one.text, one.html_text) for one in letters(office) if not one.game_id]
    assert set(kept) == {(True, True)}
    assert set(gone) == {("", None)}


def test_of_a_finished_game_the_texts_of_the_last_letters_stay(office: Office) -> None:
    office.begin()
    office.play("ps b4", "ps c3", "ps a1", "ps a2", "ps a3", "ps d4", "ps d5", "ps e1")
    settle(office)
    office.now += LATER
    keep_little(office)
    assert all(one.text for one in letters(office) if one.game_id)
    office.send(f"Ada <{ADA}>", "resign", office.last(ADA))
    office.send(f"Ada <{ADA}>", "yes", office.last(ADA))
    settle(office)
    office.now += LATER
    keep_little(office)
    for seat in (0, 1):
        kept = [bool(one.text) for one in letters(office) if one.seat == seat]
        assert kept[-6:] == [True] * 6
        assert not any(kept[:-6])


def test_letters_about_no_game_keep_no_text(office: Office) -> None:
    office.send("Other <other@example.org>", "hello")
    settle(office)
    office.now += LATER
    keep_little(office)
    assert [one.text for one in letters(office)] == [""]


def test_old_words_that_were_brought_go_but_the_newest_of_each_seat(office: Office) -> None:
    office.begin()
    for words in ("One.", "Two."):
        office.send(f"Ada <{ADA}>", words, office.last(ADA))
        office.send(f"Ben <{BEN}>", f"And {words.lower()}", office.last(BEN))
    office.now += LATER
    keep_little(office)
    assert [one.words for one in _chat(office)] == ["Two.", "And two."]


def test_words_that_wait_stay_however_old_they_are(office: Office) -> None:
    office.send(f"Ada <{ADA}>", f"new 5 vs {BEN} first=me")
    office.send(f"Ada <{ADA}>", "Do you know this game?", office.last(ADA))
    office.now += LATER
    keep_little(office)
    assert [one.words for one in _chat(office)] == ["Do you know this game?"]


def test_a_proposal_whose_time_is_over_lapses_though_nobody_looks(office: Office) -> None:
    office.begin()
    office.play("ps b4", "ps c3", "propose back 1")
    office.now += STANDS_FOR - timedelta(seconds=1)
    keep_little(office)
    assert _offers(office) == [None]
    office.now += timedelta(seconds=1)
    keep_little(office)
    assert _offers(office) == [OfferEnd.LAPSED]
    assert office.collect() == []
    office.send(f"Ben <{BEN}>", "agree", office.last(BEN))
    assert turns(office) == ["ps b4", "ps c3"]


def test_a_seek_whose_time_is_over_goes(office: Office) -> None:
    office.send(f"Ada <{ADA}>", "seek 5")
    office.now += SOUGHT_FOR
    keep_little(office)
    assert _seeks(office) == 1
    office.now += timedelta(seconds=1)
    keep_little(office)
    assert _seeks(office) == 0


def test_what_others_keep_it_from_closing_is_closed_at_the_next_round(
    office: Office, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    office.send(f"Ada <{ADA}>", "seek 5")
    office.now += SOUGHT_FOR + timedelta(seconds=1)

    def in_the_way(*_: object) -> None:
        raise Conflict("seek 1")

    with monkeypatch.context() as patch:
        patch.setattr(causes, "write", in_the_way)
        keep_little(office)
    assert "until the next round: seek 1" in caplog.text
    assert _seeks(office) == 1
    keep_little(office)
    assert _seeks(office) == 0


def test_more_that_is_overdue_than_one_step_takes_is_all_closed(office: Office) -> None:
    with office.store.transaction() as session:
        for number in range(450):
            session.add(
                Question(kind=QuestionKind.COMMANDS, address=f"p{number}@example.org", asked_at=office.now)
            )
    office.now += LATER
    keep_little(office)
    assert _questions(office) == 0


def test_questions_that_nobody_can_answer_any_more_go(office: Office) -> None:
    office.begin()
    office.send(f"Ada <{ADA}>", "resign", office.last(ADA))
    office.now += timedelta(days=1)
    keep_little(office)
    assert _questions(office) == 1
    office.now += LATER
    keep_little(office)
    assert _questions(office) == 0


def test_a_mail_that_comes_again_when_its_bytes_are_gone_is_a_duplicate_and_not_kept(office: Office) -> None:
    office.begin()
    move = office.mail(f"Ada <{ADA}>", "ps b4", office.last(ADA)).as_bytes()
    office.deliver(move)
    office.now += LATER
    keep_little(office)
    assert office.deliver(move) == []
    assert turns(office) == ["ps b4"]
    assert (mails(office)[-1].state, mails(office)[-1].raw) == (MailState.DUPLICATE, b"")


def test_a_letter_whose_bytes_are_gone_is_not_sent_again_when_it_comes_back(office: Office) -> None:
    office.begin()
    settle(office)
    office.now += LATER
    keep_little(office)
    with office.store.transaction() as session:
        office.causes.refused_letter(session, outbox.returned(outbox.get(session, 1)), "no such user")
    assert letters(office)[0].state == LetterState.FAILED


def _chat(office: Office) -> list[Chat]:
    with office.store.transaction() as session:
        return list(session.exec(select(Chat)))


def _offers(office: Office) -> list[OfferEnd | None]:
    with office.store.transaction() as session:
        return [one.ended for one in session.exec(select(Offer))]


def _seeks(office: Office) -> int:
    with office.store.transaction() as session:
        return len(session.exec(select(Seek)).all())


def _questions(office: Office) -> int:
    with office.store.transaction() as session:
        return len(session.exec(select(Question)).all())


def test_the_turns_of_an_old_game_stay(office: Office) -> None:
    office.begin()
    office.play("ps b4", "ps c3")
    office.now += LATER
    keep_little(office)
    with office.store.transaction() as session:
        assert [one.written for one in games.turns(session, 1)] == ["ps b4", "ps c3"]
