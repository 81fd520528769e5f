"""What is due: claimed by one process for the length of a lease, oldest first, and found by an index."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlmodel import col, select

from takmail.games.interface import Seat
from takmail.store import due
from takmail.store.due import CLOCK, LEASE, MAX_ATTEMPTS, TASK_LEASE, Due, Lane, WaitingTask
from takmail.store.tables import DueRow
from takmail.world import GameNumber, PlayerId, PlayerKind, TimeOff
from takmail.world.tasks import Task, TaskKind
from tests.store.plans import inner, noted, plans, scanned
from tests.store.scene import NOW, Scene, of_player, person, put
from tests.support.databases import ON_POSTGRESQL

DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)
FIRST = Due(1, CLOCK, 1)


@pytest.fixture
def games(scene: Scene) -> Scene:
    """Three games have begun. Something is due in the first two: in the second one for longer."""
    scene.joined("Ada", "Ben")
    for number, at in enumerate((NOW, NOW - DAY, NOW + DAY), start=1):
        scene.begun(number)
        with scene.store.transaction() as session:
            due.set_due(session, number, CLOCK, at)
    return scene


def claim(scene: Scene, after: timedelta = timedelta(0), by: str = "one") -> Due | None:
    with scene.store.transaction() as session:
        return due.claim(session, by, NOW + after)


def finish(scene: Scene, work: Due, after: timedelta | None, by: str = "one") -> None:
    with scene.store.transaction() as session:
        due.finish(session, work, None if after is None else NOW + after, by)


def times(scene: Scene) -> Sequence[tuple[int, timedelta, str]]:
    """Return the game, the time and the claimant of each row. What is due in a new database is about no game."""
    with scene.store.transaction() as session:
        query = select(DueRow).where(col(DueRow.subject) > 0).order_by(col(DueRow.subject))
        rows = session.exec(query).all()
        return [(row.subject, row.due_at - NOW, row.claimed_by) for row in rows]


def test_what_has_been_due_for_longest_is_claimed_first_and_by_one(games: Scene) -> None:
    found = [claim(games, by=by) for by in ("one", "two", "three")]
    assert found == [Due(2, CLOCK, 1), FIRST, None]
    assert times(games) == [(1, LEASE, "two"), (2, LEASE, "one"), (3, DAY, "")]


def test_two_that_claim_at_once_get_two_rows(games: Scene) -> None:
    if not ON_POSTGRESQL:
        pytest.skip("SQLite lets nobody write meanwhile")
    with games.store.transaction() as one, games.store.transaction() as two:
        found = [due.claim(one, "one", NOW), due.claim(two, "two", NOW), due.claim(two, "two", NOW)]
    assert found == [Due(2, CLOCK, 1), FIRST, None]


def test_a_row_is_due_again_when_its_lease_ends_and_is_put_off_after_some_attempts(games: Scene) -> None:
    finish(games, Due(2, CLOCK, 0), None, "")
    for attempt in range(1, MAX_ATTEMPTS + 1):
        assert claim(games, (attempt - 1) * LEASE) == Due(1, CLOCK, attempt)
        assert claim(games, attempt * LEASE - MINUTE) is None
    last = MAX_ATTEMPTS * LEASE
    assert claim(games, last) == Due(1, CLOCK, MAX_ATTEMPTS + 1)
    assert times(games)[0] == (1, last + DAY, "one")


def test_what_is_due_at_a_time_at_the_latest_is_not_put_off_unless_somebody_works_on_it(games: Scene) -> None:
    claim(games)
    with games.store.transaction() as session:
        for number, at in ((1, DAY), (2, DAY), (3, MINUTE)):
            due.set_due_by(session, number, CLOCK, NOW + at)
    assert times(games) == [(1, timedelta(0), ""), (2, DAY, ""), (3, MINUTE, "")]


def test_what_is_finished_is_due_at_its_next_time_with_new_attempts(games: Scene) -> None:
    finish(games, Due(2, CLOCK, 0), None, "")
    assert claim(games) == FIRST
    assert claim(games, LEASE) == Due(1, CLOCK, 2)
    finish(games, FIRST, LEASE + MINUTE)
    assert times(games)[0] == (1, LEASE + MINUTE, "")
    assert claim(games, LEASE + MINUTE) == FIRST
    finish(games, FIRST, None)
    assert times(games) == [(3, DAY, "")]


@pytest.mark.parametrize("after", [2 * DAY, None])
def test_who_has_lost_the_claim_changes_nothing(games: Scene, after: timedelta | None) -> None:
    claim(games)
    assert claim(games) == FIRST
    with games.store.transaction() as session:
        due.set_due(session, 1, CLOCK, NOW + MINUTE)  # as a mail does that changes the game
    finish(games, FIRST, after)
    assert times(games)[0] == (1, MINUTE, "")
    assert claim(games, MINUTE, "two") == FIRST
    finish(games, FIRST, after)
    assert times(games)[0] == (1, MINUTE + LEASE, "two")


def test_what_a_process_had_claimed_when_it_ended_is_due_at_once(games: Scene) -> None:
    claim(games, by="one")
    claim(games, by="two")
    with games.store.transaction() as session:
        due.release(session, NOW + MINUTE, "one")
    assert times(games) == [(1, LEASE, "two"), (2, MINUTE, ""), (3, DAY, "")]
    assert claim(games, MINUTE, "two") == Due(2, CLOCK, 2)


def test_what_is_put_off_stays_so_though_its_process_ends(games: Scene) -> None:
    finish(games, Due(2, CLOCK, 0), None, "")
    for attempt in range(MAX_ATTEMPTS + 1):
        claim(games, attempt * LEASE)
    before = times(games)
    with games.store.transaction() as session:
        due.release(session, NOW + MAX_ATTEMPTS * LEASE, "one")
    assert times(games) == before


def test_every_statement_uses_an_index(games: Scene) -> None:
    with noted(games.store) as found, games.store.transaction() as session:
        work = due.claim(session, "one", NOW)
        assert work is not None
        due.finish(session, work, NOW, "one")
        due.finish(session, work, None, "one")
        due.release(session, NOW, "one")
    assert scanned(games.store, inner(found)) == []


def test_the_next_row_is_found_by_its_time_alone(games: Scene) -> None:
    if ON_POSTGRESQL:
        pytest.skip("PostgreSQL chooses by the numbers of rows, and knows none of a new table")
    with noted(games.store) as found, games.store.transaction() as session:
        due.claim(session, "one", NOW)
        due.release(session, NOW, "one")
    searching, claiming, releasing = inner(found)
    for statement in (searching, releasing):
        steps = [step for _, step in plans(games.store, [statement])]
        assert any("ix_due_due_at" in step for step in steps), steps
        assert not any("Sort" in step or "TEMP B-TREE" in step for step in steps), steps
    assert claiming[0].startswith("UPDATE")


def test_all_games_of_a_player_whose_time_off_changes_are_looked_at(games: Scene) -> None:
    claim(games)
    off, at = TimeOff(NOW, NOW + 3 * DAY), games.now - NOW
    games.do(of_player(1, time_off=(off,)))
    # What is claimed is looked at already.
    assert [when for _, when, _ in times(games)] == [timedelta(0), LEASE, at]


def test_only_the_clocks_of_a_player_whose_time_off_changes_are_looked_at(games: Scene) -> None:
    games.joined("Cy", "Dot").begun(5, (3, 4))
    claim(games)
    with games.store.transaction() as session:
        due.set_due(session, 5, CLOCK, NOW + DAY)
        due.set_due(session, 3, TaskKind.MOVE.value, NOW + DAY)
        due.look_at_games_of(session, 1, NOW)
        rows = session.exec(select(DueRow).where(col(DueRow.due_at) == NOW + DAY)).all()
        assert {(row.subject, row.work) for row in rows} == {(5, CLOCK), (3, TaskKind.MOVE.value)}
        assert session.get_one(DueRow, (2, CLOCK)).due_at == NOW + LEASE


MOVE = Task(GameNumber(4), TaskKind.MOVE)
REVIEW = Task(GameNumber(1), TaskKind.REVIEW, Seat.SECOND, 7)


@pytest.fixture
def thinking(games: Scene) -> Scene:
    """Ada plays a bot, who sits first, and has to move. Ben asks for a review of his game with Ada."""
    games.do(put(replace(person(3, "bot easy"), kind=PlayerKind.ENGINE, skeleton="#bot easy", mailboxes=())))
    games.begun(4, (3, 1))
    with games.store.transaction() as session:
        due.set_due(session, 4, MOVE.key, NOW - MINUTE)
        due.set_due(session, 1, REVIEW.key, NOW)
        due.set_due(session, 2, TaskKind.LAST, NOW + MINUTE)
    return games


def claim_first_task(scene: Scene, after: timedelta = timedelta(0), by: str = "one") -> Due:
    with scene.store.transaction() as session:
        work = due.tasks(session, NOW + after)[0].work
        assert due.claim_task(session, work, by, NOW + after)
    return work


def test_tasks_are_told_with_who_waits_for_them_and_clocks_are_no_tasks(thinking: Scene) -> None:
    with thinking.store.transaction() as session:
        assert due.tasks(session, NOW - DAY) == []
        assert due.tasks(session, NOW) == [
            WaitingTask(Due(4, MOVE.key, 1), MOVE, PlayerId(1), "example.org"),
            WaitingTask(Due(1, REVIEW.key, 1), REVIEW, PlayerId(2), "example.org"),
        ]


def test_of_each_player_the_oldest_task_is_told_and_both_wait_for_the_last_letter(thinking: Scene) -> None:
    with thinking.store.transaction() as session:
        for number in range(3):
            due.set_due(session, 1, f"review 0 {number + 1}", NOW - 2 * MINUTE)
        due.set_due(session, 2, TaskKind.LAST, NOW - 3 * MINUTE)
        told = [(one.player, one.task.key) for one in due.tasks(session, NOW)]
        assert told == [(PlayerId(1), "last"), (PlayerId(2), "last")]
        assert due.claim_task(session, due.tasks(session, NOW)[0].work, "one", NOW)
        told = [(one.player, one.task.key) for one in due.tasks(session, NOW)]
        assert told == [(PlayerId(1), "review 0 1"), (PlayerId(2), REVIEW.key)]


EASY = (("tak", "easy"),)


def test_a_quick_turn_has_a_lane_of_its_own(thinking: Scene) -> None:
    def told(lane: Lane, *quick: tuple[str, str]) -> list[str]:
        with thinking.store.transaction() as session:
            return [one.task.key for one in due.tasks(session, NOW, lane, quick)]

    assert (told(Lane.QUICK, *EASY), told(Lane.SLOW, *EASY)) == (["move"], [REVIEW.key])
    assert told(Lane.QUICK) == told(Lane.QUICK, ("tzaar", "easy"), ("tak", "fair")) == []
    assert told(Lane.SLOW) == told(Lane.ALL) == ["move", REVIEW.key]


def test_a_player_with_many_tasks_hides_nobody(thinking: Scene) -> None:
    with thinking.store.transaction() as session:
        for number in range(500):
            due.set_due(session, 1, f"review 0 {number + 1}", NOW - DAY)
        told = [(one.player, one.task.key) for one in due.tasks(session, NOW)]
        assert told == [(PlayerId(1), "review 0 1"), (PlayerId(2), REVIEW.key)]


def test_the_scheduler_gets_clocks_and_no_tasks(thinking: Scene) -> None:
    assert [claim(thinking, MINUTE) for _ in range(3)] == [Due(2, CLOCK, 1), FIRST, None]


def test_a_task_is_claimed_by_one_process_and_due_again_when_its_lease_ends(thinking: Scene) -> None:
    with thinking.store.transaction() as session:
        first, _ = due.tasks(session, NOW)
        assert due.claim_task(session, first.work, "one", NOW)
        assert not due.claim_task(session, first.work, "two", NOW)
        assert first.task not in [one.task for one in due.tasks(session, NOW)]
    for attempt in range(2, MAX_ATTEMPTS + 3):
        finish(thinking, Due(1, REVIEW.key, 0), None, "")
        finish(thinking, Due(2, TaskKind.LAST, 0), None, "")
        assert claim_first_task(thinking, attempt * TASK_LEASE) == Due(4, MOVE.key, attempt)


def test_a_claim_ends_if_the_task_is_set_anew(thinking: Scene) -> None:
    work = claim_first_task(thinking)
    with thinking.store.transaction() as session:
        assert due.is_claimed(session, work, "one")
        assert not due.is_claimed(session, work, "two")
        due.set_due(session, 4, MOVE.key, NOW)
        assert not due.is_claimed(session, work, "one")


@pytest.mark.parametrize(("uncounted", "attempts"), [(0, 2), (1, 1)])
def test_a_task_that_a_worker_of_a_process_had_claimed_is_due_at_once_when_it_ends(
    thinking: Scene, uncounted: int, attempts: int
) -> None:
    claim_first_task(thinking, by="one 0")
    finish(thinking, Due(2, TaskKind.LAST, 0), None, "")
    with thinking.store.transaction() as session:
        due.release(session, NOW + MINUTE, "one", uncounted)
        works = [one.work for one in due.tasks(session, NOW + MINUTE)]
    assert Due(4, MOVE.key, attempts) in works


def test_what_a_player_asked_for_goes_on_if_it_is_asked_for_again(thinking: Scene) -> None:
    finish(thinking, Due(4, MOVE.key, 0), None, "")
    work = claim_first_task(thinking)
    with thinking.store.transaction() as session:
        assert due.waiting_tasks(session, 1) == {REVIEW}
        due.set_due(session, 1, "tournament 3", NOW)  # as a later version may
        due.run_task(session, REVIEW, NOW)
        assert due.waiting_tasks(session, 1) == {REVIEW}
        assert due.is_claimed(session, work, "one")
        other = replace(REVIEW, seat=Seat.FIRST)
        due.run_task(session, other, NOW)
        due.run_task(session, MOVE, NOW)
        assert due.waiting_tasks(session, 1) == {REVIEW, other}
        assert {one.task for one in due.tasks(session, NOW)} == {other}


def test_time_off_leaves_tasks_alone(thinking: Scene) -> None:
    thinking.do(of_player(1, time_off=(TimeOff(NOW, NOW + 3 * DAY),)))
    with thinking.store.transaction() as session:
        assert len(due.tasks(session, NOW)) == 2


def test_tasks_are_found_by_their_time(thinking: Scene) -> None:
    with noted(thinking.store) as found, thinking.store.transaction() as session:
        work = due.tasks(session, NOW, Lane.SLOW, EASY)[0].work
        due.claim_task(session, work, "one", NOW)
        due.is_claimed(session, work, "one")
    searching, *_ = inner(found)
    assert any("ix_due_due_at" in step for _, step in plans(thinking.store, [searching]))
    assert scanned(thinking.store, inner(found)) == []
