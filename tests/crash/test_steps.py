"""Tests of the crash tests that need no servers: the steps exist in takmail, and a seed gives the same games."""

from random import Random

import pytest

from tests.crash.lives import moments
from tests.crash.script import scripts
from tests.crash.steps import BOT_STEPS, EVERY_STEP, IDLE, STEPS, Step

PEOPLE = [f"{name}{number}@example.test" for name in ("ada", "ben") for number in range(1, 4)]


@pytest.mark.parametrize("step", EVERY_STEP, ids=lambda step: step.words)
def test_each_step_is_a_function_that_takmail_has(step: Step) -> None:
    assert callable(getattr(step.owner, step.name))


def test_no_two_steps_have_the_same_words() -> None:
    assert len({step.words for step in EVERY_STEP}) == len(EVERY_STEP)


def test_a_seed_gives_the_same_games_and_the_same_kills() -> None:
    first, second = (Random(7), Random(7))
    assert scripts(first, PEOPLE, 6, 12) == scripts(second, PEOPLE, 6, 12)
    assert moments(first, 40) == moments(second, 40)


def test_a_service_is_killed_at_each_step_of_its_work() -> None:
    assert {kill.at for kill in moments(Random(7), len(STEPS))} >= {step.words for step in STEPS} - {IDLE}
    assert {kill.at for kill in moments(Random(7), len(BOT_STEPS), BOT_STEPS)} == {
        step.words for step in BOT_STEPS
    }
