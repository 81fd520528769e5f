"""What is asked of a game beside its turns is asked once, and what the same mail writes is seen all the same."""

from collections.abc import Callable

import pytest
from sqlmodel import Session

from takmail.store import chat, disputes, games, offers, questions
from takmail.store.beside import Beside, beside
from takmail.store.database import Store
from takmail.store.tables import Dispute, Offer, OfferKind, Question, QuestionKind
from tests.store.test_games import NOW, begin, turn

NOTHING = Beside(offers=False, disputes=False, questions=False, words=False, given_up=False)


def offer(session: Session) -> None:
    made = Offer(game_id=1, seat=0, kind=OfferKind.DRAW, turn=0, offered_at=NOW, since=0)
    offers.make(session, made)


def dispute(session: Session) -> None:
    disputes.begin(session, Dispute(game_id=1, seat=1, turn=1, reason="", opened_at=NOW))


def ask(session: Session) -> None:
    questions.ask(session, Question(game_id=1, seat=0, kind=QuestionKind.RESIGN, asked_at=NOW))


def say(session: Session) -> None:
    chat.say(session, 1, 0, "hello", NOW)


def take_back(session: Session) -> None:
    offers.take_back(session, games.turns(session, 1), OfferKind.UNDO, NOW)


def test_a_new_game_has_nothing_beside_its_turns(store: Store) -> None:
    with store.transaction() as session:
        begin(session)
        assert beside(session, 1) == NOTHING


@pytest.mark.parametrize(
    ("write", "what"),
    [
        (offer, "offers"),
        (dispute, "disputes"),
        (ask, "questions"),
        (say, "words"),
        (take_back, "given_up"),
    ],
)
def test_what_is_written_is_seen_at_once(store: Store, write: Callable[[Session], None], what: str) -> None:
    with store.transaction() as session:
        begin(session)
        games.add_turn(session, turn(1, "ps a1"))
        assert not getattr(beside(session, 1), what)
        write(session)
        assert getattr(beside(session, 1), what)


def test_a_turn_that_the_same_mail_has_played_can_be_taken_back(store: Store) -> None:
    played = turn(1, "ps a1")
    with store.transaction() as session:
        begin(session)
        games.add_turn(session, played)
        offers.take_back(session, [played], OfferKind.UNDO, NOW)
        games.add_turn(session, turn(1, "ps b2"))
        assert [one.text for one in games.turns(session, 1)] == ["ps b2"]


def test_what_another_process_has_written_is_seen_once_the_game_is_locked(store: Store) -> None:
    with store.transaction() as session:
        begin(session)
    with store.transaction() as session:
        assert not beside(session, 1).words
        session.connection().exec_driver_sql(
            "INSERT INTO chat (game_id, seat, words, said_at) VALUES (1, 0, 'hello', '2026-11-21 12:00:00')"
        )
        games.get(session, 1, lock=True)
        assert beside(session, 1).words
