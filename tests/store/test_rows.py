"""Rules of the tables: which rows they refuse, in which order rows are read, and which rows remain."""

from dataclasses import replace

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlmodel import select

from takmail.games.interface import Seat
from takmail.store.games import Replays
from takmail.store.tables import TurnRow
from takmail.world.kinds import GameNumber, LetterState, MessageId
from takmail.world.waiting import PendingKind
from tests.store.scene import NOW, Scene, of_game, put
from tests.store.test_write import ASKED, rows

ONE = GameNumber(1)
MOVES = ("ps a1", "ps e5", "ps a2", "ps e4", "ps a3", "ps e3", "ps b1", "ps d5", "ps b2", "ps d4")


@pytest.fixture
def game(scene: Scene) -> Scene:
    """Ada and Ben have begun a game."""
    return scene.joined("Ada", "Ben").begun()


def a_turn(game: int, number: int, moved: str = "ps a1") -> TurnRow:
    return TurnRow(game_id=game, number=number, version=3, seat=0, text=moved, written=moved, played_at=NOW)


def test_a_turn_of_a_number_is_stored_once(game: Scene) -> None:
    game.played("ps a1")
    with pytest.raises(IntegrityError), game.store.transaction() as session:
        session.add(a_turn(1, 1, "ps b2"))
    assert rows(game, "SELECT number, text FROM turn") == [(1, "ps a1")]


def test_a_turn_belongs_to_a_game_that_there_is(game: Scene) -> None:
    with pytest.raises(IntegrityError), game.store.transaction() as session:
        session.add(a_turn(2, 1))
    assert rows(game, "SELECT * FROM turn") == []


def test_turns_come_in_the_order_of_their_numbers_not_of_their_rows(game: Scene) -> None:
    game.played(*MOVES)
    with game.store.transaction() as session:
        stored = [one.model_dump() for one in session.exec(select(TurnRow))]
        session.connection().execute(text("DELETE FROM turn"))
        out_of_order = sorted(stored, key=lambda one: (2, 1, 10, 3, 9, 4, 8, 5, 7, 6).index(one["number"]))
        for one in out_of_order:
            session.add(TurnRow(**one))
            session.flush()
    game.replays = Replays()
    with game.store.transaction() as session:
        table = game.queries(session).game(ONE)
    assert table == game.table()
    assert game.table().texts() == list(MOVES)


def test_questions_are_closed_one_by_one(game: Scene) -> None:
    of_ada = (PendingKind.RESIGN, "", Seat.FIRST), *((PendingKind.HELD, one, Seat.FIRST) for one in "ab")
    for kind, words, seat in (*of_ada, (PendingKind.HELD, "b", Seat.SECOND)):
        game.do(put(replace(ASKED, kind=kind, words=words, seat=seat)))

    left = tuple(one for one in game.table().questions if one.words != "a")
    game.do(of_game(pending=left))

    found = rows(game, "SELECT kind, words, seat FROM pending ORDER BY id")
    assert found == [("resign", "", 0), ("held", "b", 0), ("held", "b", 1)]


def test_a_letter_that_came_back_is_the_newest_that_is_named(game: Scene) -> None:
    letters = [game.letter(Seat.FIRST, state=LetterState.SENT) for _ in range(3)]
    game.do(letters=letters)
    first, second, _ = (one.message_id for one in letters)
    unknown = MessageId("<no@example.test>")
    with game.store.transaction() as session:
        find = game.queries(session).returned_letter

        for named in ([first, second, unknown], [second, first]):
            found = find(named)
            assert found is not None
            assert (found.message_id, found.number, found.game) == (second, 2, 1)

        assert find([unknown]) is None
        assert find([]) is None
