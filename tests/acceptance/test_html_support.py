"""The HTML of letters of all kinds needs nothing that Gmail, Outlook, Apple Mail or Yahoo lack."""

import re

import pytest

from tests.support.html_support import FEATURES, Feature, page_of
from tests.support.letters_of_all_kinds import PAGES, conversation, page
from tests.support.players import Received
from tests.support.tables import each_row
from tests.support.width import some_of


@each_row("kind", some_of(PAGES, 5))
def test_a_letter_needs_nothing_that_a_program_lacks(kind: str) -> None:
    needs_nothing(page(kind))


def test_letters_of_a_conversation_need_nothing_that_a_program_lacks() -> None:
    for letter in conversation():
        if letter.html:
            needs_nothing(letter)


def test_no_picture_of_a_page_is_listed_as_a_file() -> None:
    letter = page("mid-game")
    pictures = [part for part in letter.mail.walk() if part.get_content_maintype() == "image"]
    assert pictures
    for part in pictures:
        assert (part.get_content_disposition(), part.get_filename()) == ("inline", None)
        assert part["Content-ID"]
    shown = re.findall(r'src="cid:([^"]*)"', letter.html)
    assert sorted(letter.pictures) == sorted(set(shown))
    assert len(pictures) == len(letter.pictures) < len(shown)


@pytest.mark.parametrize("feature", FEATURES, ids=lambda one: one.name)
def test_what_a_program_lacks_is_found(feature: Feature) -> None:
    html = f"<!DOCTYPE html><html><body>{feature.example}</body></html>"
    assert list(feature.refused(page_of(html)))
    assert feature.lacking
    assert feature.source


def needs_nothing(letter: Received) -> None:
    needed = page_of(letter.html)
    faults = [f"{feature.name}: {one}" for feature in FEATURES for one in feature.refused(needed)]
    assert not faults, "\n".join(faults[:20])
