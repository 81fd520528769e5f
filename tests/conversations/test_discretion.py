"""No letter shows a player another's address, whatever mail programs insert into forwarded text."""

import re
from dataclasses import replace
from email.header import decode_header, make_header

import pytest

from takmail.world.kinds import PlayerId
from takmail.world.players import Mailbox
from tests.support.memory_harness import MemoryHarness
from tests.support.players import ADA, BEN, Received, parsed
from tests.support.width import some_of, tenth_of

ADA_IN_FULL = "ada.lovelace.1815@example.org"
BEN_IN_FULL = "ben.miller99@example.org"
OTHER = "other@example.org"
FIRST_WORDS = {ADA_IN_FULL: "lovelace", BEN_IN_FULL: "miller99"}


def whole(letter: Received) -> str:
    """Return everything in a letter, raw and decoded, in lower case.

    Its To, the reader's own words and the address of a host in an invitation are left out.
    """
    mail = parsed(re.sub(rb"You (?:wrote|said yes to): .*", b"", letter.mail.as_bytes()))
    del mail["To"]
    headers = "\n".join(f"{name}: {make_header(decode_header(str(value)))}" for name, value in mail.items())
    shown = f"{headers}\n{mail.as_string()}\n{mail.get_content()}".lower()
    return re.sub(r"'s\s+address\s+is\s+\S+", "", shown)


def shows_no_other(letter: Received, *people: str) -> None:
    for person in people:
        if person != letter.to:
            assert person not in whole(letter), letter.text
            assert FIRST_WORDS[person] not in whole(letter), letter.text


LIFE = [
    (ADA_IN_FULL, "new 5 vs ben.miller99@example.org first=me\n\nDear Ben"),
    (BEN_IN_FULL, "Who is this?"),
    (BEN_IN_FULL, "accept\n\nHello Ada,\nwrite to me at ben.miller99@example.org"),
    (ADA_IN_FULL, "ps b4\n\n--\nAda, ada.lovelace.1815@example.org"),
    (BEN_IN_FULL, "ps c3\nshow\nlog\nptn\ngames\nrs\nhelp\nrules\nmatch"),
    (ADA_IN_FULL, "pw d1\n\nAda\nmailto:Ada.Lovelace.1815@example.org"),
    (BEN_IN_FULL, "im ben.miller99@example.org says that it is odd"),
    (BEN_IN_FULL, "ps z9"),
    (ADA_IN_FULL, "/say I am ada.lovelace.1815@example.org\n\nFrom: Ada <ada.lovelace.1815@example.org>"),
    (ADA_IN_FULL, "name Countess"),
    (ADA_IN_FULL, "name ada.lovelace.1815@example.org"),
    (BEN_IN_FULL, "name ben.miller99"),
    (BEN_IN_FULL, "pc a5"),
    (ADA_IN_FULL, "new 6 vs ben.miller99@example.org"),
    (BEN_IN_FULL, "decline"),
    (ADA_IN_FULL, "new 6 vs other@example.org"),
    (ADA_IN_FULL, "#1 ps e5"),
    (BEN_IN_FULL, "#1 resign"),
    (BEN_IN_FULL, "yes"),
    (ADA_IN_FULL, "Thank you, ben.miller99@example.org!"),
    (BEN_IN_FULL, "match Countess"),
]


@pytest.mark.parametrize(
    ("sender", "answering"),
    some_of(
        [
            ("{}", True),
            ("Somebody <{}>", True),
            ('"{}" <{}>', True),
            ("{} (Somebody)", True),
            ('"{}" <{}>', False),
        ],
        1,
    ),
)
def test_a_whole_life_of_games_shows_nobody_the_other_s_address(
    harness: MemoryHarness, sender: str, answering: bool
) -> None:
    for who, words in LIFE:
        last = next((one for one in reversed(harness.box) if one.to == who), None)
        letters = harness.send(
            sender.format(who, who),
            words,
            last if answering or words in ("yes", "decline") or "accept" in words else None,
            message_id=f"<{len(harness.box)}.{who}>",
        )
        for letter in letters:
            shows_no_other(letter, ADA_IN_FULL, BEN_IN_FULL)
    assert len(harness.box) > 25


def test_the_others_who_are_invited_learn_no_address_and_no_word_of_one(harness: MemoryHarness) -> None:
    harness.send(ADA_IN_FULL, f"new 5 vs {BEN_IN_FULL}")
    harness.send(BEN_IN_FULL, "accept", harness.last(BEN_IN_FULL))
    for letter in harness.send(BEN_IN_FULL, f"new 5 vs {OTHER}"):
        if letter.to == OTHER:
            assert not re.search(r"\bben\b|miller99", whole(letter))


@pytest.mark.parametrize(
    "words",
    tenth_of(
        [
            "ADA@Example.ORG",
            "so says ada@example.org.",
            "<ada@example.org>",
            "<mailto:ada@example.org>",
            "[mailto:ada@example.org]",
            "Ada<mailto:ada@example.org?subject=Tak>",
            "From: Ada <ada@example.org>",
            "*From:* ada@example.org",
            "ada=40example.org",
            "https://list.example/?user=ada%40example.org",
            "ada&#64;example.org",
            "ada (at) example.org",
            "ada[at]example.org",
            "bounce+ada=example.org@list.example",
            "ada\uff20example.org",
            "ada@\u200bexample.org",
            "ada+tak@example.org",
            "-ada@example.org-",
            "or write to lady@second.example",
        ]
    ),
)
def test_the_writer_s_addresses_are_left_out_however_a_program_writes_them(
    harness: MemoryHarness, words: str
) -> None:
    harness.begin()
    ada = harness.memory.players[PlayerId(1)]
    harness.memory.put(replace(ada, mailboxes=(*ada.mailboxes, Mailbox("lady@second.example"))))
    _, news = harness.send(f"Ada <{ADA}>", f"ps b4\n\nHello\n/say see {words}\n{words}", harness.last(ADA))
    assert not re.search(r"ada\S{0,9}\s?\S{0,9}example|lady@|second\.example", news.text, re.IGNORECASE)
    assert "(address left out)" in news.text


@pytest.mark.parametrize(
    "line",
    some_of(
        [
            "From: Someone <someone@example.net>",
            "Von: someone@example.net",
            "发件人： someone@example.net",
            "> *To:* Ben <ben@example.org>; Someone <someone@example.net>",
            "Someone <someone@example.net> said hello",
            "On 21 Nov 2026 someone@example.net wrote:",
            "someone@example.net",
            "E-Mail: someone@example.net",
            "=> someone@example.net <=",
            "see mailto:someone@example.net",
        ],
        4,
    ),
)
def test_the_address_lines_of_programs_show_nobody_s_address(harness: MemoryHarness, line: str) -> None:
    harness.begin()
    _, news = harness.send(f"Ada <{ADA}>", f"ps b4\n\nHello,\n/say one\n{line}\nBye", harness.last(ADA))
    assert "@example" not in news.text.split("Ada writes:")[1].split("Move 1")[0].replace(
        f"{BEN}", "@example"
    )


@pytest.mark.parametrize(
    "words", ["say my brother is bigada@example.org", "say ask x-ada@example.org", "Hello,\n5 @ 6 = x@y"]
)
def test_what_somebody_tells_in_their_own_words_is_theirs_to_tell(harness: MemoryHarness, words: str) -> None:
    harness.begin()
    _, news = harness.send(f"Ada <{ADA}>", words, harness.last(ADA))
    words = words.removeprefix("say ").removeprefix("Hello,\n")
    assert f"  | {words}\n" in news.text


def test_the_other_one_s_address_is_not_passed_on_either(harness: MemoryHarness) -> None:
    harness.begin()
    (answer,) = harness.send(f"Ada <{ADA}>", f"Is {BEN} still you?", harness.last(ADA))
    assert BEN not in answer.text
    _, news = harness.send(f"Ada <{ADA}>", f"say Is {BEN} still you?", answer)
    assert BEN not in news.text
    _, news = harness.send(f"Ben <{BEN}>", f"say Yes, and is {ADA} you?", harness.last(BEN))
    assert ADA not in news.text


def test_a_long_mail_full_of_addresses_is_seen_to_at_once(harness: MemoryHarness) -> None:
    harness.begin()
    words = "a.b+c=d%" * 20_000 + "\n" + "x@y " * 5_000 + "\n" + "<" * 5_000
    _, news = harness.send(f"Ada <{ADA}>", words, harness.last(ADA))
    assert news.to == BEN
