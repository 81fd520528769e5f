"""In a simulated year the real clocks say what the plain model says, whatever players, mails and machines do.

`SEED=7 pytest -s tests/clocks/test_year.py` repeats a year.
"""

import os

import pytest

from tests.clocks.simulation import simulated

TABLES, DAYS = 250, 365
TESTED = 25
"""The seed of the year that is played without `SEED`."""


@pytest.mark.parametrize("half", [0, 1])
def test_a_year_of_500_games_is_that_of_the_plain_model(half: int) -> None:
    seed = int(os.environ.get("SEED") or TESTED)
    print(f"SEED={seed}")
    simulation = simulated(2 * seed + half, TABLES, DAYS)
    assert simulation.differences == []
    counts = simulation.counts
    # There was enough of everything.
    for what in (
        *("reminder", "holiday", "told", "asked", "lost", "rests", "waits", "claims", "gives", "agrees"),
        *("takes_back", "away", "back", "letter_returned", "another_letter", "mail_waits", "adjourns"),
    ):
        assert counts[what] > TABLES // 20, (what, counts)
    assert counts["plays"] > 50 * TABLES
    # What is known is rare.
    known = {what: count for what, count in counts.items() if what.startswith("known")}
    assert sum(known.values()) < TABLES / 5, known
