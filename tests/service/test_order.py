"""Which mails wait for each other, where several processes deal with them."""

from takmail.games.interface import Seat
from takmail.mail.queue import queue_of
from tests.support.harness import ADA, Harness


def mail(*headers: str) -> bytes:
    return "\r\n".join((f"From: Ada <{ADA}>", *headers, "", "ps b4", "")).encode()


def test_mails_to_one_game_wait_for_each_other_whoever_wrote_them(harness: Harness) -> None:
    for seat in Seat:
        to = harness.services.key.reply_address(7, seat)
        assert queue_of(harness.services.key, mail(f"To: {to}"), ADA) == "game 7"


def test_the_thread_and_the_subject_name_the_game_too(harness: Harness) -> None:
    token = harness.services.key.token(7, Seat.FIRST)
    for header in (f"In-Reply-To: <{token}.3.abc@example.test>", "Subject: Re: [tak #7] your move"):
        assert queue_of(harness.services.key, mail("To: tak@example.test", header), ADA) == "game 7", header


def test_the_address_says_more_than_a_thread_that_was_taken_from_another_game(harness: Harness) -> None:
    to, other = harness.services.key.reply_address(7, Seat.FIRST), harness.services.key.token(5, Seat.FIRST)
    before = (f"References: <{other}.3.abc@example.test>", "Subject: [tak #5] your move")
    assert queue_of(harness.services.key, mail(*before, f"To: {to}"), ADA) == "game 7"


def test_a_mail_that_names_no_game_waits_for_its_senders_others(harness: Harness) -> None:
    assert queue_of(harness.services.key, mail("To: tak@example.test") + b"[tak #7]", ADA) == ADA
    assert queue_of(harness.services.key, mail("To: tak@example.test"), None) is None
