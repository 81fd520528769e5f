"""Run the steps of an episode on the service. Only this module and `state.py` depend on the service's code.

`Service` is takmail on a separate SQLite database, with a fixed clock and fixed random choices. Its methods return
plain text and numbers. Letters and mails are numbered from 1 in the order in which they were stored. Players are named
by an address, and games by their number.
"""

import asyncio
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from sqlalchemy import text
from sqlmodel import Session, col, delete, select

from takmail.cli import games as console_games
from takmail.cli import letters as console_letters
from takmail.cli import mails as console_mails
from takmail.cli import players as console_players
from takmail.commands.command_list import COMMANDS
from takmail.commands.context import Context
from takmail.games.interface import Seat
from takmail.games.registry import GAMES
from takmail.letters.services import Services
from takmail.letters.templates import Templates, folder
from takmail.limits.letters import RateLimits
from takmail.limits.mails import DEFAULT_LIMITS
from takmail.mail.quotes.own_letters import page_text
from takmail.mail.tokens import NO_REMINDERS, SeatKey
from takmail.pipeline import process
from takmail.pipeline.rulings import CannotRule, OperatorNote
from takmail.runtime.mail_worker import MailWorker
from takmail.runtime.reader_process import read_once
from takmail.runtime.scheduler import Retention
from takmail.store import dispatch, outbox
from takmail.store.causes import Causes
from takmail.store.database import Store
from takmail.store.tables import GameRow, InboxRow, MachineTimeRow, OutboxRow, TurnRow
from takmail.world.kinds import LetterView, Ruling
from takmail.world.pending import LIFETIME
from takmail.world.replay import CorruptGame
from tests.yardstick.state import State, StateReader

Step = Mapping[str, Any]

DEFAULTS: dict[str, Any] = {
    "address": "tak@example.test",
    "name": "Tak by Mail",
    "key": b"a key for tests only".hex(),
    "old_keys": [],
    "delimiter": "+",
    "pace": {"answers_per_hour": 300, "unproven_answers_per_hour": 30, "stranger_answers_per_hour": 5},
    "limits": {},
    "authserv_id": None,
    "operator": None,
    "letter_view": "text",
}
"""The settings of a service before an episode changes them. `pace` and `limits` are changes to the default limits."""
BEGINNING = datetime.fromisoformat("2026-11-21T12:00:00+00:00")
MOST_GAMES = 30
"""The tokens of games with numbers below this one have names."""
FOR_EVER = 36_500
"""A number of days after which nothing is old."""


class FirstOfAll(Random):
    """A random generator that always takes the first possibility, so that earlier choices have no effect."""

    def random(self) -> float:
        """Return the smallest possible value."""
        return 0.0

    def getrandbits(self, _count: int) -> int:
        """Return the smallest possible value, so that the first possibility is chosen."""
        return 0


@dataclass(frozen=True)
class Letter:
    """A letter in the outbox: its envelope, its bytes and its Message-ID."""

    sender: str
    to: str
    raw: bytes
    message_id: str


class Refused(Exception):  # noqa: N818 - a result of a step, no error
    """The service refuses what the operator asks for."""


@cache
def _templates() -> Templates:
    return Templates(folder())


@cache
def _empty(place: Path) -> Path:
    """Return the file of an empty database with tables. Copying it takes less time than making a new one."""
    file = place / "empty.sqlite"
    Store.open(f"sqlite:///{file}").close()
    return file


def _first_of_all(*_: object) -> Random:
    return FirstOfAll()


def _broken_hand(*_: object) -> None:
    raise RuntimeError("the hand that plays is broken")


class Service:
    """takmail without a network. `now` is the time of its clock, and `do` takes a step of an episode."""

    def __init__(self, file: Path, settings: Mapping[str, Any] = DEFAULTS, now: datetime = BEGINNING) -> None:
        """Open an existing database."""
        self.now = now
        self.settings = dict(settings)
        self._file = file
        # Its tables are the newest ones.
        self._store = Store.open_read_only(f"sqlite:///{file}")
        self._causes, self._mail_worker = self._made()

    @classmethod
    def empty(cls, folder: Path, name: str) -> "Service":
        """Return a service on a new database."""
        return cls(Path(shutil.copy(_empty(folder), folder / f"{name}.sqlite")))

    def copied(self, folder: Path, name: str) -> "Service":
        """Return another service on a copy of this service's database. This service must be closed."""
        file = Path(shutil.copy(self._file, folder / f"{name}.sqlite"))
        return Service(file, self.settings, self.now)

    def close(self) -> None:
        """Close the service, and keep the file of its database."""
        asyncio.run(self._mail_worker.close())
        self._store.close()

    def remove(self) -> None:
        """Close the service, and remove its database."""
        self.close()
        for file in self._file.parent.glob(f"{self._file.name}*"):
            file.unlink()

    def do(self, step: Step) -> None:
        """Take one step. Raises Refused if the service refuses the operator's request."""
        with patch.object(Context, "rng", _first_of_all):
            self._do(step)

    def _do(self, step: Step) -> None:
        match step["do"]:
            case "now":
                self.now = datetime.fromisoformat(step["at"])
            case "settings":
                self.settings |= step["to"]
                self._causes, self._mail_worker = self._made()
            case "mail":
                self._mail_worker.keep_one(step["raw"], step.get("size", 0))
                if not step.get("waits"):
                    self._work(step)
            case "work":
                self._work(step)
            case "plant":
                with self._store.transaction() as session:
                    for one in step["letters"]:
                        self._plant(session, one)
            case "break":
                with self._store.transaction() as session:
                    session.get_one(TurnRow, (step["game"], step["turn"])).text = step["text"]
            case "tidy":
                self._tidy(datetime.fromisoformat(step["at"]), step["days"])
            case "drop questions":
                self._tidy(datetime.fromisoformat(step["before"]) + LIFETIME, FOR_EVER)
            case "erase":
                pass  # the recorded service searched for erased players here
            case "claim" | "sent" | "failed" | "later" | "came back":
                self._leaves(step)
            case _:
                try:
                    self._rule(step)
                except (CannotRule, CorruptGame) as error:
                    raise Refused from error

    def _work(self, step: Step) -> None:
        """Process the waiting mails. If the step is `broken`, each of them raises an unexpected exception."""
        with ExitStack() as stack:
            if step.get("broken"):
                stack.enter_context(patch.object(process, "execute", _broken_hand))
            self._mail_worker.work()

    def _tidy(self, now: datetime, days: int) -> None:
        """Reduce mails and letters that are older than so many days at the time `now`, and close overdue rows."""
        with self._store.transaction() as session:
            session.exec(delete(MachineTimeRow))  # the days have gone by although no service ran
        Retention(self._store, replace(self._causes, now=lambda: now), days).work()

    def _leaves(self, step: Step) -> None:
        """Store what the mail server did with letters."""
        with self._store.transaction() as session:
            match step["do"]:
                case "claim":
                    dispatch.claim(session, datetime.fromisoformat(step["at"]), most=step["most"])
                case "sent":
                    dispatch.sent(session, [self._letter(session, one) for one in step["letters"]])
                case "failed":
                    dispatch.failed(session, self._letter(session, step["letter"]), step["error"])
                case "later":
                    number, due = self._letter(session, step["letter"]), datetime.fromisoformat(step["due"])
                    dispatch.later(session, number, due, step["attempts"], step["error"])
                case "came back":
                    row = session.get_one(OutboxRow, self._letter(session, step["letter"]))
                    self._causes.refused_letter(session, outbox.returned(row), step["reason"])

    def _rule(self, step: Step) -> None:
        """Carry out a command of the operator."""
        by = OperatorNote(step.get("who", ""), step.get("why", ""))
        store, causes = self._store, self._causes
        match step["do"]:
            case "requeue":
                numbers = [self._mail(one) for one in step["mails"]]
                console_mails.requeue(store, causes, numbers, read_once, is_from_person=step["is_persons"])
            case "retry":
                console_letters.retry(store, causes, self._letters_at(step["letters"]))
            case "drop":
                console_letters.drop(store, causes, self._letters_at(step["letters"]), by)
            case "adjourn":
                console_games.adjourn(store, causes, step["game"], by)
            case "resume":
                console_games.resume(store, causes, step["game"], by)
            case "end":
                console_games.end(store, causes, step["game"], Ruling(step["ruling"]), by)
            case "block" | "unblock":
                console_players.block(store, causes, step["player"], by, undo=step["do"] == "unblock")
            case "merge":
                console_players.merge(store, causes, step["player"], step["into"], by)
            case other:
                raise ValueError(other)

    # What the service shows.

    def letters(self, after: int) -> list[Letter]:
        """Return the letters in the outbox, without the first `after` ones, in order."""
        query = select(OutboxRow).order_by(col(OutboxRow.id)).offset(after)
        with self._store.transaction() as session:
            rows = session.exec(query).all()
        return [Letter(row.mail_from, row.mail_to, row.raw, row.message_id) for row in rows]

    def outbox(self) -> list[str]:
        """Return a line about each letter: its state, and for an unsent one the time from which it may be sent."""
        query = (
            "SELECT state, due_at, attempts, claimed_by, error, raw = x'' AS reduced FROM outbox ORDER BY id"
        )
        with self._store.transaction() as session:
            return [
                ", ".join(
                    [
                        row.state,
                        *([f"due {row.due_at[:19]}"] if row.state in outbox.LEAVING else []),
                        *([f"{row.attempts} attempts"] if row.attempts else []),
                        *(["was in hand"] if row.claimed_by else []),
                        *([f"error {row.error!r}"] if row.error else []),
                        *(["reduced"] if row.reduced else []),
                    ]
                )
                for row in session.execute(text(query))
            ]

    def mails(self) -> list[str]:
        """Return the state of each mail."""
        with self._store.transaction() as session:
            rows = session.execute(text("SELECT state, is_reduced FROM inbox ORDER BY id"))
            return [f"{row.state}{', reduced' if row.is_reduced else ''}" for row in rows]

    def secrets(self, letters: Sequence[Letter], addresses: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Return what the function `secrets` returns for this service's current settings."""
        return secrets(self.settings, letters, addresses)

    def state(self) -> State:
        """Return the stored state: players, games, open questions and seeks, and matches."""
        with (
            self._store.engine.connect() as connection,
            Session(connection, expire_on_commit=False) as session,
        ):
            try:
                return StateReader(session, self._causes.queries(session)).read()
            finally:
                session.rollback()

    def _made(self) -> tuple[Causes, MailWorker]:
        its = self.settings
        old = tuple(bytes.fromhex(one) for one in its["old_keys"])
        key = SeatKey(bytes.fromhex(its["key"]), its["address"], its["delimiter"], lambda: old)
        services = Services(
            its["address"],
            its["name"],
            key,
            _templates(),
            RateLimits(**its["pace"]),
            replace(DEFAULT_LIMITS, **its["limits"]),
            its["authserv_id"],
            its["operator"],
            LetterView(its["letter_view"]),
            commands=COMMANDS,
            games=GAMES,
        )
        causes = Causes(services, lambda: self.now)
        return causes, MailWorker(self._store, causes)

    def _plant(self, session: Session, one: Step) -> None:
        """Put a letter into the outbox, as the service might have written it about a game in its current state."""
        last = session.exec(select(OutboxRow).order_by(col(OutboxRow.id).desc())).first()
        assert last is not None
        turns = select(TurnRow.number).where(TurnRow.game_id == one["game"])
        letter = OutboxRow(
            message_id=one["message_id"],
            game_id=one["game"],
            seat=one["seat"],
            version=session.get_one(GameRow, one["game"]).version,
            turn=max(session.exec(turns)),
            mail_from=self.settings["address"],
            mail_to=one["to"],
            raw=one["raw"],
            text=one["text"],
            html_text=None if one["html"] is None else page_text(one["html"]),
            due_at=last.due_at,
            created_at=last.created_at,
        )
        session.add(letter)

    def _letters_at(self, places: Sequence[int]) -> console_letters.Choice:
        with self._store.transaction() as session:
            return console_letters.Choice(tuple(self._letter(session, one) for one in places))

    @staticmethod
    def _letter(session: Session, place: int) -> int:
        """Return the row number of the letter at this place, counted from 1, or 0 if it is not written."""
        query = select(OutboxRow.id).order_by(col(OutboxRow.id)).offset(place - 1).limit(1)
        return session.exec(query).first() or 0

    def _mail(self, place: int) -> int:
        with self._store.transaction() as session:
            query = select(InboxRow.id).order_by(col(InboxRow.id)).offset(place - 1).limit(1)
            return session.exec(query).first() or 10**6


def secrets(
    settings: Mapping[str, Any], letters: Iterable[Letter], addresses: Iterable[str]
) -> Iterator[tuple[str, str]]:
    """Yield every random or signed value that a letter or a mail may contain, with a name that is the same in each run.

    A value is found by its longest run of letters and digits, which must have at least 16 of them.
    """
    for number, letter in enumerate(letters, 1):
        local = letter.message_id.strip("<>").rpartition("@")[0]
        yield local, f"letter {number}"
        yield local.rpartition(".")[2], f"nonce {number}"
    key, address = settings["key"], settings["address"]
    for game in range(1, MOST_GAMES):
        for seat in Seat:
            yield from _seat_secrets(key, address, game, seat)
    for owner in addresses:
        yield from _personal_secrets(key, address, owner)


@cache
def _seat_secrets(key: str, address: str, game: int, seat: Seat) -> tuple[tuple[str, str], ...]:
    token = _key(key, address).token(game, seat)
    return (token, f"seat {game}.{int(seat)}"), (token.partition(".")[2], f"bare seat {game}.{int(seat)}")


@cache
def _personal_secrets(key: str, address: str, owner: str) -> tuple[tuple[str, str], ...]:
    its = _key(key, address)
    found: list[tuple[str, str]] = []
    addresses = {
        "me": its.personal_address(owner),
        "stop": its.unsubscribe_address(owner)[0],
        "quiet": its.unsubscribe_address(owner, NO_REMINDERS)[0],
    }
    for name, to in addresses.items():
        token = to.partition("+")[2].partition("@")[0]
        found += [(token, f"{name} {owner}"), (token.partition(".")[2], f"bare {name} {owner}")]
    return tuple(found)


def _key(key: str, address: str) -> SeatKey:
    """Return the key of a service with plus addresses. Without them, the same tokens are in Message-IDs."""
    return SeatKey(bytes.fromhex(key), address, "+")
