"""Retention of old chat and reasons, and erasure in the mails of others."""

from datetime import timedelta

import pytest
from sqlmodel import col, select

from takmail.games.interface import Seat
from takmail.store import operator_log, retention
from takmail.store.tables import ChatRow, DisputeRow, OperatorLogRow
from takmail.world.kinds import GameNumber
from tests.store.scene import Scene, ended, said

ONE = GameNumber(1)
DAY = timedelta(days=1)


@pytest.fixture
def game(scene: Scene) -> Scene:
    """Ada and Ben have begun a game, and a letter has brought two messages of Ada's."""
    scene.joined("Ada", "Ben").begun()
    scene.do(*map(said, ("one", "two")))
    scene.do(letters=[scene.letter(Seat.SECOND, chat=scene.table().correspondence.waiting_chat)])
    return scene


def words(game: Scene) -> list[str]:
    with game.store.transaction() as session:
        return list(session.exec(select(ChatRow.words)))


def test_of_a_game_that_runs_the_newest_words_of_each_seat_stay(game: Scene) -> None:
    with game.store.transaction() as session:
        retention.drop_words(session, game.now - DAY)
    assert words(game) == ["one", "two"]
    with game.store.transaction() as session:
        retention.drop_words(session, game.now + DAY)
    assert words(game) == ["two"]


def test_the_newest_words_in_a_letter_stay_while_newer_ones_wait(game: Scene) -> None:
    game.do(said("three"))
    with game.store.transaction() as session:
        retention.drop_words(session, game.now + DAY)
    assert words(game) == ["two", "three"]


def test_the_newest_words_stay_of_each_game_and_of_each_seat(game: Scene) -> None:
    game.begun(2)
    game.do(said("of Ben", Seat.SECOND))
    game.do(letters=[game.letter(Seat.FIRST, chat=game.table().correspondence.waiting_chat)])
    for number in range(8):
        game.do(said(f"{number} in game 2", number=2))
    waiting = game.table(2).correspondence.waiting_chat
    game.do(letters=[game.letter(Seat.SECOND, number=2, chat=waiting)])
    with game.store.transaction() as session:
        retention.drop_words(session, game.now + DAY)
    assert sorted(words(game)) == ["7 in game 2", "of Ben", "two"]


def test_of_a_game_that_is_over_no_words_and_no_reasons_stay_though_another_one_goes_on(game: Scene) -> None:
    game.begun(2).do(ended())
    disputes = [
        DisputeRow(game_id=number, version=1, seat=0, turn=1, reason=f"of {number}", opened_at=game.now)
        for number in (1, 2)
    ]
    with game.store.transaction() as session:
        session.add_all(disputes)
        session.flush()
        retention.drop_words(session, game.now + DAY)
        retention.drop_reasons(session, game.now + DAY)
    assert words(game) == []
    with game.store.transaction() as session:
        assert list(session.exec(select(DisputeRow.reason).order_by(col(DisputeRow.game_id)))) == ["", "of 2"]


def test_of_a_game_that_is_over_no_words_stay(game: Scene) -> None:
    game.do(ended())
    with game.store.transaction() as session:
        retention.drop_words(session, game.now + DAY)
    assert words(game) == []


def test_words_that_wait_for_a_letter_stay(game: Scene) -> None:
    game.do(said("three"), ended())
    with game.store.transaction() as session:
        retention.drop_words(session, game.now + DAY)
    assert words(game) == ["three"]


def test_games_that_stand_still_for_a_block_are_told_from_others(game: Scene) -> None:
    game.begun(2).begun(3)
    with game.store.transaction() as session:
        for number, player in ((1, 2), (2, None), (3, 2)):
            session.add(
                OperatorLogRow(game_id=number, player_id=player, at=game.now, who="", what="adjourned"),
            )
        session.add(OperatorLogRow(game_id=3, at=game.now, who="", what="frozen"))
        assert operator_log.adjourned_for_a_block(session, [ONE, GameNumber(2), GameNumber(3)]) == {1}
