"""Records what tests do to the service: a pytest plugin that hooks every way in which they reach it.

Each database that a test opens becomes an episode, from its first mail to the end of the test. What can't be written
as a step (a table that is written into behind the service's back) makes an episode useless, and is noted as its
`problem`. Whatever else a test does to the service, a monkeypatch say, shows when the episode is played: its digest is
another one then.
"""

import functools
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event
from sqlmodel import Session

from takmail.forgetter import Forgetter
from takmail.inbound import Inbound
from takmail.keeper import Keeper
from takmail.service import receive
from takmail.service.game.table import NoGame
from takmail.service.people import match
from takmail.service.rulings import CantRule
from takmail.service.soundness.fault import BrokenGame
from takmail.store.database import Store
from tests import databases, office
from tests.yardstick.adapter import FirstOfAll
from tests.yardstick.hooks import HOOKS, Described
from tests.yardstick.journal import Journal

_REFUSALS = (CantRule, NoGame, BrokenGame, LookupError)


class Recorder:
    """The plugin; `journals` are all that it has written."""

    def __init__(self) -> None:
        self.journals: dict[str, Journal] = {}
        self._depth = 0
        self._test = ""
        self._patch()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Know which test runs."""
        self._test = item.nodeid
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Any:  # noqa: ARG002
        """A test that fails, as it expects lots to fall otherwise, records nothing."""
        report = yield
        if report.failed or report.skipped:
            for one in self._of_test(item):
                one.say(f"{report.outcome} while it is recorded")
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> None:
        """The databases are still there."""
        for one in self._of_test(item):
            with self._inside():
                one.end()

    def _of_test(self, item: pytest.Item) -> list[Journal]:
        return [one for one in self.journals.values() if item.nodeid in one.tests]

    @contextmanager
    def _inside(self) -> Iterator[None]:
        """What is done in the block is the service's own doing."""
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1

    def _journal(self, engine: Engine) -> Journal:
        name = engine.url.database or ""
        if name not in self.journals:
            one = self._new(name)
            if not Path(name).is_file():
                one.say("its database is in memory")
            elif _has_rows(name):
                one.say("begins with a database that was made elsewhere")
        self.journals[name].tests.add(self._test)
        return self.journals[name]

    def _new(self, file: str, base: Journal | None = None) -> Journal:
        same = sum(one.test == self._test for one in self.journals.values())
        plain = self._test.removeprefix("tests/")
        journal = Journal(f"{plain} {same + 1}" if same else plain, self._test, Path(file), base)
        self.journals[file] = journal
        return journal

    def _patch(self) -> None:
        """Hook all ways in; before any test is imported, so that what it imports by name is hooked as well."""
        office.__dict__["Random"] = lambda _seed: FirstOfAll()
        event.listen(Engine, "before_cursor_execute", self._writes)
        self._patch_copies()
        self._patch_mails()
        for place, name, described in HOOKS:
            self._hook(place, name, described)

    def _hook(self, place: Any, name: str, described: Described) -> None:
        """Write down each call from a test as the step that it is `described` as."""
        original = getattr(place, name)

        @functools.wraps(original)
        def hooked(*given: Any, **named: Any) -> Any:
            if self._depth:
                return original(*given, **named)
            where, desk, step = described(*given, **named)
            session = where if isinstance(where, Session) else None
            if session is not None:
                session.flush()  # what the test itself has changed
            journal = self._journal(_engine(where))
            with self._inside():
                journal.add(step, desk)
                try:
                    result = original(*given, **named)
                except _REFUSALS:
                    raise
                except Exception as error:
                    journal.say(f"{name} raises {type(error).__name__}")
                    raise
                if session is not None:
                    session.flush()
                else:
                    journal.look()
            return result

        setattr(place, name, hooked)

    def _patch_mails(self) -> None:
        keep, work = Inbound.keep, Inbound.work

        @functools.wraps(keep)
        def hooked_keep(it: Inbound, mails: Sequence[tuple[bytes, int]]) -> list[int]:
            if self._depth:
                return keep(it, mails)
            journal = self._journal(it._store.engine)
            with self._inside():
                journal.look()
                for raw, size in mails:
                    step = {"do": "mail", "raw": journal.named(raw), "waits": True}
                    journal.add({**step, "size": size} if size else step, it._desk)
                return keep(it, mails)

        @functools.wraps(work)
        def hooked_work(it: Inbound) -> int:
            if self._depth:
                return work(it)
            journal = self._journal(it._store.engine)
            with self._inside():
                how = {"broken": True} if receive.__dict__["act"] is office.broken_hand else {}
                journal.add({"do": "work", **how}, it._desk)
                *_, before, _work = [{}, *journal.steps]
                if before.pop("waits", False):
                    before |= how
                    journal.steps.pop()
                try:
                    return work(it)
                except Exception as error:
                    journal.say(f"work raises {type(error).__name__}")
                    raise
                finally:
                    journal.look()

        Inbound.keep, Inbound.work = hooked_keep, hooked_work  # type: ignore[method-assign,assignment]
        for place, name in (
            (Inbound, "work_in_turns"),
            (Keeper, "work_in_turns"),
            (Forgetter, "work_in_turns"),
        ):
            self._forbid(place, name)

    def _forbid(self, place: Any, name: str) -> None:
        original = getattr(place, name)

        @functools.wraps(original)
        def hooked(it: Any, *given: Any, **named: Any) -> Any:
            self._journal(it._store.engine).say(f"calls {name}")
            return original(it, *given, **named)

        setattr(place, name, hooked)

    def _patch_copies(self) -> None:
        copied, opened, rehearsal, counted = databases.copied, Store.open, Store.rehearsal, match.match_of

        @functools.wraps(copied)
        def hooked_copied(folder: Path, name: str, to: Path, new_name: str) -> str:
            url = copied(folder, name, to, new_name)
            base = self.journals.get(str(folder / f"{name}.sqlite"))
            if base is not None:
                with self._inside():
                    base.end()
                    base.is_copied = True
                child = self._new(str(to / f"{new_name}.sqlite"), base)
                child.letters, child.addresses = [*base.letters], dict(base.addresses)
                child.settings, child.now, child.problem = base.settings, base.now, base.problem
            return url

        def hooked_opened(url: str) -> Store:
            if self._depth:
                return opened(url)
            with self._inside():
                store = opened(url)
                self._journal(store.engine)
                return store

        @contextmanager
        def hooked_rehearsal(it: Store) -> Iterator[Session]:
            with self._inside(), rehearsal(it) as session:
                yield session

        @functools.wraps(counted)
        def hooked_counted(*given: Any) -> Any:
            with self._inside():
                result = counted(*given)
                given[0].flush()
                return result

        databases.copied = hooked_copied
        Store.open = hooked_opened  # type: ignore[method-assign]
        Store.rehearsal = hooked_rehearsal  # type: ignore[method-assign,assignment]
        match.match_of = hooked_counted  # type: ignore[assignment]

    def _writes(self, connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        """A statement goes to a database: what a test writes by itself can't be played."""
        words = statement.split(None, 3)
        if self._depth or words[0].upper() not in ("INSERT", "UPDATE", "DELETE"):
            return
        table = words[1] if words[0].upper() == "UPDATE" else words[2]
        self._journal(connection.engine).say(f"writes into {table} by itself")


def _engine(where: Session | Engine) -> Engine:
    if isinstance(where, Engine):
        return where
    bind = where.get_bind()
    return bind.engine


def _has_rows(file: str) -> bool:
    connection = sqlite3.connect(file)
    try:
        return any(
            connection.execute(f"SELECT count(*) FROM {one}").fetchone()[0] for one in ("intake", "player")
        )
    except sqlite3.OperationalError:
        return False
    finally:
        connection.close()
