"""The answers choose between messages by their facts."""

import pytest

from takmail.blocks import Blocks, Paragraph, message, paragraph
from takmail.commands.answers import told
from takmail.games.registry import GAMES, Games
from takmail.letters.answers import builders
from takmail.letters.answers.builders import answer_blocks
from takmail.letters.answers.sender import size_of
from takmail.letters.reader import Lobby, Reader
from takmail.limits.mails import Excess
from takmail.world import Match
from tests.support.wording import english


class Named:
    """A game whose words are its name."""

    def __init__(self, name: str) -> None:
        self.wording = self
        self.name = message(name)

    def rules(self, facts: object | None) -> Blocks:
        assert facts is None
        return paragraph(self.name)


READER = Reader(None, "tak", Lobby(Games({name: Named(name) for name in GAMES.by_name}, "tak")))  # type: ignore[dict-item]


@pytest.mark.parametrize(("kind", "name"), [("", "tak"), ("tak", "tak"), ("tzaar", "tzaar")])
def test_the_rules_of_a_game_are_told_by_its_name(kind: str, name: str) -> None:
    assert builders.rules(READER, kind=kind) == paragraph(message(name))


def test_each_limit_of_a_mail_is_told() -> None:
    limits = {}
    for one in Excess:
        (told_limit,) = answer_blocks(READER, told("excess", which=one.value, most=300))
        assert isinstance(told_limit, Paragraph)
        limits[one] = english(told_limit.sentences[0])
    assert len(set(limits.values())) == 5
    assert limits[Excess.DEPTH] == limits[Excess.PARTS] == limits[Excess.NESTING]


@pytest.mark.parametrize(
    ("count", "size"),
    [(300, "300 B"), (1024, "1 KiB"), (1536, "1.5 KiB"), (262_144, "256 KiB"), (3 * 1024 * 1024, "3 MiB")],
)
def test_a_size_is_told_in_its_unit(count: int, size: str) -> None:
    assert english(size_of(count)) == size


def test_only_among_several_matches_the_newest_game_is_named() -> None:
    first, second = (Match(kind, ("Ada", "Ben"), won=(1, 0), last=4) for kind in ("tak", "tzaar"))
    last = paragraph(message("last_game_of_match", number=4))[0]
    assert answer_blocks(READER, told("match", matches=(first,), series=())).count(last) == 0
    assert answer_blocks(READER, told("match", matches=(first, second), series=())).count(last) == 2
