"""Let the clocks of a club's games run out, as the scheduler does."""

from datetime import timedelta
from functools import partial

from takmail.pipeline.due import on_due
from tests.clubs.club import Club


def run_clocks(club: Club) -> None:
    """Do what is due in all open games until none is."""
    for _ in range(80):
        numbers = [pairing.number for pairing in club.open_games]
        if not numbers:
            return
        for number in numbers:
            club.harness.rule(partial(on_due, number=number))
        club.harness.now += timedelta(days=1)
