"""What comes of mails as people write them: tests/data/phrases."""

import pytest

from tests.support.phrases import Phrase, came_of


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
