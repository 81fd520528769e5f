"""What the operator sees of games, and decides about them."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from sqlmodel import Session

from takmail.commands.game.branches import log_of, record_of
from takmail.commands.game.corruption import CorruptGameError
from takmail.commands.game.corruption_report import corruption_report
from takmail.commands.game.table import Corrupt, Table, title_of
from takmail.commands.game.view import look
from takmail.commands.kinds import RUNNING, Ruling, Standing
from takmail.commands.records import GameNumber, GameRecord
from takmail.games.interface import Seat
from takmail.pipeline import rulings
from takmail.pipeline.rulings import NoGame, Word
from takmail.store import games, operator_log, outbox
from takmail.store.causes import Causes, Decide, again, new_cause
from takmail.store.database import Store
from takmail.store.tables import OutboxRow

MOST_LETTERS = 5
"""Letters of a game that are shown."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A game as a line of the list; `state` is its standing, `broken` or, once it is mended, `frozen`."""

    record: GameRecord
    title: str
    turns: int
    names: tuple[str, ...]
    state: str


@dataclass(frozen=True, slots=True)
class Unsent:
    """The letters about a game that wait, failed or came back: the newest first, and how many are older."""

    newest: tuple[OutboxRow, ...]
    older: Mapping[str, int]


def list_games(store: Store, causes: Causes) -> str:
    """A line for each game, by number."""
    with store.transaction() as session:
        listed = [_listed(session, load(session, causes, record.number)) for record in games.every(session)]
    return causes.services.templates.page("console/list.txt", games=listed)


def _listed(session: Session, game: Table | Corrupt) -> Listed:
    match game:
        case Corrupt():
            state = "broken"
        case Table(is_frozen=True):
            state = "frozen"
        case _:
            state = game.record.standing
    return Listed(
        game.record,
        title_of(game.rules, game.record.setup),
        len(games.turns(session, game.number)),
        tuple(one.name for one in game.players),
        state,
    )


def show_game(store: Store, causes: Causes, number: int) -> str:
    """One game with its board, its turns, what else was done to it, and the letters that wait or failed.

    Of a broken one what is wrong with it and how to mend it. Raises NoGame if there is no such game.
    """
    services = causes.services
    with store.transaction() as session:
        game = load(session, causes, number)
        done = operator_log.of_game(session, number)
        if isinstance(game, Corrupt):
            queries = causes.queries(session, causes.clock())
            found = corruption_report(
                services.games,
                game,
                queries.evidence(game.number, game.fault.turn),
                is_frozen=_is_frozen(game, queries.frozen_for(game.number)),
            )
            return services.templates.page("console/broken.txt", found=found, log=done, view=None)
        return services.templates.page(
            "console/game.txt",
            service=services.name,
            view=look(game, Seat.FIRST),
            record=game.record,
            lines=log_of(game),
            offers=game.offers,
            disputes=game.disputes if game.record.standing in RUNNING else (),
            log=done,
            letters=_unsent(session, number),
        )


def _is_frozen(game: Corrupt, frozen_for: str | None) -> bool:
    """Whether a game is frozen as it was found broken."""
    return game.record.standing == Standing.ADJOURNED and frozen_for is not None


def _unsent(session: Session, number: int) -> Unsent:
    letters = outbox.unsent(session, number)
    older = Counter(str(letter.state) for letter in letters[:-MOST_LETTERS])
    return Unsent(tuple(reversed(letters[-MOST_LETTERS:])), dict(sorted(older.items())))


def export_game(store: Store, causes: Causes, number: int) -> str:
    """One game in its field's own form. Raises NoGame if there is no such game, and CorruptGameError."""
    with store.transaction() as session:
        return record_of(sound(load(session, causes, number)))


def adjourn(store: Store, causes: Causes, number: int, by: Word) -> str:
    """Have a game stand still; gives what there is to say of it. Raises NoGame, CorruptGameError and CantRule."""
    return _ruled(store, causes, number, partial(rulings.adjourn, number=GameNumber(number), by=by))


def resume(store: Store, causes: Causes, number: int, by: Word) -> str:
    """Let a game go on; gives and raises as `adjourn` does."""
    return _ruled(store, causes, number, partial(rulings.resume, number=GameNumber(number), by=by))


def end(store: Store, causes: Causes, number: int, ruling: Ruling, by: Word) -> str:
    """End a game; gives and raises as `adjourn` does."""
    decide = partial(rulings.end, number=GameNumber(number), ruling=ruling, by=by)
    return _ruled(store, causes, number, decide)


def _ruled(store: Store, causes: Causes, number: int, decide: Decide) -> str:
    cause = new_cause(f"ruling about game {number}", causes.clock())

    def rule(session: Session) -> str:
        outcome = causes.decide(session, cause, decide, games=(GameNumber(number),))
        record = games.get(session, number)
        return causes.services.templates.page("console/ruled.txt", record=record, letters=outcome.letters)

    return again(store, rule)


def load(session: Session, causes: Causes, number: int) -> Table | Corrupt:
    """The game with this number; raises NoGame if there is none."""
    game = causes.queries(session, causes.clock()).table(GameNumber(number))
    if game is None:
        raise NoGame(number)
    return game


def sound(game: Table | Corrupt) -> Table:
    """A game that can be shown; raises CorruptGameError where what is stored of it breaks the rules."""
    if isinstance(game, Corrupt):
        raise CorruptGameError(game.fault)
    return game
