"""A mail is verified by its mail server, or by a token of an old key for a limited time.

The cases that prove nothing are in tests/attacks.
"""

from datetime import UTC, datetime, timedelta

import pytest

from takmail.config.seat_keys import Keys, OldKey
from takmail.games.interface import Seat
from takmail.mail.tokens import SeatKey, SeatRef
from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN, TAK, Received

OURS = "mx.example.test"
PASS = f"{OURS}; dmarc=pass header.from=example.org"
FAIL = f"{OURS}; dmarc=fail header.from=example.org"


def believing(harness: MemoryHarness, authserv_id: str | None = OURS) -> MemoryHarness:
    """Return a takmail that trusts a mail server, with a game in which it is Ada's turn."""
    harness.change(authserv_id=authserv_id)
    harness.begin()
    return harness


def send(
    harness: MemoryHarness, *results: str, sender: str = ADA, words: str = "ps b4", **how: str
) -> list[Received]:
    """Send a mail without a token, with these Authentication-Results headers, topmost first."""
    raw = harness.mail(f"A <{sender}>", words, to=how.pop("to", TAK), **how).as_bytes()
    return harness.deliver("".join(f"Authentication-Results: {one}\n" for one in results).encode() + raw)


# The mail server's results.


def test_what_the_mail_server_vouches_for_is_played_without_asking(harness: MemoryHarness) -> None:
    send(believing(harness), PASS)
    assert turns(harness) == ["ps b4"]


def test_a_game_that_is_named_by_its_number_alone_is_played_too(harness: MemoryHarness) -> None:
    believing(harness).begin()
    send(harness, PASS, words="#2 ps b4")
    assert (turns(harness, 1), turns(harness, 2)) == ([], ["ps b4"])


def test_what_stands_below_the_server_s_own_word_came_with_the_mail(harness: MemoryHarness) -> None:
    send(believing(harness), PASS, FAIL, "mx.example.net; dmarc=fail header.from=example.org")
    assert turns(harness) == ["ps b4"]


@pytest.mark.parametrize("name", [OURS, "", "None"])
def test_without_the_setting_a_forged_one_is_never_believed(harness: MemoryHarness, name: str) -> None:
    send(believing(harness, None), f"{name}; dmarc=pass header.from=example.org")
    assert turns(harness) == []


def test_two_from_are_nobody(harness: MemoryHarness) -> None:
    believing(harness)
    raw = harness.mail(f"Ada <{ADA}>", "ps b4", to=TAK).as_bytes()
    assert harness.deliver(f"Authentication-Results: {PASS}\nFrom: {BEN}\n".encode() + raw) == []
    assert turns(harness) == []


def test_the_word_for_a_stranger_s_domain_opens_no_seat(harness: MemoryHarness) -> None:
    believing(harness)
    token = str(harness.last(ADA).mail["Reply-To"])
    foreign = f"{OURS}; dmarc=pass header.from=example.net"
    (question,) = send(harness, foreign, sender="someone@example.net", to=token)
    assert (question.to, turns(harness)) == (ADA, [])


def test_the_word_for_a_player_opens_no_seat_of_the_opponent_s(harness: MemoryHarness) -> None:
    believing(harness)
    assert send(harness, PASS, sender=BEN, to=str(harness.last(ADA).mail["Reply-To"])) == []
    assert turns(harness) == []


def test_a_yes_that_the_mail_server_vouches_for_still_has_to_answer_the_question(
    harness: MemoryHarness,
) -> None:
    (question,) = send(believing(harness), FAIL)
    send(harness, PASS, words="yes")
    assert turns(harness) == []
    send(harness, PASS, words="yes", In_Reply_To=question.id)
    assert turns(harness) == ["ps b4"]


# Tokens.


def with_token(harness: MemoryHarness, address: str, sender: str = ADA) -> list[Received]:
    return harness.send(f"A <{sender}>", "ps b4", to=address)


class Rotated:
    """A takmail whose key was replaced during a game. The old key is accepted for two days."""

    def __init__(self) -> None:
        self.harness = MemoryHarness()
        self.harness.begin()
        self.before = self.harness.last(ADA)
        keys = Keys(b"a new key for tests", (OldKey(b"a key for tests only", self.harness.now.date()),))
        key = SeatKey(keys.newest, TAK, "+", lambda: keys.still_accepted(self.harness.now, 2))
        self.harness.change(key=key)


@pytest.mark.parametrize("threaded", [True, False])
@pytest.mark.parametrize(("now", "played"), [(22, ["ps b4"]), (23, [])])
def test_an_old_key_s_token_counts_until_its_time_is_over(
    now: int, played: list[str], threaded: bool
) -> None:
    rotated = Rotated()
    rotated.harness.now = datetime(2026, 11, now, 23, 59, tzinfo=UTC)
    to = None if not threaded else TAK
    rotated.harness.send(f"Ada <{ADA}>", "ps b4", rotated.before, to=to, threaded=threaded)
    assert turns(rotated.harness) == played


def test_an_old_key_s_token_is_known_whatever_case_a_relay_gave_it() -> None:
    rotated = Rotated()
    with_token(rotated.harness, str(rotated.before.mail["Reply-To"]).upper())
    assert turns(rotated.harness) == ["ps b4"]


def test_what_is_written_after_the_change_carries_the_new_key_and_lasts() -> None:
    rotated = Rotated()
    harness = rotated.harness
    harness.send(f"Ada <{ADA}>", "ps b4", rotated.before)
    answer = harness.last(BEN)
    new = SeatKey(b"a new key for tests", TAK, "+")
    assert new.in_message_id(answer.id) == SeatRef(1, Seat.SECOND, 1)
    harness.now += timedelta(days=400)
    harness.send(f"Ben <{BEN}>", "ps c3", answer)
    assert turns(harness) == ["ps b4", "ps c3"]


# A line about no game that can only mean one thing.


@pytest.mark.parametrize(
    ("line", "yes"),
    [("новая партия 5 против ben@example.org", "да"), ("I want a game with ben@example.org", "yes")],
)
def test_one_yes_answers_who_wrote_and_what_is_meant(line: str, yes: str) -> None:
    harness = MemoryHarness(confirms=False)
    (asked,) = send(harness, words=line)
    assert "new 5 vs ben@..." in asked.text
    assert not harness.memory.tables
    letters = harness.send(f"A <{ADA}>", yes, asked)
    assert [letter.to for letter in letters] == [BEN, ADA]


@pytest.mark.parametrize("answer", ["yes", "new 5 vs ben@example.org"])
def test_a_yes_means_the_only_line_that_is_offered_outside_games(harness: MemoryHarness, answer: str) -> None:
    believing(harness)
    harness.send(f"Ben <{BEN}>", "resign", harness.last(BEN))
    harness.send(f"Ben <{BEN}>", "yes", harness.last(BEN))
    (asked,) = send(harness, PASS, words="I want a game with ben@example.org")
    assert 'Answer with "yes", or with the line itself' in asked.text
    letters = harness.send(f"A <{ADA}>", answer, asked)
    assert letters[0].to == BEN
    assert "asks you to a game" in letters[0].subject


def test_a_no_drops_the_only_line_that_is_offered_outside_games(harness: MemoryHarness) -> None:
    believing(harness)
    (asked,) = send(harness, PASS, words="I want a game with carl@example.org")
    assert [letter.to for letter in harness.send(f"A <{ADA}>", "no", asked)] == [ADA]
