"""Retention of old chat and reasons, and erasure in the mails of others."""

import base64
from datetime import timedelta

import pytest
from sqlmodel import select

from takmail.commands import events as ev
from takmail.commands.kinds import MailState
from takmail.commands.records import GameNumber
from takmail.games.interface import Seat
from takmail.mail.limits import DEFAULT_LIMITS
from takmail.pipeline.values import Outcome
from takmail.store import erasure_progress, operator_log, retention
from takmail.store.erasure import Traces
from takmail.store.tables import ChatRow, ErasureRow, InboxRow, OperatorLogRow
from takmail.store.write import write
from tests.store.scene import ADA, Scene

ONE = GameNumber(1)
DAY = timedelta(days=1)


@pytest.fixture
def game(scene: Scene) -> Scene:
    """Ada and Ben have begun a game, and a letter has brought two messages of Ada's."""
    scene.joined("Ada", "Ben").begun()
    scene.do(*(ev.ChatQueued(game=ONE, seat=Seat.FIRST, words=one, at=scene.now) for one in ("one", "two")))
    brings = tuple(one.version for one in scene.table().waiting_chat)
    with scene.store.transaction() as session:
        write(session, scene.snapshot(), Outcome(letters=(scene.letter(Seat.SECOND, chat_versions=brings),)))
        scene.state = scene.load(session, scene.state)
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


def test_of_a_game_that_is_over_no_words_stay(game: Scene) -> None:
    game.do(ev.GameEnded(game=ONE, score="0-F", resigned=Seat.FIRST))
    with game.store.transaction() as session:
        retention.drop_words(session, game.now + DAY)
    assert words(game) == []


@pytest.mark.parametrize(("body", "is_found"), [("I met ada@example.org.", True), ("I met nobody.", False)])
def test_who_has_left_is_found_in_mails_that_hide_them(game: Scene, body: str, is_found: bool) -> None:
    encoded = base64.b64encode(body.encode()).decode()
    raw = f"From: ben@example.org\nContent-Transfer-Encoding: base64\n\n{encoded}\n".encode()
    row = InboxRow(
        mailbox="",
        raw=raw,
        size=len(raw),
        fingerprint="raw:1",
        received_at=game.now,
        state=MailState.ANSWERED,
    )
    with game.store.transaction() as session:
        session.add(row)
        session.flush()
        erasure_progress.begin(session, Traces((ADA,), ("Ada",)), "a player")
    for _ in range(4):
        with game.store.transaction() as session:
            erasure_progress.go_on(session, DEFAULT_LIMITS)
    with game.store.transaction() as session:
        assert session.exec(select(InboxRow.is_reduced)).one() is is_found
        (done,) = session.exec(select(ErasureRow)).all()
        assert erasure_progress.is_done(done)


def test_games_that_stand_still_for_a_block_are_told_from_others(game: Scene) -> None:
    game.begun(2).begun(3)
    with game.store.transaction() as session:
        for number, player in ((1, 2), (2, None), (3, 2)):
            operator_log.add(
                session,
                OperatorLogRow(game_id=number, player_id=player, at=game.now, who="", what="adjourned"),
            )
        operator_log.add(session, OperatorLogRow(game_id=3, at=game.now, who="", what="frozen"))
        assert operator_log.adjourned_for_a_block(session, [ONE, GameNumber(2), GameNumber(3)]) == {1}
