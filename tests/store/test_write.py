"""What `write` checks and stores besides the state: preconditions, letters, mails, and players who leave."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text
from sqlmodel import select

from takmail.games.interface import Seat
from takmail.pipeline.process import Conflict, Outcome
from takmail.store import dispatch, inbox
from takmail.store.tables import InboxRow, OutboxRow
from takmail.store.write import write
from takmail.world import events as ev
from takmail.world.ids import GameNumber, MessageId, PlayerId, QuestionId, SeekNumber
from takmail.world.kinds import LetterPurpose, LetterState, MailState, QuestionKind, Standing, TakenBackBy
from takmail.world.players import Seek
from takmail.world.questions import Question
from tests.store.scene import ADA, NOW, Scene, person, proposed, turn
from tests.support.databases import ON_POSTGRESQL

ONE = GameNumber(1)
HOUR = timedelta(hours=1)


@pytest.fixture
def game(scene: Scene) -> Scene:
    """Ada and Ben have begun a game."""
    return scene.joined("Ada", "Ben").begun()


def rows(scene: Scene, query: str) -> list[tuple[Any, ...]]:
    with scene.store.transaction() as session:
        return [tuple(row) for row in session.connection().execute(text(query))]


def letter_state(scene: Scene, message_id: str) -> str:
    with scene.store.transaction() as session:
        return session.exec(select(OutboxRow.state).where(OutboxRow.message_id == message_id)).one()


def everything(scene: Scene) -> list[tuple[Any, ...]]:
    tables = ("game", "turn", "offer", "chat", "question", "outbox", "seek", "player", "address", "inbox")
    return [row for table in tables for row in rows(scene, f"SELECT * FROM {table}")]


def collides(scene: Scene, outcome: Outcome) -> None:
    """Expect that storing an outcome raises Conflict and changes nothing."""
    before = everything(scene)
    with pytest.raises(Conflict), scene.store.transaction() as session:
        write(session, scene.snapshot(), outcome)
    assert everything(scene) == before


# What is no longer as it was loaded.


def test_a_game_that_has_gone_on_is_left_as_it_is(game: Scene) -> None:
    late, _ = game.outcome(turn(game.table(), "ps a1"), letters=[game.letter(Seat.FIRST)])
    game.played("ps b1")
    collides(game, late)


def test_of_two_games_neither_changes_if_one_has_gone_on(game: Scene) -> None:
    game.begun(2)
    first, second = (turn(game.table(number), "ps a1") for number in (1, 2))
    late, _ = game.outcome(first, second)
    game.played("ps b1", number=2)
    collides(game, late)


@pytest.mark.skipif(not ON_POSTGRESQL, reason="in SQLite nobody else can have written meanwhile")
def test_a_letter_that_shows_a_game_which_has_gone_on_is_a_conflict(game: Scene) -> None:
    late = game.letter(Seat.SECOND)
    game.do(letters=[game.letter(Seat.SECOND)])
    game.played("ps a1")
    collides(game, Outcome(letters=(late,)))
    # Where the outcome itself lets the game go on, its version is held against the base.
    game.do(turn(game.table(), "ps b1"), letters=[game.letter(Seat.FIRST)])


def a_seek(scene: Scene, number: int = 1) -> ev.SeekOpened:
    seek = Seek(SeekNumber(number), PlayerId(1), "tak", "5", None, None, False, scene.now)
    return ev.SeekOpened(seek=seek, is_repeated=False)


def joins(scene: Scene, number: int, seek: int = 1) -> ev.SeekJoined:
    record = proposed(number, (1, 2), scene.now, standing=Standing.OPEN, guest_label=None).record
    return ev.SeekJoined(
        game=record.number,
        record=record,
        seek=SeekNumber(seek),
        seat=Seat.SECOND,
        is_in_answer=True,
    )


def test_a_seek_is_joined_once(game: Scene) -> None:
    game.do(a_seek(game))
    late, _ = game.outcome(joins(game, 3))
    game.do(joins(game, 2))
    collides(game, late)


def test_a_seek_that_was_taken_back_is_not_joined(game: Scene) -> None:
    game.do(a_seek(game))
    late, _ = game.outcome(joins(game, 2))
    game.do(ev.SeeksClosed(numbers=(SeekNumber(1),)))
    collides(game, late)


@pytest.mark.parametrize(
    "again",
    [
        proposed(1, (1, 2), NOW),
        ev.PlayerJoined(player=person(2, "Fay")),
        ev.PlayerJoined(player=person(3, "Ben")),
        ev.PlayerNamed(player=PlayerId(2), name="ADA", skeleton="ada"),
        ev.AddressAdded(player=PlayerId(2), address=ADA),
        ev.AddressRemoved(player=PlayerId(2), address=ADA),
        ev.QuestionClosed(question=QuestionId(7)),
        ev.QuestionReplaced(question=QuestionId(7)),
        ev.SeeksClosed(numbers=(SeekNumber(7),)),
    ],
)
def test_what_another_one_has_done_meanwhile_is_a_conflict(game: Scene, again: ev.Event) -> None:
    late, _ = game.outcome(again)
    collides(game, late)


def a_question(scene: Scene, letter: str | None = None) -> Question:
    known = None if letter is None else MessageId(letter)
    return Question(
        QuestionId(-1), QuestionKind.HELD, scene.now, "ps a1", ONE, Seat.FIRST, 2, 0, letter=known
    )


def test_one_game_follows_on_another_until_it_is_declined(game: Scene) -> None:
    game.do(proposed(2, (1, 2), NOW, rematch_of=ONE))
    again = proposed(3, (1, 2), NOW, rematch_of=ONE)
    late, _ = game.outcome(again)
    collides(game, late)
    game.do(ev.InvitationDeclined(game=GameNumber(2), seat=Seat.SECOND), again)


def test_a_question_is_answered_once(game: Scene) -> None:
    game.do(ev.QuestionAsked(question=a_question(game)))
    (asked,) = game.table().questions
    late, _ = game.outcome(ev.QuestionClosed(question=asked.id), turn(game.table(), "ps a1"))
    game.do(ev.QuestionClosed(question=asked.id))
    collides(game, late)


def test_a_yes_that_ends_the_game_closes_its_question_though_the_end_closes_all(game: Scene) -> None:
    game.do(ev.ResignationAsked(question=replace(a_question(game), kind=QuestionKind.RESIGN)))
    (asked,) = game.table().questions
    ended = ev.GameEnded(game=ONE, resigned=Seat.FIRST)
    game.do(ended, ev.QuestionClosed(question=asked.id))
    assert rows(game, "SELECT count(*) FROM question") == [(0,)]


def test_a_question_may_be_replaced_and_closed_by_one_mail(game: Scene) -> None:
    game.do(ev.QuestionAsked(question=a_question(game)))
    (asked,) = game.table().questions
    game.do(
        ev.QuestionAsked(question=a_question(game)),
        ev.QuestionReplaced(question=asked.id),
        ev.QuestionClosed(question=asked.id),
        ev.QuestionReplaced(question=QuestionId(-1)),
    )
    assert rows(game, "SELECT is_replaced FROM question") == [(True,)]


# Where a mail ends.


def test_a_mail_ends_with_its_outcome(game: Scene) -> None:
    number = game.kept_mail()
    game.do(ev.NameChosen(name="Ada"), mail=number, claimed_by="a worker")
    with game.store.transaction() as session:
        row = session.get_one(InboxRow, number)
        assert (row.state, row.queue, row.claimed_by) == (MailState.ANSWERED, None, "")


@pytest.mark.parametrize("by", ["another worker", ""])
def test_a_mail_that_is_in_another_hand_is_left_to_it(game: Scene, by: str) -> None:
    number = game.kept_mail()
    before = everything(game)
    outcome, _ = game.outcome(turn(game.table(), "ps a1"), mail=number)
    with pytest.raises(inbox.ClaimLost), game.store.transaction() as session:
        write(session, game.snapshot(number), outcome, claimed_by=by)
    assert everything(game) == before


def test_a_mail_that_cost_too_much_is_marked(game: Scene) -> None:
    number = game.kept_mail()
    outcome = Outcome(state=MailState.SHUNTED, note="too deep", is_costly=True)
    with game.store.transaction() as session:
        write(session, game.snapshot(number), outcome, claimed_by="a worker")
    assert rows(game, "SELECT state, note FROM inbox WHERE is_costly") == [("shunted", "too deep")]


# Letters.


def test_a_letter_is_stored_with_all_that_it_shows(game: Scene) -> None:
    number = game.kept_mail()
    letter = game.letter(Seat.SECOND, reported_turn=1, html_text="html", drawings="{}", purge_after_send=True)
    game.do(letters=[letter], mail=number)
    (row,) = rows(
        game,
        "SELECT message_id, game_id, seat, version, turn, reported_turn, text, html_text, drawings, state, "
        "mail_id FROM outbox",
    )
    version = game.table().record.version
    assert row == (letter.message_id, 1, 1, version, 0, 1, letter.text, "html", "{}", "queued", number)


def test_a_letter_brings_the_words_that_it_names(game: Scene) -> None:
    game.do(*(ev.ChatQueued(game=ONE, seat=Seat.FIRST, words=one) for one in ("one", "two")))
    said = game.table().waiting_chat
    letter = game.letter(Seat.SECOND, chat_versions=(said[0].version,))
    stored(game, letter)
    assert [one.words for one in game.table().waiting_chat] == ["two"]
    assert game.table().last_chat == ("one", None)


def reload(scene: Scene) -> None:
    with scene.store.transaction() as session:
        scene.state = scene.load(session, scene.state)


def stored(scene: Scene, *letters: Any) -> None:
    """Store letters, which `evolve` ignores."""
    with scene.store.transaction() as session:
        write(session, scene.snapshot(), Outcome(letters=letters))
    reload(scene)


def test_words_that_another_letter_has_brought_are_a_conflict(game: Scene) -> None:
    game.do(ev.ChatQueued(game=ONE, seat=Seat.FIRST, words="hello"))
    brings = (game.table().waiting_chat[0].version,)
    stored(game, game.letter(Seat.SECOND, chat_versions=brings))
    collides(game, Outcome(letters=(game.letter(Seat.SECOND, chat_versions=brings),)))


def a_postponed_letter(game: Scene) -> Any:
    """A waiting letter with nothing but chat."""
    game.do(ev.ChatQueued(game=ONE, seat=Seat.FIRST, words="hello"))
    letter = game.letter(
        Seat.SECOND,
        chat_versions=(game.table().waiting_chat[0].version,),
        postpones_chat=True,
        purpose=LetterPurpose.CHAT,
        state=LetterState.POSTPONED,
        due_at=game.now + HOUR,
    )
    stored(game, letter)
    return letter


def test_words_in_a_letter_that_was_postponed_go_along_with_another_one(game: Scene) -> None:
    waits = a_postponed_letter(game)
    (said,) = game.table().waiting_chat
    assert (said.words, said.letter) == ("hello", waits.message_id)
    takes = game.letter(Seat.SECOND, chat_versions=(said.version,), replaces=(waits.message_id,))
    stored(game, takes)
    assert letter_state(game, waits.message_id) == LetterState.WITHDRAWN
    assert game.table().waiting_chat == ()
    assert game.table().last_chat[0] == "hello"


def test_a_letter_that_was_postponed_and_has_left_can_t_be_replaced(game: Scene) -> None:
    waits = a_postponed_letter(game)
    (said,) = game.table().waiting_chat
    takes = game.letter(Seat.SECOND, chat_versions=(said.version,), replaces=(waits.message_id,))
    with game.store.transaction() as session:
        session.connection().execute(text("UPDATE outbox SET state = 'sent'"))
    collides(game, Outcome(letters=(takes,)))


def a_reported_turn(game: Scene) -> Any:
    """A turn of Ada's with chat, and a waiting letter about it."""
    said = ev.ChatQueued(game=ONE, seat=Seat.FIRST, words="take that")
    game.do(turn(game.table(), "ps a1"), said)
    letter = game.letter(Seat.SECOND, reported_turn=1, chat_versions=(game.table().waiting_chat[0].version,))
    stored(game, letter)
    thread = game.table().threads[Seat.SECOND]
    assert (thread.reported_turn, thread.is_unclaimed, [one.words for one in thread.chat]) == (
        1,
        True,
        ["take that"],
    )
    return letter


def test_a_turn_is_taken_back_with_the_letter_that_tells_of_it(game: Scene) -> None:
    letter = a_reported_turn(game)
    game.do(ev.TurnsTakenBack(game=ONE, after=0, how=TakenBackBy.UNDO, cancelled_letter=letter.message_id))
    assert letter_state(game, letter.message_id) == LetterState.WITHDRAWN
    assert [one.words for one in game.table().waiting_chat] == ["take that"]
    assert game.table().threads[Seat.SECOND].last is None


@pytest.mark.parametrize("left", ["state = 'sent'", "claimed_by = 'a sender'"])
def test_a_turn_whose_letter_has_left_is_not_taken_back(game: Scene, left: str) -> None:
    letter = a_reported_turn(game)
    with game.store.transaction() as session:
        session.connection().execute(text(f"UPDATE outbox SET {left}"))
    late, _ = game.outcome(
        ev.TurnsTakenBack(game=ONE, after=0, how=TakenBackBy.UNDO, cancelled_letter=letter.message_id)
    )
    collides(game, late)


def test_a_question_knows_the_letter_that_asks_it(game: Scene) -> None:
    letter = game.letter(Seat.FIRST)
    game.do(ev.QuestionAsked(question=a_question(game, letter.message_id)), letters=[letter])
    (asked,) = game.table().questions
    assert asked.letter == letter.message_id
    assert rows(game, "SELECT letter_id FROM question") == rows(game, "SELECT id FROM outbox")


def test_resting_and_postponed_letters_are_released(game: Scene) -> None:
    states = (LetterState.RESTING, LetterState.BOUNCED, LetterState.POSTPONED, LetterState.POSTPONED)
    letters = [game.letter(Seat.FIRST, state=state, due_at=game.now + HOUR) for state in states]
    game.do(letters=letters)
    game.do(ev.LettersReleased(address=ADA, player=PlayerId(1), max_postponed=1))
    found = [letter_state(game, one.message_id) for one in letters]
    assert found == ["queued", "queued", "queued", "postponed"]


def test_letters_that_wait_for_an_address_are_put_to_rest(game: Scene) -> None:
    first, second = game.letter(Seat.FIRST), game.letter(Seat.SECOND)
    game.do(letters=[first, second])
    game.do(ev.LettersSuspended(address=ADA))
    assert [letter_state(game, one.message_id) for one in (first, second)] == ["resting", "queued"]


def test_letters_that_wait_for_a_seat_are_withdrawn(game: Scene) -> None:
    first, second = game.letter(Seat.FIRST), game.letter(Seat.SECOND)
    game.do(letters=[first, second])
    game.do(ev.InvitationDeclined(game=ONE, seat=Seat.FIRST), letters=[game.letter(Seat.FIRST)])
    assert [letter_state(game, one.message_id) for one in (first, second)] == ["withdrawn", "queued"]
    assert rows(game, "SELECT count(*) FROM outbox WHERE state = 'queued'") == [(2,)]


@pytest.mark.parametrize(("days", "state"), [(1, "bounced"), (None, "failed")])
def test_a_letter_that_came_back_goes_out_again_or_never(game: Scene, days: int | None, state: str) -> None:
    letter = game.letter(Seat.FIRST)
    game.do(letters=[letter])
    again = None if days is None else game.now + timedelta(days=days)
    game.do(
        ev.MailboxBounced(address=ADA, bounces_before=0),
        ev.LetterReturned(letter=letter.message_id, reason="full", retry_at=again),
    )
    assert rows(game, "SELECT state, error FROM outbox") == [(state, "full")]


@pytest.mark.parametrize("again", [True, False])
def test_a_letter_comes_back_once(game: Scene, *, again: bool) -> None:
    letter = game.letter(Seat.FIRST)
    game.do(letters=[letter])
    back = ev.LetterReturned(letter=letter.message_id, reason="full", retry_at=game.now + HOUR)
    late, _ = game.outcome(replace(back, retry_at=back.retry_at if again else None))
    game.do(ev.MailboxBounced(address=ADA, bounces_before=0), back)
    collides(game, late)


def test_a_letter_that_a_sender_has_claimed_is_not_sent_twice_for_resting_meanwhile(game: Scene) -> None:
    game.do(letters=[game.letter(Seat.FIRST)])
    assert len(claimed(game)) == 1
    game.do(ev.LettersSuspended(address=ADA))
    game.do(ev.LettersReleased(address=ADA, player=PlayerId(1), max_postponed=1))
    assert claimed(game) == []
    game.now += dispatch.LEASE
    assert len(claimed(game)) == 1


def test_a_letter_that_could_not_leave_before_it_rested_leaves_at_once_when_it_wakes(game: Scene) -> None:
    game.do(letters=[game.letter(Seat.FIRST)])
    (letter,) = claimed(game)
    with game.store.transaction() as session:
        dispatch.later(session, letter.id, game.now + HOUR, 1, "not now")
    game.do(ev.LettersSuspended(address=ADA))
    game.do(ev.LettersReleased(address=ADA, player=PlayerId(1), max_postponed=1))
    assert len(claimed(game)) == 1


def claimed(scene: Scene) -> list[dispatch.Claimed]:
    with scene.store.transaction() as session:
        return dispatch.claim(session, scene.now)


def test_what_a_mail_asks_is_asked_no_more_once_it_takes_a_turn_back(game: Scene) -> None:
    letter = a_reported_turn(game)
    back = ev.TurnsTakenBack(game=ONE, after=0, how=TakenBackBy.UNDO, cancelled_letter=letter.message_id)
    game.do(ev.QuestionAsked(question=a_question(game)), back)
    assert game.table().questions == ()
    assert rows(game, "SELECT count(*) FROM question") == [(0,)]


# Letters that the process of the mail sends itself.


def handed_over(game: Scene, *letters: Any) -> list[str]:
    """Store letters for a process that sends them, and return the Message-IDs of those that it has claimed thereby."""
    with game.store.transaction() as session:
        claimed = write(session, game.snapshot(), Outcome(letters=letters), sent_by="serve 1")
    with game.store.transaction() as session:
        for one in claimed:
            row = session.get_one(OutboxRow, one.id)
            assert (row.claimed_by, row.due_at) == ("serve 1", game.now + dispatch.LEASE)
            assert (one.raw, one.mail_from, one.mail_to) == (row.raw, row.mail_from, row.mail_to)
            assert (one.message_id, one.drawings) == (row.message_id, row.drawings)
            assert (one.game_id, one.reported_turn) == (row.game_id, row.reported_turn)
    return [one.message_id for one in claimed]


def test_a_letter_that_may_leave_is_claimed_by_the_process_that_sends_it(game: Scene) -> None:
    to_ada, to_ben = game.letter(Seat.FIRST), game.letter(Seat.SECOND)
    assert handed_over(game, to_ada, to_ben) == [to_ada.message_id, to_ben.message_id]
    with game.store.transaction() as session:
        assert dispatch.claim(session, game.now, "serve 2", most=9) == []


def test_a_second_letter_to_a_recipient_waits_until_the_first_has_left(game: Scene) -> None:
    first, second, third = (game.letter(Seat.SECOND) for _ in range(3))
    assert handed_over(game, first, second) == [first.message_id]
    assert handed_over(game, third) == []
    with game.store.transaction() as session:
        sent = session.exec(select(OutboxRow.id).where(OutboxRow.message_id == first.message_id)).one()
        assert sent is not None
        dispatch.sent(session, [sent])
        assert [one.message_id for one in dispatch.claim(session, game.now, most=9)] == [second.message_id]


@pytest.mark.parametrize(
    "later",
    [{"state": LetterState.POSTPONED}, {"state": LetterState.RESTING}, {"due_at": NOW + timedelta(days=1)}],
)
def test_a_letter_that_may_not_leave_yet_is_not_claimed(game: Scene, later: dict[str, Any]) -> None:
    assert handed_over(game, replace(game.letter(Seat.SECOND), **later)) == []


def test_a_letter_of_a_process_that_has_ended_is_sent_by_another(game: Scene) -> None:
    letter = game.letter(Seat.SECOND)
    handed_over(game, letter)
    with game.store.transaction() as session:
        dispatch.release(session, game.now, "serve 1")
        assert [one.message_id for one in dispatch.claim(session, game.now, "serve 2")] == [letter.message_id]
