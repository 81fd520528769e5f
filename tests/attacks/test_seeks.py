"""Nobody takes all seeks, hides those of others, or has more games than anybody can play."""

from dataclasses import replace
from datetime import timedelta

import pytest

from takmail.commands import seek
from takmail.limits.games import MAX_RUNNING_GAMES, MAX_UNPLAYED_DUE
from takmail.world.kinds import GameNumber, PlayerId, SeekNumber
from tests.support.memory_harness import MemoryHarness
from tests.support.players import ADA, BEN, said
from tests.support.scenes import played_once
from tests.support.width import some_of

AS_ADA, AS_BEN = f"Ada <{ADA}>", f"Ben <{BEN}>"


@pytest.fixture
def harness() -> MemoryHarness:
    return MemoryHarness()


def seeker(number: int) -> str:
    return f"Seeker{chr(96 + number // 26 + 1)}{chr(97 + number % 26)} <seeker{number}@example.net>"


def seeks(harness: MemoryHarness, sender: str) -> str:
    return said(harness.send(sender, "seeks")[-1])


def with_running(harness: MemoryHarness, number: int) -> None:
    """Give Ada and Ben this many running games, as copies of one."""
    before = len(harness.memory.tables)
    harness.send(AS_ADA, "new 5 vs Ben" if before else f"new 5 vs {BEN}")
    harness.send(AS_BEN, "accept", harness.last(BEN))
    table = harness.table(before + 1)
    records = (
        replace(table.record, number=GameNumber(copy)) for copy in range(before + 2, before + number + 1)
    )
    harness.memory.put(*(replace(table, record=record) for record in records))


@played_once
def full(harness: MemoryHarness) -> None:
    """Ben has as many running games as he may, one that is over, and an invitation of Cleo's, who also seeks one."""
    harness.begin()
    harness.send(AS_ADA, "resign", harness.last(ADA))
    harness.send(AS_ADA, "yes", harness.last(ADA))
    harness.send("Cleo <cleo@example.net>", "seek 5")
    harness.send("Cleo <cleo@example.net>", f"new 5 vs {BEN}")
    with_running(harness, MAX_RUNNING_GAMES)


def joined(harness: MemoryHarness, first: str) -> int:
    """Let Ben join two more seeks than he may. Return how many he gets."""
    most = MAX_UNPLAYED_DUE if first == "them" else seek.MAX_UNPLAYED
    for number in range(1, most + 3):
        harness.send(seeker(number), f"seek 5 first={first}")
    for number in range(1, most + 3):
        harness.send(AS_BEN, f"join {number}")
    return len(harness.memory.tables)


def test_one_account_joins_few_games_before_it_plays(harness: MemoryHarness) -> None:
    assert joined(harness, "them") == MAX_UNPLAYED_DUE
    assert "it is your turn in #1, #2 and #3. Play there first" in said(harness.last(BEN))
    letter = next(one for one in harness.box if one.to == BEN and one.subject.startswith("[tak #1]"))
    harness.send(AS_BEN, "ps a1", letter)
    harness.send(AS_BEN, f"join {MAX_UNPLAYED_DUE + 2}")
    assert len(harness.memory.tables) == MAX_UNPLAYED_DUE + 1


def test_nor_does_it_if_the_others_begin(harness: MemoryHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seek, "MAX_UNPLAYED", MAX_UNPLAYED_DUE + 2)
    assert joined(harness, "me") == MAX_UNPLAYED_DUE + 2
    assert "or wait until it is your turn" in said(harness.last(BEN))
    assert joined(MemoryHarness(), "random") <= MAX_UNPLAYED_DUE + 2


def test_ten_addresses_with_three_seeks_each_hide_nobody_s(harness: MemoryHarness) -> None:
    for number in range(1, 15):
        harness.send(seeker(number), "seek 3\nseek 4\nseek 5")
        harness.now += timedelta(minutes=1)
    harness.send(AS_BEN, "seek 6")
    listed = seeks(harness, AS_ADA)
    assert listed.index("with Ben: 6x6") < listed.index("with Seeker")
    assert [listed.count(f"{size}x{size}") for size in (3, 4, 5, 6)] == [0, 0, 14, 1]


def test_many_addresses_hide_nobody_who_has_written_since(harness: MemoryHarness) -> None:
    harness.send(AS_BEN, "seek 6")
    harness.now += timedelta(minutes=1)
    harness.send(seeker(1), "seek 5")
    first, sought = harness.memory.players[PlayerId(2)], harness.memory.open_seeks[SeekNumber(2)]
    for number in range(3, 41):
        owner, seek = PlayerId(number), SeekNumber(number)
        box = replace(first.mailboxes[0], address=f"seeker{number}@example.net")
        harness.memory.put(
            replace(first, id=owner, skeleton=f"seeker{number}", mailboxes=(box,)),
            replace(sought, number=seek, player=owner),
        )
    assert "with Ben" not in seeks(harness, AS_ADA)
    harness.now += timedelta(minutes=1)
    harness.send(AS_BEN, "rs", harness.last(BEN))
    listed = seeks(harness, AS_ADA)
    assert listed.index("with Ben: 6x6") < listed.index("with Seeker")
    assert "There are more" in listed


def test_one_s_own_seeks_stand_apart(harness: MemoryHarness) -> None:
    harness.send(AS_ADA, "seek 4")
    alone = seeks(harness, AS_ADA)
    assert "Nobody else seeks a game at the moment" in alone
    assert "yours, #1: 4x4" in alone
    harness.send(AS_BEN, "seek 5")
    listed = seeks(harness, AS_ADA)
    assert listed.index("join 2 with Ben") < listed.index("You seek these") < listed.index("yours, #1")
    assert "join 1" not in listed


def test_nobody_begins_a_game_beyond_the_limit(harness: MemoryHarness) -> None:
    full(harness)
    to_ben = [one for one in harness.box if one.to == BEN]
    ended = next(one for one in reversed(to_ben) if one.subject.startswith("[tak #1]"))
    invited = next(one for one in to_ben if "Cleo asks you" in one.subject)
    answered = {"accept": invited, "rematch": ended}
    before = set(harness.memory.tables)
    for line in some_of(["new 5 vs other@example.org", "new 5 vs Ada", "join 1", "accept", "rematch"], 3):
        (answer,) = harness.send(AS_BEN, line, answered.get(line))
        assert f"you have {MAX_RUNNING_GAMES} games running" in said(answer), line
    assert set(harness.memory.tables) == before


def test_a_club_with_fifty_games_at_once_begins_more(harness: MemoryHarness) -> None:
    with_running(harness, 50)
    for number in harness.memory.tables:
        harness.put_turns(["ps a1", "ps e5"], number)
    harness.send("Cleo <cleo@example.net>", "seek 5 first=them")
    harness.send(AS_BEN, "join 1")
    assert len(harness.memory.tables) == 51
