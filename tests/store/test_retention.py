"""Retention of old chat and reasons, and erasure in the mails of others."""

from datetime import timedelta

import pytest
from sqlmodel import select

from takmail.games.interface import Seat
from takmail.store import operator_log, retention
from takmail.store.tables import ChatRow, OperatorLogRow
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
