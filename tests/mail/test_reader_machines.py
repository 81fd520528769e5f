"""Mails that no person wrote are known as such, and mails that a person wrote are not."""

from pathlib import Path

import pytest

from takmail.mail.envelope import MachineSign
from takmail.mail.reader import read

MAILS = Path(__file__).parents[1] / "data" / "mail"
OWN = frozenset({"tak@example.org"})


def sign_of(head: str) -> MachineSign | None:
    return read(f"{head}\r\nSubject: x\r\n\r\nps b4\r\n".encode(), OWN).machine


ADA = "From: Ada <ada@example.org>\r\n"


@pytest.mark.parametrize(
    ("head", "sign"),
    [
        ("Auto-Submitted: auto-replied", MachineSign.AUTO_SUBMITTED),
        ("auto-submitted: Auto-Generated; type=x", MachineSign.AUTO_SUBMITTED),
        ("Auto-Submitted: auto-notified (no)", MachineSign.AUTO_SUBMITTED),
        ("Return-Path: <>", MachineSign.NULL_RETURN_PATH),
        ("Return-Path: < >", MachineSign.NULL_RETURN_PATH),
        ("Precedence: bulk", MachineSign.PRECEDENCE),
        ("Precedence: JUNK", MachineSign.PRECEDENCE),
        ("Precedence: list", MachineSign.PRECEDENCE),
        ("Precedence: auto_reply", MachineSign.PRECEDENCE),
        ("List-Id: <tak.example.org>", MachineSign.LIST),
        ("List-Post: NO", MachineSign.LIST),
        ("List-Unsubscribe: <mailto:x@example.org>", MachineSign.LIST),
        ("List-Help: <mailto:x@example.org>", MachineSign.LIST),
        ("X-Autoreply: yes", MachineSign.AUTO_SUBMITTED),
        ("X-Autorespond: tak", MachineSign.AUTO_SUBMITTED),
        ("X-Auto-Response: 1", MachineSign.AUTO_SUBMITTED),
        ("Content-Type: multipart/report; boundary=q", MachineSign.REPORT),
        ("Content-Type: message/delivery-status", MachineSign.REPORT),
        ("Content-Type: MESSAGE/Disposition-Notification", MachineSign.REPORT),
        ("X-Takmail: 1", MachineSign.OWN),
        ("X-Takmail: 1\r\nAuto-Submitted: auto-replied", MachineSign.OWN),
    ],
)
def test_a_machine_is_known_by_its_headers(head: str, sign: MachineSign) -> None:
    assert sign_of(ADA + head) is sign


@pytest.mark.parametrize(
    ("sender", "sign"),
    [
        ("MAILER-DAEMON@mx.example.org", MachineSign.REPORT),
        ("Postmaster@example.org", MachineSign.REPORT),
        ("Tak@Example.org", MachineSign.OWN),
        ("tak+12.abc@example.org", MachineSign.OWN),
        ("tak+@example.org", MachineSign.OWN),
        ("tak-12.abcdefghij234567@example.org", MachineSign.OWN),
        ("tak=12.abcdefghij234567@example.org", MachineSign.OWN),
        ("Tak_12.AbCdEfGhIj234567@example.org", MachineSign.OWN),
        ("nobody", MachineSign.NO_SENDER),
    ],
)
def test_a_machine_is_known_by_its_address(sender: str, sign: MachineSign) -> None:
    assert sign_of(f"From: Tak <{sender}>") is sign


@pytest.mark.parametrize(
    "head",
    [
        "Auto-Submitted: no",
        "Auto-Submitted: No (a person); x=y",
        "Return-Path: <ada@example.org>",
        "Precedence: first-class",
        "X-Auto-Response-Suppress: All",
        "X-Autoreply: no",
        "Content-Type: text/plain; format=flowed",
        "X-Mailer: Microsoft Outlook",
    ],
)
def test_a_person_is_not_taken_for_a_machine(head: str) -> None:
    assert sign_of(ADA + head) is None
    assert sign_of(ADA.replace("ada@", "taken@") + head) is None


@pytest.mark.parametrize(
    "address", ["tak-ada@example.org", "tak-12.abc@example.com", "tak12.abc@example.org"]
)
def test_a_player_s_address_that_begins_like_ours_is_not_ours(address: str) -> None:
    assert sign_of(f"From: Ada <{address}>") is None


@pytest.mark.parametrize(
    ("name", "sign"),
    [
        ("machine-auto-submitted", MachineSign.AUTO_SUBMITTED),
        ("machine-delivery-report", MachineSign.REPORT),
        ("own-letter", MachineSign.OWN),
    ],
)
def test_whole_mails_of_machines_are_known(name: str, sign: MachineSign) -> None:
    assert read((MAILS / f"{name}.eml").read_bytes(), OWN).machine is sign
