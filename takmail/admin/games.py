"""Show games to the operator, and rule on them."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from sqlmodel import Session

from takmail.commands.game.branches import game_record_text, log_of
from takmail.commands.game.corruption import CorruptGameError
from takmail.commands.game.corruption_report import corruption_report
from takmail.commands.game.table import Corrupt, Table, title_of
from takmail.commands.game.view import look
from takmail.commands.kinds import RUNNING, Ruling, Standing
from takmail.commands.records import GameNumber, GameRecord
from takmail.games.interface import Seat
from takmail.pipeline import rulings
from takmail.pipeline.rulings import NoGame, OperatorNote
from takmail.store import games, operator_log, outbox
from takmail.store.causes import Causes, Decide, new_cause, with_retries
from takmail.store.database import Store
from takmail.store.tables import OutboxRow

MOST_LETTERS = 5
"""The maximum number of unsent letters that the page about a game shows."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A game in a list. `state` is its standing, `corrupt`, or `frozen` once its rows are consistent again."""

    record: GameRecord
    title: str
    turns: int
    names: tuple[str, ...]
    state: str


@dataclass(frozen=True, slots=True)
class Unsent:
    """The unsent or bounced letters about a game.

    `newest` are at most `MOST_LETTERS` of them, the newest first. `older` is the number of the others by state.
    """

    newest: tuple[OutboxRow, ...]
    older: Mapping[str, int]


def list_games(store: Store, causes: Causes) -> str:
    """Return the list of all games as text, sorted by number."""
    with store.transaction() as session:
        listed = [_listed(session, load(session, causes, record.number)) for record in games.every(session)]
    return causes.services.templates.page("console/list.txt", games=listed)


def _listed(session: Session, game: Table | Corrupt) -> Listed:
    match game:
        case Corrupt():
            state = "corrupt"
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
    """Return a page about a game: its board, turns and log, and its unsent letters.

    For a corrupt game, the page has the fault and how to restore the game. Raises NoGame.
    """
    services = causes.services
    with store.transaction() as session:
        game = load(session, causes, number)
        done = operator_log.of_game(session, number)
        if isinstance(game, Corrupt):
            queries = causes.queries(session, causes.clock())
            is_frozen = _is_frozen(game, queries.frozen_for(game.number))
            found = corruption_report(game, queries.shunted_mails(game.number), is_frozen=is_frozen)
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
    """Return whether a corrupt game is frozen. `frozen_for` is as in `freeze`, None if it was never frozen."""
    return game.record.standing == Standing.ADJOURNED and frozen_for is not None


def _unsent(session: Session, number: int) -> Unsent:
    letters = outbox.unsent(session, number)
    older = Counter(str(letter.state) for letter in letters[:-MOST_LETTERS])
    return Unsent(tuple(reversed(letters[-MOST_LETTERS:])), dict(sorted(older.items())))


def export_game(store: Store, causes: Causes, number: int) -> str:
    """Return a game's record as the text of a file, for Tak in PTN. Raises NoGame and CorruptGameError."""
    with store.transaction() as session:
        return game_record_text(sound(load(session, causes, number)))


def adjourn(store: Store, causes: Causes, number: int, by: OperatorNote) -> str:
    """Adjourn a game, and return a page about the ruling. Raises NoGame, CorruptGameError and CannotRule."""
    return _ruled(store, causes, number, partial(rulings.adjourn, number=GameNumber(number), by=by))


def resume(store: Store, causes: Causes, number: int, by: OperatorNote) -> str:
    """Resume a game, and return a page about the ruling. Raises the same exceptions as `adjourn`."""
    return _ruled(store, causes, number, partial(rulings.resume, number=GameNumber(number), by=by))


def end(store: Store, causes: Causes, number: int, ruling: Ruling, by: OperatorNote) -> str:
    """End a game, even a corrupt one, and return a page about the ruling. Raises NoGame and CannotRule."""
    decide = partial(rulings.end, number=GameNumber(number), ruling=ruling, by=by)
    return _ruled(store, causes, number, decide)


def _ruled(store: Store, causes: Causes, number: int, decide: Decide) -> str:
    cause = new_cause(f"ruling about game {number}", causes.clock())

    def rule(session: Session) -> str:
        outcome = causes.decide(session, cause, decide, games=(GameNumber(number),))
        record = games.get(session, number)
        return causes.services.templates.page("console/ruled.txt", record=record, letters=outcome.letters)

    return with_retries(store, rule)


def load(session: Session, causes: Causes, number: int) -> Table | Corrupt:
    """Load the game with this number. Raises NoGame."""
    game = causes.queries(session, causes.clock()).table(GameNumber(number))
    if game is None:
        raise NoGame(number)
    return game


def sound(game: Table | Corrupt) -> Table:
    """Return the game if it is not corrupt. Raises CorruptGameError otherwise."""
    if isinstance(game, Corrupt):
        raise CorruptGameError(game.fault)
    return game
