"""A corrupt game is adjourned, and its players' mails are kept."""

from dataclasses import replace

import pytest

from takmail.pipeline import rulings
from takmail.world.kinds import GameNumber, LogWord, MailState, Ruling, Standing
from takmail.world.replay import Corruption
from tests.support.memory_harness import PLAIN, MemoryHarness
from tests.support.players import ADA, BEN, Received, said

NUMBER = GameNumber(1)
OPERATOR = "operator@example.test"
UNREADABLE = Corruption(1, "tak", "offer", {"game_id": 1, "version": 7}, "target", "77")


@pytest.fixture
def people() -> MemoryHarness:
    """Ada and Ben made two moves. Then an offer was stored that cannot be."""
    found = MemoryHarness(services=replace(PLAIN, operator=OPERATOR))
    found.begin("3")
    found.play("ps a1", "ps c3")
    table = found.memory.tables[NUMBER]
    found.memory.tables[NUMBER] = replace(table, states=UNREADABLE)
    return found


def write(people: MemoryHarness, who: str, words: str) -> list[Received]:
    """Process a mail that may be kept for the operator, and return the letters."""
    mail = people.mail(who, words, people.last(who)).as_bytes()
    return people.keep(people.decide(people.arrive(mail)))


def test_the_first_mail_adjourns_it_and_everybody_hears_of_it_once(people: MemoryHarness) -> None:
    letters = write(people, ADA, "ps b2")

    assert people.happened == ["GameAdjourned", "OperatorNotified"]
    assert [(one.what, one.game) for one in people.memory.log] == [(LogWord.FROZEN, NUMBER)]
    assert people.outcome.state is MailState.SHUNTED
    assert [one.to for one in letters] == [ADA, BEN, OPERATOR]
    assert "is corrupt (adjourned)" in said(letters[-1])
    assert people.memory.tables[NUMBER].record.standing is Standing.ADJOURNED
    assert people.memory.faults_told(NUMBER) == {UNREADABLE.digest}

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
    ("fault", "is_told"),
    [
        (UNREADABLE, False),
        (replace(UNREADABLE, column="turn"), True),
        (replace(UNREADABLE, value="78"), True),
        (replace(UNREADABLE, key={"game_id": 1, "version": 8}), True),
    ],
)
@pytest.mark.parametrize("standing", [Standing.OVER, Standing.ADJOURNED])
def test_of_a_game_that_does_not_run_each_fault_is_told_once(
    people: MemoryHarness, standing: Standing, fault: Corruption, *, is_told: bool
) -> None:
    broken = people.memory.tables[NUMBER]
    broken = replace(broken, record=replace(broken.record, standing=standing))
    people.memory.tables[NUMBER] = broken
    write(people, ADA, "log")
    assert "OperatorNotified" in people.happened

    people.memory.tables[NUMBER] = replace(broken, states=fault)
    write(people, BEN, "log")
    # The players know it already.
    assert people.happened == (["OperatorNotified"] if is_told else [])


def test_a_game_that_goes_on_is_adjourned_even_if_its_invitation_was_told_of(people: MemoryHarness) -> None:
    broken = people.memory.tables[NUMBER]
    people.memory.tables[NUMBER] = replace(broken, record=replace(broken.record, standing=Standing.INVITED))
    write(people, ADA, "log")
    assert people.memory.tables[NUMBER].record.standing is Standing.INVITED
    people.memory.tables[NUMBER] = broken
    assert [one.to for one in write(people, ADA, "log")] == [ADA, BEN, OPERATOR]
    assert people.memory.tables[NUMBER].record.standing is Standing.ADJOURNED


def test_what_the_mail_had_caused_before_the_board_was_needed_is_dropped(people: MemoryHarness) -> None:
    """The command before the one that needs the board is not carried out, either."""
    write(people, ADA, "new 4 vs Cyd <cyd@example.org>\nps b2")

    assert people.outcome.state is MailState.SHUNTED
    assert [*people.memory.tables] == [NUMBER]
