"""What is stored when games end and when players leave."""

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import text
from sqlmodel import select

from takmail.games.interface import Seat
from takmail.store.numbers import SqlNumbers
from takmail.store.tables import ChatRow, PendingRow
from takmail.world.kinds import GameNumber, PendingId, PlayerId, PlayerKind, Standing
from takmail.world.operations import AddToLog, MergePlayers, WithdrawToSeat
from takmail.world.pace import NO_TIMING
from takmail.world.pending import Pending
from takmail.world.players import Seek
from takmail.world.waiting import PendingKind
from tests.store.scene import BEN, NOW, Scene, ended, erased, of_game, put, said, without_seek
from tests.support.pending import an_offer

ONE = GameNumber(1)
LEAVES = erased(1, ((ONE, "a player vs Ben"),))


@pytest.fixture
def game(scene: Scene) -> Scene:
    """Ada and Ben have begun a game."""
    return scene.joined("Ada", "Ben").begun()


def rows(scene: Scene, query: str) -> list[tuple[Any, ...]]:
    with scene.store.transaction() as session:
        return [tuple(row) for row in session.connection().execute(text(query))]


def test_what_a_game_is_worth_is_stored_with_its_end(game: Scene) -> None:
    game.played("ps a1", "ps e5")
    game.do(ended())
    record = game.table().record
    assert (record.end.winner, record.end.score_digest is None) == (Seat.SECOND, False)
    with game.store.transaction() as session:
        (found,) = game.queries(session).finished("tak", PlayerId(1), PlayerId(2))
    assert found.points == record.end.points


def test_of_who_leaves_nothing_is_left_but_their_finished_games(game: Scene) -> None:
    game.played("ps a1")
    asked = Pending(PendingId(-1), PendingKind.HELD, NOW, "ps a1", ONE, Seat.FIRST, 2, 0)
    with game.store.transaction() as session:
        seek = SqlNumbers(session).following("seek")
    offer = an_offer(game.table().record.version + 2, Seat.SECOND, PendingKind.DRAW, 1, game.now)
    game.do(
        said("hello Ada", Seat.SECOND),
        of_game(pending=(offer,)),
        put(asked, Seek(seek, PlayerId(1), "tak", "5", None, NO_TIMING, False, NOW)),
        put(AddToLog(who="Olga", what="blocked", why="Ada was rude", player=PlayerId(1))),
    )
    game.do(letters=[game.letter(Seat.FIRST), game.letter(Seat.SECOND)])
    game.do(
        LEAVES,
        ended(),
        without_seek(seek),
        letters=[game.letter(Seat.SECOND)],
        mail=game.kept_mail(),
        claimed_by="a worker",
    )
    first, second = game.table().players
    assert (first.kind, first.name, first.mailboxes) == (PlayerKind.ERASED, "a player", ())
    assert second.name == "Ben"
    assert game.table().turns[0].written == "ps a1"
    assert game.table().record.subject == "a player vs Ben"
    states = rows(game, "SELECT state FROM outbox ORDER BY id")
    assert states == [("withdrawn",), ("queued",), ("queued",)]
    assert rows(game, "SELECT why FROM operator_log") == [("",)]
    with game.store.transaction() as session:
        for table in (ChatRow, PendingRow):
            assert session.exec(select(table)).all() == []


def test_a_game_of_who_has_left_is_not_written_about_as_it_was(game: Scene) -> None:
    game.do(ended())
    before = game.table().record.version
    game.do(LEAVES)
    assert rows(game, "SELECT version FROM game") == [(before + 1,)]


@pytest.mark.parametrize("is_awake", [True, False])
def test_two_players_become_one(scene: Scene, *, is_awake: bool) -> None:
    scene.joined("Ada", "Ben", "Fay").begun(1, (1, 3))
    asleep = [scene.state.player(PlayerId(number)) for number in (2, 3)]
    scene.do(
        put(
            *(
                replace(one, mailboxes=tuple(replace(box, stopped_at=NOW) for box in one.mailboxes))
                for one in asleep
            )
        )
    )
    scene.do(put(MergePlayers(source=PlayerId(3), into=PlayerId(2), accepts_mail=is_awake)))
    with scene.store.transaction() as session:
        queries = scene.queries(session)
        player = queries.player(PlayerId(2))
        assert player.addresses == (BEN, "fay@example.org")
        assert player.wants_no_mail is not is_awake
        assert [one.number for one in queries.games_of(PlayerId(2), (Standing.OPEN,))] == [1]


def test_invitations_that_were_taken_back_don_t_leave(game: Scene) -> None:
    game.do(letters=[game.letter(Seat.SECOND)])
    game.do(of_game(standing=Standing.DECLINED), put(WithdrawToSeat(game=ONE, seat=Seat.SECOND)))
    assert rows(game, "SELECT state FROM outbox") == [("withdrawn",)]


def test_no_number_is_given_twice(game: Scene) -> None:
    given = []
    for _ in range(3):
        with game.store.transaction() as session:
            given.append(SqlNumbers(session).following("seek"))
        game.do(put(Seek(given[-1], PlayerId(1), "tak", "5", None, NO_TIMING, False, NOW)))
        game.do(without_seek(given[-1]))
    assert len(set(given)) == 3
    with game.store.transaction() as session:
        numbers = SqlNumbers(session)
        assert numbers.following("game") > 1
        assert numbers.following("player") > 2
