"""The numbers of tokens are stored, with a database: a seat's, and that of an address."""

from takmail.games.interface import Seat
from tests.support.harness import ADA, BEN, Harness

AS_ADA, FRIEND = f"Ada <{ADA}>", "nora@example.net"


def test_a_seat_s_renewed_token_is_stored_and_proves(harness: Harness) -> None:
    harness.begin()
    first = harness.last(ADA)
    harness.send(AS_ADA, "ps a1", first, Cc=BEN)
    assert [seat.token_number for seat in harness.table().record.seats] == [2, 0]
    harness.play("ps e5", start=1)
    harness.send(AS_ADA, "ps b4", to=str(first.mail["Reply-To"]))
    assert harness.table().texts() == ["ps a1", "ps e5"]
    harness.send(AS_ADA, "ps b4", to=harness.services.key.reply_address(1, Seat.FIRST, 2))
    assert harness.table().texts() == ["ps a1", "ps e5", "ps b4"]


def test_a_personal_token_is_stored_and_proves(harness: Harness) -> None:
    harness.begin()
    (games,) = harness.send(AS_ADA, "games")
    (newer,) = harness.send(AS_ADA, "help", games, Cc=BEN)
    harness.confirms = False
    (question,) = harness.send(AS_ADA, "seek 6", games)
    assert question.asks_who
    (answer,) = harness.send(AS_ADA, "seek 6", newer)
    assert not answer.asks_who


def test_seats_that_are_drawn_anew_have_new_tokens(harness: Harness) -> None:
    harness.send(AS_ADA, f"new 5 vs {BEN} rules=university bid=9")
    harness.send(f"Ben <{BEN}>", "accept bid=1", harness.last(BEN))
    assert harness.table().names == ("Ada", "Ben")
    assert [seat.token_number for seat in harness.table().record.seats] == [1, 1]
    harness.play("ps a1")
    assert harness.table().texts() == ["ps a1"]


def test_a_friend_is_told_once_a_game(harness: Harness) -> None:
    harness.begin()
    harness.begin()
    for number in (1, 2):
        letter = next(one for one in harness.box if one.to == ADA and f"[tak #{number}]" in one.subject)
        for times in (1, 0, 0):
            assert len(harness.send(f"Nora <{FRIEND}>", f"What a game {times}!", letter)) == times
