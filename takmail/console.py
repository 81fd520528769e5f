"""What the operator sees of games on the command line."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from sqlmodel import Session

from takmail.games.game import Seat
from takmail.games.tak.notation.errors import NotationError
from takmail.games.tak.notation.ptn_game import PtnGame, parse_games
from takmail.render.templates import Templates, folder
from takmail.service import table
from takmail.service.view import look
from takmail.store import games, outbox
from takmail.store.database import Store


def list_games(store: Store) -> list[str]:
    """A line for each game, by number."""
    lines = []
    with store.transaction() as session:
        for row in games.every(session):
            one = table.load(session, row)
            names = " – ".join(player.name for player in one.players)
            size, score = one.rules.title(row.setup), row.score or ""
            lines.append(
                f"#{row.id:<5} {row.standing:<9} {size:<4} {len(one.turns):>4} turns  {score:<8} {names}"
            )
    return lines or ["There is no game yet."]


def show_game(store: Store, templates: Templates, number: int) -> str:
    """One game with its board, its turns and the letters that wait or failed; raises LookupError if unknown."""
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
    """One game in its field's own form; raises LookupError if unknown."""
    with store.transaction() as session:
        return _load(session, number).record()


def _load(session: Session, number: int) -> table.Table:
    row = games.get(session, number)
    if row is None:
        raise LookupError(number)
    return table.load(session, row)


@dataclass(frozen=True, slots=True)
class Replayed:
    """What came of one recorded game; `error` says in a sentence what is wrong with it, None if nothing is."""

    file: str
    size: int | None
    result: str | None
    tps: str | None
    plies: int
    error: str | None

    def as_json(self) -> dict[str, object]:
        """The fields by name, for `--json`."""
        return asdict(self)

    def as_text(self) -> str:
        """Two lines for a person: the result and the last position, and what is wrong."""
        if self.size is None:
            return f"{self.file}: {self.error}"
        head = f"{self.file}: {self.size}x{self.size}, {self.plies} plies, {self.result}\n  {self.tps}"
        return head + (f"\n  {self.error}" if self.error else "")


def replay(files: Iterable[Path]) -> Iterator[Replayed]:
    """Play every game of every file by the rules, in order."""
    templates = Templates(folder())
    for file in files:
        try:
            parsed = parse_games(file.read_text(encoding="utf-8", errors="replace"))
        except OSError as error:
            yield Replayed(str(file), None, None, None, 0, f"can't be read: {error.strerror}")
            continue
        for one in parsed:
            yield _replayed(str(file), one, templates)


def _replayed(file: str, one: PtnGame | NotationError, templates: Templates) -> Replayed:
    raise AssertionError(file, one, templates)
