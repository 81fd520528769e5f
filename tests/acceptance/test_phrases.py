"""What comes of mails as people write them: tests/data/phrases."""

from pathlib import Path

import pytest

from tests.support.phrases import GIVEN, MORE, SMALL_TALK, Phrase, came_of, phrases
from tests.support.width import some_of


@pytest.mark.parametrize(
    ("text", "comes"),
    [
        ("ps b4", "do ps b4"),
        ("log", "do log"),
        ("resign", "do resign"),
        ("flat b4", "offer ps b4"),
        ("ps f3", "keep"),
        ("How is the weather in Paris?", "words"),
    ],
)
def test_the_table_says_what_came_of_a_mail(text: str, comes: str) -> None:
    came = came_of(Phrase("turn", text, (comes,)))
    assert came.is_right, str(came)
    others = {"do ps b4", "do log", "do resign", "offer ps b4", "words"} - {comes}
    assert [one for one in others if came.is_as(one)] == []


@pytest.mark.parametrize("language", ["en", "zh", "ru"])
def test_small_talk_is_passed_on(language: str) -> None:
    """At most 3 of 100 lines are asked about, and none does anything."""
    lines = phrases(SMALL_TALK / f"{language}.txt")
    assert len(lines) == 100
    came = [came_of(one) for one in some_of(lines, 4)]
    assert [one.phrase.text for one in came if not (one.is_nothing or one.has_words)] == []
    asked = [one.phrase.text for one in came if not one.has_words]
    assert len(asked) <= 3, asked


@pytest.mark.parametrize(("file", "least"), [(GIVEN, 0.97), (MORE, 0.95)])
def test_mails_are_read_as_a_careful_clerk_reads_them(file: Path, least: float) -> None:
    """`make test` tries 20 of the mails of each file, of which no more may be missed than of all of them."""
    every = phrases(file)
    came = [came_of(one) for one in some_of(every, 20)]
    missed = [(one.phrase.context, one.phrase.text, str(one)) for one in came if not one.is_right]
    assert 1 - len(missed) / len(every) >= least, missed
    assert [one.phrase.text for one in came if one.offers_too_many] == []
