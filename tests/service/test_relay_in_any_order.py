"""Whatever two people write into a relay game, in whatever order: it goes on, and its log loses nothing."""

from random import Random

import pytest

from tests.support.harness import ADA, BEN, Harness, Received, turns

WRITTEN = [
    "ps a1",
    "pw a1",
    "pc b2 t",
    "mn a1 p9 4 5",
    "ms b2 g3 21",
    "ps z9",
    "ps c3 #2",
    "im no",
    "/im #1 not that one",
    "rs",
    "0 0 0\n0 s 0\n0 0 0",
    "rs\n0 0 0\n0 SS 0\n0 0 0",
    "ws 0 0\n0 0\n0 0 x0",
    "show",
    "show 2",
    "log\nptn",
    "why",
    "why 2",
    "why ps b1",
    "undo",
    "propose back 1",
    "propose restart",
    "propose board\n0 0 0\n0 s 0\n0 0 0",
    "withdraw",
    "refuse",
    "resign",
    "Hello there",
    "games\nmatch",
]


@pytest.mark.parametrize("seed", range(4))
def test_nothing_that_is_written_stops_a_relay_game_or_is_lost(harness: Harness, seed: int) -> None:
    harness.begin("3 relay")
    lot = Random(seed)
    letters: dict[str, list[Received]] = {ADA: [harness.last(ADA)], BEN: [harness.last(BEN)]}
    log: list[str] = []
    for _ in range(40):
        who = lot.choice((ADA, BEN))
        answered = lot.choice(letters[who][-3:])
        for letter in harness.send(who, lot.choice(WRITTEN), answered, threaded=lot.random() < 0.8):
            letters[letter.to].append(letter)
        now = turns(harness)
        assert now[: len(log)] == log
        log = now
    for who in (ADA, BEN):
        sent = harness.send(who, "ps b3\n\nlog", harness.last(who))
        assert {letter.to for letter in sent} == {ADA, BEN}
    assert turns(harness)[len(log) :] == ["ps b3", "ps b3"]
