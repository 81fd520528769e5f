"""Nim in a database: what its games hold is stored and loaded as a game of Tak is."""

from random import Random

import pytest
from sqlmodel import col, select, update

from takmail.commands.kinds import QuestionKind, Standing
from takmail.games.interface import Seat
from takmail.games.registry import GAMES as USUAL
from takmail.games.registry import Games
from takmail.store.database import Store
from takmail.store.tables import GameRow, Question, TurnRow
from tests.damaged import put, shunted
from tests.nim.beside_tak import GAMES, templates
from tests.nim.game import NimGame
from tests.nim.state import NimState
from tests.office import ADA, BEN, Office, said, turns

TEMPLATES = templates()


def with_nim(store: Store, games: Games = GAMES) -> Office:
    """A takmail that has Nim, as one is after a start."""
    office = Office(store)
    office.change(games=games, templates=TEMPLATES)
    return office


@pytest.fixture
def office(store: Store) -> Office:
    return with_nim(store)


def row(office: Office, number: int = 1) -> GameRow:
    with office.store.transaction() as session:
        return session.get_one(GameRow, number)


def heaps(office: Office, number: int = 1) -> tuple[int, ...]:
    state = office.table(number).state
    assert isinstance(state, NimState)
    return state.heaps or ()


def test_what_is_drawn_at_the_acceptance_is_stored(office: Office) -> None:
    office.send(f"Ada <{ADA}>", f"new nim vs {BEN} first=me")
    assert (row(office).kind, row(office).setup, heaps(office)) == ("nim", "random", ())
    put(office, BEN, "accept")
    drawn = heaps(office)
    assert row(office).setup == "random heaps=" + ",".join(map(str, drawn))
    assert heaps(with_nim(office.store)) == drawn != ()


def test_a_game_is_played_to_its_end_and_counted(office: Office) -> None:
    office.begin("nim heaps=3,4,5")
    put(office, ADA, "take 2\nfrom 1")
    assert (turns(office), heaps(office)) == (["take 2 from 1"], (1, 4, 5))
    # Played on by a takmail that has replayed nothing yet.
    again = with_nim(office.store)
    again.collect()
    for who, line in ((BEN, "take 4\nfrom 2"), (ADA, "take 5\nfrom 3"), (BEN, "take 1\nfrom 1")):
        put(again, who, line)
        if "Not done yet" in said(again.last(who)):
            put(again, who, "yes")
    assert turns(again) == ["take 2 from 1", "take 4 from 2", "take 5 from 3", "take 1 from 1"]
    over = row(again)
    assert (over.standing, over.winner, over.counted is not None) == (Standing.OVER, Seat.SECOND, True)
    assert (over.first_points, over.second_points) == (0, 3)
    assert "Ben has taken the last stone and wins." in said(again.last(ADA))
    put(again, ADA, "match")
    assert "you have 0 points and Ben has 3" in said(again.last(ADA))


def test_a_turn_that_is_asked_about_is_kept_as_a_question(office: Office) -> None:
    office.begin("nim heaps=3,4,5")
    put(office, ADA, "take 1\nfrom 1")
    with office.store.transaction() as session:
        asked = session.exec(select(Question)).one()
        assert (asked.kind, asked.game_id, asked.seat) == (QuestionKind.DOUBT, 1, Seat.FIRST)
    assert turns(office) == []
    again = with_nim(office.store)
    again.collect()
    put(again, ADA, "yes")
    assert turns(again) == ["take 1 from 1"]
    with office.store.transaction() as session:
        assert session.exec(select(Question)).all() == []


def test_a_rematch_draws_anew(office: Office) -> None:
    office.begin("nim")
    put(office, ADA, "resign")
    put(office, ADA, "yes")
    put(office, ADA, "rematch")
    assert (row(office, 2).setup, heaps(office, 2)) == ("random", ())
    office.send(f"Ben <{BEN}>", "accept", office.last(BEN))
    assert heaps(office, 2) not in ((), heaps(office))
    assert row(office, 2).rematch_of == 1


class GuestBegins(NimGame):
    """Nim in which the guest has the first turn, whatever was asked for."""

    def complete(self, setup: str, host: Seat, rng: Random) -> tuple[str, Seat]:
        setup, _ = super().complete(setup, host, rng)
        return setup, Seat.SECOND


def test_the_seats_are_those_that_the_game_has_drawn(store: Store) -> None:
    office = with_nim(store, Games({**USUAL.by_name, "nim": GuestBegins()}, USUAL.usual))
    office.begin("nim heaps=3,4,5")
    assert office.table().names == ("Ben", "Ada")
    put(office, BEN, "take 2\nfrom 1")
    assert turns(office) == ["take 2 from 1"]


def test_a_game_whose_turns_do_not_agree_with_its_rules_is_frozen(office: Office) -> None:
    office.begin("nim heaps=3,4,5")
    put(office, ADA, "take 2\nfrom 1")
    with office.store.transaction() as session:
        session.execute(update(TurnRow).where(col(TurnRow.game_id) == 1).values(text="take 9 from 1"))
    letters = put(office, BEN, "take 4\nfrom 2")
    assert [one.to for one in letters] == [ADA, BEN]
    assert row(office).standing == Standing.ADJOURNED
    assert len(shunted(office)) == 1
