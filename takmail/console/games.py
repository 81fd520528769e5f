"""What the operator sees of games."""

from dataclasses import dataclass

from sqlmodel import Session

from takmail.games.game import Seat
from takmail.games.registry import GAMES
from takmail.render.templates import Templates
from takmail.service import table
from takmail.service.view import look
from takmail.store import games, outbox, players
from takmail.store.database import Store
from takmail.store.tables import GameRow


@dataclass(frozen=True, slots=True)
class Listed:
    """A game as a line of the list; `broken` when its stored turns break the rules."""

    row: GameRow
    title: str
    turns: int
    names: tuple[str, ...]
    broken: bool


def list_games(store: Store, templates: Templates) -> str:
    """A line for each game, by number."""
    with store.transaction() as session:
        return templates.page(
            "console/list.txt", games=[_listed(session, row) for row in games.every(session)]
        )


def _listed(session: Session, row: GameRow) -> Listed:
    assert row.id is not None
    try:
        table.load(session, row)
        broken = False
    except table.BrokenGame:
        broken = True
    names = tuple(players.get(session, player).name for player in games.seats(session, row.id))
    return Listed(row, GAMES[row.kind].title(row.setup), len(games.turns(session, row.id)), names, broken)


def show_game(store: Store, templates: Templates, number: int) -> str:
    """One game with its board, its turns and the letters that wait or failed.

    Raises LookupError if there is no such game, and BrokenGame.
    """
    with store.transaction() as session:
        one = _load(session, number)
        return templates.page(
            "console/game.txt",
            view=look(one, Seat.FIRST),
            subject=one.row.subject,
            turns=one.turns,
            letters=outbox.unsent(session, number),
        )


def export_game(store: Store, number: int) -> str:
    """One game in its field's own form; raises as `show_game` does."""
    with store.transaction() as session:
        return _load(session, number).record()


def _load(session: Session, number: int) -> table.Table:
    row = games.get(session, number)
    if row is None:
        raise LookupError(number)
    return table.load(session, row)
