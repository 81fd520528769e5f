"""Two services at once, and services that die: each game begins once, each player hears once, no end is missed."""

import random
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial

import pytest
from sqlmodel import Session, select

from takmail.commands.context import Access
from takmail.games.interface import Seat
from takmail.pipeline.clubs import on_club
from takmail.store import clubs, due
from takmail.store.causes import new_cause, with_retries
from takmail.store.due import LEASE
from takmail.store.tables import DueRow, GameRow, OutboxRow, PairingRow
from takmail.world import events
from takmail.world.clubs.values import TournamentNumber
from takmail.world.kinds import GameNumber
from tests.clubs.club import address, is_of_club
from tests.support.harness import ADA, Harness
from tests.support.width import IS_WIDE, SEED

AUTUMN = TournamentNumber(1)
NAMES = ("Ada", "Ben", "Cy", "Dot")


class Killed(Exception):  # noqa: N818 - it stands for the end of a process
    """The process dies."""


@pytest.fixture
def entered(harness: Harness) -> Harness:
    """A service with a tournament that four players have just filled."""
    harness.change(access=Access(organisers=frozenset({ADA})))
    harness.send(f"Ada <{ADA}>", 'tournament "Autumn" 4x4 days=3 max=4')
    for name in NAMES:
        harness.send(f"{name} <{address(name)}>", "enter Autumn")
    return harness


def claim(harness: Harness, process: str) -> due.Due | None:
    with harness.store.transaction() as session:
        return due.claim(session, process, harness.now)


def handle(harness: Harness, work: due.Due, process: str, *, dies: bool = False) -> None:
    """Do what a process has claimed, as the scheduler does. If it dies, its transaction is never committed."""
    causes = harness.causes

    def done(session: Session) -> None:
        if is_of_club(work.work):
            causes.decide(
                session,
                new_cause("work", harness.now),
                partial(on_club, subject=work.subject, work=work.work),
            )
        due.finish(
            session, work, None if is_of_club(work.work) else harness.now + timedelta(days=99), process
        )
        if dies:
            raise Killed

    with_retries(harness.store, done)


def work_off(harness: Harness, chance: random.Random, kills: int) -> None:
    """Let two processes do what is due, which die so often."""
    while True:
        process = chance.choice(("one", "two"))
        work = claim(harness, process)
        if work is None:
            with harness.store.transaction() as session:
                leased = [row for row in session.exec(select(DueRow)).all() if row.claimed_by]
            if not leased:
                return
            harness.now += LEASE
        elif kills and chance.random() < 0.5:
            kills -= 1
            if chance.random() < 0.5:  # otherwise it dies before it begins
                with pytest.raises(Killed):
                    handle(harness, work, process, dies=True)
        else:
            handle(harness, work, process)


def test_services_that_die_begin_each_game_once_and_tell_each_player_once(entered: Harness) -> None:
    chance = random.Random(SEED)
    print(f"seed {SEED}")
    work_off(entered, chance, kills=100 if IS_WIDE else 12)
    with entered.store.transaction() as session:
        games = session.exec(select(GameRow.id)).all()
        letters = session.exec(select(OutboxRow)).all()
        assert sorted(games) == sorted(session.exec(select(PairingRow.game_id)).all())
    told = Counter(letter.mail_to for letter in letters if "Your opponents" in letter.text)
    assert told == dict.fromkeys(map(address, NAMES), 1)
    assert Counter(letter.game_id for letter in letters if letter.game_id) == dict.fromkeys(games, 1)


def lose_all(harness: Harness, numbers: Sequence[int]) -> None:
    for number in numbers:
        happening = (events.Resigned(game=GameNumber(number), seat=Seat.FIRST, has_own_letter=True),)

        def done(session: Session, happening: tuple[events.Event, ...] = happening) -> None:
            harness.causes.decide(session, new_cause("the end", harness.now), lambda _: happening)

        with_retries(harness.store, done)


def test_two_services_that_store_results_at_once_end_the_season_once(entered: Harness) -> None:
    work_off(entered, random.Random(SEED), kills=0)
    with entered.store.transaction() as session:
        numbers = session.exec(select(PairingRow.game_id).order_by("game_id")).all()
        before = clubs.tournament(session, AUTUMN)
    with ThreadPoolExecutor(2) as services:
        halves = [partial(lose_all, entered, numbers[half::2]) for half in (0, 1)]
        for done in [services.submit(half) for half in halves]:
            done.result()
    with entered.store.transaction() as session:
        after = clubs.tournament(session, AUTUMN)
        assert before is not None
        assert after is not None
        assert after.is_decided
        assert after.version == before.version + len(numbers)
        ends = [row for row in session.exec(select(DueRow)).all() if row.work == "tournament"]
        assert [row.subject for row in ends] == [AUTUMN]
    work_off(entered, random.Random(SEED), kills=3)
    with entered.store.transaction() as session:
        letters = session.exec(select(OutboxRow)).all()
    over = Counter(letter.mail_to for letter in letters if "Season 1 of Autumn is over" in letter.text)
    won = Counter(letter.mail_to for letter in letters if "You have won season 1" in letter.text)
    assert over + won == dict.fromkeys(map(address, NAMES), 1)
