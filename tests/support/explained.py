"""Compare the explanation of a mail with the rows that a worker writes for it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, select

from takmail.cli.explain import explain
from takmail.cli.letters import written
from takmail.pipeline.authorize import Action
from takmail.pipeline.explain import Explained
from takmail.pipeline.interpret import Interpreted
from takmail.pipeline.process import Outcome, Trace
from takmail.store.tables import (
    ChatRow,
    DisputeRow,
    GameRow,
    InboxRow,
    OutboxRow,
    PendingRow,
    TurnRow,
)
from takmail.world import events
from takmail.world.game import Game
from takmail.world.kinds import MailState
from takmail.world.waiting import PendingKind
from takmail.world.world import World
from tests.commands.build import waiting
from tests.support.harness import Harness

Row = tuple[str, int | None, int | None]
"""A row of a game: its table, its game, and the version that identifies it in its game."""

TABLES: dict[type[Any], Callable[[Game], Iterable[Any]]] = {
    TurnRow: lambda game: (*game.turns, *(turn for run in game.taken_back for turn in run.turns)),
    DisputeRow: lambda game: game.every_dispute,
    ChatRow: lambda game: game.correspondence.waiting_chat,
}
"""What a game has of the rows of each table."""
OF_UNSURE = {PendingKind.HELD, PendingKind.COMMANDS}
"""The kinds of questions that ask whether a player wrote a mail."""


@dataclass(frozen=True)
class Stored:
    """The stored games: rows, versions by game, and the kinds, games and addresses of questions by number."""

    rows: frozenset[Row]
    versions: dict[int, int]
    asked: dict[int, tuple[PendingKind, int | None, str | None]]


def stored(session: Session) -> Stored:
    return Stored(
        frozenset(
            (table.__name__, one.game_id, one.version)
            for table in TABLES
            for one in session.exec(select(table))
        ),
        {one.id or 0: one.version for one in session.exec(select(GameRow))},
        {
            one.id or 0: (PendingKind(one.kind), one.game_id, one.address)
            for one in session.exec(select(PendingRow))
        },
    )


def explained(harness: Harness, raw: bytes) -> Explained:
    with harness.store.dry_run() as session:
        mail = harness.causes.to_read(raw, len(raw))
        return explain(session, harness.causes, mail, mail.read())


def trace_of(it: Explained) -> Trace:
    """Return the results of the stages. The sender is known."""
    assert it.trace is not None
    return it.trace


def outcome_of(it: Explained) -> Outcome:
    """Return the outcome. No stage has failed."""
    outcome = trace_of(it).outcome
    assert outcome is not None
    return outcome


def read_of(it: Explained) -> Interpreted:
    """Return how the mail was interpreted."""
    interpreted = trace_of(it).interpreted
    assert interpreted is not None
    return interpreted


def rows_of(world: World) -> frozenset[Row]:
    """Return the rows of the games of a world."""
    return frozenset(
        (rows.__name__, game.number, one.version)
        for game in world.games.values()
        for rows, of_game in TABLES.items()
        for one in of_game(game)
    )


def work_as_explained(harness: Harness, raw: bytes, it: Explained) -> None:
    """Process a mail, and compare the result with its explanation `it`."""
    with harness.store.transaction() as session:
        before = stored(session)
        newest = max((one.id or 0 for one in session.exec(select(OutboxRow))), default=0)
    number = harness.mail_worker.keep_one(raw)
    harness.mail_worker.work()
    with harness.store.transaction() as session:
        after = stored(session)
        mail = session.get_one(InboxRow, number)
        letters = session.exec(
            select(OutboxRow).where(col(OutboxRow.id) > newest).order_by(col(OutboxRow.id))
        )
        told = [written(session, one) for one in letters.all()]
    decision, outcome, sender = trace_of(it).decision, outcome_of(it), trace_of(it).sender.address
    assert (it.error, outcome.state, outcome.note) == ("", MailState(mail.state), mail.note)
    assert [(one.to, one.subject, one.text, one.state) for one in it.letters] == [
        (one.to, one.subject, one.text, one.state) for one in told
    ]
    assert rows_of(outcome.world) - before.rows == after.rows - before.rows
    versions = {number: game.record.version for number, game in outcome.world.games.items()}
    assert after.versions == before.versions | versions
    new, gone = after.asked.keys() - before.asked.keys(), before.asked.keys() - after.asked.keys()
    still_open = {item.id for item in waiting(outcome.world)}
    assert len(new) == sum(number < 0 for number in still_open)
    loaded = {
        number
        for number, (_, game, address) in before.asked.items()
        if game in outcome.world.stored.games or address == sender
    }
    assert gone == loaded - still_open
    has_queued = any(isinstance(event, events.ChatQueued) for event in outcome.happened)
    match decision:
        case Action.CONFIRM:
            assert gone
        case Action.LATE:
            assert after == before
        case None | Action.ASK | Action.ASK_AGAIN:
            # Without a decision, a reaction or a quiet text waits for the next letter.
            assert after.rows == before.rows or (decision is None and has_queued)
            assert before.asked.items() <= after.asked.items()
            assert mail.state != MailState.PLAYED
    is_asked_whose = bool(OF_UNSURE & {after.asked[one][0] for one in new})
    assert is_asked_whose == (decision in (Action.ASK, Action.ASK_AGAIN) and bool(new))
