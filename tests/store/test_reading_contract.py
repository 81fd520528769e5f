"""A reading gives the same answers in memory and on each database: tests and the service read the same."""

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from takmail.games.interface import Seat
from takmail.store.database import Store
from takmail.store.tables import PendingRow
from takmail.world.kinds import GameNumber, PendingEnd, PendingId, PlayerId, Ruling, SeekNumber, Standing
from takmail.world.pace import NO_TIMING
from takmail.world.pending import LIFETIME, NOT_ENDED, OfferEnd, Pending
from takmail.world.players import Seek
from takmail.world.queries import Queries
from takmail.world.reading import Reading
from takmail.world.records import GameEnd
from takmail.world.waiting import PendingKind
from tests.commands.build import ADA, BEN, NOW, Stored
from tests.store.scene import Scene, ended, game, of_game, of_player, put

ADAS, BENS, FAYS = map(PlayerId, (1, 2, 3))
ALL = tuple(Standing)


@pytest.fixture
def scene(store: Store) -> Scene:
    """A game that goes on, one that is over, its rematch, an invitation, a seek, questions and a block."""
    scene = Scene(store).joined("Ada", "Ben", "Fay")
    scene.begun().played("ps a1", "ps e5")
    scene.begun(2, (2, 1)).played("ps a1", number=2)
    scene.do(ended(2, Seat.FIRST))
    scene.do(game(3, (1, 2), standing=Standing.INVITED, rematch_of=GameNumber(2)))
    scene.do(game(4, (3, 1), standing=Standing.DECLINED, rematch_of=GameNumber(1)))
    scene.begun(5, (2, 3)).played("ps a1", number=5)
    scene.begun(6, (1, 3)).begun(7)
    scene.do(ended(5, Seat.FIRST), ended(6, Seat.FIRST))
    scene.begun(8)
    for number, ruling in ((7, Ruling.VOID), (8, Ruling.FIRST)):
        scene.do(of_game(number, standing=Standing.OVER, end=GameEnd(ruling=ruling)))
    scene.do(put(Seek(SeekNumber(1), FAYS, "tak", "5", None, NO_TIMING, False, NOW)))
    scene.do(of_player(2, blocked=frozenset({FAYS})))
    for number, address in enumerate((ADA, BEN), 1):
        scene.do(put(Pending(PendingId(-number), PendingKind.COMMANDS, scene.now, "seeks", address=address)))
    return scene


def in_memory(scene: Scene) -> Reading:
    """Return a reading of the same values from dictionaries."""
    known = scene.state.stored
    stored = Stored(dict(known.players), dict(known.games), dict(known.seeks))
    stored.questions += known.questions.values()
    return Reading(stored)


QUESTIONS: dict[str, Callable[[Reading], Any]] = {
    "a player": lambda stored: stored.player(FAYS),
    "an owner": lambda stored: stored.ask(Queries.player_by_address, BEN),
    "nobody": lambda stored: stored.ask(Queries.player_by_address, "nobody@example.org"),
    "a name": lambda stored: stored.ask(Queries.player_by_skeleton, "fay"),
    "no name": lambda stored: stored.ask(Queries.player_by_skeleton, "nobody"),
    "names": lambda stored: stored.ask(Queries.skeletons, "b"),
    "a game": lambda stored: told(stored.game(GameNumber(1))),
    "one that is over": lambda stored: told(stored.game(GameNumber(2))),
    "no game": lambda stored: stored.game(GameNumber(9)),
    "games of a player": lambda stored: list(stored.ask(Queries.games_of, ADAS, ALL)),
    "invitations": lambda stored: list(stored.ask(Queries.games_of, BENS, (Standing.INVITED,))),
    "opponents": lambda stored: list(stored.ask(Queries.opponents, ADAS)),
    "who began": lambda stored: list(stored.ask(Queries.begun_between, ADAS, BENS)),
    "a rematch": lambda stored: stored.ask(Queries.rematch_of, GameNumber(2)),
    "no rematch": lambda stored: stored.ask(Queries.rematch_of, GameNumber(1)),
    "a match": lambda stored: list(stored.ask(Queries.finished, "tak", ADAS, BENS, GameNumber(1))),
    "a match in another game": lambda stored: list(
        stored.ask(Queries.finished, "tzaar", ADAS, BENS, GameNumber(1))
    ),
    "seeks": lambda stored: list(stored.ask(Queries.seeks)),
    "questions": lambda stored: list(stored.ask(Queries.questions_to, BEN)),
    "no questions": lambda stored: list(stored.ask(Queries.questions_to, "nobody@example.org")),
    "who has played": lambda stored: [
        stored.ask(Queries.has_played, player) for player in (ADAS, BENS, FAYS)
    ],
    "who has finished": lambda stored: [
        stored.ask(Queries.has_finished, player, kind)
        for player in (ADAS, BENS, FAYS)
        for kind in ("tak", "tzaar")
    ],
    "an address": lambda stored: stored.ask(Queries.mailbox, ADA),
    "the address of nobody": lambda stored: stored.ask(Queries.mailbox, "nobody@example.org"),
    "a reason": lambda stored: stored.ask(Queries.block_reason, ADAS),
    "tasks": lambda stored: stored.ask(Queries.waiting_tasks, GameNumber(1)),
    "faults": lambda stored: stored.ask(Queries.faults_told, GameNumber(1)),
    "a letter": lambda stored: stored.ask(Queries.returned_letter, ()),
    "addresses": lambda stored: stored.ask(Queries.addresses_asked, ADAS, NOW),
}


def told(table: Any) -> tuple[object, ...]:
    """Return what a game is, by its rows."""
    return table.record, table.players, table.turns, table.states, table.pending, table.has_rematch


def test_each_question_has_the_same_answer_in_memory_and_stored(scene: Scene) -> None:
    differ = {}
    with scene.store.transaction() as session:
        stored, memory = Reading(scene.queries(session)), in_memory(scene)
        for name, question in QUESTIONS.items():
            answers = question(stored), question(memory)
            if answers[0] != answers[1]:
                differ[name] = answers
    assert differ == {}


def test_whoever_is_found_twice_is_one_value(scene: Scene) -> None:
    with scene.store.transaction() as session:
        for stored in (Reading(scene.queries(session)), in_memory(scene)):
            ben = stored.ask(Queries.player_by_address, BEN)
            table = stored.game(GameNumber(1))
            assert table is not None
            assert (
                ben
                is table.players[1]
                is stored.player(BENS)
                is stored.ask(Queries.player_by_skeleton, "ben")
            )


def test_the_list_of_what_decisions_rely_on_has_each_query() -> None:
    """What protects each of them is tried in tests/postgres."""
    decision = Path(__file__).parents[2] / "docs" / "decisions" / "061-reading-through.md"
    rows = [line.split("|")[1] for line in decision.read_text().split("\n") if line.startswith("| `")]
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert named == {name for name in vars(Queries) if not name.startswith("_")}


def test_which_addresses_a_player_has_asked_to_add_of_late(scene: Scene) -> None:
    asked = (
        (ADAS, PendingKind.ADDRESS, NOW, "new"),
        (ADAS, PendingKind.ADDRESS, NOW - timedelta(seconds=1), "old"),
        (BENS, PendingKind.ADDRESS, NOW, "of-ben"),
        (ADAS, PendingKind.COMMANDS, NOW, "other"),
    )
    for number, (player, kind, at, name) in enumerate(asked, 3):
        address = f"{name}@example.org"
        scene.do(put(Pending(PendingId(-number), kind, at, "seeks", address=address, player=player)))
    with scene.store.transaction() as session:
        assert scene.queries(session).addresses_asked(ADAS, NOW) == {"new@example.org"}


def test_which_questions_and_offers_are_overdue(scene: Scene) -> None:
    old = scene.now - LIFETIME
    asked: tuple[tuple[PendingKind, timedelta, OfferEnd], ...] = (
        (PendingKind.COMMANDS, timedelta(0), NOT_ENDED),
        (PendingKind.COMMANDS, timedelta(seconds=1), NOT_ENDED),
        (PendingKind.PACE, timedelta(0), OfferEnd(PendingEnd.REFUSED, 3)),
        (PendingKind.DRAW, timedelta(0), NOT_ENDED),
    )
    with scene.store.transaction() as session:
        for number, (kind, after, end) in enumerate(asked, 50):
            session.add(
                PendingRow(
                    id=number,
                    kind=kind,
                    asked_at=old + after,
                    address=BEN,
                    ended=end.how,
                    ended_version=end.version,
                )
            )
        session.flush()
        scene.now = old + LIFETIME
        assert [one.id for one in scene.queries(session).overdue(9)] == [50]


def test_a_rematch_that_was_declined_is_none(scene: Scene) -> None:
    assert [scene.table(number).has_rematch for number in (1, 2, 3)] == [False, True, False]
