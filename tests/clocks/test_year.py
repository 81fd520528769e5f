"""In a simulated year the real clocks say what the plain model says, whatever players, mails and machines do.

`SEED=7 pytest -s tests/clocks/test_year.py` repeats a year.
"""

import os

import pytest

from tests.clocks.simulation import simulated

DAYS = 365
TESTED = 25
"""The seed of the year that is played without `SEED`."""
USUAL = (
    *("reminder", "holiday", "told", "asked", "lost", "rests", "waits", "claims", "gives", "agrees"),
    *("takes_back", "away", "plans", "back", "letter_returned", "another_letter", "mail_waits", "adjourns"),
)
"""What happens in every year."""


@pytest.mark.parametrize(
    ("tables", "quarter"),
    [(12, 0), *(pytest.param(125, quarter, marks=pytest.mark.wide) for quarter in range(4))],
)
def test_a_year_of_many_games_is_that_of_the_plain_model(tables: int, quarter: int) -> None:
    """12 games are played at once, and in `make test-all` 500 more in four quarters."""
    seed = int(os.environ.get("SEED") or TESTED)
    print(f"SEED={seed}")
    simulation = simulated(2 * seed + quarter, tables, DAYS)
    assert simulation.differences == []
    counts = simulation.counts
    # There was enough of everything.
    for what in USUAL:
        assert counts[what] > tables // 20, (what, counts)
    assert counts["plays"] > 50 * tables
    # What is known is rare.
    known = {what: count for what, count in counts.items() if what.startswith("known")}
    assert sum(known.values()) < tables / 5, known
