"""Bounced letters are counted for each address and reported to the opponent. Later ones wait for the owner's mail."""

from datetime import timedelta

import pytest
from sqlmodel import select

from takmail.store import dispatch, outbox
from takmail.store.tables import AddressRow, OutboxRow, TurnRow
from takmail.world.kinds import LetterState
from tests.support.harness import ADA, BEN, TAK, Harness, Received, said, turns
from tests.support.scenes import played_once

FAILED = "Action: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 no such user"


def report(letter: Received, what: str = FAILED, number: int = 1) -> bytes:
    return f"""From: MAILER-DAEMON@mx.example.org
To: {TAK}
Subject: Undelivered Mail Returned to Sender
Message-ID: <report{number}.{letter.id.strip("<>")}.mx>
Content-Type: multipart/report; report-type=delivery-status; boundary=q

--q

This is the mail system.
--q
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org

Final-Recipient: rfc822; {letter.to}
{what}
--q
Content-Type: text/rfc822-headers

Message-ID: {letter.id}
Subject: {letter.subject}
--q--
""".encode()


def all_sent(harness: Harness) -> None:
    """Mark every letter that may be sent as sent."""
    with harness.store.transaction() as session:
        for row in session.exec(select(OutboxRow).where(OutboxRow.state == LetterState.QUEUED)).all():
            dispatch.sent(session, [row.id or 0])


def states(harness: Harness, to: str) -> list[str]:
    with harness.store.transaction() as session:
        rows = session.exec(select(OutboxRow).where(OutboxRow.mail_to == to).order_by("id")).all()
        return [str(row.state) for row in rows]


def count(harness: Harness, address: str) -> int:
    with harness.store.transaction() as session:
        return session.get_one(AddressRow, address).bounces


@pytest.fixture
@played_once
def game(harness: Harness) -> None:
    harness.begin_and_play("ps a1", "ps a2")
    all_sent(harness)


def come_back(harness: Harness, who: str, times: int = 1) -> list[Received]:
    """Let the last letters to a player bounce, one after the other. Return the letters that this causes."""
    letters = [letter for letter in harness.box if letter.to == who][-times:]
    return [one for letter in letters for one in harness.deliver(report(letter))]


def test_the_third_letter_that_comes_back_is_told_to_the_opponent(game: Harness) -> None:
    assert come_back(game, BEN, 2) == []
    game.send(f"Ada <{ADA}>", "rs", game.last(ADA))
    game.send(f"Ada <{ADA}>", "ps b5", game.last(ADA))
    all_sent(game)
    (told,) = come_back(game, BEN)
    assert told.to == ADA
    assert "My letters to Ben come back, so I send no more of them for now." in said(told)
    assert BEN not in said(told)
    assert states(game, BEN).count("resting") == 3


def test_a_report_that_comes_twice_counts_once(game: Harness) -> None:
    letter = game.last(BEN)
    game.deliver(report(letter, number=1))
    game.deliver(report(letter, number=2))
    assert count(game, BEN) == 1
    state, note = game.note_of(7)
    assert (state, note.endswith("had already bounced or ended")) == ("machine", True)


@pytest.mark.parametrize(
    "what",
    ["Action: delayed\nStatus: 4.4.1", "Action: delivered\nStatus: 2.0.0"],
)
def test_what_is_late_or_has_arrived_does_not_count(game: Harness, what: str) -> None:
    game.deliver(report(game.last(BEN), what))
    assert count(game, BEN) == 0
    assert states(game, BEN)[-1] == "sent"


@pytest.mark.parametrize("status", ["4.4.7", "5.7.1"])
def test_what_is_not_its_readers_fault_is_the_operators_to_see(game: Harness, status: str) -> None:
    game.deliver(report(game.last(BEN), f"Action: failed\nStatus: {status}"))
    assert count(game, BEN) == 0
    assert states(game, BEN)[-1] == "failed"


def test_the_token_of_the_seat_alone_lets_no_letter_come_back(game: Harness) -> None:
    """Whoever has read one letter to Ben has his token, and could stop the letters to him."""
    letter = game.last(BEN)
    named = f"Message-ID: {letter.id}".encode()
    for invented in ("", "Message-ID: <1.2@example.test>\n"):
        forged = report(letter).replace(named, f"{invented}Reply-To: {letter.mail['Reply-To']}".encode())
        for _ in range(5):
            game.deliver(forged)
    assert count(game, BEN) == 0
    assert states(game, BEN)[-1] == "sent"


def test_a_reply_address_that_names_the_letter_is_as_good_as_its_message_id(game: Harness) -> None:
    letter = game.last(BEN)
    named = f"Message-ID: {letter.id}".encode()
    address = game.services.key.letter_address(letter.id)
    game.deliver(report(letter).replace(named, f"Reply-To: {address}".encode()))
    assert count(game, BEN) == 1
    assert states(game, BEN)[-1] == "bounced"


def test_a_report_about_a_letter_that_was_never_ours_does_nothing(game: Harness) -> None:
    invented = report(game.last(BEN)).replace(
        game.last(BEN).id.encode(), b"<1.aaaaaaaaaaaaaaaa.3.0@example.test>"
    )
    assert game.deliver(invented) == []
    assert count(game, BEN) == 0
    assert game.note_of(6)[1] == "report: not about a letter of takmail"


def rested(game: Harness) -> Harness:
    """Three letters to Ben have bounced."""
    come_back(game, BEN, 3)
    assert count(game, BEN) == 3
    return game


def test_letters_to_an_address_that_rests_wait_and_leave_when_its_owner_writes(game: Harness) -> None:
    rested(game).send(f"Ada <{ADA}>", "ps b5\n\nAre you there?", game.last(ADA))
    assert states(game, BEN)[-1] == "resting"
    letters = game.send(f"Ben <{BEN}>", "ps c3", game.last(BEN))
    assert turns(game)[-1] == "ps c3"
    assert count(game, BEN) == 0
    assert states(game, BEN)[-2:] == ["queued", "queued"]
    assert ADA in [letter.to for letter in letters]


def test_letters_that_wait_already_rest_as_well(game: Harness) -> None:
    game.send(f"Ada <{ADA}>", "ps b5", game.last(ADA))  # this one has not left yet
    older = [letter for letter in game.box if letter.to == BEN][:3]
    for letter in older:
        game.deliver(report(letter))
    assert states(game, BEN) == ["resting"] * 3 + ["sent", "resting"]


def test_the_host_is_told_at_once_that_an_invitation_came_back(harness: Harness) -> None:
    harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN}")
    all_sent(harness)
    (told,) = come_back(harness, BEN)
    assert told.to == ADA
    assert "My letter to Ben came back: there seems to be no such address." in said(told)


def test_no_letter_follows_when_the_letter_about_it_comes_back_too(game: Harness) -> None:
    rested(game)
    all_sent(game)
    assert come_back(game, ADA, 3) == [game.box[-1]]
    assert states(game, BEN)[-1] == "resting"  # the word that Ada can't be reached either waits for him


def test_a_letter_refused_at_the_door_counts_as_well(game: Harness) -> None:
    with game.store.transaction() as session:
        numbers = session.exec(select(OutboxRow.id).where(OutboxRow.mail_to == BEN)).all()
        for number in numbers[:3]:
            letter = outbox.returned(session.get_one(OutboxRow, number or 0))
            game.causes.refused_letter(session, letter, "550 no such user")
    assert count(game, BEN) == 3
    assert [letter.to for letter in game.collect()] == [ADA]


def test_a_letter_that_came_back_goes_out_once_more_a_day_later(game: Harness) -> None:
    come_back(game, BEN)
    with game.store.transaction() as session:
        assert dispatch.claim(session, game.now + timedelta(hours=23)) == []
        (again,) = dispatch.claim(session, game.now + timedelta(hours=25))
    assert again.mail_to == BEN
    assert states(game, BEN)[-1] == LetterState.QUEUED


def test_a_letter_on_its_way_again_that_comes_back_again_counts_again(game: Harness) -> None:
    for number in range(3):
        letters = game.deliver(report(game.last(BEN), number=number))
        with game.store.transaction() as session:
            dispatch.claim(session, game.now + timedelta(days=2))
        all_sent(game)
    assert count(game, BEN) == 3
    assert [letter.to for letter in letters] == [ADA]


def test_a_report_that_is_quicker_than_the_note_that_the_letter_left_is_not_undone(game: Harness) -> None:
    game.send(f"Ada <{ADA}>", "ps b5", game.last(ADA))
    with game.store.transaction() as session:
        (claimed,) = dispatch.claim(session, game.now)
        while claimed.mail_to != BEN:
            dispatch.sent(session, [claimed.id])
            (claimed,) = dispatch.claim(session, game.now)
    game.deliver(report(game.last(BEN)))
    with game.store.transaction() as session:
        dispatch.sent(session, [claimed.id])
    assert states(game, BEN)[-1] == "bounced"
    assert count(game, BEN) == 1


def test_who_only_writes_in_the_owners_name_wakes_nothing(game: Harness) -> None:
    rested(game).send(f"Ada <{ADA}>", "ps b5", game.last(ADA))
    (answer,) = game.send(f"Ben <{BEN}>", "games")
    assert count(game, BEN) == 3
    assert states(game, BEN)[-2:] == ["resting", "queued"]  # the answer itself is tried
    assert answer.to == BEN


def test_guests_hear_nothing_of_a_host_who_cannot_be_reached(harness: Harness) -> None:
    harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN}")
    for number in range(2):
        harness.send(f"Ada <{ADA}>", f"help\n{number}")
    all_sent(harness)
    assert come_back(harness, ADA, 3) == []
    assert count(harness, ADA) == 3


def test_a_letter_to_a_stranger_that_comes_back_stays_away(harness: Harness) -> None:
    harness.confirms = False
    harness.send("Someone <someone@example.net>", "rules")
    all_sent(harness)
    assert come_back(harness, "someone@example.net") == []
    assert states(harness, "someone@example.net") == ["failed"]


def test_a_broken_game_keeps_no_letter_from_coming_back(harness: Harness) -> None:
    harness.begin_and_play("ps b4")
    with harness.store.transaction() as session:
        session.exec(select(TurnRow)).one().text = "ps z9"
        for letter in session.exec(select(OutboxRow).where(OutboxRow.mail_to == BEN)).all():
            harness.causes.refused_letter(session, outbox.returned(letter), "550 no such user")
        row = session.get_one(AddressRow, BEN)
        assert row.bounces == 3


def test_one_more_letter_that_comes_back_from_an_address_that_rests_rests_too(game: Harness) -> None:
    rested(game)
    (answer,) = game.send(f"Ben <{BEN}>", "games")
    all_sent(game)
    game.deliver(report(answer))
    assert count(game, BEN) == 4
    assert states(game, BEN)[-1] == "resting"
