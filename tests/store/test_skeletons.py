"""An upgrade computes the skeletons of all names anew."""

import hashlib
import unicodedata
from collections.abc import Mapping
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from takmail.commands.grammar import skeletons
from takmail.commands.grammar.skeletons import skeleton
from takmail.store import people
from takmail.store.database import Store
from takmail.store.schema import HEAD, migrate
from tests.support.databases import url_in
from tests.support.harness import ADA, Harness, said
from tests.support.newer_takmail import become_newer

Names = Mapping[int, tuple[str, str | None]]
"""The names of players by number, each with its skeleton."""


def upgraded(folder: Path, names: Names, monkeypatch: pytest.MonkeyPatch) -> Store:
    """Return a database that had these players before an upgrade."""
    url = url_in(folder, "takmail", empty=True)
    engine = create_engine(url)
    with engine.begin() as connection:
        migrate(connection)
        for number, (name, before) in names.items():
            statement = text(
                "INSERT INTO player (id, name, skeleton, created_at) "
                "VALUES (:number, :name, :before, '2026-11-01 12:00:00')"
            )
            connection.execute(statement, {"number": number, "name": name, "before": before})
    engine.dispose()
    become_newer(monkeypatch, folder)
    return Store.open(url, upgrades=True)


def stored(store: Store) -> dict[int, tuple[str, str | None]]:
    with store.engine.connect() as connection:
        rows = connection.execute(text("SELECT id, name, skeleton FROM player"))
        return {number: (name, found) for number, name, found in rows}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({1: ("Ada", "old"), 2: ("Ben", "ben")}, {1: ("Ada", "ada"), 2: ("Ben", "ben")}),
        # The lower number is the older one, whichever of the two had the skeleton before.
        ({1: ("Bén", "bén"), 2: ("Ben", "ben")}, {1: ("Bén", "ben"), 2: ("Ben", "#2")}),
        ({2: ("Ben", "x"), 7: ("BEN", "y"), 9: ("Ƀen", "z")}, {2: ("Ben", "ben"), 7: ("BEN", "#7"), 9: ("Ƀen", "#9")}),
        # Each has the skeleton that the other one gets.
        ({1: ("Ada", "ben"), 2: ("Ben", "ada")}, {1: ("Ada", "ada"), 2: ("Ben", "ben")}),
        # Who has no registered name gets none, and who lost the skeleton once gets it when it is free.
        ({1: ("ben", None), 2: ("Ben", "#2")}, {1: ("ben", None), 2: ("Ben", "ben")}),
        ({1: ("...", "old")}, {1: ("...", "#1")}),
    ],
)  # fmt: skip
def test_of_two_names_that_look_alike_now_the_older_keeps_the_skeleton(
    tmp_path: Path, before: Names, after: Names, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = upgraded(tmp_path, before, monkeypatch)
    assert stored(store) == after
    store.close()


def test_who_lost_the_skeleton_keeps_the_name_and_is_found_by_it_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = upgraded(tmp_path, {1: ("Adá", "adá"), 2: ("Ada", "ada")}, monkeypatch)
    with store.engine.begin() as connection:
        connection.execute(text(f"INSERT INTO address (address, player_id) VALUES ('{ADA}', 2)"))
    harness = Harness(store)
    harness.send(f"Somebody Else <{ADA}>", "seek 5")
    harness.send("Ben <ben@example.org>", "block Ada")
    names = stored(store)
    assert names[2] == ("Ada", "#2")
    with store.transaction() as session:
        found = people.load(session, skeleton=skeleton("Ada"))
        assert [one.id for one in found.players.values()] == [1]
    (refused,) = harness.send(f"Ada <{ADA}>", "name Ada")
    assert "Ada 2" in said(refused)
    harness.send(f"Ada <{ADA}>", "name Adelaide")
    assert stored(store)[2] == ("Adelaide", skeleton("Adelaide"))
    store.close()


CHANGED_IN = {"r0001": "b09c0d073fba1f11f22bbe2a7f988dc3717b6daf078466844e9a47b5ca95cfae"}
"""The schemas in which skeletons changed, each with a digest of the skeletons from then on.

When this test fails, the skeletons in databases differ from those of today's takmail. Add a schema with an empty
migration and its digest. The upgrade to it computes them anew.
"""


def test_skeletons_change_only_with_the_schema() -> None:
    # The names of these letters are older than any Python that runs takmail, and Unicode never changes a name.
    old = [one for one in map(chr, range(0x2000)) if unicodedata.ucd_3_2_0.category(one) != "Cn"]
    latin = [one for one in old if unicodedata.name(one, "").startswith(("LATIN", "GREEK", "CYRILLIC"))]
    found = "\n".join(map(skeleton, [*latin, *skeletons._PLAIN]))
    last = max(CHANGED_IN)
    assert hashlib.sha256(found.encode()).hexdigest() == CHANGED_IN[last]
    assert last <= HEAD
