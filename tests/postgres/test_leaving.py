"""What two processes store at the same moment of one player, who leaves or can't be reached."""

import pytest
from sqlalchemy import text
from sqlmodel import select

from takmail.pipeline.process import Conflict
from takmail.store import people
from takmail.store.database import UNAVAILABLE
from takmail.store.tables import AddressRow, GameRow, PlayerRow, SeatRow
from takmail.store.write import write
from takmail.world.kinds import PlayerKind, Standing
from tests.postgres.test_overlap import decided, handle, impatient, in_game, kept
from tests.service.test_bounces import all_sent, report
from tests.support import rows
from tests.support.harness import ADA, BEN, Harness, said

CY = "cy@example.org"
BEN_AWAY = "ben.away@example.org"


@pytest.fixture
def playing(harness: Harness) -> Harness:
    """Ada plays with Ben, who is asked whether he wants to leave."""
    harness.begin()
    harness.confirms = False
    harness.send(f"Ben <{BEN}>", "forget me", harness.last(BEN))
    return harness


def standings(harness: Harness) -> list[tuple[str, bool]]:
    """How each game stands, and whether one who has left sits in it."""
    with harness.store.transaction() as session:
        gone = select(SeatRow.game_id).join(PlayerRow).where(PlayerRow.kind == PlayerKind.ERASED)
        left = set(session.exec(gone))
        found = session.exec(select(GameRow.id, GameRow.standing).order_by(text("id")))
        return [(standing, number in left) for number, standing in found]


def test_who_leaves_while_somebody_asks_them_to_a_game_is_asked_as_a_stranger(playing: Harness) -> None:
    leave, invite = in_game(playing, BEN, "yes"), kept(playing, CY, f"new 5 vs {BEN}")
    with pytest.raises(Conflict), playing.store.transaction() as two:  # noqa: PT012 - the other one is in between
        snapshot, outcome = decided(playing, two, invite)
        with playing.store.transaction() as one:
            handle(playing, one, leave)
        write(two, snapshot, outcome, claimed_by="")
    assert standings(playing) == [(Standing.OVER, True)]
    playing.mail_worker.work()
    assert standings(playing) == [(Standing.OVER, True), (Standing.INVITED, False)]


def test_nobody_leaves_while_somebody_asks_them_to_a_game(playing: Harness) -> None:
    leave, invite = in_game(playing, BEN, "yes"), kept(playing, CY, f"new 5 vs {BEN}")
    with playing.store.transaction() as one:
        handle(playing, one, invite)
        with pytest.raises(UNAVAILABLE), impatient(playing.store) as two:
            handle(playing, two, leave)


def test_nobody_is_asked_to_a_game_while_they_leave(playing: Harness) -> None:
    leave, invite = in_game(playing, BEN, "yes"), kept(playing, CY, f"new 5 vs {BEN}")
    with playing.store.transaction() as one:
        handle(playing, one, leave)
        with pytest.raises(UNAVAILABLE), impatient(playing.store) as two:
            handle(playing, two, invite)


def test_a_game_to_which_somebody_was_asked_as_they_left_is_declined(playing: Harness) -> None:
    leave, invite = in_game(playing, BEN, "yes"), kept(playing, CY, f"new 5 vs {BEN}")
    with pytest.raises(Conflict), playing.store.transaction() as two:  # noqa: PT012 - the other one is in between
        snapshot, outcome = decided(playing, two, leave)
        with playing.store.transaction() as one:
            handle(playing, one, invite)
        write(two, snapshot, outcome, claimed_by="")
    playing.mail_worker.work()
    assert standings(playing) == [(Standing.OVER, True), (Standing.DECLINED, True)]


def test_an_address_that_somebody_got_as_they_left_goes_with_them(playing: Harness) -> None:
    asks = playing.last(BEN)
    of_game = next(one for one in reversed(playing.box) if one.to == BEN and "[tak #1]" in one.subject)
    playing.send(f"Ben <{BEN}>", f"address add {BEN_AWAY}", of_game)
    playing.send(f"Ben <{BEN}>", "yes", playing.last(BEN))
    confirm = playing.mail(f"Ben <{BEN_AWAY}>", "yes", playing.last(BEN_AWAY)).as_bytes()
    mails = [
        playing.mail_worker.keep_one(one)
        for one in (playing.mail(f"Ben <{BEN}>", "yes", asks).as_bytes(), confirm)
    ]
    with pytest.raises(Conflict), playing.store.transaction() as two:  # noqa: PT012 - the other one is in between
        snapshot, outcome = decided(playing, two, mails[0])
        with playing.store.transaction() as one:
            handle(playing, one, mails[1])
        write(two, snapshot, outcome, claimed_by="")
    playing.mail_worker.work()
    with playing.store.transaction() as session:
        assert session.exec(select(AddressRow.address)).all() == [ADA]


def test_of_two_letters_that_come_back_at_once_the_second_is_told_to_the_opponent(harness: Harness) -> None:
    harness.begin()
    harness.play("ps a1", "ps a2")
    all_sent(harness)
    first, *others = [one for one in harness.box if one.to == BEN][-3:]
    harness.deliver(report(first))
    # Of two servers, as what one server says is handled one after the other.
    second, third = map(report, others)
    mails = [
        harness.mail_worker.keep_one(one) for one in (second, third.replace(b"mx.example", b"mx2.example"))
    ]
    with pytest.raises(Conflict), harness.store.transaction() as two:  # noqa: PT012 - the other one is in between
        snapshot, outcome = decided(harness, two, mails[1])
        with harness.store.transaction() as one:
            handle(harness, one, mails[0])
        write(two, snapshot, outcome, claimed_by="")
    assert harness.collect() == []
    harness.mail_worker.work()
    (told,) = harness.collect()
    assert told.to == ADA
    assert "My letters to Ben come back" in said(told)


@pytest.mark.parametrize("who", [BEN, "Ben"])
def test_the_letters_to_who_is_found_by_address_or_name_are_counted_by_one_process(
    harness: Harness, who: str
) -> None:
    harness.begin()
    with harness.store.transaction() as session:
        number = rows.player(session, BEN).id
    mail = kept(harness, ADA, f"new 5 vs {who}")
    with harness.store.transaction() as one:
        people.lock_count(one, str(number))
        with pytest.raises(UNAVAILABLE), impatient(harness.store) as two:
            handle(harness, two, mail)
