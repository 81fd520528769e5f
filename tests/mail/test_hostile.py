"""Work is linear in the size of a mail, and similar to that of an ordinary mail, whatever a stranger writes."""

import tracemalloc

import pytest

from takmail.limits.mails import DEFAULT_LIMITS, Excess, Limits, OverLimit
from takmail.mail.headers import split_head
from takmail.mail.reader import read, read_body, read_head, read_id_and_sender
from tests.support.cost import assert_costs
from tests.support.hostile import (
    EVERY_KIND,
    Hostile,
    blocks_by_parts,
    boundaries,
    formatting_by_blocks,
    headers_by_parts,
    plain,
    preformatted_lines,
    several,
    single,
    tags_by_parts,
    words_by_headers,
)
from tests.support.width import some_of, tenth_of

MIB = 1024 * 1024
ORDINARY = single("<div>" + "<p>It is a fine day, and <b>ps b4</b> is my move.</p>\r\n" * 200 + "</div>")
"""A page of some kilobytes, as long as a long answer."""


def test_an_ordinary_mail_is_well_within_every_limit() -> None:
    assert read(ORDINARY, frozenset(), DEFAULT_LIMITS.stricter()).excess is None


@pytest.mark.parametrize("kind", some_of(EVERY_KIND, 8), ids=str)
def test_a_hostile_mail_costs_a_bounded_number_of_ordinary_ones(kind: Hostile) -> None:
    raw = kind.mail()
    # An ordinary mail takes some milliseconds, so this is less than half a second.
    assert_costs(lambda: read(raw, frozenset()), 80, lambda: read(ORDINARY, frozenset()))


@pytest.mark.parametrize("kind", some_of(EVERY_KIND, 8), ids=str)
def test_what_is_read_here_costs_next_to_nothing(kind: Hostile) -> None:
    raw = kind.mail()

    def read_here() -> None:
        read_id_and_sender(raw)
        read_body(read_head(raw, frozenset()), DEFAULT_LIMITS.stricter())

    assert_costs(read_here, 40, lambda: read(ORDINARY, frozenset()))


@pytest.mark.parametrize("kind", tenth_of(EVERY_KIND), ids=str)
def test_a_hostile_mail_takes_little_memory_beside_its_bytes(kind: Hostile) -> None:
    raw = kind.mail()
    tracemalloc.start()
    try:
        read(raw, frozenset())
        assert tracemalloc.get_traced_memory()[1] < 60 * MIB
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("raw", "excess"),
    [
        (words_by_headers(6_000), Excess.HEADER),
        (headers_by_parts(20), Excess.HEADER),
        (boundaries(30_000), Excess.WORK),
        (preformatted_lines(30_000), Excess.WORK),
        (plain("x\r\n" * 30_000), Excess.WORK),
        (plain("x\r\n" * 19_000), None),
    ],
    ids=["headers", "headers of parts", "boundaries", "lines of a page", "lines", "fewer lines"],
)
def test_what_is_over_a_bound_of_the_work_is_not_read(raw: bytes, excess: Excess | None) -> None:
    mail = read(raw, frozenset())
    assert mail.excess == excess
    assert bool(mail.body.text) == (excess is None)
    assert mail.sender == "somebody@example.net"


@pytest.mark.parametrize("raw", [formatting_by_blocks(10_000), tags_by_parts(3), blocks_by_parts(2)])
def test_a_page_with_too_many_tags_is_read_up_to_there(raw: bytes) -> None:
    start = raw.replace(b"\r\n\r\n<", b"\r\n\r\nps b4<", 1)
    assert read(start, frozenset()).body.text.startswith("ps b4")
    assert read(raw, frozenset(), DEFAULT_LIMITS.stricter()).excess in (Excess.WORK, Excess.TEXT)


def test_the_parts_of_a_mail_share_one_number_of_tags() -> None:
    half = "<p>" * (DEFAULT_LIMITS.html_tags // 2)
    part = f"--B\r\nContent-Type: text/html\r\n\r\n{{}}{half}\r\n"
    body = "".join(part.format(word) for word in ("one", "two", "three"))
    raw = (
        f"From: ada@example.org\r\nContent-Type: multipart/mixed; boundary=B\r\n\r\n{body}--B--\r\n".encode()
    )
    assert read(raw, frozenset()).body.text.split() == ["one", "two", "three"]
    last = raw.replace(b"three", b"<p>three")
    assert read(last, frozenset()).body.text.split() == ["one", "two"]


def test_the_first_headers_of_too_many_are_known() -> None:
    head = "".join(f"a{n}: b\r\n" for n in range(10_000))
    raw = f"From: ada@example.org\r\nMessage-ID: <1@example.org>\r\n{head}\r\nps b4\r\n".encode()
    assert read_id_and_sender(raw) == ("<1@example.org>", "ada@example.org")


def test_headers_over_the_limit_are_not_split_from_what_follows() -> None:
    assert split_head(b"a: b\n" * 4 + b"\nps b4", Limits(header_lines=4))[1] == b"ps b4"
    for limits in (Limits(header_lines=3), Limits(header_bytes=10)):
        with pytest.raises(OverLimit, match=Excess.HEADER.value):
            split_head(b"a: b\n" * 5 + b"\nps b4", limits)


@pytest.mark.parametrize("lines", [20, 21, 22, 27, 28])
def test_parts_that_use_up_the_lines_of_headers_to_the_last_one_end_in_a_limit(lines: int) -> None:
    raw = several("x", 490, heads="\r\n".join("a: b" for _ in range(lines)))
    assert read(raw, frozenset(), DEFAULT_LIMITS.stricter()).excess == Excess.HEADER
