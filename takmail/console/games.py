"""What the operator sees of games, and decides about them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlmodel import Session

from takmail.games.game import Seat
from takmail.render.templates import Templates
from takmail.service import rulings
from takmail.service.desk import Desk
from takmail.service.game import table
from takmail.service.game.branches import log_of, record_of
from takmail.service.game.title import title_of
from takmail.service.game.view import look
from takmail.service.rulings import Decision
from takmail.service.soundness.fault import BrokenGame
from takmail.service.soundness.finding import finding
from takmail.store import games, log, outbox, players
from takmail.store.database import Store
from takmail.store.tables import GameRow, OutboxRow, Ruling

MOST_LETTERS = 5
"""Letters of a game that are shown."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A game as a line of the list; `state` is its standing, `broken` or, once it is mended, `frozen`."""

    row: GameRow
    title: str
    turns: int
    names: tuple[str, ...]
    state: str


@dataclass(frozen=True, slots=True)
class Unsent:
    """The letters about a game that wait, failed or came back: the newest first, and how many are older."""

    newest: tuple[OutboxRow, ...]
    older: Mapping[str, int]


def list_games(store: Store, templates: Templates) -> str:
    """A line for each game, by number."""
    with store.transaction() as session:
        return templates.page(
            "console/list.txt", games=[_listed(session, row) for row in games.every(session)]
        )


def _listed(session: Session, row: GameRow) -> Listed:
    assert row.id is not None
    try:
        state = "frozen" if table.load(session, row).is_frozen else row.standing
    except BrokenGame:
        state = "broken"
    names = tuple(players.get(session, player).name for player in games.seats(session, row.id))
    return Listed(row, title_of(row), len(games.turns(session, row.id)), names, state)


def show_game(store: Store, desk: Desk, number: int) -> str:
    """One game with its board, its turns, what else was done to it, and the letters that wait or failed.

    Of a broken one what is wrong with it and how to mend it. Raises NoGame if there is no such game.
    """
    with store.transaction() as session:
        try:
            one = _load(session, number)
        except BrokenGame as broken:
            return _broken(desk, session, broken)
        return desk.templates.page(
            "console/game.txt",
            service=desk.name,
            view=look(one, Seat.FIRST),
            row=one.row,
            lines=log_of(one),
            offers=one.offers,
            disputes=one.disputes,
            log=log.of_game(session, number),
            letters=_unsent(session, number),
        )


def _unsent(session: Session, number: int) -> Unsent:
    letters = outbox.unsent(session, number)
    older = Counter(str(letter.state) for letter in letters[:-MOST_LETTERS])
    return Unsent(tuple(reversed(letters[-MOST_LETTERS:])), dict(sorted(older.items())))


def _broken(desk: Desk, session: Session, broken: BrokenGame) -> str:
    number = broken.fault.game
    found = finding(session, table.find(session, number), broken.fault)
    return desk.templates.page("console/broken.txt", found=found, log=log.of_game(session, number), view=None)


def export_game(store: Store, number: int) -> str:
    """One game in its field's own form. Raises NoGame if there is no such game, and BrokenGame."""
    with store.transaction() as session:
        return record_of(_load(session, number))


def adjourn(store: Store, desk: Desk, number: int, by: Decision) -> str:
    """Have a game stand still; gives what there is to say of it. Raises NoGame, BrokenGame and CantRule."""
    with store.transaction() as session:
        return _ruled(desk, session, number, rulings.adjourn(desk, session, number, by))


def resume(store: Store, desk: Desk, number: int, by: Decision) -> str:
    """Let a game go on; gives and raises as `adjourn` does."""
    with store.transaction() as session:
        return _ruled(desk, session, number, rulings.resume(desk, session, number, by))


def end(store: Store, desk: Desk, number: int, ruling: Ruling, by: Decision) -> str:
    """End a game; gives and raises as `adjourn` does."""
    with store.transaction() as session:
        return _ruled(desk, session, number, rulings.end(desk, session, number, ruling, by))


def _ruled(desk: Desk, session: Session, number: int, letters: Sequence[int]) -> str:
    return desk.templates.page("console/ruled.txt", row=games.get(session, number), letters=letters)


def _load(session: Session, number: int) -> table.Table:
    return table.load(session, table.find(session, number))
