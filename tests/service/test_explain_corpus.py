"""Every mail of the corpus is explained as it then ends: held against the rows that a worker leaves in a copy."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from takmail.pipeline.values import Deed
from takmail.store.database import Store
from tests.support import databases
from tests.support.corpus import MAILS, NAMES, begin
from tests.support.explained import explained, work_as_explained
from tests.support.harness import Harness

Made = Callable[[], Harness]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    begin(folder)
    return folder


@pytest.fixture
def make(begun: Path, tmp_path: Path) -> Iterator[Made]:
    """Makes a takmail whose players have begun the game."""
    stores: list[Store] = []

    def made() -> Harness:
        stores.append(Store.open(databases.copied(begun, "begun", tmp_path, f"copy_{len(stores)}")))
        return Harness(stores[-1])

    yield made
    for store in stores:
        store.close()


@pytest.mark.parametrize("name", NAMES)
def test_a_mail_ends_as_it_is_explained(name: str, make: Made) -> None:
    raw = (MAILS / f"{name}.eml").read_bytes()
    work_as_explained(make(), raw, explained(make(), raw))


def test_the_corpus_has_mails_for_most_decisions(make: Made) -> None:
    harness = make()
    found = [explained(harness, (MAILS / f"{name}.eml").read_bytes()) for name in NAMES]
    assert {one.decision for one in found} >= {None, Deed.RUN, Deed.ASK}
    happened = {one.what for it in found for one in it.events}
    assert happened >= {"TurnPlayed", "WordsSaid", "CommandsHeld"}
