"""Letters to somebody who may not have written a mail show only commands without freely chosen text."""

import pytest

from takmail.commands.grammar.invitation_forms import New
from takmail.commands.redaction import showable
from tests.commands.grammar.reading import read
from tests.commands.grammar.test_canonical import ADVERT, STRANGER
from tests.support.memory_harness import MemoryHarness
from tests.support.players import ADA, BEN, TAK, Received, said
from tests.support.width import combined, some_of, tenth_of

WORDS = ("cheap", "pills", "0900", "1234")


@pytest.fixture
def harness() -> MemoryHarness:
    return MemoryHarness(confirms=False)


def all_of(letter: Received) -> str:
    """Return a letter with its headers in lower case, without the fixed text about names."""
    return f"{letter.mail['To']}\n{letter.subject}\n{said(letter)}\n{letter.html}".lower()


FREE = [
    f"name {ADVERT}",
    f"/name {ADVERT}\nnew 5 vs {BEN}",
    f"new 5 vs {BEN}\n/say {ADVERT}\n\n{ADVERT}",
    f"new 5 vs {ADVERT}",
    f"new 5 vs {ADVERT} {BEN}",
    f"new 5 vs {BEN} first={ADVERT}",
    f"new 5 {ADVERT} vs {BEN}",
    f"new 9 vs {BEN} {ADVERT}",
    f"new 5 komi=cheap-pills-0900-1234 vs {BEN}",
    f"seek 5 {ADVERT}",
    "seek 5 score=cheap-pills-0900-1234",
    f"block {ADVERT}",
    f"unblock {ADVERT}",
    f"match {ADVERT}",
    f"/help {ADVERT}",
    f"/view {ADVERT}",
    f"/moves {ADVERT}",
    f"/show {ADVERT}",
    f"/join {ADVERT}",
    f"/unseek {ADVERT}",
    f"propose board {ADVERT}",
    f"im {ADVERT}",
    f"say {ADVERT}",
    f"nmae {ADVERT}",
    f"nwe 5 vs {ADVERT}",
    f"agree {ADVERT}",
    f"accept\n{ADVERT}",
    "address add cheap.pills@call0900.example",
    "address remove cheap.pills@call0900.example",
    f"rs\nlog\n{ADVERT}",
    ADVERT,
]


@pytest.mark.parametrize(("words", "guest"), combined(some_of(FREE, 4), [False, True]))
def test_a_stranger_s_words_reach_nobody_in_whose_name_they_are_written(
    harness: MemoryHarness, words: str, guest: bool
) -> None:
    """Neither a stranger nor a guest who has not accepted gets these words."""
    if guest:
        harness.confirms = True
        harness.send(f"Ada <{ADA}>", f"new 5 vs {STRANGER}")
        harness.confirms = False
    for text in (words, f"#1 {words}"):
        for letter in harness.send(f'"Cheap pills 0900" <{STRANGER}>', text, subject=ADVERT):
            assert letter.to == STRANGER
            assert not [word for word in WORDS if word in all_of(letter)], all_of(letter)


def test_the_question_shows_what_its_yes_does_and_no_more(harness: MemoryHarness) -> None:
    words = f"name Countess\nNEW 5x5 vs Benny <{BEN}> first=me\naddress add {STRANGER}\nseek 4"
    (asked,) = harness.send(f"Ada <{ADA}>", words)
    assert [line.strip() for line in asked.lines if line.strip().startswith("|")] == [
        "| new 5 vs ben@... first=me",
        "| seek 4",
    ]
    assert "write that again in an answer to this letter" in said(asked)
    letters = harness.send(f"Ada <{ADA}>", "yes", asked)
    assert {one.to for one in letters} == {ADA, BEN}
    memory = harness.memory
    assert {one.name for one in memory.players.values()} == {"Ada", "Ben"}
    assert [one.setup for one in memory.open_seeks.values()] == ["4"]
    assert [one.record.setup for one in memory.tables.values()] == ["5"]
    assert memory.questions == []


@pytest.mark.parametrize("words", ["name Countess", f"address add {STRANGER}", "block Ben", "new 5 vs Ben"])
def test_what_cannot_be_shown_is_done_once_it_is_written_in_an_answer(
    harness: MemoryHarness, words: str
) -> None:
    (asked,) = harness.send(f"Ada <{ADA}>", words)
    assert (asked.to, asked.asks_who) == (ADA, True)
    assert "write the same again in an answer to this letter" in said(asked)
    assert 'nothing is waiting for a "yes"' in said(harness.send(f"Ada <{ADA}>", "yes", asked)[0])
    answer = said(harness.send(f"Ada <{ADA}>", words, asked)[-1])
    assert f"You wrote: {words}".partition("@")[0] in answer


INSULT = "You play like a sheep, Ben."


def test_words_that_come_with_a_mail_that_may_be_forged_reach_nobody(harness: MemoryHarness) -> None:
    """Otherwise Ada would confirm words that she has not seen."""
    (asked,) = harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN} first=me\n\n{INSULT}")
    assert (
        'Words that came with it are not kept. If it was you, write them in the answer, below the "yes"'
        in (said(asked))
    )
    harness.send(f"Ada <{ADA}>", "yes", asked)
    harness.send(f"Ben <{BEN}>", "accept", harness.last(BEN))
    harness.send(f"Ada <{ADA}>", "ps b4", harness.last(ADA))
    assert all("sheep" not in all_of(letter) for letter in harness.box)
    assert harness.table().correspondence.waiting_chat == ()


def test_words_below_the_yes_reach_the_other_player_and_are_no_commands(harness: MemoryHarness) -> None:
    (asked,) = harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN}\n\n{INSULT}")
    harness.send(f"Ada <{ADA}>", "yes\n\nHello Ben!\nforget me never, old friend", asked)
    assert "| Hello Ben!\n  | forget me never, old friend" in harness.last(BEN).text
    assert "sheep" not in harness.last(BEN).text


def test_a_mail_without_words_is_told_of_none(harness: MemoryHarness) -> None:
    (asked,) = harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN}")
    assert "not kept" not in said(asked)


ADVERTS = [
    'new 5 vs "cheap pills: http://evil.example/buy"@evil.example',
    'new 5 vs you won 1000 dollars call 555"@evil.example',
    "new 5 vs you won 1000 dollars",
    "new 5 vs mailto:http://evil.com/x@x.example",
    "new 5 vs http://evil.com/x@x.example",
    "new 5 vs x@x.example <mailto:http://evil.com/x@x.example>",
    "new 5 vs x@x.example <http://evil.com/x@y.example>",
    "new 5 vs your-account-is-locked-visit-www.evil.example@evil.example",
    "new 5 vs www.evil@x.example",
    "new 5 vs wwwevil@x.example",
    "new 5 vs visit+http@x.example",
    "new 5 vs evil.com@x.example",
    "new 5 vs evil.example@x.example",
    "new 5 vs buy.at.evil@x.example",
    "new 5 vs evil.com+x@x.example",
    "new 5 vs e.evil.co@x.example",
    "new 5 vs your-account-is-locked@x.example",
    "new 5 vs youraccountislockedcallus@x.example",
    "new 5 vs \u4f60\u4e2d\u5956\u4e86@x.example",
    "new 5 vs free!money@x.example",
    "new 5 vs a&b=1@x.example",
    "new 5 vs 'a b'@x.example",
    "new 5 vs (a b)@x.example",
    "challenge evil.com@x.example 5",
]


@pytest.mark.parametrize("line", tenth_of(ADVERTS))
def test_an_invitation_that_may_be_an_advertisement_is_written_again(
    harness: MemoryHarness, line: str
) -> None:
    (asked,) = harness.send("someone@example.net", line)
    assert (asked.to, asked.asks_who) == ("someone@example.net", True)
    assert "It asks for something with a name or an address in it." in said(asked)
    assert "write the same again in an answer to this letter" in said(asked)
    assert "|" not in asked.text
    assert not [word for word in ("evil", "555", "x@", "b'@", "account", "call") if word in asked.text]
    assert harness.memory.questions == []


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("new 5 vs you won 1000 dollars call 555@evil.example", "new 5 vs 555@..."),
        ('new 5 vs "call 555" <x@x.example>', "new 5 vs x@..."),
        ("new 5 vs first=me call b@x.example", "new 5 vs b@... first=me"),
    ],
)
def test_words_beside_an_address_are_not_shown(harness: MemoryHarness, line: str, shown: str) -> None:
    (asked,) = harness.send("someone@example.net", line)
    assert [one.strip() for one in asked.text.splitlines() if "|" in one] == [f"| {shown}"]
    assert not [word for word in ("evil", "won", "dollars", "call") if word in asked.text]


@pytest.mark.parametrize(
    "typed",
    [
        "ben@example.org",
        "ben.smith@example.org",
        "b.smith+tak@example.org",
        "ben_1990@example.org",
        "ben-smith@mail.example.org",
        "j.doe@example.org",
        "kim.lee@example.org",
        "12345@example.org",
        "Ben@Example.ORG",
        "<ben@example.org>",
        "mailto:ben@example.org",
        "ben@example.org <mailto:ben@example.org>",
        "ben@example.org<mailto:ben@example.org>,",
        "Ben Smith <ben@example.org>",
        "ben@ex\xe4mple.org",
    ],
)
def test_an_ordinary_address_is_asked_about(harness: MemoryHarness, typed: str) -> None:
    orders = read(f"new 5 vs {typed} first=me")
    (shown,) = showable(harness.services, orders)
    assert isinstance(shown.arguments, New)
    assert shown.arguments.opponent.lower() in typed.lower()
    assert shown.line == f"new 5 vs {shown.arguments.opponent} first=me"


def test_a_newcomer_s_slip_is_mended_all_the_same(harness: MemoryHarness) -> None:
    (asked,) = harness.send(f"Ada <{ADA}>", f"new 5 {BEN}")
    assert "| new 5 vs ben@" in said(asked)
    (asked,) = harness.send(f"Ada <{ADA}>", f"nwe 6 vs {BEN}", to=TAK)
    assert "| new 6 vs ben@" in said(asked)


def test_a_line_that_was_only_confirmed_is_not_said_to_be_written(harness: MemoryHarness) -> None:
    line = f"new tzaar vs {BEN}"
    (asked,) = harness.send(f"Ada <{ADA}>", line)
    assert "| new tzaar random vs ben@" in said(asked)
    answer = said(harness.send(f"Ada <{ADA}>", "yes\n\nseeks", asked)[-1])
    assert "You said yes to: new tzaar random vs ben@" in answer
    assert "You wrote: seeks" in answer
    assert "You wrote: new" not in answer


def test_a_question_shows_its_lines_in_the_readers_language_too(harness: MemoryHarness) -> None:
    (english,) = harness.send(f"Ada <{ADA}>", "seek 5")
    assert "In your language" not in said(english)
    harness.send(f"Ada <{ADA}>", "yes", harness.send(f"Ada <{ADA}>", "язык русский")[0])
    (asked,) = harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN} games=3")
    assert (
        f"| new 5 vs {BEN[:4]}... games=3 По-русски это: новая партия 5 против {BEN[:4]}... games=3"
        in said(asked)
    )
