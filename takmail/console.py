"""What the operator sees of games on the command line."""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import assert_never

from sqlmodel import Session

from takmail.games.game import Reason, Seat
from takmail.games.registry import GAMES
from takmail.games.tak.notation.ptn_game import NoStart, PtnGame, read_games
from takmail.games.tak.replay import replay as play_over
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


@dataclass(frozen=True, slots=True)
class Replayed:
    """What came of one recorded game; `error` says in a sentence what is wrong with it, None if nothing is.

    `size`, `result` and `tps` are None where there is no game to play; `number` counts the games of a file that
    holds more than one.
    """

    file: str
    error: str | None
    number: int | None = None
    size: int | None = None
    result: str | None = None
    tps: str | None = None
    plies: int = 0

    def as_json(self) -> dict[str, object]:
        """What `--json` prints of a game."""
        return {name: getattr(self, name) for name in ("file", "size", "result", "tps", "plies", "error")}


def replay(files: Iterable[Path], templates: Templates) -> Iterator[Replayed]:
    """Play every game of every file by the rules, in order; whatever is wrong is in the answer."""
    for path in files:
        file = _printable(str(path))
        try:
            found = read_games(_decoded(path.read_bytes()))
        except OSError as error:
            reason = Reason("file-unreadable", {"why": error.strerror or str(error)})
            yield Replayed(file, _sentence(templates, reason))
            continue
        if not found:
            yield Replayed(file, _sentence(templates, Reason("no-game")))
        for number, one in enumerate(found, 1):
            yield _replayed(file, number if len(found) > 1 else None, one, templates)


def _replayed(file: str, number: int | None, one: PtnGame | NoStart, templates: Templates) -> Replayed:
    match one:
        case NoStart(reason=reason):
            return Replayed(file, _sentence(templates, reason), number)
        case PtnGame():
            played = play_over(one)
            error = None
            if played.error is not None:
                error = _sentence(templates, played.error, played.ply_number, played.bad_ply)
            return Replayed(file, error, number, played.size, played.result, played.final_tps, played.plies)
        case _:
            assert_never(one)


def _sentence(templates: Templates, reason: Reason, number: int | None = None, ply: str | None = None) -> str:
    """What is wrong with a recorded game, on one line."""
    return _printable(templates.line("console/fault.txt", reason=reason, number=number, ply=ply))


def _decoded(raw: bytes) -> str:
    """The text of a file from any machine: only comments and names can hold more than ASCII.

    A byte-order mark tells of UTF-16; bytes that are no UTF-8, such as Latin-1, are marked and harm nothing.
    """
    encoding = "utf-16" if raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig"
    return raw.decode(encoding, errors="replace").replace("\r\n", "\n").replace("\r", "\n")


def _printable(text: str) -> str:
    """The text without what could drive a terminal: names and records come from anywhere."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)
