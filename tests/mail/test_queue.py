"""Which mails wait for one another if several processes handle mails."""

from takmail.games.interface import Seat
from takmail.mail.queue import queue_of
from takmail.mail.tokens import SeatKey
from tests.support.players import ADA, TAK

KEY = SeatKey(b"a key for tests only", TAK, "+")


def mail(*headers: str) -> bytes:
    return "\r\n".join((f"From: Ada <{ADA}>", *headers, "", "ps b4", "")).encode()


def test_mails_to_one_game_wait_for_each_other_whoever_wrote_them() -> None:
    for seat in Seat:
        to = KEY.reply_address(7, seat)
        assert queue_of(KEY, mail(f"To: {to}"), ADA) == "game 7"


def test_the_thread_and_the_subject_name_the_game_too() -> None:
    token = KEY.token(7, Seat.FIRST)
    for header in (f"In-Reply-To: <{token}.3.abc@example.test>", "Subject: Re: [tak #7] your move"):
        assert queue_of(KEY, mail("To: tak@example.test", header), ADA) == "game 7", header


def test_the_address_says_more_than_a_thread_that_was_taken_from_another_game() -> None:
    to, other = KEY.reply_address(7, Seat.FIRST), KEY.token(5, Seat.FIRST)
    before = (f"References: <{other}.3.abc@example.test>", "Subject: [tak #5] your move")
    assert queue_of(KEY, mail(*before, f"To: {to}"), ADA) == "game 7"


def test_a_mail_that_names_no_game_waits_for_its_senders_others() -> None:
    assert queue_of(KEY, mail("To: tak@example.test") + b"[tak #7]", ADA) == ADA
    assert queue_of(KEY, mail("To: tak@example.test"), None) is None
