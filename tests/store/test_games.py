"""Games, their turns and what is said and asked in them."""

from datetime import UTC, datetime

import pytest
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from takmail.store import chat, games, outbox, players, questions
from takmail.store.database import Store
from takmail.store.tables import GameRow, OutboxRow, Question, QuestionKind, Standing, TurnRow

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def begin(session: Session) -> GameRow:
    """A game of Ada's against Ben's, the first in the store."""
    ada, ben = (players.add(session, f"{name}@example.org", name, NOW) for name in ("ada", "ben"))
    row = GameRow(
        kind="tak",
        setup="5",
        subject="Tak 5x5",
        standing=Standing.OPEN,
        invited_by=players.number(ada),
        created_at=NOW,
    )
    games.add(session, row, (players.number(ada), players.number(ben)))
    return row


def turn(number: int, text: str, seat: int = 0) -> TurnRow:
    return TurnRow(game_id=1, number=number, seat=seat, text=text, written=text, played_at=NOW)


def test_a_turn_of_a_number_is_played_once(store: Store) -> None:
    with store.transaction() as session:
        begin(session)
        games.add_turn(session, turn(1, "ps a1"))
    with pytest.raises(IntegrityError), store.transaction() as session:
        games.add_turn(session, turn(1, "ps b2"))
    with store.transaction() as session:
        assert [one.text for one in games.turns(session, 1)] == ["ps a1"]


def test_turns_come_in_the_order_of_their_numbers(store: Store) -> None:
    with store.transaction() as session:
        begin(session)
        for number in (2, 1, 10, 3):
            games.add_turn(session, turn(number, f"turn {number}"))
        assert [one.number for one in games.turns(session, 1)] == [1, 2, 3, 10]


def test_a_turn_belongs_to_a_game_that_there_is(store: Store) -> None:
    with pytest.raises(IntegrityError), store.transaction() as session:
        games.add_turn(session, turn(1, "ps a1"))


def test_the_first_seat_comes_first(store: Store) -> None:
    with store.transaction() as session:
        begin(session)
        assert [players.get(session, one).name for one in games.seats(session, 1)] == ["ada", "ben"]


def test_a_players_games_are_found_by_their_standing(store: Store) -> None:
    with store.transaction() as session:
        row = begin(session)
        assert games.of_player(session, 1, [Standing.OPEN]) == [row]
        assert games.of_player(session, 1, [Standing.INVITED, Standing.OVER]) == []


def test_the_end_of_a_game_drops_what_was_asked_in_it(store: Store) -> None:
    with store.transaction() as session:
        row = begin(session)
        questions.ask(session, Question(game_id=1, seat=0, kind=QuestionKind.RESIGN, asked_at=NOW))
        games.end(session, row, "0-1", resigned=0)
        assert questions.open_to(session, 1, 0, QuestionKind.RESIGN) == []
        assert (row.standing, row.score, row.resigned) == (Standing.OVER, "0-1", 0)


def test_questions_are_kept_apart_by_seat_and_kind_and_closed_one_by_one(store: Store) -> None:
    with store.transaction() as session:
        begin(session)
        for kind, words in ((QuestionKind.RESIGN, ""), (QuestionKind.HELD, "a"), (QuestionKind.HELD, "b")):
            questions.ask(session, Question(game_id=1, seat=0, kind=kind, words=words, asked_at=NOW))
        first, second = questions.open_to(session, 1, 0, QuestionKind.HELD)
        assert (first.words, second.words) == ("a", "b")
        questions.close(session, first)
        assert questions.open_to(session, 1, 0, QuestionKind.HELD) == [second]
        assert len(questions.open_to(session, 1, 0, QuestionKind.RESIGN)) == 1
        assert questions.open_to(session, 1, 1, QuestionKind.HELD) == []


def test_words_wait_until_a_letter_brings_them_and_are_not_doubled(store: Store) -> None:
    with store.transaction() as session:
        begin(session)
        for words in ("hello", "how are you?", "hello"):
            chat.say(session, 1, 0, words, NOW)
        assert list(chat.waiting(session, 1, 0)) == ["hello", "how are you?"]
        assert list(chat.waiting(session, 1, 1)) == []
        letter = OutboxRow(
            message_id="<1@x>", mail_from="", mail_to="", raw=b"", text="", due_at=NOW, created_at=NOW
        )
        chat.brought(session, 1, 0, outbox.add(session, letter))
        assert list(chat.waiting(session, 1, 0)) == []
        chat.say(session, 1, 0, "hello", NOW)
        assert list(chat.waiting(session, 1, 0)) == ["hello"]
