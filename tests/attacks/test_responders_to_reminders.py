"""Mailboxes that answer reminders, holidays and questions about time: no clock changes, and no letters go round."""

from datetime import timedelta

import pytest

from takmail.world.clock import clock_of
from takmail.world.kinds import PlayerId
from takmail.world.pace import DAY
from tests.conversations.test_clocks import begin, look, without_holidays
from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN, Received
from tests.support.width import combined, some_of

HOUR = timedelta(hours=1)
TEXTS = {
    "plain": "I am away until Monday.",
    "a date": "I am on holiday until 24 December.",
    "the command in a sentence": "Hello,\n\nI am away until 24 December and will read your mail then.\n\nBen",
    "an office": "Out of office\n\nThank you for your mail. I'm out of the office until 5 January with no access.",
    "back": "Thanks for your mail. I will be back on 7 December.\nBest regards\nBen",
    "German": "Ich bin bis zum 7. Dezember nicht im Büro.\n\nMit freundlichen Grüßen\nBen",
    "Russian": "Здравствуйте! Я в отпуске до 7 декабря.",
    "Chinese": "您好，我正在休假，12月7日回来。",
    "one word": "Vacation",
    "waits": "I am travelling, please wait until I am back. I claim no rest.",
}
MARKS: dict[str, dict[str, str]] = {
    "unmarked": {},
    "marked": {"Auto_Submitted": "auto-replied"},
    "by its Subject": {"subject": "Automatic reply: It is your turn"},
}


def quoted(letter: Received) -> str:
    """Return the letter's text as some responders repeat it, without a mark."""
    return f"I am away until Monday.\n\n{letter.text}"


@pytest.fixture
def harness() -> MemoryHarness:
    return MemoryHarness(sends=True)


def time_of(harness: MemoryHarness) -> tuple[object, ...]:
    """Return all that the players' time depends on."""
    table = harness.table()
    people = [harness.memory.players[PlayerId(number)] for number in (1, 2)]
    offs = [
        (one.time_off, one.preferences.announces_holidays, one.preferences.wants_no_reminders)
        for one in people
    ]
    return (
        clock_of(table).deadline,
        [seat.gift for seat in table.record.seats],
        table.record.timing.pace,
        offs,
        table.record.standing,
    )


def answered(harness: MemoryHarness, letters: list[Received], text: str | None, **how: str) -> int:
    """Let both mailboxes answer each letter, and what follows from that. Return how many letters that were."""
    caused, number = 0, 0
    waiting = [*letters]
    while waiting and number < 30:
        number += 1
        letter = waiting.pop(0)
        harness.now += timedelta(minutes=2)
        name = letter.to.partition("@")[0].capitalize()
        words = quoted(letter) if text is None else text
        more = harness.send(f"{name} <{letter.to}>", words, letter, **how)
        caused += len(more)
        waiting += more
    return caused


@pytest.mark.parametrize(("name", "marks"), combined([*some_of(TEXTS, 5), "all of the letter"], MARKS))
def test_an_answer_to_a_reminder_changes_no_time_and_goes_not_round(
    harness: MemoryHarness, name: str, marks: str
) -> None:
    begin(harness)
    letters = look(harness, 2 * DAY)
    assert [one.to for one in letters] == [BEN]
    before = time_of(harness)
    caused = answered(harness, letters, TEXTS.get(name), **MARKS[marks])
    assert time_of(harness) == before
    assert turns(harness) == ["ps a1"]
    assert caused <= (12 if marks == "unmarked" else 0)


@pytest.mark.parametrize(
    ("name", "takes_holidays"), combined([*some_of(TEXTS, 3), "all of the letter"], [True, False])
)
def test_so_it_is_with_the_letters_after_the_time(
    harness: MemoryHarness, name: str, takes_holidays: bool
) -> None:
    begin(harness)
    if not takes_holidays:
        without_holidays(harness)
    letters = look(harness, 3 * DAY + HOUR)
    assert {one.to for one in letters} == {ADA, BEN}
    before = time_of(harness)
    caused = answered(harness, letters, TEXTS.get(name))
    assert time_of(harness) == before
    assert caused <= 12
