"""What is stored when games end and when players leave."""

from typing import Any

import pytest
from sqlalchemy import text
from sqlmodel import select

from takmail.games.interface import Seat
from takmail.pipeline.process import Outcome
from takmail.store.tables import ChatRow, QuestionRow
from takmail.store.write import write
from takmail.world import events as ev
from takmail.world.ids import GameNumber, PlayerId, QuestionId, SeekNumber
from takmail.world.kinds import OfferKind, PlayerKind, QuestionKind, Standing
from takmail.world.players import Seek
from takmail.world.questions import Question
from takmail.world.records import Offer
from tests.store.scene import ADA, BEN, Scene, proposed

ONE = GameNumber(1)


@pytest.fixture
def game(scene: Scene) -> Scene:
    """Ada and Ben have begun a game."""
    return scene.joined("Ada", "Ben").begun()


def rows(scene: Scene, query: str) -> list[tuple[Any, ...]]:
    with scene.store.transaction() as session:
        return [tuple(row) for row in session.connection().execute(text(query))]


def a_seek(scene: Scene) -> ev.SeekOpened:
    seek = Seek(SeekNumber(1), PlayerId(1), "tak", "5", None, None, False, scene.now)
    return ev.SeekOpened(seek=seek, is_repeated=False)


def a_question(scene: Scene) -> Question:
    return Question(QuestionId(-1), QuestionKind.HELD, scene.now, "ps a1", ONE, Seat.FIRST, 2, 0)


def test_what_a_game_is_worth_is_stored_with_its_end(game: Scene) -> None:
    game.played("ps a1", "ps e5")
    game.do(ev.GameEnded(game=ONE, resigned=Seat.FIRST))
    record = game.table().record
    assert (record.winner, record.score_digest is None) == (Seat.SECOND, False)
    with game.store.transaction() as session:
        (found,) = game.queries(session).finished("tak", PlayerId(1), PlayerId(2))
    assert found.points == record.points


def erased() -> ev.PlayerErased:
    return ev.PlayerErased(
        player=PlayerId(1),
        label="a player",
        addresses=(ADA,),
        keep_days=30,
        subjects=((ONE, "a player vs Ben"),),
        games=1,
    )


def test_of_who_leaves_nothing_is_left_but_their_finished_games(game: Scene) -> None:
    game.played("ps a1")
    game.do(
        ev.ChatQueued(game=ONE, seat=Seat.SECOND, words="hello Ada"),
        ev.OfferMade(
            game=ONE, offer=Offer(0, Seat.SECOND, OfferKind.DRAW, 1, game.now), notifies_opponent=True
        ),
        ev.QuestionAsked(question=a_question(game)),
        a_seek(game),
        ev.Logged(who="Olga", what="blocked", why="Ada was rude", player=PlayerId(1)),
    )
    game.do(letters=[game.letter(Seat.FIRST), game.letter(Seat.SECOND)])
    number = game.kept_mail()
    game.do(
        erased(),
        ev.GameEnded(game=ONE, resigned=Seat.FIRST),
        ev.OpponentLeft(game=ONE, seat=Seat.FIRST),
        letters=[game.letter(Seat.SECOND)],
        mail=number,
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
        for table in (ChatRow, QuestionRow):
            assert session.exec(select(table)).all() == []


def test_a_game_of_who_has_left_is_not_written_about_as_it_was(game: Scene) -> None:
    game.do(ev.GameEnded(game=ONE, resigned=Seat.FIRST))
    before = game.table().record.version
    with game.store.transaction() as session:
        write(session, game.snapshot(), Outcome(events=(erased(),)))
    assert rows(game, "SELECT version FROM game") == [(before + 1,)]


@pytest.mark.parametrize("is_awake", [True, False])
def test_two_players_become_one(scene: Scene, is_awake: bool) -> None:
    scene.joined("Ada", "Ben", "Fay").begun(1, (1, 3))
    for number in (2, 3):
        scene.do(ev.MailStopped(player=PlayerId(number), running=1))
    merged = ev.PlayersMerged(source=PlayerId(3), into=PlayerId(2), accepts_mail=is_awake)
    with scene.store.transaction() as session:
        write(session, scene.snapshot(), Outcome(events=(merged,)))
    with scene.store.transaction() as session:
        queries = scene.queries(session)
        player = queries.player(PlayerId(2))
        assert player.addresses == (BEN, "fay@example.org")
        assert player.wants_no_mail is not is_awake
        assert [one.number for one in queries.games_of(PlayerId(2), (Standing.OPEN,))] == [1]


def test_invitations_that_were_taken_back_don_t_leave(scene: Scene) -> None:
    scene.joined("Ada", "Ben")
    scene.do(proposed(1, (1, 2), scene.now))
    letter = scene.letter(Seat.SECOND)
    scene.do(letters=[letter])
    scene.do(ev.InvitationWithdrawn(game=ONE, seat=Seat.SECOND))
    assert rows(scene, "SELECT state FROM outbox") == [("withdrawn",)]


def test_no_number_is_given_twice(game: Scene) -> None:
    given = []
    for _ in range(3):
        with game.store.transaction() as session:
            given.append(game.queries(session).next_seek())
        seek = Seek(given[-1], PlayerId(1), "tak", "5", None, None, False, game.now)
        game.do(
            ev.SeekOpened(seek=seek, is_repeated=False),
            ev.SeeksClosed(numbers=(seek.number,)),
        )
    assert len(set(given)) == 3
    with game.store.transaction() as session:
        queries = game.queries(session)
        assert queries.next_game() > 1
        assert queries.next_player() > 2
