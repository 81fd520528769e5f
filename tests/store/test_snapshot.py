"""The content of a mail's snapshot."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from sqlalchemy import text

from takmail.games.interface import Seat
from takmail.letters.letter import About
from takmail.mail.message import Mail, ThreadHeaders
from takmail.pipeline.due import close_overdue
from takmail.pipeline.process import Conflict
from takmail.store import games
from takmail.store.causes import Causes, new_cause
from takmail.store.queries import SqlQueries
from takmail.world.kinds import (
    GameNumber,
    LetterPurpose,
    LetterState,
    MessageId,
    PendingId,
    PlayerId,
    Ruling,
    Standing,
)
from takmail.world.operations import AddToLog
from takmail.world.pending import Pending
from takmail.world.records import GameEnd, Turn
from takmail.world.replay import Corruption
from takmail.world.waiting import PendingKind
from takmail.world.world import Snapshot
from tests.commands.build import waiting
from tests.store.scene import ADA, BEN, KEY, SERVICES, Scene, of_game, put
from tests.support.pending import an_offer

ONE = GameNumber(1)
DAY = timedelta(days=1)


@pytest.fixture
def game(scene: Scene) -> Scene:
    """Ada and Ben have begun a game."""
    return scene.joined("Ada", "Ben").begun()


def of(scene: Scene, mail: Mail) -> Snapshot:
    with scene.store.transaction() as session:
        return scene.loaded_by(session, mail)


def mail(
    sender: str, *, to: str = "tak@example.test", subject: str = "", answers: tuple[str, ...] = ()
) -> Mail:
    return Mail("<m@x>", sender, "", (to,), subject, ThreadHeaders(answers, answers))


def test_a_stranger_is_nobody_and_has_a_mailbox(game: Scene) -> None:
    found = of(game, mail("fay@example.net"))
    assert (found.player, found.sender.address, found.answered) == (None, "fay@example.net", None)
    assert found.world.stored.games == {}


@pytest.mark.parametrize(
    ("to", "subject"),
    [(KEY.reply_address(1, Seat.FIRST), ""), ("tak@example.test", "Re: [tak #1] Ada vs Ben")],
)
def test_a_game_that_the_headers_name_is_loaded_with_its_players(game: Scene, to: str, subject: str) -> None:
    found = of(game, mail(ADA, to=to, subject=subject))
    assert found.player is not None
    assert found.player.name == "Ada"
    assert set(found.world.stored.games) == {1}
    assert set(found.world.stored.players) == {1, 2}


def test_a_game_that_there_is_not_is_not_there(game: Scene) -> None:
    assert of(game, mail(ADA, subject="[tak #7]")).world.stored.games == {}
    assert of(game, mail(ADA, subject="[tak #999999999]")).world.stored.games == {}


def test_the_answered_letter_is_the_one_that_is_replied_to_and_else_the_newest(game: Scene) -> None:
    old, new = game.letter(Seat.FIRST), game.letter(Seat.FIRST)
    game.do(letters=[old, new])
    reply = replace(
        game.reply(Seat.FIRST), thread=ThreadHeaders((old.message_id.upper(),), (new.message_id,))
    )
    found = of(game, reply)
    assert found.answered is not None
    assert (found.answered.message_id, found.answered.text) == (old.message_id, old.content.text)
    assert found.known_letters == {old.message_id, new.message_id}
    by_thread = of(game, replace(reply, thread=ThreadHeaders((), (old.message_id, new.message_id, "<x@y>"))))
    assert by_thread.answered is not None
    assert by_thread.answered.message_id == new.message_id
    assert by_thread.known_letters == {old.message_id, new.message_id}


def test_the_answered_letter_of_a_mail_about_no_game_is_found(game: Scene) -> None:
    letter = game.letter(Seat.FIRST, about=About(), message_id=MessageId("<me.a.b@x>"))
    game.do(letters=[letter])
    found = of(game, mail(ADA, answers=(letter.message_id,)))
    assert found.answered is not None
    assert found.answered.game is None


def test_the_game_of_the_answered_letter_is_loaded_though_nothing_proves_its_seat(game: Scene) -> None:
    letter = replace(game.letter(Seat.FIRST), message_id=MessageId("<an.old.key@example.test>"))
    game.do(letters=[letter])
    found = of(game, mail("fay@example.net", answers=(letter.message_id,)))
    assert set(found.world.stored.games) == {1}


def test_threads_have_their_ends_and_last_texts(game: Scene) -> None:
    letters = [game.letter(Seat.FIRST) for _ in range(8)]
    game.do(letters=letters)
    with game.store.transaction() as session:
        session.connection().execute(
            text("UPDATE outbox SET state = 'withdrawn' WHERE id IN (1, 8)"),
        )
    thread = of(game, game.reply(Seat.FIRST)).world.game(ONE).correspondence.threads[Seat.FIRST]
    assert (thread.first, thread.before, thread.last) == tuple(letters[at].message_id for at in (1, 5, 6))
    assert [one for one, _ in thread.texts] == [one.content.text for one in letters[6:0:-1]]


def test_what_was_written_of_late_is_counted(game: Scene) -> None:
    at = (game.now - timedelta(hours=30), game.now - timedelta(hours=2), game.now - timedelta(minutes=5))
    kinds = (
        [(LetterPurpose.NEWS, one) for one in at]
        + [(LetterPurpose.SURE, one) for one in at]
        + [(LetterPurpose.CHAT, at[2])]
    )
    letters = [game.letter(Seat.FIRST, purpose=kind, created_at=moment) for kind, moment in kinds]
    postponed = game.letter(
        Seat.FIRST, purpose=LetterPurpose.CHAT, state=LetterState.POSTPONED, created_at=at[0]
    )
    future = game.letter(Seat.FIRST, created_at=game.now + DAY)
    ada = game.state.player(PlayerId(1))
    (box,) = ada.mailboxes
    game.do(put(ada.with_mailbox(replace(box, verified_at=game.now - timedelta(minutes=62)))))
    game.do(letters=[*letters, postponed, future])
    budget = of(game, game.reply(Seat.FIRST)).sender.budget
    assert dict(budget.hour) == {LetterPurpose.NEWS: 1, LetterPurpose.SURE: 1, LetterPurpose.CHAT: 1}
    assert dict(budget.day) == {LetterPurpose.NEWS: 2, LetterPurpose.SURE: 2, LetterPurpose.CHAT: 1}
    assert dict(budget.news) == {ONE: 1}
    assert dict(budget.postponed) == {(LetterPurpose.CHAT, None): 1}
    assert [one.letter for one in budget.chats] == [letters[-1].message_id]


def test_what_is_asked_of_the_sender_and_of_the_owner_of_the_seat_is_pending(game: Scene) -> None:
    for address in (ADA, BEN, "fay@example.net"):
        question = Pending(PendingId(-1), PendingKind.COMMANDS, game.now, "seeks", address=address)
        game.do(put(question))
    assert [one.address for one in waiting(of(game, game.reply(Seat.FIRST)).world)] == [ADA]
    assert [one.address for one in waiting(of(game, mail("fay@example.net")).world)] == ["fay@example.net"]
    by_stranger = replace(game.reply(Seat.SECOND), sender="fay@example.net")
    assert {one.address for one in waiting(of(game, by_stranger).world)} == {BEN, "fay@example.net"}
    assert waiting(of(game, mail("other@example.net")).world) == []


def a_proposal(game: Scene) -> None:
    question = Pending(PendingId(-1), PendingKind.HELD, game.now, "x", ONE, Seat.FIRST, 2, 0)
    game.played("ps a1")
    offer = an_offer(
        game.table().record.version + 1, Seat.FIRST, PendingKind.RESTART, 1, question.asked_at, target=0
    )
    game.do(of_game(pending=(offer,)), put(question))


def test_what_time_has_closed_is_left_out(game: Scene) -> None:
    a_proposal(game)
    game.now += 6 * DAY
    table = of(game, game.reply(Seat.FIRST)).world.game(ONE)
    assert (len(table.offers), len(table.questions)) == (1, 1)
    game.now += 2 * DAY
    table = of(game, game.reply(Seat.FIRST)).world.game(ONE)
    assert (len(table.offers), len(table.questions)) == (0, 0)


def test_retention_closes_what_time_has_closed(game: Scene) -> None:
    a_proposal(game)
    before = game.table().record.version
    for days, open_ones in ((6, 1), (8, 0)):
        now = game.now + days * DAY
        causes = Causes(SERVICES, lambda now=now: now)
        with game.store.transaction() as session:
            causes.decide(session, new_cause("retention", now), partial(close_overdue, most=100))
        with game.store.transaction() as session:
            run = session.connection().execute
            assert (
                run(text("SELECT count(*) FROM pending WHERE kind = 'restart' AND ended IS NULL")).scalar()
                == open_ones
            )
            assert run(text("SELECT count(*) FROM pending WHERE kind <> 'restart'")).scalar() == open_ones
    with game.store.transaction() as session:
        found = game.queries(session).game(ONE)
    assert found is not None
    (offer,) = found.every_offer
    assert (offer.end.how, offer.end.version) == ("lapsed", before + 1)
    assert found.record.version == before + 1


def test_a_game_that_does_not_agree_with_itself_is_corrupt(game: Scene) -> None:
    game.played("ps a1", "ps e5")
    game.do(letters=[game.letter(Seat.FIRST)])
    with game.store.transaction() as session:
        session.connection().execute(text("UPDATE turn SET text = 'ps a1' WHERE number = 2"))
    found = of(game, game.reply(Seat.FIRST)).world.game(ONE)
    assert isinstance(found.states, Corruption)
    assert (found.states.column, found.states.key["number"], len(found.turns)) == ("text", 2, 2)
    assert found.correspondence.threads[Seat.FIRST].last is not None


def test_a_corrupt_game_can_be_frozen_and_ended(game: Scene) -> None:
    game.played("ps a1")
    with game.store.transaction() as session:
        session.connection().execute(text("UPDATE turn SET seat = 1"))
    game.reload()
    frozen = AddToLog(who="takmail", what="frozen", why="", game=ONE, fault="seat")
    game.do(of_game(standing=Standing.ADJOURNED), put(frozen))
    with game.store.transaction() as session:
        assert game.queries(session).faults_told(ONE) == {"seat"}
    game.do(of_game(standing=Standing.OVER, end=GameEnd(ruling=Ruling.VOID)))
    assert game.state.game(ONE).is_corrupt
    assert game.state.game(ONE).record.end.ruling == Ruling.VOID


def test_no_number_is_too_large_to_be_asked_for(scene: Scene) -> None:
    with scene.store.transaction() as session:
        assert scene.queries(session).game(GameNumber(2**63)) is None


def test_turns_that_another_process_has_written_meanwhile_are_loaded(
    game: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    game.played("ps a1", "ps e5")

    read, stored = games.hashes_and_turns, []

    def between(*asked: Any) -> tuple[str, str, Sequence[Turn]]:
        """At first the hashes are newer than the turns, as if another process had written in between."""
        stored.append(read(*asked))
        return (stored[0][0] + "later", "", ()) if len(stored) == 1 else stored[-1]

    monkeypatch.setattr(games, "hashes_and_turns", between)
    with game.store.transaction() as session:
        found = game.queries(session).game(ONE)
    assert found is not None
    assert [one.text for one in found.turns] == ["ps a1", "ps e5"]
    assert len(stored) == 2


def test_whose_games_have_begun_is_known(game: Scene) -> None:
    found = of(game, game.reply(Seat.FIRST)).world
    assert all(one.begun_games == 1 for one in found.players.values())


@pytest.mark.parametrize(
    "look",
    [
        lambda queries: queries.games_of(PlayerId(1), list(Standing)),
        lambda queries: queries.game(ONE),
    ],
)
def test_a_game_that_has_gone_on_since_it_was_listed_is_a_conflict(
    game: Scene, look: Callable[[SqlQueries], object]
) -> None:
    with game.store.transaction() as session:
        session.execute(text("UPDATE game SET rematch_of = 3"))
        queries = game.queries(session)
        assert look(queries)
        assert queries.game(ONE) is not None
        # As another transaction does in PostgreSQL.
        session.execute(text("UPDATE game SET version = version + 1"))
        with pytest.raises(Conflict):
            queries.game(ONE)
        with pytest.raises(Conflict):
            look(queries)
        session.rollback()


@pytest.mark.parametrize("reported", [None, 1])
def test_the_turn_that_a_letter_reports_is_not_the_last_one_on_its_board(
    game: Scene, reported: int | None
) -> None:
    game.played("ps a1", "ps e5")
    game.do(letters=[game.letter(Seat.FIRST, about=game.about(Seat.FIRST, reported_turn=reported))])
    thread = game.table().correspondence.threads[Seat.FIRST]
    assert (thread.reported_turn, thread.is_unclaimed) == (reported, True)
