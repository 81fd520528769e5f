"""Measure the SQL statements of a mail: `python -m bench.statements [GAMES]`.

Plays GAMES recorded games (3 by default) by mail, through the whole service and a database in a file; no letter is
sent. Prints for each transaction of a mail with a move the statements that it runs: how many, and the processor time of
each in the driver and SQLite, in microseconds. The transactions are storing the mail (`keep`), claiming it (`claim`),
and deciding and storing the outcome (`decide`). The line of a transaction has its processor time, without that of the
pure functions that decide. All times are medians.
"""

import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from sqlalchemy import Engine, event

from bench.letters import ADA, BEN, RECORDED, SIZE, Harness, causes_for
from takmail.pipeline import process
from takmail.runtime.mail_worker import MailWorker
from takmail.store import statements
from takmail.store.database import Store
from takmail.world.kinds import LetterView
from tests.support.sending import TakesLetters

MOVES, WARM_UP, LAST = 40, 10, 80
"""The minimum number of moves in a game, those at its beginning that are not measured, and the most that are played."""
LONGEST = 80
"""The length to which a statement is cut."""
NAMES = ("keep", "claim", "decide")
"""The transactions of a mail in order. The last one of the worker's three finds no more mail."""


@dataclass
class Transaction:
    """The seconds of one transaction: in all, and in the driver. `texts` are its statements."""

    seconds: float = 0.0
    driver: list[float] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)


class Clock:
    """Measures the transactions of the store. The functions of takmail are replaced by ones that note their time."""

    def __init__(self) -> None:
        self.transactions: list[Transaction] = []

    @contextmanager
    def measuring(self) -> Iterator[None]:
        """Measure what runs during the block."""
        listeners = (("before_cursor_execute", self._begin), ("after_cursor_execute", self._end))
        for name, listener in listeners:
            event.listen(Engine, name, listener)
        kept = Store.transaction, process.process, statements.by_driver
        Store.transaction = self._transaction(Store.transaction)  # type: ignore[method-assign]
        process.process = self._pure(process.process)
        statements.by_driver = self._by_driver(statements.by_driver)
        try:
            yield
        finally:
            Store.transaction, process.process, statements.by_driver = kept  # type: ignore[method-assign]
            for name, listener in listeners:
                event.remove(Engine, name, listener)

    def _transaction(self, run: Callable[..., Any]) -> Callable[..., Any]:
        @contextmanager
        def measured(*what: Any, **how: Any) -> Iterator[Any]:
            self.transactions.append(Transaction(seconds=-process_time()))
            with run(*what, **how) as session:
                yield session
            self.transactions[-1].seconds += process_time()

        return measured

    def _begin(self, _connection: object, _cursor: object, sql: str, *_: object) -> None:
        self.transactions[-1].texts.append(" ".join(sql.split())[:LONGEST])
        self.transactions[-1].driver.append(-process_time())

    def _end(self, *_: object) -> None:
        self.transactions[-1].driver[-1] += process_time()

    def _by_driver(self, run: Callable[..., Any]) -> Callable[..., Any]:
        """Measure the statements that SQLAlchemy doesn't run."""

        def measured(connection: object, sql: str, values: object) -> Any:
            self._begin(connection, None, sql)
            try:
                return run(connection, sql, values)
            finally:
                self._end()

        return measured

    def _pure(self, run: Callable[..., Any]) -> Callable[..., Any]:
        """Leave out the time of a function."""

        def measured(*what: Any, **named: Any) -> Any:
            began = process_time()
            try:
                return run(*what, **named)
            finally:
                self.transactions[-1].seconds -= process_time() - began

        return measured


def play(moves: list[str], place: Path) -> Iterator[list[Transaction]]:
    """Play one game. Yield the transactions of each mail with a move."""
    place.unlink(missing_ok=True)
    store = Store.open(f"sqlite:///{place}")
    worker = MailWorker(store, causes_for(LetterView.TEXT), delivery=TakesLetters())
    office = Harness(worker, store)
    for who, words in ((ADA, f"new {SIZE} vs {BEN} first=me"), (ADA, "yes"), (BEN, "accept")):
        office.send(who, words)
    for number, move in enumerate(moves):
        clock = Clock()
        mail = office.mail((ADA, BEN)[number % 2], move)
        with clock.measuring():
            office.mail_worker.keep_one(mail)
            office.mail_worker.work()
        if number >= WARM_UP:
            yield clock.transactions[: len(NAMES)]
    store.close()


def printed(name: str, found: list[Transaction]) -> None:
    """Print the statements of one of the transactions of a mail, from all mails."""
    times: dict[str, list[float]] = defaultdict(list)
    for one in found:
        for text, driver in zip(one.texts, one.driver, strict=True):
            times[text].append(driver)
    count = median(len(one.texts) for one in found)
    print(f"{name}: {count:g} statements, {1e6 * median(one.seconds for one in found):.0f} µs")
    for text, each in times.items():
        if 2 * len(each) >= len(found):
            print(f"  {len(each) / len(found):4.1f}  {1e6 * median(each):5.0f}  {text}")
    print(f"   all  {1e6 * median(sum(one.driver) for one in found):5.0f}")


def main(games: int) -> None:
    """Measure, and print the results."""
    recorded = [game["mail"] for game in json.loads(RECORDED.read_text()) if game["size"] == SIZE]
    chosen = [moves[:LAST] for moves in recorded if len(moves) >= MOVES][:games]
    with TemporaryDirectory() as place:
        mails = [mail for moves in chosen for mail in play(moves, Path(place) / "bench.sqlite")]
    for at, name in enumerate(NAMES):
        printed(name, [mail[at] for mail in mails])
    print(f"in all: {1e6 * median(sum(one.seconds for one in mail) for mail in mails):.0f} µs a mail")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
