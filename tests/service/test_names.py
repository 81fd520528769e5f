"""Queries about names: which are taken, and whose they are."""

from takmail.commands.grammar.skeletons import skeleton
from takmail.limits.words import MAX_NAME_CHARS
from tests.support import rows
from tests.support.harness import ADA, BEN, Harness

OTHER = "other@example.org"


def names(harness: Harness) -> list[str]:
    """Return the names of all players, in the order in which they joined."""
    with harness.store.transaction() as session:
        return [one.name for one in rows.players(session)]


def test_who_comes_with_a_name_that_is_taken_gets_a_number(harness: Harness) -> None:
    harness.begin()
    for number in range(3):
        harness.send(f"BEN <guest{number}@example.org>", f"new 5 vs {OTHER}")
    assert names(harness) == ["Ada", "Ben", "BEN 2", "Other", "BEN 3", "BEN 4"]


def test_a_long_name_that_is_taken_still_has_room_for_its_number(harness: Harness) -> None:
    for number in range(2):
        harness.send(f"{'x' * 60} <guest{number}@example.org>", f"new 5 vs {OTHER}")
    assert names(harness)[0] == "x" * MAX_NAME_CHARS
    assert names(harness)[2].endswith("x 2")
    assert len(names(harness)[2]) <= MAX_NAME_CHARS


def test_a_guest_has_no_name_of_their_own_before_they_write(harness: Harness) -> None:
    harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN}")
    with harness.store.transaction() as session:
        queries = harness.causes.queries(session)
        assert queries.player_by_skeleton(skeleton("Ben")) is None
        found = queries.player_by_skeleton(skeleton("ADÁ"))
    assert found is not None
    assert found.addresses == (ADA,)
