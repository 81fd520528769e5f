"""What `write` checks and stores besides the world: preconditions, letters, and mails."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text
from sqlmodel import select, update

from takmail.games.interface import Seat
from takmail.pipeline.process import Conflict, Outcome
from takmail.store import dispatch, inbox
from takmail.store.tables import InboxRow, OutboxRow
from takmail.store.write import write
from takmail.world import operations as ops
from takmail.world.kinds import (
    DeliveryClass,
    GameNumber,
    LetterPurpose,
    LetterState,
    MailState,
    MessageId,
    PendingId,
    PlayerId,
    SeekNumber,
)
from takmail.world.pace import NO_TIMING, TimeOff
from takmail.world.pending import Pending
from takmail.world.players import Mailbox, Seek
from takmail.world.waiting import PendingKind
from tests.store.scene import (
    ADA,
    NOW,
    Change,
    Decided,
    Scene,
    ended,
    of_game,
    of_player,
    person,
    put,
    said,
    turn,
    without_questions,
    without_seek,
)
from tests.store.scene import (
    game as a_game,
)
from tests.support.databases import ON_POSTGRESQL
from tests.support.rows import new_letter

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
    tables = ("game", "turn", "pending", "chat", "outbox", "seek", "player", "address", "inbox")
    return [row for table in tables for row in rows(scene, f"SELECT * FROM {table}")]


def collides(scene: Scene, late: Decided) -> None:
    """Expect that storing what was decided raises Conflict and changes nothing."""
    before = everything(scene)
    with pytest.raises(Conflict), scene.store.transaction() as session:
        write(session, *late)
    assert everything(scene) == before


# What is no longer as it was loaded.


def test_a_game_that_has_gone_on_is_left_as_it_is(game: Scene) -> None:
    late = game.decided(turn("ps a1"), letters=[game.letter(Seat.FIRST)])
    game.played("ps b1")
    collides(game, late)


def test_time_off_that_two_processes_change_at_once_is_not_lost(game: Scene) -> None:
    late = game.decided(of_player(1, time_off=(TimeOff(NOW, NOW + timedelta(days=1)),)))
    game.do(of_player(1, time_off=(TimeOff(NOW, NOW + timedelta(days=2)),)))
    collides(game, late)


def test_of_two_games_neither_changes_if_one_has_gone_on(game: Scene) -> None:
    game.begun(2)
    late = game.decided(turn("ps a1"), turn("ps a1", 2))
    game.played("ps b1", number=2)
    collides(game, late)


@pytest.mark.skipif(not ON_POSTGRESQL, reason="in SQLite nobody else can have written meanwhile")
def test_a_letter_that_shows_a_game_which_has_gone_on_is_a_conflict(game: Scene) -> None:
    late = game.decided(letters=[game.letter(Seat.SECOND)])
    game.do(letters=[game.letter(Seat.SECOND)])
    game.played("ps a1")
    collides(game, late)
    # Where the outcome itself lets the game go on, its version is held against the base.
    game.do(turn("ps b1"), letters=[game.letter(Seat.FIRST)])


SEEK = Seek(SeekNumber(1), PlayerId(1), "tak", "5", None, NO_TIMING, False, NOW)
ASKED = Pending(PendingId(-1), PendingKind.HELD, NOW, "ps a1", ONE, Seat.FIRST, 2, 0)


def with_address(number: int, address: str) -> Change:
    """Give an address to a player."""

    def change(world: Any) -> Any:
        return put(world.player(PlayerId(number)).with_mailbox(Mailbox(address, added_at=NOW)))(world)

    return change


def bounced(world: Any) -> Any:
    ada = world.player(PlayerId(1))
    (box,) = ada.mailboxes
    return put(ada.with_mailbox(replace(box, bounces=box.bounces + 1)))(world)


AT_ONCE = [
    (turn("ps a1"), turn("ps a1")),
    (turn("ps a1"), of_game(pending=())),
    (a_game(2), a_game(2)),
    (a_game(2, rematch_of=ONE), a_game(3, rematch_of=ONE)),
    (without_seek(1), without_seek(1)),
    (lambda world: a_game(2)(without_seek(1)(world)), lambda world: a_game(3)(without_seek(1)(world))),
    (put(person(3, "Fay")), put(person(3, "Dan"))),
    (put(person(3, "Fay")), put(person(4, "Fay"))),
    (of_player(1, skeleton="fay"), of_player(2, skeleton="fay")),
    (with_address(1, "fay@example.org"), with_address(2, "fay@example.org")),
    (of_player(1, mailboxes=()), of_player(1, mailboxes=())),
    (of_player(1, mailboxes=()), bounced),
    (bounced, bounced),
    (of_player(1, blocked=frozenset({PlayerId(2)})),) * 2,
    (without_questions(), without_questions()),
    (ended(), without_questions()),
]
"""Changes that exclude each other."""


@pytest.mark.parametrize(("first", "second"), AT_ONCE)
def test_of_two_changes_that_exclude_each_other_the_second_is_a_conflict(
    game: Scene, first: Change, second: Change
) -> None:
    game.do(put(SEEK, ASKED))
    late = game.decided(second)
    game.do(first)
    collides(game, late)


# Where a mail ends.


def test_a_mail_ends_with_its_outcome(game: Scene) -> None:
    number = game.kept_mail()
    game.do(mail=number, claimed_by="a worker")
    with game.store.transaction() as session:
        row = session.get_one(InboxRow, number)
        assert (row.state, row.queue, row.claimed_by) == (MailState.ANSWERED, None, "")


@pytest.mark.parametrize("by", ["another worker", ""])
def test_a_mail_that_is_in_another_hand_is_left_to_it(game: Scene, by: str) -> None:
    number = game.kept_mail()
    before = everything(game)
    outcome = game.decided(turn("ps a1"), mail=number)
    with pytest.raises(inbox.ClaimLost), game.store.transaction() as session:
        write(session, *outcome, claimed_by=by)
    assert everything(game) == before


def test_a_mail_that_cost_too_much_is_marked(game: Scene) -> None:
    number = game.kept_mail()
    outcome = Outcome(world=game.state, state=MailState.SHUNTED, note="too deep", is_costly=True)
    with game.store.transaction() as session:
        write(session, game.snapshot(number), outcome, claimed_by="a worker")
    assert rows(game, "SELECT state, note FROM inbox WHERE is_costly") == [("shunted", "too deep")]


# Letters.


def test_a_letter_is_stored_with_all_that_it_shows(game: Scene) -> None:
    number = game.kept_mail()
    letter = game.letter(
        Seat.SECOND, about=game.about(Seat.SECOND, reported_turn=1), html="html", drawings="{}"
    )
    game.do(letters=[letter], mail=number)
    (row,) = rows(
        game,
        "SELECT message_id, game_id, seat, version, turn, reported_turn, text, html_text, drawings, state, "
        "mail_id FROM outbox",
    )
    version = game.table().record.version
    assert row == (
        letter.message_id,
        1,
        1,
        version,
        0,
        1,
        letter.content.text,
        "html",
        "{}",
        "queued",
        number,
    )


def test_a_question_in_a_letter_that_is_not_stored_is_not_stored_either(game: Scene) -> None:
    """Nobody could answer it, and the commands that wait for the answer would be lost."""
    before = everything(game)
    asked = Pending(
        PendingId(-1), PendingKind.COMMANDS, NOW, "seeks", address=ADA, letter=MessageId("<nowhere@x>")
    )
    with pytest.raises(KeyError, match="nowhere"), game.store.transaction() as session:
        write(session, *game.decided(put(asked)))
    assert everything(game) == before


def test_words_that_another_letter_has_brought_are_a_conflict(game: Scene) -> None:
    game.do(said("hello"))
    brings = game.table().correspondence.waiting_chat
    game.do(letters=[game.letter(Seat.SECOND, chat=brings)])
    collides(game, game.decided(letters=[game.letter(Seat.SECOND, chat=brings)]))


def a_postponed_letter(game: Scene) -> Any:
    """A waiting letter with nothing but chat."""
    game.do(said("hello"))
    letter = game.letter(
        Seat.SECOND,
        chat=game.table().correspondence.waiting_chat,
        purpose=LetterPurpose.CHAT,
        state=LetterState.POSTPONED,
        due_at=game.now + HOUR,
    )
    game.do(letters=[letter])
    return letter


def test_words_in_a_letter_that_was_postponed_go_along_with_another_one(game: Scene) -> None:
    waits = a_postponed_letter(game)
    (waiting,) = game.table().correspondence.waiting_chat
    assert (waiting.words, waiting.letter) == ("hello", waits.message_id)
    takes = game.letter(Seat.SECOND, chat=(waiting,))
    game.do(letters=[takes])
    assert letter_state(game, waits.message_id) == LetterState.WITHDRAWN
    assert game.table().correspondence.waiting_chat == ()
    assert game.table().correspondence.last_chat[0] == "hello"


def test_a_letter_that_was_postponed_and_has_left_can_t_be_replaced(game: Scene) -> None:
    a_postponed_letter(game)
    takes = game.letter(Seat.SECOND, chat=game.table().correspondence.waiting_chat)
    with game.store.transaction() as session:
        session.connection().execute(text("UPDATE outbox SET state = 'sent'"))
    collides(game, game.decided(letters=[takes]))


def a_reported_turn(game: Scene) -> Any:
    """A turn of Ada's with chat, and a waiting letter about it."""
    game.do(turn("ps a1"), said("take that"))
    letter = game.letter(
        Seat.SECOND,
        about=game.about(Seat.SECOND, reported_turn=1),
        chat=game.table().correspondence.waiting_chat,
    )
    game.do(letters=[letter])
    thread = game.table().correspondence.threads[Seat.SECOND]
    assert (thread.reported_turn, thread.is_unclaimed, [one.words for one in thread.chat]) == (
        1,
        True,
        ["take that"],
    )
    return letter


def taken_back(letter: Any) -> Change:
    """Withdraw the letter about a turn, which is taken back."""
    return put(ops.WithdrawLetter(letter=letter.message_id))


@pytest.mark.parametrize("left", ["state = 'sent'", "claimed_by = 'a sender'"])
def test_a_turn_whose_letter_has_left_is_not_taken_back(game: Scene, left: str) -> None:
    letter = a_reported_turn(game)
    with game.store.transaction() as session:
        session.connection().execute(text(f"UPDATE outbox SET {left}"))
    collides(game, game.decided(taken_back(letter)))


RELEASED = put(ops.ReleaseLetters(address=ADA, player=PlayerId(1), max_postponed=1))


def test_resting_and_postponed_letters_are_released(game: Scene) -> None:
    states = (LetterState.RESTING, LetterState.BOUNCED, LetterState.POSTPONED, LetterState.POSTPONED)
    letters = [game.letter(Seat.FIRST, state=state, due_at=game.now + HOUR) for state in states]
    game.do(letters=letters)
    game.do(RELEASED)
    found = [letter_state(game, one.message_id) for one in letters]
    assert found == ["queued", "queued", "queued", "postponed"]


def test_letters_that_wait_for_a_seat_are_withdrawn(game: Scene) -> None:
    first, second = game.letter(Seat.FIRST), game.letter(Seat.SECOND)
    game.do(letters=[first, second])
    game.do(put(ops.WithdrawToSeat(game=ONE, seat=Seat.FIRST)), letters=[game.letter(Seat.FIRST)])
    assert [letter_state(game, one.message_id) for one in (first, second)] == ["withdrawn", "queued"]
    assert rows(game, "SELECT count(*) FROM outbox WHERE state = 'queued'") == [(2,)]


@pytest.mark.parametrize("seats", [(1, 2), (2, 1)])
def test_letters_that_wait_for_a_seat_of_another_game_stay(game: Scene, seats: tuple[int, int]) -> None:
    letter = game.begun(2, seats).letter(Seat.FIRST, number=2)
    game.do(letters=[letter])
    game.do(put(ops.WithdrawToSeat(game=ONE, seat=Seat.FIRST)))
    assert letter_state(game, letter.message_id) == "queued"


@pytest.mark.parametrize(
    ("state", "claimed_by", "after"),
    [
        (LetterState.QUEUED, "serve 1", "queued"),
        (LetterState.SENT, "serve 1", "sent"),
        (LetterState.GATHERED, "", "gathered"),
        (LetterState.PIECE, "", "piece"),
        (LetterState.HELD, "", "withdrawn"),
        (LetterState.BOUNCED, "serve 1", "withdrawn"),
    ],
)
def test_a_letter_to_a_seat_is_withdrawn_unless_it_may_have_left_or_was_told(
    game: Scene, state: LetterState, claimed_by: str, after: str
) -> None:
    letter = game.letter(Seat.FIRST)
    game.do(letters=[letter])
    with game.store.transaction() as session:
        session.exec(update(OutboxRow).values(state=state, claimed_by=claimed_by))
    game.do(put(ops.WithdrawToSeat(game=ONE, seat=Seat.FIRST)))
    assert letter_state(game, letter.message_id) == after


def test_letters_to_one_address_rest_and_leave_again_without_those_to_others(game: Scene) -> None:
    to_ada, to_ben = game.letter(Seat.FIRST), game.letter(Seat.SECOND)
    rests = game.letter(Seat.SECOND, state=LetterState.RESTING)
    late = game.letter(Seat.SECOND, state=LetterState.POSTPONED, due_at=game.now + HOUR)
    game.do(letters=[to_ada, to_ben, rests, late])
    letters = [one.message_id for one in (to_ada, to_ben, rests, late)]
    game.do(put(ops.SuspendLetters(address=ADA)))
    assert [letter_state(game, one) for one in letters] == ["resting", "queued", "resting", "postponed"]
    game.do(RELEASED)
    assert [letter_state(game, one) for one in letters] == ["queued", "queued", "resting", "postponed"]


@pytest.mark.parametrize("state", ["sent", "failed", "withdrawn", "held", "gathered", "piece"])
def test_what_does_not_wait_to_leave_does_not_rest(game: Scene, state: str) -> None:
    letter = game.letter(Seat.FIRST, state=LetterState(state))
    game.do(letters=[letter])
    game.do(put(ops.SuspendLetters(address=ADA)), RELEASED)
    assert letter_state(game, letter.message_id) == state


@pytest.mark.parametrize(
    "values",
    [
        {"purpose": LetterPurpose.CHAT},
        {"due_at": NOW + timedelta(minutes=5)},
        {"state": LetterState.QUEUED},
    ],
)
def test_only_what_waits_long_and_is_more_than_words_leaves_before_its_time(
    game: Scene, values: dict[str, Any]
) -> None:
    letter = game.letter(
        Seat.FIRST, **{"state": LetterState.POSTPONED, "due_at": game.now + 2 * HOUR, **values}
    )
    game.do(letters=[letter])
    game.do(RELEASED)
    assert rows(game, "SELECT state FROM outbox") == [(letter.state.value,)]
    with game.store.transaction() as session:
        assert session.exec(select(OutboxRow.due_at)).one() == letter.due_at


def test_of_two_letters_one_comes_back(game: Scene) -> None:
    letter, other = game.letter(Seat.FIRST), game.letter(Seat.FIRST)
    game.do(letters=[letter, other])
    game.do(put(ops.ReturnLetter(letter=letter.message_id, reason="full", retry_at=None)))
    assert [letter_state(game, one.message_id) for one in (letter, other)] == ["failed", "queued"]


def test_seats_are_swapped_in_one_game(game: Scene) -> None:
    game.begun(2)
    game.do(
        said("hello"), said("hello", number=2), letters=[game.letter(Seat.FIRST, number=it) for it in (1, 2)]
    )
    game.do(put(ops.SwapSeats(game=ONE)))
    for table in ("outbox", "chat"):
        assert rows(game, f"SELECT game_id, seat FROM {table} ORDER BY game_id") == [(1, 1), (2, 0)]


@pytest.mark.parametrize(
    ("drop", "left"),
    [
        (ops.DropChat(player=PlayerId(1)), ["Ben to Ada", "Ben to Cy"]),
        (ops.DropChat(player=PlayerId(1), reader=PlayerId(2)), ["Ada to Cy", "Ben to Ada", "Ben to Cy"]),
    ],
)
def test_words_are_dropped_of_one_player_and_to_one_reader(
    game: Scene, drop: ops.DropChat, left: list[str]
) -> None:
    game.joined("Cy").begun(2, (3, 1)).begun(3, (3, 2))
    game.do(said("in a letter"))
    game.do(letters=[game.letter(Seat.SECOND, chat=game.table().correspondence.waiting_chat)])
    game.do(
        said("Ada to Ben"),
        said("Ben to Ada", Seat.SECOND),
        said("Ada to Cy", Seat.SECOND, number=2),
        said("Ben to Cy", Seat.SECOND, number=3),
    )
    with game.store.transaction() as session:
        write(session, *game.decided(put(drop)))
    assert rows(game, "SELECT words FROM chat ORDER BY words") == [(it,) for it in [*left, "in a letter"]]


@pytest.mark.parametrize(("days", "state"), [(1, "bounced"), (None, "failed")])
def test_a_letter_that_came_back_goes_out_again_or_never(game: Scene, days: int | None, state: str) -> None:
    letter = game.letter(Seat.FIRST)
    game.do(letters=[letter])
    again = None if days is None else game.now + timedelta(days=days)
    game.do(put(ops.ReturnLetter(letter=letter.message_id, reason="full", retry_at=again)))
    assert rows(game, "SELECT state, error FROM outbox") == [(state, "full")]


@pytest.mark.parametrize("again", [True, False])
def test_when_a_letter_first_came_back_is_kept(game: Scene, *, again: bool) -> None:
    letter, first = game.letter(Seat.FIRST), game.now + timedelta(minutes=1)
    game.do(letters=[letter])
    back = ops.ReturnLetter(letter=letter.message_id, reason="full", retry_at=game.now if again else None)
    game.do(put(back))
    for retry_at in (game.now, None):
        with game.store.transaction() as session:
            session.exec(update(OutboxRow).values(state=LetterState.QUEUED))
        game.do(put(replace(back, retry_at=retry_at)))
        with game.store.transaction() as session:
            assert session.exec(select(OutboxRow.returned_at)).one() == first


@pytest.mark.parametrize("again", [True, False])
def test_a_letter_comes_back_once(game: Scene, *, again: bool) -> None:
    letter = game.letter(Seat.FIRST)
    game.do(letters=[letter])
    back = ops.ReturnLetter(letter=letter.message_id, reason="full", retry_at=game.now + HOUR)
    late = game.decided(put(replace(back, retry_at=back.retry_at if again else None)))
    game.do(put(back))
    collides(game, late)


def test_a_letter_that_a_sender_has_claimed_is_not_sent_twice_for_resting_meanwhile(game: Scene) -> None:
    game.do(letters=[game.letter(Seat.FIRST)])
    assert len(claimed(game)) == 1
    game.do(put(ops.SuspendLetters(address=ADA)))
    game.do(RELEASED)
    assert claimed(game) == []
    game.now += dispatch.LEASE
    assert len(claimed(game)) == 1


def test_a_letter_that_could_not_leave_before_it_rested_leaves_at_once_when_it_wakes(game: Scene) -> None:
    game.do(letters=[game.letter(Seat.FIRST)])
    (letter,) = claimed(game)
    with game.store.transaction() as session:
        dispatch.later(session, letter.id, game.now + HOUR, 1, "not now")
    game.do(put(ops.SuspendLetters(address=ADA)))
    game.do(RELEASED)
    assert len(claimed(game)) == 1


def claimed(scene: Scene) -> list[dispatch.Claimed]:
    with scene.store.transaction() as session:
        return dispatch.claim(session, scene.now)


# Letters that the process of the mail sends itself.


def handed_over(game: Scene, *letters: Any) -> list[str]:
    """Store letters for a process that sends them, and return the Message-IDs of those that it has claimed thereby."""
    with game.store.transaction() as session:
        claimed = write(session, *game.decided(letters=letters), claimed_by="serve 1", sends=True).claimed
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


def test_a_letter_that_has_left_or_is_to_a_stranger_lets_the_next_one_leave_at_once(game: Scene) -> None:
    left, last = game.letter(Seat.SECOND), game.letter(Seat.SECOND)
    handed_over(game, left)
    with game.store.transaction() as session:
        session.exec(update(OutboxRow).values(state=LetterState.SENT))
        session.add(new_letter(last.mail_to, game.now, DeliveryClass.OTHERS))
    game.now += dispatch.LEASE
    assert handed_over(game, last) == [last.message_id]


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
