"""Measure the cost of a mail with very many stored games: `python -m bench.scale [--games N] [--turns N] [--club N]`.

Fills a database with this many games and turns (1,000,000 and 10,000,000 by default), and another one with 100 games.
Each turn has its mail and two letters, which are reduced as old ones are. Then two people, Ada and Ben, play the same
game by mail in both databases, each mail first in one and then in the other. Prints the times for Ada's mails and
their ratio. With `--club` Ada also has a seat in that many of the stored games, all of which are open. `--url URL` and
`--few URL` are empty databases to use instead of SQLite files, for the many games and for the 100.
"""

import json
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import reduce
from operator import add
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from sqlalchemy import (
    CTE,
    ColumnElement,
    Connection,
    Integer,
    String,
    case,
    cast,
    insert,
    inspect,
    literal,
    select,
)
from sqlmodel import SQLModel

from bench.letters import ADA, BEN, RECORDED, SIZE, TAK, Harness, causes_for
from takmail.runtime.mail_worker import MailWorker
from takmail.store.database import Store
from takmail.store.tables import AddressRow, GameRow, InboxRow, OutboxRow, PlayerRow, SeatRow, TurnRow
from takmail.world.kinds import LetterPurpose, LetterState, LetterView, MailState, Standing

FEW = 100
PLIES = 60
GAMES_OF_A_PLAYER = 10
OPEN_OF = 20
"""The number of games among which one is open. The others are over."""
TEXT = "Ben played ps b2. " * 20
THEN = datetime(2025, 11, 21, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Size:
    """The amount of stored data. `turns` is per game, and `club` is the number of games in which Ada has a seat."""

    games: int
    turns: int
    club: int


def numbers(last: int) -> CTE:
    """Return an SQL table of the numbers from 1 to `last`, in the column `n`."""
    one = select(literal(1, Integer).label("n")).cte("numbers", recursive=True)
    return one.union_all(select(one.c.n + 1).where(one.c.n < last))


def put(connection: Connection, table: type[SQLModel], rows: CTE, **columns: object) -> None:
    """Insert a row into a table for each of `rows`, with these values in its columns."""
    types = {one.key: one.type for one in inspect(table).local_table.columns}
    values = [
        value if isinstance(value, ColumnElement) else literal(value, types[name])
        for name, value in columns.items()
    ]
    connection.execute(insert(table).from_select(list(columns), select(*values).select_from(rows)))


def text(*pieces: object) -> ColumnElement[str]:
    """Return an SQL concatenation of texts and numbers."""
    parts = (
        cast(piece, String) if isinstance(piece, ColumnElement) else literal(str(piece)) for piece in pieces
    )
    return reduce(add, parts, literal(""))


def fill(store: Store, size: Size) -> None:
    """Store games, with a mail and two letters for each turn. Ada is player 1, Ben is player 2."""
    people = max(3, 2 * size.games // GAMES_OF_A_PLAYER)
    with store.engine.begin() as connection:
        n = (rows := numbers(people)).c.n
        put(connection, PlayerRow, rows, name=text("Ada ", n), created_at=THEN)
        address = case((n == 1, ADA), (n == 2, BEN), else_=text("ada.", n, "@example.org"))
        put(connection, AddressRow, rows, address=address, player_id=n, verified_at=THEN)
        n = (rows := numbers(size.games)).c.n
        runs = (n <= size.club) | (n % OPEN_OF == 0)
        standing = case((runs, Standing.OPEN.value), else_=Standing.OVER.value)
        about = {"kind": "tak", "setup": "6", "subject": "Tak 6x6", "invited_by": 1, "created_at": THEN}
        # The version counts the events of a game: two of its beginning, and one for each turn.
        put(connection, GameRow, rows, standing=standing, version=size.turns + 2, **about)
        host = case((n <= size.club, 1), else_=n % (people - 2) + 3)
        put(connection, SeatRow, rows, game_id=n, seat=0, player_id=host)
        put(connection, SeatRow, rows, game_id=n, seat=1, player_id=(n * 7 + 1) % (people - 2) + 3)
    with store.engine.begin() as connection:
        mails(connection, numbers(size.games * size.turns), size.turns)
        letters(connection, numbers(2 * size.games * size.turns), size.turns, people)


def mails(connection: Connection, rows: CTE, turns: int) -> None:
    """Insert the turns of all games, each with its mail."""
    n = rows.c.n
    game, turn = (n - 1) // turns + 1, (n - 1) % turns + 1
    put(
        connection,
        InboxRow,
        rows,
        mailbox="",
        raw=b"",
        size=900,
        received_at=THEN,
        is_reduced=True,
        fingerprint=text("id:", n % 9973, ".", n, "a" * 50),
        unique_fingerprint=text("id:", n % 9973, ".", n, "a" * 50),
        state=MailState.PLAYED.value,
        attempts=0,
        is_filed=True,
        note=text("game ", game, ", turn ", turn),
    )
    move = {"text": "ps b2", "written": "b2", "is_agreed": False, "played_at": THEN, "mail_id": n}
    put(connection, TurnRow, rows, game_id=game, number=turn, version=turn + 2, seat=(turn - 1) % 2, **move)


def letters(connection: Connection, rows: CTE, turns: int, people: int) -> None:
    """Insert two letters for each turn: the answer to its player, and the news for the opponent."""
    n = rows.c.n
    seat, played = (n - 1) % 2, (n - 1) // 2 + 1
    game, turn = (played - 1) // turns + 1, (played - 1) % turns + 1
    put(
        connection,
        OutboxRow,
        rows,
        game_id=game,
        seat=seat,
        version=turn + 2,
        turn=turn,
        reported_turn=turn,
        mail_id=played,
        message_id=text("<", game, ".abcdefghijklmnop.", turn, ".", n, "@example.test>"),
        mail_from=TAK,
        mail_to=text("ada.", (game * 7 + seat) % (people - 2) + 3, "@example.org"),
        raw=b"",
        sha256="0" * 64,
        text=TEXT,
        purpose=case((seat == 0, LetterPurpose.SURE.value), else_=LetterPurpose.NOTHING.value),
        state=LetterState.SENT.value,
        attempts=0,
        claimed_by="",
        due_at=THEN,
        created_at=THEN,
        error="",
    )


def moves() -> Sequence[str]:
    """Return the first `PLIES` moves of a recorded game."""
    found: Iterator[list[str]] = (
        one["mail"] for one in json.loads(RECORDED.read_text()) if one["size"] == SIZE
    )
    return next(game for game in found if len(game) >= PLIES)[:PLIES]


def play(offices: Sequence[Harness]) -> Iterator[list[tuple[float, float]]]:
    """Play the same game in each takmail. Yield the processor and wall-clock seconds for each of Ada's mails."""
    for office in offices:
        for who, words in ((ADA, f"new {SIZE} vs {BEN} first=me"), (ADA, "yes"), (BEN, "accept")):
            office.send(who, words)
    for number, move in enumerate(moves()):
        took = []
        for office in offices:
            before = office.seconds, office.waited
            office.send((ADA, BEN)[number % 2], move)
            took.append((office.seconds - before[0], office.waited - before[1]))
        if number % 2 == 0:
            yield took


def main() -> None:
    """Fill both databases, measure, and print the results."""
    arguments = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("--games", type=int, default=1_000_000)
    arguments.add_argument("--turns", type=int, default=10_000_000)
    arguments.add_argument("--club", type=int, default=0)
    arguments.add_argument("--url")
    arguments.add_argument("--few")
    given = arguments.parse_args()
    each = max(1, given.turns // given.games)
    with TemporaryDirectory() as place:
        few, many = Path(place) / "few.sqlite", Path(place) / "many.sqlite"
        stores = [Store.open(given.few or f"sqlite:///{few}"), Store.open(given.url or f"sqlite:///{many}")]
        fill(stores[0], Size(FEW, each, 0))
        fill(stores[1], Size(given.games, each, given.club))
        stored = f", {many.stat().st_size / 1e9:.1f} GB" if many.exists() else ""
        print(f"{given.games:,} games, {given.games * each:,} turns, {given.club:,} of Ada's{stored}")
        offices = [Harness(MailWorker(store, causes_for(LetterView.TEXT)), store) for store in stores]
        found = list(play(offices))
        for what, name in enumerate(("processor", "clock")):
            small, large = (1000 * median(took[office][what] for took in found) for office in range(2))
            ratio = median(took[1][what] / took[0][what] for took in found)
            print(
                f"{name:10} {small:6.2f} ms a mail with {FEW} games, {large:6.2f} ms: {ratio:.2f} times as much"
            )
        for store in stores:
            store.close()


if __name__ == "__main__":
    main()
