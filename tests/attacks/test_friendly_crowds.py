"""People who play much are no attackers: under the default limits nobody waits for more than an hour, and is told."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from heapq import heappop, heappush
from itertools import count
from random import Random

import pytest

from takmail.commands.context import Access
from takmail.limits.letters import DEFAULT_RATES, RateLimits
from takmail.world.events import GameProposed
from takmail.world.kinds import LetterState, MessageId, StrangerBudget
from tests.clubs.club import Club
from tests.commands.build import NOW
from tests.support.memory_harness import PLAIN, MemoryHarness, turns
from tests.support.players import ADA, BEN, Received, said
from tests.support.width import some_of

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)


@pytest.fixture
def harness() -> MemoryHarness:
    assert PLAIN.rates == DEFAULT_RATES
    return MemoryHarness()


def wait_of(harness: MemoryHarness, letter: Received) -> timedelta:
    """Return for how long a letter waits that has just been written."""
    row = harness.memory.outbox[MessageId(letter.id.lower())]
    return max(timedelta(0), row.due_at - harness.now) if row.state is LetterState.POSTPONED else timedelta(0)


@pytest.fixture
def few(harness: MemoryHarness) -> MemoryHarness:
    """Few letters may be written of all kinds but those that a player's move or invitation leads to."""
    rates = RateLimits(unproven_answers_per_hour=6, stranger_answers_per_hour=6, chat_letters_per_hour=6)
    harness.change(rates=rates)
    return harness


def test_many_moves_within_seconds_are_answered_at_once(few: MemoryHarness) -> None:
    few.begin("6")
    places = [f"ps {file}{rank}" for rank in range(1, 5) for file in "abcdef"]
    for number, move in enumerate(places):
        few.now += timedelta(seconds=1)
        who, name = ((ADA, "Ada"), (BEN, "Ben"))[number % 2]
        letters = few.send(f"{name} <{who}>", move, few.last(who))
        assert {one.to for one in letters} == {ADA, BEN}
        assert all(wait_of(few, one) == timedelta(0) for one in letters)
    assert turns(few) == places


@pytest.mark.parametrize("games", [12, pytest.param(30, marks=pytest.mark.wide)])
def test_many_games_of_one_player_go_on_at_once(harness: MemoryHarness, games: int) -> None:
    for number in range(1, games + 1):
        harness.begin()
        assert turns(harness, number) == []
    for number in some_of(range(1, games + 1), 2):
        begun = next(
            one for one in harness.box if one.to == ADA and one.subject.startswith(f"[tak #{number}")
        )
        letters = harness.send(f"Ada <{ADA}>", "ps a1", begun)
        assert {one.to for one in letters} == {ADA, BEN}
        assert all(wait_of(harness, one) == timedelta(0) for one in letters)


def begin_league(
    harness: MemoryHarness, club: Sequence[str], read: Callable[[Sequence[Received]], None]
) -> None:
    """Let a club play a league, and see that each of them is told at once that they are in it, and that it begins."""
    before = len(harness.box)
    harness.change(access=Access(organisers=frozenset({ADA})))
    harness.send(f"Ada <{ADA}>", f'tournament "Autumn" 5 max={len(club)}')
    for who in club:
        letters = harness.send(f"{who[:3]} <{who}>", "enter Autumn")
        assert any(one.to == who and "You are in" in said(one) for one in letters)
        read(letters)
    told = {one.to for one in Club(harness).work()}
    assert told.issuperset(club)
    assert all(wait_of(harness, one) == timedelta(0) for one in harness.box[before:])


@pytest.mark.parametrize("members", [4, pytest.param(20, marks=pytest.mark.wide)])
@pytest.mark.parametrize("domain", ["club.example", "host{}.example"])
def test_a_club_whose_members_all_invite_each_other_waits_for_nothing(
    harness: MemoryHarness, members: int, domain: str
) -> None:
    """All ask at the same time, five in a mail, and each answers an invitation within half an hour.

    What is refused because too many invitations wait for an answer is asked again ten minutes later. No mail proves who
    wrote it, so each is first confirmed. Among all that they begin a league.
    """
    club = [f"m{number:02}@{domain.format(number)}" for number in range(members)]
    random, tie, todo = Random(7), count(), list[tuple[datetime, int, str, list[str], Received | None]]()
    for who in club:
        heappush(todo, (harness.now, next(tie), who, [other for other in club if other != who], None))
    heappush(todo, (harness.now + 20 * MINUTE, next(tie), "", [], None))

    def read(letters: Sequence[Received]) -> None:
        """Let the invitations among the letters of a mail be answered."""
        for one in harness.outcome.letters:
            if one.budget is StrangerBudget.INVITATIONS:
                assert one.state is LetterState.QUEUED
                (letter,) = (other for other in letters if other.id == one.message_id)
                read_at = harness.now + random.randint(1, 30) * MINUTE
                heappush(todo, (read_at, next(tie), letter.to, [], letter))

    begun = 0
    while todo:
        at, _, who, others, invitation = heappop(todo)
        harness.now = max(harness.now, at)
        if not who:
            begin_league(harness, club, read)
            continue
        asked, later = others[:5], others[5:]
        words = "accept" if invitation is not None else "\n".join(f"new 5 vs {one}" for one in asked)
        letters = harness.send(f"{who[:3]} <{who}>", words, invitation)
        assert who in {one.to for one in letters}, "each mail has an answer"
        begun += invitation is not None and "begins" in said(letters[0])
        later = (
            asked[len([one for one in harness.outcome.happened if isinstance(one, GameProposed)]) :] + later
        )
        if later:
            heappush(todo, (harness.now + 10 * MINUTE, next(tie), who, later, None))
        read(letters)
    assert begun == members * (members - 1)
    assert harness.now <= NOW + 2 * HOUR + 15 * MINUTE
