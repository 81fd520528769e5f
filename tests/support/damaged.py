"""Games with damaged rows in the database, and damaged files."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from sqlalchemy import text
from sqlmodel import Session, delete, select, update

from takmail.cli import games as console
from takmail.games.registry import GAMES
from takmail.pipeline.rulings import OperatorNote
from takmail.store.tables import GameRow, InboxRow, TurnRow
from takmail.world.kinds import MailState
from tests.support.harness import Harness, Received
from tests.support.scenes import played_once

OPERATOR = "other@example.org"
BY = OperatorNote("Other", "mended")
PLAYED = ("ps a5", "ps e1", "ps c3", "ps c2")
Damage = Callable[[Session], object]


def damage_page(file: Path, table: str = "seek") -> None:
    """Overwrite the first page of a table in an SQLite file that nobody has open."""
    with closing(sqlite3.connect(file)) as connection:
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        (page,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", [table]).fetchone()
        connection.execute("PRAGMA journal_mode=DELETE").close()
    with file.open("r+b") as opened:
        opened.seek((page - 1) * size)
        opened.write(b"\xff" * size)


def changed(number: int, **values: str | None) -> Damage:
    """Return damage that changes columns of a stored turn of the first game."""
    where = (TurnRow.game_id == 1, TurnRow.number == number)
    return lambda session: session.exec(update(TurnRow).where(*where).values(**values))  # type: ignore[arg-type]


def lost(number: int) -> Damage:
    where = (TurnRow.game_id == 1, TurnRow.number == number)
    return lambda session: session.exec(delete(TurnRow).where(*where))  # type: ignore[arg-type]


def set_up(text: str) -> Damage:
    return lambda session: session.exec(update(GameRow).values(setup=text))


def all_of(*damages: Damage) -> Damage:
    """Combine several damages."""
    return lambda session: [one(session) for one in damages]


def do(harness: Harness, damage: Damage) -> None:
    with harness.store.transaction() as session:
        damage(session)


def put(harness: Harness, who: str, words: str) -> list[Received]:
    """Write about the first game and return the resulting letters."""
    answered = next(one for one in reversed(harness.box) if one.to == who and "[tak #1]" in one.subject)
    return write(harness, who, words, answered)


def write(harness: Harness, who: str, words: str, answered: Received | None = None) -> list[Received]:
    """Do the same as `Harness.send`, for mails that may be shunted."""
    harness.mail_worker.keep_one(harness.mail(f"{who[:3].capitalize()} <{who}>", words, answered).as_bytes())
    harness.mail_worker.work()
    return harness.collect()


def mend(harness: Harness) -> None:
    """Undo all damage."""
    with harness.store.transaction() as session:
        session.exec(update(GameRow).values(setup="5"))
        stored = {turn.number: turn for turn in session.exec(select(TurnRow))}
        state = GAMES.rules("tak").start("5")
        for number, text in enumerate(PLAYED, 1):
            state = state.play(text)
            turn = stored.get(number) or TurnRow(
                game_id=1,
                number=number,
                version=1,
                seat=(number - 1) % 2,
                written=text,
                text=text,
                played_at=harness.now,
            )
            turn.text, turn.checksum = text, state.checksum
            session.add(turn)


def resume(harness: Harness) -> list[Received]:
    console.resume(harness.store, harness.causes, 1, BY)
    return harness.collect()


def standing(harness: Harness, number: int = 1) -> str:
    with harness.store.transaction() as session:
        return session.get_one(GameRow, number).standing


def shunted(harness: Harness) -> list[InboxRow]:
    with harness.store.transaction() as session:
        return list(session.exec(select(InboxRow).where(InboxRow.state == MailState.SHUNTED)))


def show(harness: Harness) -> str:
    return console.show_game(harness.store, harness.causes, 1)


def with_operator(harness: Harness) -> Harness:
    """Return the takmail with an address for the operator's letters."""
    harness.operator = OPERATOR
    harness.__post_init__()
    return harness


@played_once
def four_turns(harness: Harness) -> None:
    """Play the turns of `PLAYED` in the first game. Ada is to move."""
    harness.begin()
    harness.play(*PLAYED)


def sql(harness: Harness, statement: str) -> None:
    """Run a statement as the operator or a failing disk might change the database."""
    do(harness, lambda session: session.exec(text(statement)))  # type: ignore[call-overload]
