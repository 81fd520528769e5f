"""What two players agree on: a draw, a move taken back, and every order in which they can write about it."""

from datetime import timedelta

import hypothesis
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlmodel import select

from takmail.commands.kinds import LetterState, Standing
from takmail.store import leaving, outbox
from takmail.store.tables import OutboxRow, Question, TurnRow
from tests.support import databases, rows
from tests.support.harness import ADA, BEN, Harness, Received, said, turns

_ADA, _BEN = f"Ada <{ADA}>", f"Ben <{BEN}>"


@pytest.fixture
def middle(harness: Harness) -> Harness:
    """Ada and Ben have played two turns, and Ada is to move; every letter has left."""
    harness.begin()
    harness.play("ps a1", "ps e5")
    leave(harness)
    return harness


def leave(harness: Harness) -> list[int]:
    """All that may leave leaves; gives the letters that did."""
    left = []
    with harness.store.transaction() as session:
        while claimed := [one.id for one in leaving.claim(session, harness.now + timedelta(days=1))]:
            leaving.sent(session, claimed)
            left += claimed
    return left


def ada(harness: Harness, text: str) -> list[Received]:
    return harness.send(_ADA, text, harness.last(ADA))


def ben(harness: Harness, text: str) -> list[Received]:
    return harness.send(_BEN, text, harness.last(BEN))


def standing(harness: Harness) -> tuple[str, str | None, str | None]:
    with harness.store.transaction() as session:
        game = rows.game(session)
        return str(game.standing), game.score, game.ruling


def test_a_draw_that_is_offered_and_agreed_to_ends_the_game(middle: Harness) -> None:
    answer, news = ada(middle, "draw")
    assert "Ben hears that you offer a draw" in said(answer)
    assert "Ada offers a draw" in said(news)
    answer, news = ben(middle, "agree")
    for letter in (answer, news):
        assert "The game is a draw, as both have agreed" in said(letter)
        assert "Result: 1/2-1/2" in said(letter)
        assert "after 1 game: you have 0 points" in said(letter)
        assert "1 was a draw" in said(letter)
    assert standing(middle) == ("over", "1/2-1/2", "agreed")


def test_two_who_both_offer_a_draw_agree(middle: Harness) -> None:
    ada(middle, "draw")
    ben(middle, "Well,\ndraw")
    assert standing(middle)[0] == "over"


def test_a_draw_offered_on_an_older_board_is_no_agreement(middle: Harness) -> None:
    older = middle.last(BEN)
    ada(middle, "draw\nps c3")
    middle.send(_BEN, "draw", older)
    assert standing(middle)[0] == "open"
    ada(middle, "agree")
    assert standing(middle)[0] == "over"


def test_an_offer_is_told_in_every_letter_until_it_is_answered(middle: Harness) -> None:
    ada(middle, "draw")
    (letter,) = ben(middle, "rs")
    assert 'Ada offers a draw: write "agree" or "refuse"' in said(letter)
    (letter,) = ada(middle, "rs")
    assert "You offer a draw: Ben has not answered yet" in said(letter)


def test_an_offer_is_made_once(middle: Harness) -> None:
    ada(middle, "draw")
    (answer,) = ada(middle, "draw")
    assert "you have offered a draw already" in said(answer)


def test_a_refusal_and_a_withdrawal_are_told(middle: Harness) -> None:
    ada(middle, "draw")
    _, news = ben(middle, "refuse")
    assert "Ben does not want a draw" in said(news)
    ada(middle, "draw")
    _, news = ada(middle, "withdraw")
    assert "Ada offers a draw no more" in said(news)
    assert standing(middle)[0] == "open"


@pytest.mark.parametrize(
    ("before", "why"),
    [
        ((), "Ada has offered nothing"),
        (("ada draw", "ada withdraw"), "Ada has taken the offer back"),
        (("ada draw", "ben refuse"), "you have refused"),
        (("ada draw", "ada ps c3", "ben ps c4"), "lapsed, as the game has gone on since"),
        (("ben draw",), "this is your own offer"),
    ],
)
def test_agreeing_to_nothing_is_told_why(middle: Harness, before: tuple[str, ...], why: str) -> None:
    for step in before:
        who, _, text = step.partition(" ")
        (ada if who == "ada" else ben)(middle, text)
    (answer,) = ben(middle, "agree")
    assert why in said(answer)
    assert standing(middle)[0] == "open"


def test_an_offer_outlasts_the_move_of_its_maker(middle: Harness) -> None:
    ada(middle, "draw\nps c3")
    ben(middle, "agree")
    assert standing(middle)[0] == "over"


def test_only_a_letter_that_can_have_told_of_the_offer_is_agreed_with(middle: Harness) -> None:
    older = middle.last(BEN)
    ada(middle, "draw")
    (answer,) = middle.send(_BEN, "agree", older)
    assert "the letter that you answered is older than this offer" in said(answer)
    assert standing(middle)[0] == "open"
    ben(middle, "agree")
    assert standing(middle)[0] == "over"


@pytest.mark.parametrize("word", ["yes", "ok", "Yes!", "accept", "no", "decline"])
def test_other_words_for_it_change_nothing_and_are_answered_with_the_right_one(
    middle: Harness, word: str
) -> None:
    ada(middle, "draw")
    ben(middle, word)
    assert 'To take it, write "agree"; to turn it down, "refuse"' in said(middle.last(BEN))
    assert standing(middle)[0] == "open"


def test_a_yes_to_an_offer_gives_no_game_up(middle: Harness) -> None:
    ben(middle, "resign")
    asked = middle.last(BEN)
    ada(middle, "draw")
    assert middle.last(BEN).id != asked.id
    ben(middle, "yes")
    assert standing(middle)[0] == "open"


def test_a_move_cancels_what_was_asked_about_giving_up(middle: Harness) -> None:
    ben(middle, "resign")
    asked = middle.last(BEN)
    ada(middle, "ps c3")
    middle.send(_BEN, "yes", asked)
    assert standing(middle)[0] == "open"


def test_a_move_whose_letter_has_not_left_is_taken_back_at_once(middle: Harness) -> None:
    ada(middle, "ps c3\n\nWatch this.")
    unsent = middle.last(BEN)
    (answer,) = ada(middle, "undo")
    assert "turn 3 (ps c3) is taken back" in said(answer)
    assert "It is your turn" in said(answer)
    assert turns(middle) == ["ps a1", "ps e5"]
    _, news = ada(middle, "ps d3")
    assert "  | Watch this." in news.text
    assert unsent.id not in str(news.mail["References"]) + str(news.mail["In-Reply-To"])
    with middle.store.transaction() as session:
        row = session.exec(select(OutboxRow).where(OutboxRow.message_id == unsent.id)).one()
        assert row.state == LetterState.WITHDRAWN
        assert row.id not in [one.id for one in outbox.unsent(session, 1)]
        number = row.id
    assert number not in leave(middle)


@pytest.mark.parametrize("state", ["sent", "in hand", "tried before"])
def test_a_move_whose_letter_may_have_left_is_taken_back_with_leave_only(middle: Harness, state: str) -> None:
    leave(middle)
    ada(middle, "ps c3")
    with middle.store.transaction() as session:
        for row in session.exec(select(OutboxRow).where(OutboxRow.state == LetterState.QUEUED)):
            row.claimed_by = "serve"
            row.state = LetterState.SENT if state == "sent" else LetterState.QUEUED
            row.error = "timed out" if state == "tried before" else ""
    _, news = ada(middle, "undo")
    assert "Ada would like to take turn 3 back" in said(news)
    assert turns(middle) == ["ps a1", "ps e5", "ps c3"]
    answer, news = ben(middle, "agree")
    assert "turn 3 (ps c3) is taken back" in said(answer)
    assert "your turn 3 (ps c3) is taken back, and you play another one" in said(news)
    assert turns(middle) == ["ps a1", "ps e5"]
    (log,) = ada(middle, "log")
    assert "3. Ada: ps c3 (taken back)" in said(log)


def test_a_letter_after_the_one_with_the_move_makes_it_a_question(middle: Harness) -> None:
    ada(middle, "ps c3")
    ada(middle, "What do you say to that?")
    ada(middle, "undo")
    assert turns(middle) == ["ps a1", "ps e5", "ps c3"]


def test_a_move_and_its_undo_in_one_mail_tell_the_opponent_nothing(middle: Harness) -> None:
    (answer,) = ada(middle, "ps c3\ndraw\nundo")
    assert "turn 3 (ps c3) is taken back" in said(answer)
    assert turns(middle) == ["ps a1", "ps e5"]
    (letter,) = ben(middle, "agree")
    assert "Not done" in said(letter)


def test_what_was_answered_stands(middle: Harness) -> None:
    (answer,) = ada(middle, "undo")
    assert "the last turn is Ben's" in said(answer)
    assert turns(middle) == ["ps a1", "ps e5"]


def test_before_the_first_turn_there_is_nothing_to_take_back(harness: Harness) -> None:
    harness.begin()
    (answer,) = ada(harness, "undo")
    assert "no turn has been played yet" in said(answer)


def test_a_move_that_has_ended_the_game_stands(harness: Harness) -> None:
    harness.begin("3")
    harness.play("ps c3", "ps a1", "ps b1", "ps b3", "ps c1")
    assert standing(harness)[0] == "over"
    (answer,) = ada(harness, "undo")
    assert "a move that has ended it stands" in said(answer)
    assert len(turns(harness)) == 5


def test_a_move_lets_the_question_drop(middle: Harness) -> None:
    ada(middle, "ps c3")
    leave(middle)
    ada(middle, "undo")
    ben(middle, "ps c4")
    (answer,) = ben(middle, "agree")
    assert "lapsed" in said(answer)
    assert turns(middle) == ["ps a1", "ps e5", "ps c3", "ps c4"]


def test_two_offers_at_once_are_told_apart(middle: Harness) -> None:
    ada(middle, "ps c3")
    leave(middle)
    ada(middle, "draw\nundo")
    (answer,) = ben(middle, "agree")
    assert 'Write "agree draw" or "agree undo"' in said(answer)
    ben(middle, "refuse draw")
    ben(middle, "Agree undo.")
    assert turns(middle) == ["ps a1", "ps e5"]
    assert standing(middle)[0] == "open"


def test_an_answer_to_a_letter_with_the_board_that_is_gone_plays_nothing(middle: Harness) -> None:
    ada(middle, "ps c3")
    leave(middle)
    gone = middle.last(BEN)
    ada(middle, "undo")
    ben(middle, "agree")
    ada(middle, "ps d3")
    letters = middle.send(_BEN, "ps c4", gone)
    assert "shows a board that is no more" in said(letters[0])
    assert turns(middle) == ["ps a1", "ps e5", "ps d3"]
    ben(middle, "ps c4")
    assert turns(middle)[-1] == "ps c4"


def test_what_was_asked_drops_with_the_move(middle: Harness) -> None:
    ada(middle, "ps c3")
    leave(middle)
    ben(middle, "resign")
    middle.send(_BEN, "#1 ps c4")
    ada(middle, "undo")
    ben(middle, "agree")
    with middle.store.transaction() as session:
        assert session.exec(select(Question)).all() == []


def test_without_proof_nothing_is_offered_or_agreed_to(middle: Harness) -> None:
    middle.send(_ADA, "#1 draw")
    assert "offers a draw" not in said(middle.last(BEN))
    ada(middle, "draw")
    middle.send(_BEN, "#1 agree")
    assert standing(middle)[0] == "open"


def test_a_word_with_more_behind_it_is_chat(middle: Harness) -> None:
    _, news = ada(middle, "agree with you there\ndraw your sword")
    assert "  | agree with you there" in news.text
    (answer,) = ada(middle, "/refuse everything")
    assert '"refuse" stands alone' in said(answer)


WORDS = ("draw", "undo", "agree", "agree undo", "agree draw", "refuse", "withdraw", "move", "yes", "left")
STEPS = st.lists(
    st.tuples(st.sampled_from("ab"), st.sampled_from(WORDS), st.sampled_from((0, 0, 1))), max_size=14
)


def logged(harness: Harness) -> list[tuple[int, str]]:
    """Every turn that was ever played, taken back or not."""
    with harness.store.transaction() as session:
        gone = [(one.number, one.text) for one in rows.taken_back(session)]
        return sorted([*gone, *((one.number, one.text) for one in rows.turns(session))])


@hypothesis.seed(20261121)
@settings(
    max_examples=40, deadline=None, database=None, suppress_health_check=list(HealthCheck), print_blob=True
)
@given(STEPS)
def test_no_order_of_words_loses_a_turn_or_takes_one_back_alone(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, str, int]]
) -> None:
    store = databases.passing(tmp_path_factory.mktemp("steps"))
    harness = Harness(store)
    harness.begin()
    squares = (f"ps {column}{row}" for row in range(1, 6) for column in "abcde")
    played = 0
    for who, word, late in steps:
        sender, reader = (_ADA, ADA) if who == "a" else (_BEN, BEN)
        if word == "left":
            leave(harness)
            continue
        letters = [one for one in harness.box if one.to == reader and one.subject.startswith("[tak #1]")]
        before, log = turns(harness), logged(harness)
        with store.transaction() as session:
            told = [row for row in session.exec(select(OutboxRow)) if row.turn == len(before)]
            has_left = bool(told) and max(told, key=lambda row: row.id or 0).state == LetterState.SENT
        harness.send(
            sender, next(squares) if word == "move" else word, letters[-1 - min(late, len(letters) - 1)]
        )
        after = turns(harness)
        played += len(after) > len(before)
        assert len(logged(harness)) == len(log) + (len(after) > len(before))
        assert len(logged(harness)) == played
        if len(after) < len(before):
            assert after == before[:-1]
            assert word.startswith(("agree", "undo"))
            # Alone one takes back only what the other one can't have read.
            assert word != "undo" or not has_left
    with store.transaction() as session:
        assert harness.table().result is None or rows.game(session).standing == Standing.OVER
        stored = [(one.number, one.text) for one in session.exec(select(TurnRow))]
        assert stored == [(one.number, one.text) for one in rows.turns(session)]
    if standing(harness)[0] == "open":
        count = len(turns(harness))
        sender, reader = (_ADA, ADA) if count % 2 == 0 else (_BEN, BEN)
        harness.send(sender, "rs", harness.last(reader))
        harness.send(sender, next(squares), harness.last(reader))
        assert len(turns(harness)) == count + 1
    store.close()
