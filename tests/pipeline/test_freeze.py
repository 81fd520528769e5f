"""A corrupt game is frozen, and its players' mails are kept."""

from dataclasses import replace

import pytest

from takmail.pipeline import rulings
from takmail.world.corruption import Corruption, CorruptionKind, StoredPlace
from takmail.world.ids import GameNumber
from takmail.world.kinds import LogWord, MailState, Ruling, Standing
from takmail.world.table import Corrupt, Table
from tests.support.memory_harness import PLAIN, MemoryHarness
from tests.support.players import ADA, BEN, Received, said

NUMBER = GameNumber(1)
OPERATOR = "operator@example.test"
MISSING = Corruption(
    1, "tak", CorruptionKind.MISSING, StoredPlace("turn", {"game_id": 1, "number": 2}), turn=2
)


@pytest.fixture
def people() -> MemoryHarness:
    """Ada and Ben made two moves. The second row was then deleted from the store."""
    found = MemoryHarness(services=replace(PLAIN, operator=OPERATOR))
    found.begin("3")
    found.play("ps a1", "ps c3")
    table = found.memory.tables[NUMBER]
    assert isinstance(table, Table)
    found.memory.tables[NUMBER] = Corrupt(table.record, table.rules, table.players, MISSING, 1, table.threads)
    return found


def write(people: MemoryHarness, who: str, words: str) -> list[Received]:
    """Process a mail that may be kept for the operator, and return the letters."""
    mail = people.mail(who, words, people.last(who)).as_bytes()
    return people.keep(people.decide(people.arrive(mail)))


def test_the_first_mail_freezes_it_and_everybody_hears_of_it_once(people: MemoryHarness) -> None:
    letters = write(people, ADA, "ps b2")

    assert people.happened == ["GameFrozen", "OperatorNotified"]
    assert [(one.what, one.game) for one in people.memory.log] == [(LogWord.FROZEN, NUMBER)]
    assert people.outcome.state is MailState.SHUNTED
    assert [one.to for one in letters] == [ADA, BEN, OPERATOR]
    assert "corrupt and frozen (adjourned)" in said(letters[-1])
    assert people.memory.tables[NUMBER].record.standing is Standing.ADJOURNED
    assert people.memory.frozen_for(NUMBER) == MISSING.digest

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
        (MISSING, False),
        (replace(MISSING, turn=1), True),
        (replace(MISSING, flaw=CorruptionKind.SETUP), True),
        (replace(MISSING, value="2"), True),
        (replace(MISSING, place=StoredPlace("turn", {"game_id": 1, "number": 1})), True),
    ],
)
def test_of_a_game_that_does_not_run_each_fault_is_told_once(
    people: MemoryHarness, fault: Corruption, *, is_told: bool
) -> None:
    broken = people.memory.tables[NUMBER]
    assert isinstance(broken, Corrupt)
    over = replace(broken, record=replace(broken.record, standing=Standing.OVER))
    people.memory.tables[NUMBER] = over
    write(people, ADA, "log")
    assert "GameFrozen" in people.happened

    people.memory.tables[NUMBER] = replace(over, fault=fault)
    write(people, BEN, "log")
    assert ("GameFrozen" in people.happened) is is_told


def test_of_a_fault_that_was_told_before_it_was_kept_nobody_hears_again(people: MemoryHarness) -> None:
    write(people, ADA, "log")
    people.memory.log[-1] = replace(people.memory.log[-1], fault="")
    broken = people.memory.tables[NUMBER]
    people.memory.tables[NUMBER] = replace(broken, record=replace(broken.record, standing=Standing.OVER))
    write(people, BEN, "log")
    assert "GameFrozen" not in people.happened
