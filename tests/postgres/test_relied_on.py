"""What a decision has read and relies on, and another transaction has changed since (decision 61): it is not stored."""

from collections.abc import Callable

import pytest

from takmail.commands.context import Access
from takmail.pipeline.process import Conflict
from takmail.store.write import write
from tests.postgres.test_overlap import decided, handle, in_game, kept
from tests.support.harness import ADA, BEN, Harness

OTHER = "other@example.org"
AS_ADA = f"Ada <{ADA}>"
AUTUMN = 'tournament "Autumn" 4x4 days=3'

Mails = tuple[int, int]
"""The numbers of two mails: the one that is stored first, and the one that was decided before that."""


def game(harness: Harness) -> Mails:
    return in_game(harness, ADA, "ps a1"), in_game(harness, ADA, "ps b1")


def game_shown(harness: Harness) -> Mails:
    return in_game(harness, ADA, "ps a1"), in_game(harness, BEN, "show")


def address(harness: Harness) -> Mails:
    return kept(harness, OTHER, "seek 5"), kept(harness, OTHER, "seek 6")


def name(harness: Harness) -> Mails:
    for who in (ADA, BEN):
        handled(harness, kept(harness, who, "name Zoe"))
    harness.collect()
    return in_game(harness, ADA, "yes"), in_game(harness, BEN, "yes")


def rematch(harness: Harness) -> Mails:
    for words in ("resign", "yes"):
        harness.send(AS_ADA, words, harness.last(ADA))
    return in_game(harness, ADA, "rematch"), in_game(harness, BEN, "rematch")


def seek(harness: Harness) -> Mails:
    handled(harness, kept(harness, ADA, "seek 5"))
    return kept(harness, BEN, "join 1"), kept(harness, OTHER, "join 1")


def question(harness: Harness) -> Mails:
    harness.send(AS_ADA, "stop")
    return in_game(harness, ADA, "yes"), in_game(harness, ADA, "yes")


def tournament(harness: Harness) -> Mails:
    handled(harness, kept(harness, ADA, AUTUMN))
    return kept(harness, BEN, "enter Autumn"), kept(harness, OTHER, "enter Autumn")


def tournament_name(harness: Harness) -> Mails:
    return kept(harness, ADA, AUTUMN), kept(harness, BEN, AUTUMN)


def handled(harness: Harness, number: int) -> None:
    with harness.store.transaction() as session:
        handle(harness, session, number)


@pytest.mark.parametrize(
    "mails", [game, game_shown, address, name, rematch, seek, question, tournament, tournament_name]
)
def test_what_was_decided_before_another_mail_was_stored_is_not_stored(
    harness: Harness, mails: Callable[[Harness], Mails]
) -> None:
    harness.change(access=Access(organisers=frozenset({ADA, BEN})))
    harness.begin()
    first, second = mails(harness)
    with pytest.raises(Conflict), harness.store.transaction() as two:  # noqa: PT012 - the other one is in between
        snapshot, outcome = decided(harness, two, second)
        handled(harness, first)
        write(two, snapshot, outcome, claimed_by="")
    handled(harness, second)  # it is decided again
