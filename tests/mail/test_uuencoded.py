"""Uuencoded files in the text of a mail are neither words nor moves."""

import binascii
import re
from random import Random

import pytest

from takmail.mail import uuencoded
from takmail.mail.uuencoded import without_uuencoded
from tests.support.harness import ADA, BEN, Harness, turns

FILE = bytes(Random(5).randrange(256) for _ in range(200))


def block(content: bytes = FILE, *, backtick: bool = True, mode: str = "644", sums: bool = False) -> str:
    """Return an encoded file. Without backticks, zeros are encoded as spaces, as in the first implementations."""
    pieces = [content[at : at + 45] for at in range(0, len(content), 45)]
    lines = [binascii.b2a_uu(one, backtick=backtick).decode().rstrip("\n") for one in pieces]
    lines = [f"{line}X" if sums else line for line in lines]
    return "\n".join([f"begin {mode} road.gif", *lines, "`" if backtick else " ", "end"])


@pytest.mark.parametrize(
    "file",
    [
        block(),
        block(backtick=False),
        block(mode="0644"),
        block(sums=True),
        block(b"x"),
        block(b"GIF" + bytes(100), backtick=False),
        re.sub(" +$", "", block(b"x" * 45 + bytes(100), backtick=False), flags=re.MULTILINE),
        block().removesuffix("\n`\nend"),
        f"{block()}\n{block()}",
    ],
    ids=[
        "usual",
        "spaces",
        "four digits",
        "sums",
        "one byte",
        "zeros",
        "trailing spaces lost",
        "cut off",
        "two files",
    ],
)
def test_a_block_is_taken_out(file: str) -> None:
    assert without_uuencoded(f"Look:\n{file}") == "Look:"
    assert without_uuencoded(file) == ""


@pytest.mark.parametrize(
    ("above", "below", "left"),
    [
        ("", "\nps b4", "ps b4"),
        ("ps b4\n", "", "ps b4"),
        ("Hello\n\n", "\n\nps b4\nBye", "Hello\n\n\nps b4\nBye"),
    ],
)
def test_what_stands_around_it_stays(above: str, below: str, left: str) -> None:
    assert without_uuencoded(above + block() + below) == left


@pytest.mark.parametrize(
    "text",
    [
        "begin 644 times and end",
        "begin 644 a\nHELLO\nend",
        "begin 644 a\nps b4\nend",
        "begin 644 a\n\nps b4\n\nend",
        "begin 644 a",
        "begin with b4\nend",
        "begin 999 a\nM",
        block().replace("\nend", "\nand so on"),
        block().replace("\n", "\n> "),
        block().replace("\n", "\nwords of mine\n", 2),
    ],
)
def test_whatever_else_begins_so_stays(text: str) -> None:
    assert without_uuencoded(text) == text


def test_each_line_is_looked_at_twice_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = 0
    real = uuencoded._is_uuencoded

    def counted(line: str, *, is_whole: bool = False) -> bool:
        nonlocal seen
        seen += 1
        return real(line, is_whole=is_whole)

    monkeypatch.setattr(uuencoded, "_is_uuencoded", counted)
    half = "\n".join(block().split("\n")[:-1])
    for text in ("begin 644 a\n" * 5_000, f"{half}\n" * 1_000, f"{half}\nx\n" * 1_000):
        seen = 0
        assert without_uuencoded(text) == text
        assert seen <= 2 * text.count("\n")


@pytest.mark.parametrize("text", [f"{block()}\nps b4", f"ps b4\n\n{block()}", f"Look!\n{block()}\nps b4"])
def test_a_move_beside_a_file_is_played_and_the_file_goes_nowhere(harness: Harness, text: str) -> None:
    harness.begin()
    letters = harness.send(ADA, text, harness.last(ADA))
    assert turns(harness) == ["ps b4"]
    assert [letter.to for letter in letters] == [ADA, BEN]
    for line in (*block().split("\n")[:-2], "begin"):
        assert all(line not in letter.text for letter in letters)


def test_a_line_of_a_file_that_looks_like_a_move_is_none(harness: Harness) -> None:
    harness.begin()
    # Three bytes encode to `NQ5V` and `*`, so the line begins like a move to Q5.
    line = "MNQ5V*" + "A" * 55
    letters = harness.send(
        ADA, f"begin 644 a.bin\n{line}\n`\nend\n\nps b4\nHere is my file.", harness.last(ADA)
    )
    assert turns(harness) == ["ps b4"]
    assert all("Q5" not in letter.text.upper() for letter in letters)
    assert "  | Here is my file.\n" in letters[-1].text


def test_a_file_alone_is_no_word(harness: Harness) -> None:
    harness.begin()
    (answer,) = harness.send(ADA, block(), harness.last(ADA))
    assert answer.to == ADA
    assert "no words of yours" in answer.text
