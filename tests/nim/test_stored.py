"""Nim in a database: its games are stored and loaded like games of Tak."""

import pytest
from sqlmodel import col, select, update

from takmail.games.interface import Seat
from takmail.games.registry import Games
from takmail.store.database import Store
from takmail.store.tables import GameRow, PendingRow, TurnRow
from takmail.world.kinds import Standing
from takmail.world.waiting import PendingKind
from tests.nim.beside_tak import GAMES, templates
from tests.nim.state import NimState
from tests.support.damaged import put, shunted
from tests.support.harness import ADA, BEN, Harness, said, turns

TEMPLATES = templates()


def with_nim(store: Store, games: Games = GAMES) -> Harness:
    """Return a takmail with Nim, as after a start."""
    harness = Harness(store)
    harness.change(games=games, templates=TEMPLATES)
    return harness


@pytest.fixture
def harness(store: Store) -> Harness:
    return with_nim(store)


def row(harness: Harness, number: int = 1) -> GameRow:
    with harness.store.transaction() as session:
        return session.get_one(GameRow, number)


def heaps(harness: Harness, number: int = 1) -> tuple[int, ...]:
    state = harness.table(number).state
    assert isinstance(state, NimState)
    return state.heaps or ()


def test_what_is_drawn_at_the_acceptance_is_stored(harness: Harness) -> None:
    harness.send(f"Ada <{ADA}>", f"new nim vs {BEN} first=me")
    assert (row(harness).kind, row(harness).setup, heaps(harness)) == ("nim", "random", ())
    put(harness, BEN, "accept")
    drawn = heaps(harness)
    assert row(harness).setup == "random heaps=" + ",".join(map(str, drawn))
    assert heaps(with_nim(harness.store)) == drawn != ()


def test_a_game_is_played_to_its_end_and_counted(harness: Harness) -> None:
    harness.begin("nim heaps=3,4,5")
    put(harness, ADA, "take 2\nfrom 1")
    assert (turns(harness), heaps(harness)) == (["take 2 from 1"], (1, 4, 5))
    # Continue with a takmail that has not replayed the game yet.
    again = with_nim(harness.store)
    again.collect()
    for who, line in ((BEN, "take 4\nfrom 2"), (ADA, "take 5\nfrom 3"), (BEN, "take 1\nfrom 1")):
        put(again, who, line)
        if "Not done yet" in said(again.last(who)):
            put(again, who, "yes")
    assert turns(again) == ["take 2 from 1", "take 4 from 2", "take 5 from 3", "take 1 from 1"]
    over = row(again)
    assert (over.standing, over.winner, over.score_digest is not None) == (Standing.OVER, Seat.SECOND, True)
    assert (over.first_points, over.second_points) == (0, 3)
    assert "Ben wins and has taken the last stone." in said(again.last(ADA))
    put(again, ADA, "match")
    assert "you have 0 points and Ben has 3" in said(again.last(ADA))


def test_a_turn_that_is_asked_about_is_kept_as_a_question(harness: Harness) -> None:
    harness.begin("nim heaps=3,4,5")
    put(harness, ADA, "take 1\nfrom 1")
    with harness.store.transaction() as session:
        asked = session.exec(select(PendingRow)).one()
        assert (asked.kind, asked.game_id, asked.seat) == (PendingKind.DOUBT, 1, Seat.FIRST)
    assert turns(harness) == []
    again = with_nim(harness.store)
    again.collect()
    put(again, ADA, "yes")
    assert turns(again) == ["take 1 from 1"]
    with harness.store.transaction() as session:
        assert session.exec(select(PendingRow)).all() == []


def test_a_rematch_draws_anew(harness: Harness) -> None:
    harness.begin("nim")
    put(harness, ADA, "resign")
    put(harness, ADA, "yes")
    put(harness, ADA, "rematch")
    assert (row(harness, 2).setup, heaps(harness, 2)) == ("random", ())
    harness.send(f"Ben <{BEN}>", "accept", harness.last(BEN))
    assert heaps(harness, 2) not in ((), heaps(harness))
    assert row(harness, 2).rematch_of == 1


def test_a_game_whose_turns_do_not_agree_with_its_rules_is_frozen(harness: Harness) -> None:
    harness.begin("nim heaps=3,4,5")
    put(harness, ADA, "take 2\nfrom 1")
    with harness.store.transaction() as session:
        session.execute(update(TurnRow).where(col(TurnRow.game_id) == 1).values(text="take 9 from 1"))
    letters = put(harness, BEN, "take 4\nfrom 2")
    assert [one.to for one in letters] == [ADA, BEN]
    assert row(harness).standing == Standing.ADJOURNED
    assert len(shunted(harness)) == 1
