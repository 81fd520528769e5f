"""The one place where the yardstick touches the service, with `state.py`: a service built anew has them written anew.

`Service` is takmail on an SQLite database of its own, with a fixed clock and fixed lots. What it gives is plain text
and numbers: letters and mails are counted from 1 in the order in which they were stored, players are named by an
address, games by their number.
"""

import asyncio
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from sqlalchemy import text
from sqlmodel import Session, col, select

from takmail.console import letters as console_letters
from takmail.console import mails as console_mails
from takmail.forgetter import Forgetter
from takmail.games.game import Seat
from takmail.inbound import Inbound
from takmail.keeper import Keeper
from takmail.mail.limits import USUAL
from takmail.mail.quotes.ownpage import page_text
from takmail.render.templates import Templates, folder
from takmail.service import receive, rulings
from takmail.service.desk import Desk, Pace
from takmail.service.game.table import NoGame
from takmail.service.letters import bounces
from takmail.service.people import blocking
from takmail.service.rulings import CantRule, Decision
from takmail.service.soundness.fault import BrokenGame
from takmail.service.trust.tokens import SeatKey
from takmail.store import keeping, leaving, outbox, players
from takmail.store.database import Store
from takmail.store.tables import IntakeRow, LetterView, OutboxRow, Player, Ruling, TurnRow
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
"""The settings of a service until an episode changes them; `pace` and `limits` hold what differs from the usual."""
BEGINNING = datetime.fromisoformat("2026-11-21T12:00:00+00:00")
MOST_GAMES = 30
"""The tokens of games up to this number have names."""


class FirstOfAll(Random):
    """Lots that always fall on the first possibility, so that nothing depends on how often they are drawn."""

    def random(self) -> float:
        """The least."""
        return 0.0

    def getrandbits(self, _count: int) -> int:
        """The least: the first of any choice."""
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
    """A database with its tables and nothing else; copying it takes less than making one."""
    file = place / "empty.sqlite"
    Store.open(f"sqlite:///{file}").close()
    return file


def _broken_hand(*_: object) -> None:
    raise RuntimeError("the hand that plays is broken")


class Service:
    """takmail without a network. `now` is its clock; `do` takes a step of an episode."""

    def __init__(self, file: Path, settings: Mapping[str, Any] = DEFAULTS, now: datetime = BEGINNING) -> None:
        """Open a database that is there."""
        self.now = now
        self.settings = dict(settings)
        self._file = file
        # Its tables are the newest ones.
        self._store = Store.untouched(f"sqlite:///{file}")
        self._desk, self._inbound = self._made()

    @classmethod
    def empty(cls, folder: Path, name: str) -> "Service":
        """A service on a new database."""
        return cls(Path(shutil.copy(_empty(folder), folder / f"{name}.sqlite")))

    def copied(self, folder: Path, name: str) -> "Service":
        """Another service on a copy of this one's database, which has to be closed."""
        file = Path(shutil.copy(self._file, folder / f"{name}.sqlite"))
        return Service(file, self.settings, self.now)

    def close(self) -> None:
        """Give everything back but the database's file."""
        asyncio.run(self._inbound.close())
        self._store.close()

    def remove(self) -> None:
        """Close it and remove its database."""
        self.close()
        for file in self._file.parent.glob(f"{self._file.name}*"):
            file.unlink()

    def do(self, step: Step) -> None:
        """Take one step; raises Refused where the service refuses what the operator asks for."""
        match step["do"]:
            case "now":
                self.now = datetime.fromisoformat(step["at"])
            case "settings":
                self.settings |= step["to"]
                self._desk, self._inbound = self._made()
            case "mail":
                self._inbound.keep_one(step["raw"], step.get("size", 0))
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
                Keeper(self._store, lambda: datetime.fromisoformat(step["at"]), step["days"]).work()
            case "drop questions":
                with self._store.transaction() as session:
                    keeping.drop_questions(session, datetime.fromisoformat(step["before"]))
            case "erase":
                Forgetter(self._store, self._desk.limits).work()
            case "claim" | "sent" | "failed" | "later" | "came back":
                self._leaves(step)
            case _:
                try:
                    self._rule(step)
                except (CantRule, NoGame, BrokenGame, LookupError) as error:
                    raise Refused from error

    def _work(self, step: Step) -> None:
        """Handle the mails that wait; each raises what nobody has foreseen if the step is `broken`."""
        with patch.object(receive, "act", _broken_hand) if step.get("broken") else nullcontext():
            self._inbound.work()

    def _leaves(self, step: Step) -> None:
        """What the mail server does with a letter."""
        with self._store.transaction() as session:
            match step["do"]:
                case "claim":
                    leaving.claim(session, datetime.fromisoformat(step["at"]), most=step["most"])
                case "sent":
                    leaving.sent(session, [self._letter(session, one) for one in step["letters"]])
                case "failed":
                    leaving.failed(session, self._letter(session, step["letter"]), step["error"])
                case "later":
                    number, due = self._letter(session, step["letter"]), datetime.fromisoformat(step["due"])
                    leaving.later(session, number, due, step["attempts"], step["error"])
                case "came back":
                    row = outbox.get(session, self._letter(session, step["letter"]))
                    bounces.came_back(self._desk, session, row, step["reason"])

    def _rule(self, step: Step) -> None:
        """What the operator decides."""
        by = Decision(step["who"], step["why"]) if "who" in step else Decision("", "")
        desk = self._desk
        match step["do"]:
            case "requeue":
                numbers = [self._mail(one) for one in step["mails"]]
                console_mails.requeue(self._store, desk, numbers, is_persons=step["is_persons"])
                return
            case "retry" | "drop":
                with self._store.transaction() as session:
                    numbers = [self._letter(session, one) for one in step["letters"]]
                if step["do"] == "retry":
                    console_letters.retry(self._store, desk, numbers)
                else:
                    console_letters.drop(self._store, desk, numbers, by)
                return
        with self._store.transaction() as session:
            match step["do"]:
                case "adjourn":
                    rulings.adjourn(desk, session, step["game"], by)
                case "resume":
                    rulings.resume(desk, session, step["game"], by)
                case "end":
                    rulings.end(desk, session, step["game"], Ruling(step["ruling"]), by)
                case "block":
                    blocking.block(desk, session, self._player(session, step["player"]), by)
                case "unblock":
                    blocking.unblock(desk, session, self._player(session, step["player"]), by)
                case "merge":
                    source, into = (self._player(session, step[one]) for one in ("player", "into"))
                    blocking.merge(desk, session, source, into, by)
                case other:
                    raise ValueError(other)

    # What the service shows.

    def letters(self, after: int) -> list[Letter]:
        """The letters in the outbox behind the first `after`, in their order."""
        query = select(OutboxRow).order_by(col(OutboxRow.id)).offset(after)
        with self._store.transaction() as session:
            rows = session.exec(query).all()
        return [Letter(row.mail_from, row.mail_to, row.raw, row.message_id) for row in rows]

    def outbox(self) -> list[str]:
        """For each letter where it stands, and when it may leave if it has not."""
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
        """For each mail where it has ended."""
        with self._store.transaction() as session:
            rows = session.execute(text("SELECT state, is_reduced FROM intake ORDER BY id"))
            return [f"{row.state}{', reduced' if row.is_reduced else ''}" for row in rows]

    def secrets(self, letters: Sequence[Letter], addresses: Iterable[str]) -> Iterator[tuple[str, str]]:
        """As the function of this name, by the settings that this service has now."""
        return secrets(self.settings, letters, addresses)

    def state(self) -> State:
        """All that is so in the end: players, games, what is open, matches."""
        with Session(self._store.engine, expire_on_commit=False) as session:
            try:
                return StateReader(session, self.now).read()
            finally:
                session.rollback()

    def _made(self) -> tuple[Desk, Inbound]:
        its = self.settings
        old = tuple(bytes.fromhex(one) for one in its["old_keys"])
        key = SeatKey(bytes.fromhex(its["key"]), its["address"], its["delimiter"], lambda: old)
        desk = Desk(
            its["address"],
            its["name"],
            key,
            _templates(),
            FirstOfAll(),
            lambda: self.now,
            Pace(**its["pace"]),
            replace(USUAL, **its["limits"]),
            its["authserv_id"],
            its["operator"],
            LetterView(its["letter_view"]),
        )
        return desk, Inbound(self._store, desk)

    def _plant(self, session: Session, one: Step) -> None:
        """Put a letter into the outbox that the service might have written."""
        last = session.exec(select(OutboxRow).order_by(col(OutboxRow.id).desc())).first()
        assert last is not None
        letter = OutboxRow(
            message_id=one["message_id"],
            game_id=one["game"],
            seat=one["seat"],
            mail_from=self.settings["address"],
            mail_to=one["to"],
            raw=one["raw"],
            text=one["text"],
            html_text=None if one["html"] is None else page_text(one["html"]),
            due_at=last.due_at,
            created_at=last.created_at,
        )
        session.add(letter)

    @staticmethod
    def _letter(session: Session, place: int) -> int:
        """The row's number of the letter in this place, counted from 1."""
        query = select(OutboxRow.id).order_by(col(OutboxRow.id)).offset(place - 1).limit(1)
        return session.exec(query).one() or 0

    def _mail(self, place: int) -> int:
        with self._store.transaction() as session:
            query = select(IntakeRow.id).order_by(col(IntakeRow.id)).offset(place - 1).limit(1)
            return session.exec(query).first() or 10**6

    @staticmethod
    def _player(session: Session, address: str) -> Player:
        found = players.by_address(session, address)
        if found is None:
            raise LookupError(address)
        return found


def secrets(
    settings: Mapping[str, Any], letters: Iterable[Letter], addresses: Iterable[str]
) -> Iterator[tuple[str, str]]:
    """Whatever is drawn or made with a key and may stand in a letter or a mail, and a name for it, always the same.

    A value is found by its longest run of letters and digits, which is to be at least 16 long.
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
    for name, to in (("me", its.personal_address(owner)), ("stop", its.way_to_stop(owner)[0])):
        token = to.partition("+")[2].partition("@")[0]
        found += [(token, f"{name} {owner}"), (token.partition(".")[2], f"bare {name} {owner}")]
    return tuple(found)


def _key(key: str, address: str) -> SeatKey:
    """With plus addresses, as tokens that stand in no address do in Message-IDs."""
    return SeatKey(bytes.fromhex(key), address, "+")
