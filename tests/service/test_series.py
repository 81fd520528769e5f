"""Matches with an end, while processes die at each of their commits."""

from contextlib import suppress
from random import Random

import pytest
from sqlmodel import select

from takmail.store.database import Store
from takmail.store.tables import GameRow
from tests.support.deaths import Deaths, Killed, restarted
from tests.support.harness import ADA, BEN, Harness, turns
from tests.support.width import tenth_of

ROAD = ("ps a3", "ps a1", "ps b1", "ps b3", "ps c1")


@pytest.mark.parametrize("seed", tenth_of(range(10)))
def test_a_match_goes_on_once_however_often_processes_die(
    harness: Harness, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    harness.begin("3 games=3")
    deaths, letters = Deaths(Random(seed)), []
    monkeypatch.setattr(Store, "transaction", deaths.transaction(Store.transaction))
    for first, second in ((ADA, BEN), (BEN, ADA), (ADA, BEN)):
        for place, move in enumerate(ROAD):
            who = second if place % 2 else first
            mail = harness.mail(f"{who[:3].capitalize()} <{who}>", move, harness.last(who))
            harness.mail_worker.keep_one(mail.as_bytes())
            for _ in range(3):
                deaths.left = deaths.random.randrange(1, 4)
                with suppress(Killed):
                    restarted(harness)
            deaths.left = 0
            restarted(harness)
            letters += harness.collect()
    assert deaths.count > 20, seed
    with harness.store.transaction() as session:
        numbers = sorted(session.exec(select(GameRow.id)))  # a death may leave a gap
    assert [turns(harness, number) for number in numbers] == [[*ROAD]] * 3
    # Each move brings one letter to each player, also the one that ends a game and begins the next.
    assert [letter.to for letter in letters].count(ADA) == [letter.to for letter in letters].count(BEN) == 15
    assert [sum(f"#{number}]" in letter.subject for letter in letters) for number in numbers] == [8, 10, 12]
    assert "You have won the match, 2 to 1!" in harness.last(ADA).text
