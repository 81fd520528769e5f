"""Which games count for ratings, what is stored, who computes it, and that a service leaves nothing half done."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlmodel import Session, select

from takmail.games.registry import GAMES
from takmail.runtime.rating_worker import RatingWorker, computed_at
from takmail.store import due, ratings
from takmail.store.database import Store
from takmail.store.ratings import Computed, RatingQueries
from takmail.store.tables import DueRow, FirstTurnRow, GameRow, PlayerRow, RatingRow, SeatRow, TurnRow
from takmail.world.kinds import PlayerId, PlayerKind, Ruling, Standing
from takmail.world.ratings import OwnResults, Results
from tests.commands.build import SERVICES

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
COUNTED = {
    "a game that somebody won": {},
    "a draw": {"winner": None},
    "a game that was given up": {"resigned": 1},
    "a game that the operator decided": {"ruling": Ruling.FIRST},
    "a game lost on time": {"ruling": Ruling.FIRST_ON_TIME},
    "a game with komi": {"setup": "5 komi=2"},
    "TZAAR": {"kind": "tzaar", "setup": "fixed"},
    "one of six turns": {"turns": 6},
}
NOT_COUNTED = {
    "one of five turns": {"turns": 5},
    "a void game": {"winner": None, "ruling": Ruling.VOID},
    "a relay game": {"is_relay": True},
    "a game that is not rated": {"is_unrated": True},
    "a game for coins": {"setup": "5 rules=femr"},
    "a game that goes on": {"standing": Standing.OPEN, "winner": None, "first_points": None},
    "a corrupt game": {"winner": None, "first_points": None},
    "a game with an invalid set-up": {"setup": "five"},
    "a game of a kind that there is no more": {"kind": "go"},
    "a game of a player with themselves, left by a merger": {"players": (1, 1)},
}


@dataclass
class Club:
    """Rows of games between people and a bot."""

    session: Session
    games: int = 0

    def people(self, count: int) -> None:
        """Add people from number 1 on, and the bot `easy` as number 100."""
        kinds = {number: (PlayerKind.PERSON, f"player{number}") for number in range(1, count + 1)}
        kinds[100] = (PlayerKind.ENGINE, "#bot easy")
        for number, (kind, skeleton) in kinds.items():
            row = PlayerRow(id=number, kind=kind, name=skeleton, skeleton=skeleton, created_at=NOW)
            self.session.add(row)
        self.session.flush()

    def game(self, players: tuple[int, int] = (1, 2), turns: int = 8, **columns: Any) -> None:
        """Add a game that is over, by default one that the first player won."""
        self.games += 1
        given = {
            "kind": "tak",
            "setup": "5",
            "standing": Standing.OVER,
            "winner": 0,
            "first_points": 25,
            **columns,
        }
        row = GameRow(
            id=self.games,
            version=9,
            subject="",
            invited_by=players[0],
            created_at=NOW,
            second_points=0,
            **given,
        )
        self.session.add(row)
        self.session.flush()
        for seat, player in enumerate(players):
            self.session.add(SeatRow(game_id=self.games, seat=seat, player_id=player))
        for number in range(1, turns + 1):
            turn = {"game_id": self.games, "number": number, "seat": 1 - number % 2, "version": number}
            self.session.add(
                TurnRow(**turn, text="ps a1", written="ps a1", played_at=NOW - timedelta(days=number))
            )
        self.session.flush()


@pytest.fixture
def database_url(store: Store) -> str:
    """The URL of the test's own database."""
    return store.engine.url.render_as_string(hide_password=False)


def results_of(session: Session) -> Sequence[OwnResults]:
    """Return the results of number 1."""
    queries = RatingQueries()
    queries.session, queries.services = session, SERVICES
    return queries.results_of(PlayerId(1))


@dataclass
class Now:
    """A child that computes in this process."""

    asked: int = 0
    closed: int = 0
    before: Callable[[], object] = field(default=lambda: None)

    def ask(self, request: Callable[[], Computed]) -> Computed:
        self.asked += 1
        self.before()
        return request()

    def close(self) -> None:
        self.closed += 1


@pytest.mark.parametrize(("games", "count"), [(COUNTED, 1), (NOT_COUNTED, 0)], ids=["counted", "not counted"])
def test_which_games_count(store: Store, games: dict[str, dict[str, Any]], count: int) -> None:
    with store.transaction() as session:
        club = Club(session)
        club.people(2)
        wrong = []
        for what, columns in games.items():
            before = sum(one.as_first.games for one in results_of(session))
            club.game(**columns)
            after = sum(one.as_first.games for one in results_of(session))
            if after - before != count:
                wrong.append(what)
        assert wrong == []


def test_who_wins_is_rated_higher_in_each_pool_apart(store: Store) -> None:
    with store.transaction() as session:
        club = Club(session)
        club.people(2)
        for _ in range(5):
            club.game()
            club.game((2, 1), setup="6")
        club.game((1, 100))
        ratings.store(session, ratings.computed(session, GAMES, NOW))
        rows = {(row.player_id, row.board): row for row in session.exec(select(RatingRow)).all()}
        assert {key: row.games for key, row in rows.items()} == {
            (1, "5x5"): 6,
            (2, "5x5"): 5,
            (1, "6x6"): 5,
            (2, "6x6"): 5,
        }
        assert rows[1, "5x5"].points > rows[2, "5x5"].points
        assert rows[1, "6x6"].points < rows[2, "6x6"].points
        # It stays as it is, however often it is computed.
        before = [row.model_dump() for row in rows.values()]
        ratings.store(session, ratings.computed(session, GAMES, NOW))
        session.expire_all()
        assert [row.model_dump() for row in session.exec(select(RatingRow)).all()] == before


def test_wins_of_first_players_are_counted_from_five_people_on(store: Store) -> None:
    with store.transaction() as session:
        club = Club(session)
        club.people(5)
        for other in (2, 3, 4):
            club.game((1, other))
        club.game((1, 100))
        assert ratings.computed(session, GAMES, NOW).first_turns == []
        club.game((5, 1), winner=1)
        club.game((1, 2), setup="5 komi=2.5")
        ratings.store(session, ratings.computed(session, GAMES, NOW))
        (row,) = session.exec(select(FirstTurnRow)).all()
        assert (row.board, row.komi, row.games, row.won, row.drawn) == ("5x5", "0", 5, 4, 0)


@pytest.mark.parametrize(
    ("results", "share", "interval"),
    [
        (Results(10, 5, 0), 0.5, (0.24, 0.76)),
        (Results(100, 60, 10), 0.65, (0.55, 0.74)),
        (Results(1, 1), 1, (0.21, 1)),
    ],
)
def test_wilsons_interval(results: Results, share: float, interval: tuple[float, float]) -> None:
    assert results.share == share
    assert tuple(round(end, 2) for end in results.interval) == interval


def played(store: Store) -> None:
    with store.transaction() as session:
        club = Club(session)
        club.people(2)
        for _ in range(5):
            club.game()
        due.set_due_by(session, 0, ratings.RATINGS, NOW)


def worker(store: Store, url: str, child: Now, name: str = "one") -> RatingWorker:
    return RatingWorker(store, lambda: NOW, url, name, lambda: child)


def rated(store: Store) -> int:
    with store.transaction() as session:
        return len(session.exec(select(RatingRow)).all())


def is_due(store: Store) -> bool:
    with store.transaction() as session:
        return session.exec(select(DueRow)).first() is not None


def test_a_worker_computes_once_what_is_due(store: Store, database_url: str) -> None:
    played(store)
    child = Now()
    for _ in range(2):
        asyncio.run(worker(store, database_url, child).work())
    assert (child.asked, child.closed, rated(store), is_due(store)) == (1, 1, 2, False)


def test_of_two_services_one_computes(store: Store, database_url: str) -> None:
    played(store)
    other = Now()
    meanwhile = Now(before=lambda: asyncio.run(worker(store, database_url, other, "other").work()))
    asyncio.run(worker(store, database_url, meanwhile).work())
    assert (meanwhile.asked, other.asked, rated(store)) == (1, 0, 2)


def test_it_does_no_harm_if_both_do(store: Store, database_url: str) -> None:
    played(store)

    def as_another_does() -> None:
        with store.transaction() as session:
            ratings.store(session, computed_at(database_url, NOW))

    asyncio.run(worker(store, database_url, Now(before=as_another_does)).work())
    assert (rated(store), is_due(store)) == (2, False)


def test_a_game_that_ends_meanwhile_counts_the_next_time(store: Store, database_url: str) -> None:
    played(store)

    def ends() -> None:
        with store.transaction() as session:
            due.set_due_by(session, 0, ratings.RATINGS, NOW + ratings.RATED_WITHIN)

    asyncio.run(worker(store, database_url, Now(before=ends)).work())
    assert (rated(store), is_due(store)) == (2, True)


def test_who_is_merged_or_erased_meanwhile_gets_no_row(store: Store, database_url: str) -> None:
    played(store)

    def leaves() -> None:
        with store.transaction() as session:
            session.get_one(PlayerRow, 2).kind = PlayerKind.ERASED

    child = Now()
    run = RatingWorker(store, lambda: NOW, database_url, "one", lambda: child)
    found = computed_at(database_url, NOW)
    leaves()
    with store.transaction() as session:
        ratings.store(session, found)
    assert rated(store) == 1
    asyncio.run(run.work())
    assert rated(store) == 1


def test_a_failure_is_logged_and_tried_again_when_the_claim_ends(
    store: Store, database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    played(store)

    def fails() -> None:
        raise OSError("no process starts")

    asyncio.run(worker(store, database_url, Now(before=fails)).work())
    assert "the ratings could not be computed" in caplog.text
    asyncio.run(worker(store, database_url, Now()).work())
    assert rated(store) == 0
    later = RatingWorker(store, lambda: NOW + due.LEASE, database_url, "one", Now)
    asyncio.run(later.work())
    assert rated(store) == 2


@pytest.mark.sqlite("the child opens the file a second time; what it computes is the same on either database")
def test_a_real_child_reads_the_database_by_itself(store: Store, database_url: str) -> None:
    played(store)
    asyncio.run(RatingWorker(store, lambda: NOW, database_url, "one").work())
    assert (rated(store), is_due(store)) == (2, False)
