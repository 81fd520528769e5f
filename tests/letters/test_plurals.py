"""In English one thing is named otherwise than several: no letter says "1 days"."""

import re

from takmail.letters.templates import folder
from tests.support.tables import each_row

PLURAL = re.compile(r'plural\(one="([^"]*)"[^,]*, other="([^"]*)"')
NUMBER = re.compile(r"%s|\b(?:1|[Oo]ne)\b")


def pairs() -> set[tuple[str, str]]:
    """Return what all English messages say of one and of several, unless it is only the number."""
    texts = [file.read_text(encoding="utf-8") for file in (folder() / "en").glob("*.jinja")]
    found = {(one, other) for text in texts for one, other in PLURAL.findall(text)}
    return found - {("one", "%s")}


@each_row("one, other", pairs)
def test_one_is_not_named_as_several_are(one: str, other: str) -> None:
    assert NUMBER.sub("#", one) != NUMBER.sub("#", other)


def test_most_messages_are_looked_into() -> None:
    assert len(pairs()) > 40
