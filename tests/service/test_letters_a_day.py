"""How many letters one address gets within a day, whoever has them written."""

from dataclasses import replace
from datetime import timedelta

from sqlmodel import select

from takmail.inbound import Inbound
from takmail.service.desk import Pace
from takmail.store import leaving
from takmail.store.tables import LetterState, OutboxRow
from tests.office import ADA, BEN, Office

AS_ADA = f"Ada <{ADA}>"
FEW = Pace(300, 30, 5, letters_per_day=4, stranger_letters_per_day=3)


def states(office: Office, to: str) -> list[str]:
    with office.store.transaction() as session:
        rows = session.exec(select(OutboxRow).where(OutboxRow.mail_to == to)).all()
        return [str(row.state) for row in rows if row.answers == "nothing"]


def with_few(office: Office) -> None:
    office.desk = replace(office.desk, pace=FEW)
    office.inbound = Inbound(office.store, office.desk)


def talk(office: Office, words: int) -> None:
    """Ada and Ben play, and Ada has something to say so many times."""
    office.begin()
    with_few(office)
    for number in range(words):
        office.send(AS_ADA, f"word number {number}", office.last(ADA))


def test_what_is_beyond_the_number_for_a_day_waits_a_day(office: Office) -> None:
    talk(office, 5)
    # One invitation, and three of the five letters with words.
    assert states(office, BEN) == ["queued"] * 4 + ["postponed"] * 2
    with office.store.transaction() as session:
        late = session.exec(select(OutboxRow).where(OutboxRow.state == LetterState.POSTPONED)).first()
        assert late is not None
        assert late.due_at == office.now + timedelta(days=1)


def test_what_is_put_off_is_spread_over_the_days_that_follow(office: Office) -> None:
    talk(office, 13)
    with office.store.transaction() as session:
        late = session.exec(select(OutboxRow).where(OutboxRow.state == LetterState.POSTPONED)).all()
        waits = [(row.due_at - office.now).days for row in late]
    assert waits == [1] * 4 + [2] * 4 + [3] * 2


def test_what_its_reader_asks_for_comes_at_once(office: Office) -> None:
    talk(office, 5)
    (answer,) = office.send(f"Ben <{BEN}>", "rs", office.last(BEN))
    with office.store.transaction() as session:
        row = session.exec(select(OutboxRow).where(OutboxRow.message_id == answer.id)).one()
        assert row.state == LetterState.QUEUED


def test_a_letter_that_was_put_off_leaves_on_the_next_day(office: Office) -> None:
    talk(office, 5)
    office.now += timedelta(days=1)
    left = []
    with office.store.transaction() as session:
        while letters := leaving.claim(session, office.now):
            leaving.sent(session, [letter.id for letter in letters])
            left += letters
    assert states(office, BEN) == ["sent"] * 6


def test_in_a_stranger_s_name_only_few_letters_can_be_had(office: Office) -> None:
    office.confirms = False
    with_few(office)
    letters = [
        letter
        for number in range(8)
        for letter in office.send("Someone <someone@example.net>", f"show {number}\nrs")
    ]
    assert len(letters) == FEW.stranger_letters_per_day
    assert office.note_of(8) == ("rejected", "over the limit: [limits] stranger_letters_per_day = 3")
