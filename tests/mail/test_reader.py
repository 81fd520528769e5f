"""Parsing the bytes of any mail into a `Mail`."""

import unicodedata
from dataclasses import astuple
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from takmail.limits.mails import DEFAULT_LIMITS, MAX_REFERENCES, Excess, Limits
from takmail.mail.message import MachineSign, Mail
from takmail.mail.reader import read, read_body, read_head, read_id_and_sender
from tests.support.corpus import NAMES, raw
from tests.support.cost import assert_in_proportion
from tests.support.examples import examples
from tests.support.tables import each_row

OWN = frozenset({"tak@example.org"})


def mail(name: str) -> Mail:
    return read(raw(name), OWN)


def of(head: str, text: str = "ps b4") -> Mail:
    return read(f"{head}\n\n{text}\n".encode(), OWN)


@each_row(
    ("name", "text"),
    [
        ("attach-text-only", ""),
        ("bare-cr", "a1\nb2"),
        ("charset-idna", "a1"),
        ("charset-rot13-codec", "n1"),
        ("charset-undefined", "a1"),
        ("cte-unknown", "a1"),
        ("cyr-lookalike", "а1 с3 е5"),
        ("date-year", "a1"),
        ("eight-bit-headers", "a1"),
        ("empty", ""),
        ("ew-bad", "a1"),
        ("from-at-in-name", "a1"),
        ("from-empty", "a1"),
        ("from-group", "a1"),
        ("fullwidth", "３ａ１＋１２ Ｓａ１ 3a1﹢"),
        ("missing-boundary", "a1"),
        ("msgid-missing", "a1"),
        ("nbsp", "a1\u00a0b2\u202fc3\u200b\ufeff d4"),
        ("nul", "a1b2"),
        ("signed", "a1"),
        ("space-first-header", "a1"),
        ("unknown-charset", "a1 é"),
        ("winmail", ""),
    ],
)
def test_a_defective_mail_still_has_its_text(name: str, text: str) -> None:
    assert mail(name).body.text.strip() == text


def test_broken_transfer_encodings_give_what_they_can() -> None:
    assert mail("base64-junk").body.text.startswith("a1")
    assert mail("qp-bad").body.text.startswith("a1 =ZZ")


@each_row("name", [name for name in NAMES if name.startswith("same-")])
def test_the_same_text_comes_out_of_every_encoding(name: str) -> None:
    envelope = mail(name)
    assert envelope.body.text.strip() == "Grüße, Ben!\nps b4\nThanks"
    assert (envelope.sender, envelope.sender_name, envelope.machine) == ("ada@example.org", "Ada", None)
    assert envelope.subject == "Re: [tak #12]"


@pytest.mark.many
@each_row("name", NAMES)
def test_a_mail_cut_off_anywhere_is_read(name: str) -> None:
    whole, chance = raw(name), Random(name)
    for length in chance.sample(range(len(whole)), min(examples(8, 400), len(whole))):
        envelope = read(whole[:length], OWN)
        assert read_id_and_sender(whole[:length]) == (envelope.message_id, envelope.sender), length


HALF = "+2AA-"  # the first half of a character, in UTF-7
UTF_7 = "Content-Type: text/plain; charset=utf-7"
HALVES = {
    "text": f"{UTF_7}\n\nps b4 {HALF}",
    "HTML": f"{UTF_7.replace('plain', 'html')}\n\n<p>ps b4 {HALF} &#xD800;</p>",
    "words": f"From: =?utf-7?q?Ada_{HALF}?= <ada@example.org>\nSubject: =?utf-7?q?{HALF}?= =?utf-7?q?+3AA-?=\n\nps b4",
    "addresses": f"From: ada{HALF}\udc80@example.org\nTo: ben\udced\udca0\udc80@example.org\n\nps b4",
    "ids": "Message-ID: <\udced\udca0\udc80@x>\nIn-Reply-To: <\udc80@x>\nReferences: <a\udced\udca0@x>\n\nps b4",
}


@each_row(
    "raw",
    [*map(raw, NAMES), *(text.encode("ascii", "surrogateescape") for text in HALVES.values())],
)
def test_no_half_of_a_character_gets_into_an_envelope(raw: bytes) -> None:
    everything = "".join(map(str, astuple(read(raw, OWN))))
    assert "Cs" not in {unicodedata.category(c) for c in everything}


@pytest.mark.parametrize("name", ["text", "HTML"])
def test_half_a_character_costs_no_more_than_itself(name: str) -> None:
    assert read(HALVES[name].encode(), OWN).body.text.startswith("ps b4 \ufffd")


class TestWhoWroteIt:
    def test_a_folded_from_in_mixed_case_with_a_comma_in_the_name(self) -> None:
        envelope = mail("folded-from")
        assert (envelope.sender, envelope.sender_name) == ("ada@example.org", "Ada, Countess of Tak")
        assert envelope.subject == "Grüße an Ben"

    def test_reply_to_changes_nothing_whether_it_stands_before_or_after(self) -> None:
        before = of("Reply-To: ben@example.org\nFrom: ada@example.org")
        after = of("From: ada@example.org\nReply-To: ben@example.org")
        assert before.sender == after.sender == "ada@example.org"

    def test_raw_bytes_in_headers_are_read(self) -> None:
        envelope = mail("eight-bit-headers")
        assert (envelope.sender_name, envelope.subject) == ("Adä", "Grüße")

    def test_a_name_that_looks_like_an_address_is_none(self) -> None:
        envelope = mail("from-at-in-name")
        assert (envelope.sender, envelope.sender_name) == ("ada@example.org", "")
        assert of("From: =?utf-8?b?YmVu77ygZXhhbXBsZS5vcmc=?= <ada@example.org>").sender_name == ""

    def test_a_name_has_no_invisible_or_turning_characters_and_an_end(self) -> None:
        assert of("From: A\u202ed\u200ba\x07 B <ada@example.org>").sender_name == "Ada B"
        assert len(of(f"From: {'Ada' * 100} <ada@example.org>").sender_name) == 60

    @pytest.mark.parametrize(
        "name", ["two-froms", "two-in-one-from", "from-empty", "from-group", "space-first-header", "empty"]
    )
    def test_not_exactly_one_sender_is_none(self, name: str) -> None:
        assert (mail(name).sender, mail(name).machine) == ("", MachineSign.NO_SENDER)

    @each_row(
        "value",
        [
            "ada@example.org (Ada)",
            "Doe, Ada <ada@example.org>",
            '"a, b \\" <ben@example.org>" <ada@example.org>',
            "<ADA@EXAMPLE.ORG>",
            "Ada <mailto:ada@example.org>",
            "(ben@example.org) ada@example.org",
            "friends: ada@example.org;",
            "ada@example.org, Ada <Ada@Example.org>",
        ],
    )
    def test_one_address_in_any_dress_is_found(self, value: str) -> None:
        assert of(f"From: {value}").sender == "ada@example.org"

    @pytest.mark.parametrize(
        "value",
        [
            "<ada@example.org> <ben@example.org>",
            "ada@example.org <ben@example.org",
            "ben@example.org, Ada <ada@example.org>",
            "ada@example.org@",
            "ada example.org",
            "ada@example.org\rFrom: ben@example.org",
            '"ada@example.org',
        ],
    )
    def test_what_could_be_two_addresses_or_none_is_no_sender(self, value: str) -> None:
        assert of(f"From: {value}").sender == ""


@each_row(
    ("date", "offset"),
    [
        ("Fri, 27 Nov 2026 18:00:00 +0100", "+0100"),
        ("27 Nov 2026 18:00 -0330", "-0330"),
        ("Fri, 27 Nov 2026 18:00:00  +0545 (Nepal (Kathmandu))", "+0545"),
        ("Fri, 27 Nov 2026\n 18:00:00\n +0100", "+0100"),
        ("Fri, 27 Nov 2026 18:00:00 +0000", "+0000"),
        ("Fri, 27 Nov 2026 18:00:00 +1400", "+1400"),
        ("Fri, 27 Nov 2026 18:00:00 -0000", None),  # the offset is unknown (RFC 5322 §3.3)
        ("Fri, 27 Nov 2026 18:00:00 +1430", None),
        ("Fri, 27 Nov 2026 18:00:00 -9900", None),
        ("Fri, 27 Nov 2026 18:00:00 +0160", None),
        ("Fri, 27 Nov 2026 18:00:00 +01000", None),
        ("Fri, 27 Nov 2026 18:00:00 +01:00", None),
        ("Fri, 27 Nov 2026 18:00:00 +\u0661\u0660\u0660\u0660", None),
        ("Fri, 27 Nov 2026 18:00:00 GMT", None),
        ("Fri, 27 Nov 2026 18:00:00", None),
        ("+0100", None),
        ("", None),
    ],
)
def test_the_offset_from_utc_is_that_of_the_date(date: str, offset: str | None) -> None:
    assert of(f"From: ada@example.org\nDate: {date}").utc_offset == offset


def test_a_mail_without_a_date_has_no_offset() -> None:
    assert of("From: ada@example.org").utc_offset is None


def test_recipients_are_of_all_headers_in_order_and_once() -> None:
    envelope = of(
        "From: ada@example.org\nDelivered-To: tak+12.AbC@example.org\nX-Original-To: x@example.org\n"
        "Envelope-To: e@example.org\nCc: Ben <BEN@example.org>, tak@example.org\n"
        'To: "Tak, by Mail" <Tak@example.org>,\n nobody, Other <other@example.org>'
    )
    found = ["tak", "other", "ben", "tak+12.abc", "x", "e"]
    assert envelope.recipients == tuple(f"{name}@example.org" for name in found)


class TestMessageIds:
    def test_are_kept_in_their_brackets(self) -> None:
        envelope = of(
            "From: ada@example.org\nMessage-ID:\n  <Abc.1@example.org> \nIn-Reply-To: mail <b@x> of Monday\n"
            "References: <a@x>\n <b@x><c@x>"
        )
        assert envelope.message_id == "<Abc.1@example.org>"
        assert envelope.thread.in_reply_to == ("<b@x>",)
        assert envelope.thread.references == ("<a@x>", "<b@x>", "<c@x>")

    @each_row(
        "value",
        [
            "",
            "abc@x",
            "<a b@x>",
            "<abc>",
            "<a@x> <b@x>",
            "<ä@x>",
            f"<{'a' * 999}@x>",
            "<a=?b@x>",
            "<a@=?utf-8?q?x?=>",
        ],
    )
    def test_are_none_when_malformed(self, value: str) -> None:
        assert of(f"From: ada@example.org\nMessage-ID: {value}").message_id is None
        assert mail("msgid-missing").message_id is None

    def test_hold_no_encoded_word(self) -> None:
        envelope = of(
            "References: <a@x> <=?utf-8?q?=0AX:_y?=@x> <b=@x> <?c@x> <a@=?q>\nIn-Reply-To: <a=?b@x>"
        )
        assert envelope.thread.references == ("<a@x>", "<b=@x>", "<?c@x>")
        assert envelope.thread.in_reply_to == ()

    def test_are_the_newest_hundred(self) -> None:
        references = of("References: " + "\n ".join(f"<{n}@x>" for n in range(500))).thread.references
        assert len(references) == MAX_REFERENCES
        assert references[-1] == "<499@x>"


def deep(levels: int) -> bytes:
    nested = b"".join(
        b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n' % (n, n) for n in range(levels)
    )
    return b"From: ada@example.org\r\n" + nested + b"\r\nps b4\r\n"


def parts(count: int) -> bytes:
    head = b"From: ada@example.org\r\nContent-Type: multipart/mixed; boundary=q\r\n\r\n"
    return head + b"--q\r\n\r\nps b4\r\n" * count


class TestBounds:
    def test_as_many_levels_and_parts_as_allowed_are_read(self) -> None:
        assert read(deep(DEFAULT_LIMITS.mime_depth), OWN).body.text.strip() == "ps b4"
        assert read(parts(DEFAULT_LIMITS.mime_parts), OWN).body.text.strip() == "ps b4"

    @pytest.mark.parametrize(
        ("raw", "excess"),
        [
            (deep(DEFAULT_LIMITS.mime_depth + 1), Excess.DEPTH),
            (deep(5_000), Excess.DEPTH),
            (parts(DEFAULT_LIMITS.mime_parts + 1), Excess.PARTS),
            (parts(10_000), Excess.PARTS),
            (b"From: ada@example.org\r\n" + b"X-Filler: x\r\n" * 40_000 + b"\r\nps b4", Excess.HEADER),
            (
                b"From: ada@example.org\nContent-Type: multipart/mixed; boundary=q\n\n--q\n"
                + b"X-Filler: x\r\n" * 40_000
                + b"\nps b4",
                Excess.HEADER,
            ),
            (b"From: ada@example.org\r\n\r\n" + b"a" * 5_000_000, Excess.TEXT),
            (b"From: ada@example.org\nContent-Type: text/html\n\n" + b"<b>a" * 1_000_000, Excess.TEXT),
            (b"From: ada@example.org\r\n\r\nps b4\r\n" + b"\r\n" * 6_000_000, Excess.MAIL),
        ],
        ids=lambda value: value.value if isinstance(value, Excess) else str(len(value)),
    )
    def test_beyond_a_limit_the_headers_are_left(self, raw: bytes, excess: Excess) -> None:
        envelope = read(raw, OWN)
        assert (envelope.sender, envelope.body.text, envelope.excess) == ("ada@example.org", "", excess)

    def test_of_a_mail_of_which_only_the_beginning_is_there_the_size_counts(self) -> None:
        raw = b"From: ada@example.org\r\n\r\nps b4\r\n"
        assert read(raw, OWN, size=DEFAULT_LIMITS.mail_bytes).excess is None
        assert read(raw, OWN, size=DEFAULT_LIMITS.mail_bytes + 1).excess is Excess.MAIL

    def test_a_body_that_is_too_long_for_what_is_read_at_once_is_left(self) -> None:
        head = read_head(b"From: ada@example.org\r\n\r\nps b4\r\n", OWN)
        assert read_body(head, Limits(mail_bytes=6)).excess is Excess.MAIL
        assert read_body(head, Limits(mail_bytes=7)).excess is None

    def test_the_limits_are_those_that_are_set(self) -> None:
        raw = b"From: ada@example.org\r\n\r\nps b4\r\n"
        assert read(raw, OWN, Limits(text_bytes=7)).excess is None
        assert read(raw, OWN, Limits(text_bytes=6)).excess is Excess.TEXT

    @pytest.mark.parametrize("header", ["From", "To"])
    def test_a_file_beside_the_text_is_no_text(self, header: str) -> None:
        head = f"{header}: ada@example.org\nContent-Type: multipart/mixed; boundary=q\n\n--q\n\nps b4\n--q\n"
        file = b"Content-Type: image/png\n\n" + b"x" * 5_000_000
        assert read(head.encode() + file, OWN).body.text.strip() == "ps b4"

    def test_quotes_inside_one_another_are_marked_so_often_and_no_more(self) -> None:
        raw = b"From: ada@example.org\nContent-Type: text/html\n\n" + b"<blockquote>a<br>" * 2_000
        text = read(raw, OWN).body.text
        assert (text.count("a"), len(text) < 200_000) == (2_000, True)

    def test_comments_too_deep_inside_one_another_are_over_the_limit(self) -> None:
        assert of(f"From: {'(' * 3_000}").excess is Excess.NESTING
        assert of(f"From: ada@example.org\nTo: {'(' * 21}").excess is Excess.NESTING
        assert of(f"From: ada@example.org {'(' * 20}x{')' * 20}").sender == "ada@example.org"

    @pytest.mark.parametrize(
        "value", ["a." * 20_000 + "a@example.org", '"' + "x" * 100_000, "<" * 60_000], ids=len
    )
    def test_a_monstrous_from_is_no_sender(self, value: str) -> None:
        assert (of(f"From: {value}").sender, of(f"From: {value}").body.text) == ("", "ps b4\n")

    @pytest.mark.many
    @pytest.mark.parametrize(
        ("head", "piece", "count"),
        [
            ("Content-Type: text/plain; ", ';a="', 15_000),
            ("Subject: ", "=?a?q?", 10_000),
            ("Content-Type: text/html\n\n", "<ul><li>", 200_000),
            ("Content-Type: text/html\n\n", "<blockquote>a<br>", 100_000),
            ("Content-Type: text/html\n\n", "<!--", 400_000),
            ("Content-Type: multipart/mixed; boundary=q\n\n--q", " ", 2_000_000),
            ("Content-Type: text/plain; format=flowed\n\n", "> \n>> \n", 300_000),
        ],
        ids=["parameters", "encoded words", "lists", "blockquotes", "comments", "boundary", "flowed"],
    )
    def test_hostile_mails_take_no_more_than_moments(self, head: str, piece: str, count: int) -> None:
        assert_in_proportion(lambda size: read(f"{head}{piece * size}\n\nps b4".encode(), OWN), count)


@given(st.binary(max_size=2_000))
def test_no_bytes_break_the_reader(raw: bytes) -> None:
    envelope = read(raw, OWN)
    assert read_id_and_sender(raw) == (envelope.message_id, envelope.sender)


HEADER_NAMES = [
    "From",
    "To",
    "Subject",
    "Message-ID",
    "Content-Type",
    "Content-Transfer-Encoding",
    "References",
]
PIECES = [
    "<",
    ">",
    "@",
    '"',
    "(",
    ")",
    ",",
    ";",
    ":",
    "=?utf-8?b?",
    "?=",
    "a",
    "=",
    "\\",
    " ",
    "\r\n ",
    "\r",
    "é",
]
VALUES = [
    "text/html",
    "text/plain",
    "multipart/mixed",
    "boundary=q",
    "charset=utf-7",
    "base64",
    "İ",
    "quoted-printable",
]


@given(
    st.lists(
        st.tuples(st.sampled_from(HEADER_NAMES), st.lists(st.sampled_from(PIECES + VALUES), max_size=12))
    ),
    st.lists(
        st.sampled_from(["--q", "\r\n", "<p>", "=", "é", "> ", "\0", "ps b4", "<blockquote>"]), max_size=20
    ),
)
def test_no_headers_break_the_reader(headers: list[tuple[str, list[str]]], body: list[str]) -> None:
    head = "".join(f"{name}: {''.join(value)}\r\n" for name, value in headers)
    envelope = read(f"{head}\r\n{''.join(body)}".encode(), OWN)
    assert "\n" not in envelope.subject + envelope.sender_name + envelope.sender
    assert "\0" not in envelope.body.text
