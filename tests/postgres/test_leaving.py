"""What two processes store at the same moment of one player, who leaves or can't be reached."""

import pytest
from sqlmodel import Session

from takmail.pipeline.values import Conflict
from takmail.store import people
from takmail.store.database import AWAY
from tests import rows
from tests.office import ADA, BEN, Office, said
from tests.postgres.test_overlap import handle, impatient, kept
from tests.service.test_bounces import all_sent, report


def test_of_two_letters_that_come_back_at_once_the_second_is_told_to_the_opponent(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.begin()
    office.play("ps a1", "ps a2")
    all_sent(office)
    first, *others = [one for one in office.box if one.to == BEN][-3:]
    office.deliver(report(first))
    # Of two servers, as what one server says is handled one after the other.
    second, third = map(report, others)
    mails = [office.inbound.keep_one(one) for one in (second, third.replace(b"mx.example", b"mx2.example"))]
    with office.store.transaction() as session:
        ben, count_alone = str(rows.player(session, BEN).id), people.count_alone

    def meanwhile(session: Session, whose: str) -> None:
        """While one waits for the count of the letters to Ben, the other has come to its end."""
        if whose == ben:
            patch.undo()
            with office.store.transaction() as one:
                handle(office, one, mails[0])
        count_alone(session, whose)

    with monkeypatch.context() as patch:
        patch.setattr(people, "count_alone", meanwhile)
        with pytest.raises(Conflict), office.store.transaction() as two:
            handle(office, two, mails[1])
    assert office.collect() == []
    office.inbound.work()
    (told,) = office.collect()
    assert told.to == ADA
    assert "My letters to Ben come back" in said(told)


@pytest.mark.parametrize("who", [BEN, "Ben"])
def test_the_letters_to_who_is_found_by_address_or_name_are_counted_by_one_process(
    office: Office, who: str
) -> None:
    office.begin()
    with office.store.transaction() as session:
        number = rows.player(session, BEN).id
    mail = kept(office, ADA, f"new 5 vs {who}")
    with office.store.transaction() as one:
        people.count_alone(one, str(number))
        with pytest.raises(AWAY), impatient(office.store) as two:
            handle(office, two, mail)
