"""A corrupt game is adjourned, and its players' mails are kept."""

from dataclasses import replace

import pytest
from sqlmodel import update

from takmail.pipeline import rulings
from takmail.store.tables import GameRow
from takmail.world.kinds import GameNumber, LogWord, MailState, Ruling, Standing
from takmail.world.replay import Corruption
from tests.support.damaged import Damage, all_of, changed
from tests.support.memory_harness import PLAIN, MemoryHarness
from tests.support.players import ADA, BEN, Received, said
from tests.support.width import combined

NUMBER = GameNumber(1)
OPERATOR = "operator@example.test"
UNREADABLE = changed(2, text="ps z9")


def damage(people: MemoryHarness, how: Damage) -> None:
    with people.store.transaction() as session:
        how(session)


def stands(standing: Standing) -> Damage:
    return lambda session: session.exec(update(GameRow).values(standing=standing))


@pytest.fixture
def people() -> MemoryHarness:
    """Ada and Ben made two moves. Then the second was changed in the database to what is no move."""
    found = MemoryHarness(services=replace(PLAIN, operator=OPERATOR))
    found.begin_and_play("ps a1", "ps c3", words="3")
    damage(found, UNREADABLE)
    return found


def write(people: MemoryHarness, who: str, words: str) -> list[Received]:
    """Process a mail that may be kept for the operator, and return the letters."""
    mail = people.mail(who, words, people.last(who)).as_bytes()
    return people.keep(people.decide(people.arrive(mail)))


def test_the_first_mail_adjourns_it_and_everybody_hears_of_it_once(people: MemoryHarness) -> None:
    letters = write(people, ADA, "ps b2")

    assert people.happened == ["GameAdjourned", "OperatorNotified"]
    assert [(one.what, one.game_id) for one in people.memory.log] == [(LogWord.FROZEN, NUMBER)]
    assert people.outcome.state is MailState.SHUNTED
    assert [one.to for one in letters] == [ADA, BEN, OPERATOR]
    assert "is corrupt (adjourned)" in said(letters[-1])
    assert people.memory.tables[NUMBER].record.standing is Standing.ADJOURNED
    fault = people.table().states
    assert isinstance(fault, Corruption)
    assert people.memory.log[0].fault == fault.digest

    assert write(people, BEN, "ps b2") == []
    assert people.outcome.state is MailState.SHUNTED
    assert people.happened == []
    assert len(people.memory.log) == 1


def test_what_can_be_done_without_it_is_done(people: MemoryHarness) -> None:
    (answer,) = write(people, ADA, "help")

    assert people.outcome.state is MailState.ANSWERED
    assert answer.to == ADA
    assert people.memory.tables[NUMBER].record.standing is Standing.OPEN


def test_the_operator_can_end_it_all_the_same(people: MemoryHarness) -> None:
    write(people, ADA, "ps b2")

    letters = people.rule(
        lambda context: rulings.end(
            context, NUMBER, Ruling.VOID, rulings.OperatorNote("Other", "its turns are lost")
        )
    )

    assert [one.to for one in letters] == [ADA, BEN]
    assert all("its turns are lost" in said(one) for one in letters)
    assert people.memory.tables[NUMBER].record.standing is Standing.OVER


@pytest.mark.parametrize(
    ("faults", "standing"),
    combined(
        [
            (UNREADABLE, False),
            (changed(2, text="ps z8"), True),
            (changed(1, text="ps z9"), True),
            (all_of(changed(2, text="ps c3"), changed(2, checksum="another")), True),
        ],
        [Standing.OVER, Standing.ADJOURNED],
    ),
)
def test_of_a_game_that_does_not_run_each_fault_is_told_once(
    people: MemoryHarness, standing: Standing, faults: tuple[Damage, bool]
) -> None:
    fault, is_told = faults
    damage(people, stands(standing))
    write(people, ADA, "log")
    assert "OperatorNotified" in people.happened

    damage(people, fault)
    write(people, BEN, "log")
    # The players know it already.
    assert people.happened == (["OperatorNotified"] if is_told else [])


def test_a_game_that_goes_on_is_adjourned_even_if_its_invitation_was_told_of(people: MemoryHarness) -> None:
    damage(people, stands(Standing.INVITED))
    write(people, ADA, "log")
    assert people.memory.tables[NUMBER].record.standing is Standing.INVITED
    damage(people, stands(Standing.OPEN))
    assert [one.to for one in write(people, ADA, "log")] == [ADA, BEN, OPERATOR]
    assert people.memory.tables[NUMBER].record.standing is Standing.ADJOURNED


def test_what_the_mail_had_caused_before_the_board_was_needed_is_dropped(people: MemoryHarness) -> None:
    """The command before the one that needs the board is not carried out, either."""
    write(people, ADA, "new 4 vs Cyd <cyd@example.org>\nps b2")

    assert people.outcome.state is MailState.SHUNTED
    assert [*people.memory.tables] == [NUMBER]
