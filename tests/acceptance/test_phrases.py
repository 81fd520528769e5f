"""What comes of mails as people write them: tests/data/phrases."""

import pytest

from tests.support.phrases import SMALL_TALK, Phrase, came_of, phrases


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
    came = [came_of(one) for one in phrases(SMALL_TALK / f"{language}.txt")]
    assert len(came) == 100
    assert [one.phrase.text for one in came if not (one.is_nothing or one.has_words)] == []
    asked = [one.phrase.text for one in came if not one.has_words]
    assert len(asked) <= 3, asked
