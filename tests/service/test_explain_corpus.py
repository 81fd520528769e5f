"""Every mail of the corpus is explained as it then ends: held against the rows that a worker leaves in a copy."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import Session, col, select

from takmail.commands import events as ev
from takmail.commands.kinds import MailState, QuestionKind
from takmail.console.explaining import explain
from takmail.console.letters import written
from takmail.pipeline.explain import Explained
from takmail.pipeline.values import Deed
from takmail.store.database import Store
from takmail.store.tables import Chat, Dispute, GameRow, IntakeRow, Offer, OutboxRow, Question, TurnRow
from tests import databases
from tests.corpus import MAILS, NAMES, begin
from tests.office import Office

Made = Callable[[], Office]
Row = tuple[str, int | None, int | None]
"""A row that an event has left: its table, its game, and the version of the event."""

TABLES: dict[type[Any], tuple[type[ev.GameEvent], ...]] = {
    TurnRow: (ev.TurnPlayed, ev.BoardSet),
    Offer: (ev.OfferMade,),
    Dispute: (ev.DisputeOpened, ev.DisputePassedOn),
    Chat: (ev.WordsSaid,),
}
"""Which events leave a row with their version, in which table."""
OF_UNSURE = {QuestionKind.HELD, QuestionKind.COMMANDS}
"""What is asked where it is not sure who wrote a mail."""
UNSURE = (Deed.ASK, Deed.ASK_AGAIN)


@dataclass(frozen=True)
class Stored:
    """What a database holds of games: rows, versions by game, and the numbers and kinds of questions."""

    rows: frozenset[Row]
    versions: dict[int, int]
    asked: dict[int, QuestionKind]


def stored(session: Session) -> Stored:
    return Stored(
        frozenset(
            (table.__name__, one.game_id, one.version)
            for table in TABLES
            for one in session.exec(select(table))
        ),
        {one.id or 0: one.version for one in session.exec(select(GameRow))},
        {one.id or 0: QuestionKind(one.kind) for one in session.exec(select(Question))},
    )


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


def explained(office: Office, raw: bytes) -> Explained:
    with office.store.rehearsal() as session:
        mail = office.causes.to_read(raw, len(raw))
        return explain(session, office.causes, mail, mail.read())


def classes(kind: type[ev.Event] = ev.Event) -> Iterator[type[ev.Event]]:
    """All classes of events."""
    yield kind
    for one in kind.__subclasses__():
        yield from classes(one)


CLASSES = {one.__name__: one for one in classes()}


def rows_of(it: Explained) -> frozenset[Row]:
    """The rows that the events leave which are explained."""
    return frozenset(
        (table.__name__, one.game, one.version)
        for one in it.events
        for table, kinds in TABLES.items()
        if issubclass(CLASSES[one.what], kinds)
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_mail_ends_as_it_is_explained(name: str, make: Made) -> None:
    raw = (MAILS / f"{name}.eml").read_bytes()
    it, office = explained(make(), raw), make()
    with office.store.transaction() as session:
        before = stored(session)
        newest = max(one.id or 0 for one in session.exec(select(OutboxRow)))
    number = office.inbound.keep_one(raw)
    office.inbound.work()
    with office.store.transaction() as session:
        after = stored(session)
        mail = session.get_one(IntakeRow, number)
        letters = session.exec(
            select(OutboxRow).where(col(OutboxRow.id) > newest).order_by(col(OutboxRow.id))
        )
        told = [written(session, one) for one in letters.all()]
    assert (it.error, it.state, it.reason) == ("", MailState(mail.state), mail.note)
    assert [(one.to, one.subject, one.text, one.state) for one in it.letters] == [
        (one.to, one.subject, one.text, one.state) for one in told
    ]
    assert rows_of(it) == after.rows - before.rows
    changed = {one.game: one.version for one in it.events if one.game is not None}
    assert after.versions == before.versions | changed
    asked = [kind for question, kind in after.asked.items() if question not in before.asked]
    assert len(asked) == sum(issubclass(CLASSES[one.what], ev.QuestionAsked) for one in it.events)
    assert (it.decision in UNSURE and bool(asked)) == bool(OF_UNSURE & {*asked})
    if it.decision is None or it.decision in UNSURE:
        assert rows_of(it) == frozenset()
        assert mail.state != MailState.PLAYED


def test_the_corpus_has_mails_for_most_decisions(make: Made) -> None:
    office = make()
    found = [explained(office, (MAILS / f"{name}.eml").read_bytes()) for name in NAMES]
    assert {one.decision for one in found} >= {None, Deed.RUN, Deed.ASK}
    happened = {one.what for it in found for one in it.events}
    assert happened >= {"TurnPlayed", "WordsSaid", "CommandsHeld"}
