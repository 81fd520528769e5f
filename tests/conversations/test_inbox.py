"""An inbox tells by the sender's name and the first words what each letter waits for, in one thread a game."""

from dataclasses import replace
from email.headerregistry import AddressHeader
from html import unescape
from typing import cast

import pytest

from takmail.blocks import message
from takmail.letters.templates import Templates, folder
from tests.support.memory_harness import BOTH_SIDES, MemoryHarness
from tests.support.players import ADA, BEN, Received
from tests.support.width import some_of

TEMPLATES = Templates(folder())
MOVES = ["ps a1", "ps e5", "ps c3", "ps d3", "pw c2", "ps b3", "ps d4", "ps b2"]


def sender(letter: Received, header: str = "From") -> str:
    return cast(AddressHeader, letter.mail[header]).addresses[0].display_name


def named(waits_for: str, language: str) -> str:
    """Return the sender's name of a letter that waits for something."""
    words = TEMPLATES.words(language)
    return words.text(message("sender_name", waits_for=waits_for), {"service": "Tak by Mail"})


@pytest.mark.parametrize("language", some_of(TEMPLATES.languages, 2))
def test_each_letter_of_a_game_shows_whose_turn_it_is(language: str) -> None:
    harness = MemoryHarness(services=replace(BOTH_SIDES, language=language))
    harness.begin()
    lead = TEMPLATES.words(language).text(message("your_turn_leads"), {})
    seen = 0
    for number, move in enumerate(MOVES):
        mover, other = (ADA, BEN) if number % 2 == 0 else (BEN, ADA)
        receipt, news = harness.send(mover, move, harness.last(mover))
        assert (receipt.to, sender(receipt)) == (mover, named("", language))
        assert (news.to, sender(news)) == (other, named("turn", language))
        assert news.text.splitlines()[2].startswith(lead)
        assert unescape(news.html).partition("<h1")[2].partition(">")[2].startswith(lead)
        assert {sender(letter, "Reply-To") for letter in (receipt, news)} == {named("", language)}
        seen += 2
    assert seen == 16
    for who in (ADA, BEN):
        threads = [letter for letter in harness.box if letter.to == who and "[tak #1]" in letter.subject]
        assert len({letter.subject for letter in threads[2:]}) == 1
        assert all(letter.mail["References"] for letter in threads[2:])


def test_what_waits_for_an_answer_says_so() -> None:
    harness = MemoryHarness(services=BOTH_SIDES, confirms=False)
    (asked,) = harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN} first=me")
    harness.send(f"Ada <{ADA}>", "yes", asked)
    assert sender(asked) == sender(harness.last(BEN)) == named("answer", "en")
    harness.send(f"Ben <{BEN}>", "accept", harness.last(BEN))
    assert sender(harness.last(ADA)) == named("turn", "en")
    _, offer = harness.send(f"Ada <{ADA}>", "ps a1\ndraw", harness.last(ADA))
    assert sender(offer) == named("answer", "en")
