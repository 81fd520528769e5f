"""The headers of a letter equal those of the standard library, for any names, Subjects and threads."""

from email import message_from_bytes, message_from_string, policy
from email.header import decode_header, make_header
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import EmailPolicy

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from takmail.mail.letter_headers import _folded_cached, serialize_headers
from tests.support.tables import each_row

WORDS = st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]), max_size=200)


def by_the_library(name: str, value: str | Address) -> bytes:
    mail = EmailMessage(policy=policy.SMTP)
    mail[name] = value
    return mail.as_bytes().removesuffix(b"\r\n")


def read(raw: bytes, name: str) -> str:
    return str(message_from_bytes(raw + b"\r\n", policy=policy.default)[name])


@given(WORDS)
@example(" \xa0")
def test_a_subject_reads_as_it_was_written(subject: str) -> None:
    # A program that reads a header drops the spaces at its ends, unless they are encoded.
    assert read(serialize_headers([("Subject", subject)], policy.SMTP), "Subject").strip(
        " "
    ) == subject.strip(" ")


@given(WORDS)
def test_a_name_reads_as_it_was_written(name: str) -> None:
    to = Address(name, username="ada", domain="example.org")
    (reader,) = message_from_bytes(
        serialize_headers([("To", to)], policy.SMTP) + b"\r\n", policy=policy.default
    )["To"].addresses
    assert reader.addr_spec == "ada@example.org"
    # Spaces of all kinds count for little in a name.
    assert "".join(reader.display_name.split()) == "".join(name.split())


@pytest.mark.parametrize(
    "value",
    [
        "",
        "ps a1",
        " two  blanks ",
        "[tak #1] Ada – Ben, 5x5",
        "x" * 300,
        "<1.abcdefghijklmnop@example.test>",
        f"<{'z' * 200}@example.org> <1@example.test>",
    ],
)
def test_short_and_hard_headers_are_the_same_bytes(value: str) -> None:
    assert serialize_headers([("Subject", value)], policy.SMTP) == by_the_library("Subject", value)


@each_row("tag", range(60))
@pytest.mark.parametrize("words", ["Ada приглашает вас на партию в Так, 5x5", "Ben请你下一局 泰克棋，5x5"])
def test_no_space_of_a_long_subject_is_lost(tag: int, words: str) -> None:
    subject = f"[tak #1.{'a' * tag}] {words}"
    written = serialize_headers([("Subject", subject)], policy.SMTP).decode("ascii")
    unfolded = written.removeprefix("Subject: ").replace("\r\n", "")
    assert str(make_header(decode_header(unfolded))) == subject


def test_a_long_thread_is_folded_between_its_letters() -> None:
    thread = tuple(f"<{number}.abcdefghijklmnop@example.test>" for number in range(12))
    written = serialize_headers([("References", thread)], policy.SMTP)
    assert max(map(len, written.split(b"\r\n"))) <= 78
    assert written.replace(b"\r\n", b"").decode() == f"References: {' '.join(thread)}"


SIGNS = st.sampled_from([chr(n) for n in range(ord("!"), ord("~") + 1) if chr(n) not in "<>"])


def ids(shortest: int) -> st.SearchStrategy[str]:
    """Generate Message-IDs of at least `shortest` characters that fit on a line."""
    inner = st.text(SIGNS, min_size=shortest - 2, max_size=75).filter(lambda one: "=?" not in one)
    return inner.map("<{}>".format)


@given(ids(67), st.lists(ids(3), max_size=6))
@example("<AS8PR04MB8199A1B2C3D4E5F60718293A4@AS8PR04MB8199.eurprd04.prod.outlook.com>", ["<1@b>"])
def test_a_thread_that_does_not_fit_beside_its_name_is_the_bytes_that_the_library_writes(
    first: str, more: list[str]
) -> None:
    assert serialize_headers([("References", (first, *more))], policy.SMTP) == by_the_library(
        "References", " ".join([first, *more])
    )
    assert serialize_headers([("In-Reply-To", (first,))], policy.SMTP) == by_the_library("In-Reply-To", first)


def test_a_message_id_of_ours_is_the_bytes_that_the_library_writes_however_long_it_is() -> None:
    for length in range(1, 300):
        own = f"<1.abc@{'x' * length}.test>"
        assert serialize_headers([("Message-ID", (own,))], policy.SMTP) == by_the_library("Message-ID", own)


def test_an_id_longer_than_a_line_stands_as_it_is() -> None:
    long = f"<{'z' * 300}@example.org>"
    thread = ("<1@example.test>", long, "<2@example.test>")
    assert serialize_headers([("References", thread)], policy.SMTP).decode() == (
        f"References: <1@example.test>\r\n {long}\r\n <2@example.test>\r\n"
    )
    assert serialize_headers([("In-Reply-To", (long,))], policy.SMTP).decode() == f"In-Reply-To: {long}\r\n"


@each_row(
    "one",
    [
        "<x=?utf-8?q?=0AX-Evil:=20yes?@example.org>",
        "<x@example.org>\r\n X-Evil: yes",
        "<x@example.org>\n",
        "<x y@example.org>",
        "<x\0@example.org>",
        "<ä@example.org>",
        "<x@example.org",
        "",
    ],
)
def test_what_is_no_message_id_stands_in_no_thread(one: str) -> None:
    with pytest.raises(ValueError, match="invalid Message-ID"):
        serialize_headers([("References", ("<1@example.test>", one))], policy.SMTP)


PIECES = st.sampled_from(["=?", "?=", "utf-8", "?q?", "=0A", "=0D", "=20", "X: y", " ", "ä", "_", '"'])
CODED = st.lists(PIECES).map("".join)


@given(CODED)
@example("=?utf-8?q?hi?= there")
@example("=?utf-8?q?=0D=0AX-Evil:=20yes=0A=0Abuy?=")
@example("=?utf-7?q?+2AA-?=")
@example(f"?={'utf-8' * 15}X: y")
@example(f"?={'utf-8' * 15}X: yä")
@example("Ben, eve@example.org, " + "b" * 80)
def test_what_looks_like_an_encoded_word_is_decoded_by_nobody(text: str) -> None:
    """Spaces are ignored. Those at the ends mean nothing, and the standard library adds some between words."""
    to = Address(text, username="ada", domain="example.org")
    for rules in (policy.SMTP, policy.SMTPUTF8):
        raw = serialize_headers([("Subject", text), ("To", to)], rules)
        mail = message_from_string(f"{raw.decode()}\r\n", policy=policy.default)
        assert mail.keys() == ["Subject", "To"]
        (reader,) = mail["To"].addresses
        assert reader.addr_spec == "ada@example.org"
        for read_as in (mail["Subject"], reader.display_name):
            assert str(read_as).replace(" ", "") == text.replace(" ", "")


def test_an_address_that_would_be_decoded_is_none() -> None:
    to = Address("Ada", username="=?utf-8?q?ben?=", domain="example.org")
    with pytest.raises(ValueError, match="encoded word"):
        serialize_headers([("To", to)], policy.SMTP)


@pytest.mark.parametrize("written", ["ä\r\nX-Evil: yes", "ä\n X-Evil: yes", "ä\r", "ä\r\n\r\nbuy", "ä\r\n"])
def test_nothing_is_written_that_is_more_than_one_header(
    written: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This holds even if the standard library copies a line end from its input."""
    _folded_cached.cache_clear()
    monkeypatch.setattr(EmailPolicy, "fold_binary", lambda *_: f"Subject: {written}\r\n".encode())
    with pytest.raises(ValueError, match="a header"):
        serialize_headers([("Subject", written[0] * 5)], policy.SMTP)


@pytest.mark.parametrize("value", ["ps a1\r\nBcc: other@example.org", "a\nb", "a\n", "ä\r", "a\rb"])
def test_no_header_can_bring_another_one(value: str) -> None:
    with pytest.raises(ValueError, match="linefeed"):
        serialize_headers([("Subject", value)], policy.SMTP)


def test_no_name_of_a_header_can_bring_another_one() -> None:
    with pytest.raises(ValueError, match="linefeed"):
        serialize_headers([("Subject\rBcc", "ps a1")], policy.SMTP)


def test_a_subject_that_was_written_before_is_the_same_again_and_another_by_other_rules() -> None:
    fields = [("Subject", "[tak #1] Ada – Ben, 5x5")]
    encoded = serialize_headers(fields, policy.SMTP)
    assert serialize_headers(fields, policy.SMTP) == encoded
    assert (
        serialize_headers(fields, policy.SMTPUTF8)
        == "Subject: [tak #1] Ada – Ben, 5x5\r\n".encode()
        != encoded
    )
