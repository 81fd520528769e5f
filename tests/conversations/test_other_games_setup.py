"""A set-up is refused in the words of its own game, whatever game the letter is about."""

import pytest

from takmail.vocabulary.taught import in_language
from tests.support.memory_harness import MemoryHarness
from tests.support.players import ADA
from tests.support.width import combined

REFUSED = {
    "new 9 vs c@example.org": "",
    "new 5 komi=99 vs c@example.org": "komi=2",
    "seek 5 foo": "new 5 vs",
    "seek tzaar komi=2": "new tzaar vs",
}


@pytest.mark.parametrize(("setup", "language", "line"), combined(["5", "tzaar"], ["en", "ru", "zh"], REFUSED))
def test_a_set_up_is_refused_by_its_own_game(setup: str, language: str, line: str) -> None:
    example = REFUSED[line]
    harness = MemoryHarness()
    harness.begin(setup)
    harness.send(ADA, f"language {language}", harness.last(ADA))
    harness.send(ADA, line, harness.last(ADA))
    answer = " ".join(harness.last(ADA).text.split())
    assert line.split(" vs ")[0] in answer
    assert in_language(example, language) in answer
