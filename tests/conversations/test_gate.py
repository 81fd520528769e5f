"""Rejected mails: over a size limit, or over the number of answers to one address."""

from datetime import timedelta
from email.message import EmailMessage

import pytest

from takmail.limits.games import MAX_INVITATIONS_TO_PLAYER
from takmail.limits.letters import RateLimits
from takmail.limits.mails import Limits
from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN, TAK, Received, said

SOMEONE = "Someone <someone@example.net>"
SMALL = Limits(mail_bytes=10_000)
FEW = RateLimits(answers_per_hour=6, unproven_answers_per_hour=4, stranger_answers_per_hour=3)


def ended(harness: MemoryHarness) -> list[str]:
    """Return the final state of each mail."""
    return [state for state, _ in harness.notes]


def paths(harness: MemoryHarness) -> list[str]:
    return [letter.mail_from for letter in harness.memory.outbox.values()]


def with_file(harness: MemoryHarness, size: int, answers: Received | None = None) -> bytes:
    mail = harness.mail(f"Ada <{ADA}>", "ps b4", answers)
    mail.add_attachment(b"x" * size, maintype="image", subtype="png", filename="board.png")
    return mail.as_bytes()


class TestSize:
    def test_a_mail_with_a_picture_is_read(self, harness: MemoryHarness) -> None:
        harness.begin()
        harness.deliver(with_file(harness, 500_000, harness.last(ADA)))
        assert turns(harness) == ["ps b4"]

    def test_a_stranger_is_not_told(self, harness: MemoryHarness) -> None:
        harness.change(limits=SMALL)
        assert harness.deliver(with_file(harness, 15_000)) == []
        assert harness.note_of(1)[0] == "rejected"

    def test_who_only_looks_like_a_player_gets_the_answer_in_no_game(self, harness: MemoryHarness) -> None:
        harness.begin()
        harness.change(limits=SMALL)
        (answer,) = harness.deliver(with_file(harness, 15_000))
        assert (answer.to, "[tak" in answer.subject) == (ADA, False)

    @pytest.mark.parametrize(
        ("limits", "says"),
        [
            (Limits(text_bytes=300), "the text of your mail is longer than the 300 B"),
            (Limits(header_bytes=300), "longer than the 300 B that I take"),
            (Limits(mime_depth=0), "too many parts, or too many inside one another"),
            (Limits(mime_parts=1), "too many parts, or too many inside one another"),
        ],
    )
    def test_each_limit_has_its_answer(self, harness: MemoryHarness, limits: Limits, says: str) -> None:
        harness.begin()
        mail = harness.mail(f"Ada <{ADA}>", "ps b4\n" + "very " * 100, harness.last(ADA))
        mail.add_alternative("<p>ps b4</p>", subtype="html")
        harness.change(limits=limits)
        (answer,) = harness.deliver(mail.as_bytes())
        assert says in said(answer)
        assert turns(harness) == []

    def test_whose_address_cannot_be_read_for_nesting_gets_no_answer(self, harness: MemoryHarness) -> None:
        harness.begin()
        assert harness.deliver(b"From: " + b"(" * 3_000 + b" ada@example.org\r\n\r\nps b4\r\n") == []
        assert harness.note_of(4) == ("rejected", "over the limit: [limits] address_nesting = 20")

    @pytest.mark.parametrize("cc", ["(" * 30, "ben@example.org"])
    def test_a_robots_mail_stays_a_robots_whatever_limit_it_is_over(
        self, harness: MemoryHarness, cc: str
    ) -> None:
        harness.begin()
        mail = harness.mail(f"Ada <{ADA}>", "ps b4", harness.last(ADA), Auto_Submitted="auto-replied")
        raw = mail.as_bytes().replace(b"Auto-Submitted:", f"Cc: {cc}\nAuto-Submitted:".encode())
        assert harness.deliver(raw) == []
        assert harness.note_of(4) == ("machine", "auto-submitted")


class TestPace:
    @pytest.fixture
    def slow(self, harness: MemoryHarness) -> MemoryHarness:
        harness.change(rates=FEW)
        return harness

    def test_a_stranger_gets_so_many_answers_an_hour_and_no_more(self, slow: MemoryHarness) -> None:
        slow.confirms = False
        got = [len(slow.send(SOMEONE, f"help\n{number}")) for number in range(5)]
        assert got == [1, 1, 1, 0, 0]
        assert ended(slow) == ["answered"] * 3 + ["rejected"] * 2
        slow.now += timedelta(hours=1)
        assert len(slow.send(SOMEONE, "help\nagain")) == 1

    def test_a_player_is_told_once_that_no_more_is_answered_and_nothing_is_played(
        self, slow: MemoryHarness
    ) -> None:
        slow.begin()
        slow.now += timedelta(hours=2)
        got = [slow.send(f"Ada <{ADA}>", "rs", slow.last(ADA)) for _ in range(6)]
        assert [len(one) for one in got] == [1] * 6
        (last,) = slow.send(f"Ada <{ADA}>", "ps b4", slow.last(ADA))
        assert "I answer at most 6 mails of yours within an hour" in said(last)
        assert slow.send(f"Ada <{ADA}>", "ps b4", slow.last(ADA)) == []
        assert turns(slow) == []
        assert ended(slow)[-2:] == ["rejected", "rejected"]
        slow.now += timedelta(hours=1)
        slow.send(f"Ada <{ADA}>", "ps b4", slow.last(ADA))
        assert turns(slow) == ["ps b4"]

    def test_the_letters_that_bring_the_others_moves_do_not_count(self, slow: MemoryHarness) -> None:
        slow.begin()
        slow.now += timedelta(hours=2)
        slow.play("ps a1", "ps b1", "ps c1", "ps d1", "ps e1", "ps a2", "ps b2", "ps c2", "ps d2", "ps e2")
        assert len(turns(slow)) == 10

    def test_what_may_be_forged_is_answered_less_and_costs_the_player_nothing(
        self, slow: MemoryHarness
    ) -> None:
        slow.begin()
        slow.now += timedelta(hours=2)
        got = [len(slow.send(f"Ada <{ADA}>", "rs")) for _ in range(6)]
        assert got == [1, 1, 1, 1, 0, 0]
        assert slow.send(f"Ada <{ADA}>", "ps b4", slow.last(ADA))
        assert turns(slow) == ["ps b4"]

    def test_the_invited_can_accept_whoever_writes_in_their_name(self, slow: MemoryHarness) -> None:
        slow.send(f"Ada <{ADA}>", f"new 5 vs {BEN}")
        invitation = slow.last(BEN)
        for number in range(10):
            slow.send(f"Ben <{BEN}>", f"help\n{number}", to=TAK)
        answer, _ = slow.send(f"Ben <{BEN}>", "accept", invitation)
        assert "the game with Ada begins" in said(answer)


class TestStrangers:
    def test_nonsense_gets_one_letter_a_day_that_cannot_come_back(self, harness: MemoryHarness) -> None:
        got = [len(harness.send(SOMEONE, f"Buy this, it is number {number}")) for number in range(3)]
        assert got == [1, 0, 0]
        assert paths(harness) == [""]
        assert harness.note_of(2)[0] == "rejected"
        harness.now += timedelta(days=1)
        assert len(harness.send(SOMEONE, "Hello?")) == 1

    def test_a_command_after_nonsense_is_answered_all_the_same(self, harness: MemoryHarness) -> None:
        harness.send(SOMEONE, "Hello?")
        (answer,) = harness.send(SOMEONE, "rules")
        assert "capstone" in said(answer)
        assert len(harness.send(SOMEONE, f"new 5 vs {BEN}")) == 2

    def test_an_answer_to_a_command_can_come_back(self, harness: MemoryHarness) -> None:
        harness.confirms = False
        harness.send(SOMEONE, "rules")
        assert paths(harness) == ["tak@example.test"]


class TestInvitations:
    def test_nobody_is_flooded_with_invitations_in_many_names(self, harness: MemoryHarness) -> None:
        letters = [
            letter
            for number in range(MAX_INVITATIONS_TO_PLAYER + 2)
            for letter in harness.send(f"host{number}@example.net", "new 5 vs victim@example.net")
        ]
        assert sum(letter.to == "victim@example.net" for letter in letters) == 1
        assert all("has been asked" in said(letter) for letter in letters if "host" in letter.to)

    def test_who_plays_already_can_be_invited_by_many(self, harness: MemoryHarness) -> None:
        harness.begin()
        letters = [
            letter
            for number in range(5)
            for letter in harness.send(f"host{number}@example.net", f"new 5 vs {BEN}")
        ]
        assert sum(letter.to == BEN for letter in letters) == 5


class TestRobots:
    NOTE = "I am away until Monday and shall read your mail then. In urgent cases write to the office."

    def test_a_robot_that_says_the_same_again_and_again_is_answered_twice(
        self, harness: MemoryHarness
    ) -> None:
        harness.begin()
        got = [len(harness.send(f"Ben <{BEN}>", self.NOTE, harness.last(BEN))) for _ in range(11)]
        assert got == [2, 2] + [0] * 9
        assert ended(harness)[3:] == ["answered"] * 2 + ["rejected"] * 9

    def test_short_words_may_be_said_twice(self, harness: MemoryHarness) -> None:
        harness.begin()
        got = [len(harness.send(f"Ben <{BEN}>", "Thank you!", harness.last(BEN))) for _ in range(2)]
        assert got == [2, 2]


class TestUnread:
    def mail(self, harness: MemoryHarness, kind: str, body: str, answers: Received | None = None) -> bytes:
        mail = harness.mail(f"Ada <{ADA}>" if answers else SOMEONE, "", answers, quoting=False)
        raw = mail.as_bytes().partition(b"\n\n")[0].decode()
        head = "\n".join(one for one in raw.splitlines() if not one.lower().startswith("content-"))
        return f"{head}\nContent-Type: {kind}\n\n{body}\n".encode()

    ENCRYPTED = (
        'multipart/encrypted; protocol="application/pgp-encrypted"; boundary=q',
        "--q\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n"
        "--q\nContent-Type: application/octet-stream\n\n-----BEGIN PGP MESSAGE-----\n\nhQEM\n"
        "-----END PGP MESSAGE-----\n--q--",
    )

    @pytest.mark.parametrize(
        ("kind", "body", "says"),
        [
            (*ENCRYPTED, "Your mail is encrypted"),
            (
                "text/plain",
                "-----BEGIN PGP MESSAGE-----\n\nhQEM\n-----END PGP MESSAGE-----",
                "Your mail is encrypted",
            ),
            ("application/pkcs7-mime; smime-type=enveloped-data", "MIIB", "Your mail is encrypted"),
            ("application/x-pkcs7-mime; smime-type=signed-data", "MIIB", "signed in a way that hides"),
            ("application/ms-tnef; name=winmail.dat", "eJ8+", "nothing but a file named winmail.dat"),
            (
                "text/plain\nContent-Disposition: attachment; filename=move.txt",
                "ps b4",
                "nothing but attached files",
            ),
        ],
    )
    def test_what_cannot_be_read_is_told(
        self, harness: MemoryHarness, kind: str, body: str, says: str
    ) -> None:
        harness.begin()
        (answer,) = harness.deliver(self.mail(harness, kind, body, harness.last(ADA)))
        assert says in said(answer)
        assert turns(harness) == []

    def test_a_stranger_is_told_too(self, harness: MemoryHarness) -> None:
        (answer,) = harness.deliver(self.mail(harness, *self.ENCRYPTED))
        assert "Your mail is encrypted, and I have no key to read it." in said(answer)
        assert "I found no command" not in said(answer)

    def test_a_signed_text_beside_what_is_hidden_is_read(self, harness: MemoryHarness) -> None:
        harness.begin()
        mail = harness.mail(f"Ada <{ADA}>", "ps b4", harness.last(ADA))
        assert isinstance(mail, EmailMessage)
        mail.add_attachment(b"0", maintype="application", subtype="ms-tnef", filename="winmail.dat")
        harness.deliver(mail.as_bytes())
        assert turns(harness) == ["ps b4"]
