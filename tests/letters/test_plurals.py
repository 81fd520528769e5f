"""One thing is named otherwise than several in English, and 2 otherwise than 5 in Russian."""

import re

from takmail.letters.templates import folder
from tests.support.tables import each_row

PLURAL = re.compile(r'plural\(one="([^"]*)"[^,]*, other="([^"]*)"')
NUMBER = re.compile(r"%s|\b(?:1|[Oo]ne)\b")
SINGLES = re.compile(r'one="([^"]*)"[^"]*,\s+few="([^"]*)"[^"]*,\s+many="([^"]*)"')
FORMS = re.compile(r'few="([^"]*)"[^"]*,\s+many="([^"]*)"[^"]*,\s+other="([^"]*)"')


def texts(language: str) -> list[str]:
    return [file.read_text(encoding="utf-8") for file in (folder() / language).glob("*.jinja")]


def pairs() -> set[tuple[str, str]]:
    """Return what all English messages say of one and of several, unless it is only the number."""
    found = {(one, other) for text in texts("en") for one, other in PLURAL.findall(text)}
    return found - {("one", "%s")}


@each_row("one, other", pairs)
def test_one_is_not_named_as_several_are(one: str, other: str) -> None:
    assert NUMBER.sub("#", one) != NUMBER.sub("#", other)


def counted() -> set[tuple[str, str, str]]:
    """Return what Russian messages say of 2, of 5 and of 1.5, where the first two differ."""
    found = {forms for text in texts("ru") for forms in FORMS.findall(text)}
    return {(few, many, other) for few, many, other in found if few != many}


def noun(words: str, others: str) -> str:
    """Return the last word that is not that of the others: adjectives and verbs stand before what they count."""
    both = zip(re.findall(r"\w+", words), re.findall(r"\w+", others), strict=True)
    return [word for word, other in both if word != other][-1]


@each_row("few, many, other", counted)
def test_of_two_there_is_the_genitive_singular_and_of_five_the_plural(
    few: str, many: str, other: str
) -> None:
    """That of 1.5 is the singular, too: «2 камня», «5 камней», «1,5 камня»."""
    assert re.search("[аяыи]$", noun(few, many))
    assert re.search("[^аяоеуюыи]$", noun(many, few))
    assert noun(other, many) == noun(few, many)


def singles() -> set[tuple[str, str, str]]:
    """Return what Russian messages say of 1, of 2 and of 5, but for «раз», which is the same of 1 and of 5."""
    found = {forms for text in texts("ru") for forms in SINGLES.findall(text)}
    return found - {("раз", "раза", "раз")}


@each_row("one, few, many", singles)
def test_of_one_there_is_neither_the_genitive_nor_the_plural(one: str, few: str, many: str) -> None:
    assert one not in (few, many)


def test_most_messages_are_looked_into() -> None:
    assert len(pairs()) > 40
    assert len(counted()) > 30
    russian = "".join(texts("ru"))
    assert russian.count("plural(") == len(FORMS.findall(russian)) == len(SINGLES.findall(russian))
