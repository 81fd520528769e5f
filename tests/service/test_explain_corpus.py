"""Every mail of the corpus is explained as it then ends: held against the rows that a worker leaves in a copy."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from takmail.pipeline.values import Deed
from takmail.store.database import Store
from tests import databases
from tests.corpus import MAILS, NAMES, begin
from tests.explained import explained, work_as_explained
from tests.office import Office

Made = Callable[[], Office]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    begin(folder)
    return folder


@pytest.fixture
def make(begun: Path, tmp_path: Path) -> Iterator[Made]:
    """Makes an office whose players have begun the game."""
    stores: list[Store] = []

    def made() -> Office:
        stores.append(Store.open(databases.copied(begun, "begun", tmp_path, f"copy_{len(stores)}")))
        return Office(stores[-1])

    yield made
    for store in stores:
        store.close()


@pytest.mark.parametrize("name", NAMES)
def test_a_mail_ends_as_it_is_explained(name: str, make: Made) -> None:
    raw = (MAILS / f"{name}.eml").read_bytes()
    work_as_explained(make(), raw, explained(make(), raw))


def test_the_corpus_has_mails_for_most_decisions(make: Made) -> None:
    office = make()
    found = [explained(office, (MAILS / f"{name}.eml").read_bytes()) for name in NAMES]
    assert {one.decision for one in found} >= {None, Deed.RUN, Deed.ASK}
    happened = {one.what for it in found for one in it.events}
    assert happened >= {"TurnPlayed", "WordsSaid", "CommandsHeld"}
