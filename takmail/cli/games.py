"""Show games to the operator, and rule on them: `takmail game`."""

from collections import Counter
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import click
from sqlmodel import Session

from takmail.cli.common import as_option, config_option, opened, why_option
from takmail.cli.lists import Cells, Listed, json_option, show_list
from takmail.commands.view import look
from takmail.games.interface import Seat
from takmail.pipeline import rulings
from takmail.pipeline.rulings import OperatorNote, operator_note
from takmail.store import games, inbox, operator_log, outbox
from takmail.store.causes import Causes, Decide, new_cause, with_retries
from takmail.store.database import Store
from takmail.world import Game, GameNumber, Ruling, Standing, title_of

MOST_LETTERS = 5
"""The maximum number of unsent letters that the page about a game shows."""


def list_games(store: Store, causes: Causes) -> list[Listed]:
    """Return all games, sorted by number."""
    with store.transaction() as session:
        return [_listed(load(session, causes, record.number)) for record in games.every(session)]


def _listed(game: Game) -> Listed:
    """Return a game as a row. `state` is its standing, `corrupt`, or `frozen` once its rows are consistent again.

    `result` is the score, `void` for an annulled game, and None for an unfinished one.
    """
    record = game.record
    is_frozen = record.standing is Standing.ADJOURNED and not game.why
    state = "corrupt" if game.is_corrupt else "frozen" if is_frozen else record.standing
    return {
        "number": record.number,
        "state": state,
        "board": title_of(game.rules, record.setup),
        "turns": len(game.turns),
        "result": record.end.score or ("void" if record.end.ruling == Ruling.VOID else None),
        "players": [one.name for one in game.players],
    }


def _cells(row: Listed) -> Cells:
    return {**row, "number": f"#{row['number']}", "players": " – ".join(row["players"])}


def show_game(store: Store, causes: Causes, number: int) -> str:
    """Return a page about a game: its board, turns and log, and its unsent letters.

    For a corrupt game, the page has the fault and how to restore the game. Raises CannotRule.
    """
    services = causes.services
    with store.transaction() as session:
        game = load(session, causes, number)
        done, shunted = operator_log.of_game(session, number), inbox.shunted_about(session, number)
        if game.fault is not None:
            return services.templates.page(
                "console/broken.txt",
                fault=game.fault,
                standing=game.record.standing,
                shunted_mails=shunted,
                log=done,
                view=None,
            )
        return services.templates.page(
            "console/game.txt",
            service=services.name,
            view=look(game, Seat.FIRST),
            title=title_of(game.rules, game.record.setup),
            record=game.record,
            game_log=game.log(),
            offers=game.offers,
            disputes=game.disputes if game.record.is_running else (),
            log=done,
            letters=_unsent(session, number),
            shunted_mails=shunted,
        )


def _unsent(session: Session, number: int) -> Mapping[str, object]:
    """Return the unsent or bounced letters about a game.

    `newest` are at most `MOST_LETTERS` of them, the newest first. `older` is the number of the others by state.
    """
    letters = outbox.unsent(session, number)
    older = Counter(str(letter.state) for letter in letters[:-MOST_LETTERS])
    return {"newest": letters[-MOST_LETTERS:][::-1], "older": dict(sorted(older.items()))}


def export_game(store: Store, causes: Causes, number: int) -> str:
    """Return a game's record as the text of a file, for Tak in PTN. Raises CannotRule and CorruptGame."""
    with store.transaction() as session:
        return load(session, causes, number).game_record()


def adjourn(store: Store, causes: Causes, number: int, by: OperatorNote) -> str:
    """Adjourn a game, even a corrupt one, and return a page about the ruling. Raises CannotRule."""
    return _ruled(store, causes, number, partial(rulings.adjourn, number=GameNumber(number), by=by))


def resume(store: Store, causes: Causes, number: int, by: OperatorNote) -> str:
    """Resume a game, and return a page about the ruling. Raises CannotRule and CorruptGame."""
    return _ruled(store, causes, number, partial(rulings.resume, number=GameNumber(number), by=by))


def end(store: Store, causes: Causes, number: int, ruling: Ruling, by: OperatorNote) -> str:
    """End a game or correct its result, even a corrupt one, and return a page about the ruling. Raises CannotRule."""
    return _ruled(
        store, causes, number, partial(rulings.end, number=GameNumber(number), ruling=ruling, by=by)
    )


def _ruled(store: Store, causes: Causes, number: int, decide: Decide) -> str:
    cause = new_cause(f"ruling about game {number}", causes.now())

    def rule(session: Session) -> str:
        outcome = causes.decide(session, cause, decide, games=(GameNumber(number),))
        return causes.services.templates.page(
            "console/ruled.txt",
            record=outcome.world.game(GameNumber(number)).record,
            letters=outcome.letters,
        )

    return with_retries(store, rule)


def load(session: Session, causes: Causes, number: int) -> Game:
    """Load the game with this number. Raises CannotRule."""
    queries = causes.queries(session)
    return rulings.existing(queries.game(GameNumber(number)), GameNumber(number))


@click.group("game")
def game_commands() -> None:
    """Show games, and rule on them.

    \b
    Examples:
      takmail game list
      takmail game show 12
      takmail game adjourn 12 --why "Ben is in hospital"
      takmail game export 12 > game12.ptn
    """


@game_commands.command("list")
@json_option("game")
@config_option
def game_list(as_json: bool, config_file: Path) -> None:
    """List all games.

    A game whose stored rows are inconsistent is shown as corrupt. `takmail game show` describes the fault and how to
    restore the game.

    \b
    Example:
      takmail game list --config config.toml
    """
    with opened(config_file) as app:
        every = list_games(app.store, app.causes)
    show_list(every, _cells, "There are no games yet.", as_json=as_json)


@game_commands.command("show")
@click.argument("number", type=int)
@config_option
def game_show(number: int, config_file: Path) -> None:
    """Show one game: its board, turns, log and unsent letters.

    \b
    Example:
      takmail game show 12
    """
    with opened(config_file) as app:
        click.echo(show_game(app.store, app.causes, number))


@game_commands.command("export")
@click.argument("number", type=int)
@config_option
def game_export(number: int, config_file: Path) -> None:
    """Write one game to standard output, in PTN.

    \b
    Example:
      takmail game export 12 > game12.ptn
    """
    with opened(config_file) as app:
        click.echo(export_game(app.store, app.causes, number), nl=False)


@game_commands.command("adjourn")
@click.argument("number", type=int)
@click.option("--resume", "is_resumed", is_flag=True, help="Resume an adjourned game.")
@why_option
@as_option
@config_option
def game_adjourn(number: int, is_resumed: bool, why: str, who: str, config_file: Path) -> None:
    """Adjourn a game, or resume it.

    In an adjourned game no move, offer or resignation is accepted. Its players can look at the board and write to each
    other. Both get a letter when it is adjourned, and when it is resumed. --resume also resumes a game that takmail has
    adjourned because it was corrupt, once its rows are consistent again. A running `takmail serve` sends the letters
    within a minute. Otherwise the next `takmail deliver` sends them.

    \b
    Examples:
      takmail game adjourn 12 --why "Ben is in hospital"
      takmail game adjourn 12 --resume --why "Ben is well again"
    """
    act = resume if is_resumed else adjourn
    with opened(config_file) as app:
        click.echo(act(app.store, app.causes, number, operator_note(app.services, who, why)))


_RESULTS = {"1-0": Ruling.FIRST, "0-1": Ruling.SECOND, "draw": Ruling.DRAW, "void": Ruling.VOID}


@game_commands.command("end")
@click.argument("number", type=int)
@click.option(
    "--result",
    required=True,
    type=click.Choice(list(_RESULTS)),
    help="The result: 1-0 if the first player wins, 0-1 if the second one wins, void for no result.",
)
@why_option
@as_option
@config_option
def game_end(number: int, result: str, why: str, who: str, config_file: Path) -> None:
    """End a running or adjourned game with a result of your choice, or correct the result of one that is over.

    A win counts as if the loser had resigned. A void game has no result, and is not part of the match. While the
    players bid for the first turn, a game can only be void. Both players get a last letter with the reason. A game that
    is over never goes on. A corrupt game can be ended, too, and its last letter shows no board. A running `takmail
    serve` sends the letters within a minute. Otherwise the next `takmail deliver` sends them.

    \b
    Examples:
      takmail game end 12 --result 1-0 --why "Ben has not written for a year"
      takmail game end 13 --result void --why "begun by mistake"
      takmail game end 12 --result draw --why "Ben's letter of March had been lost"
    """
    with opened(config_file) as app:
        by = operator_note(app.services, who, why)
        click.echo(end(app.store, app.causes, number, _RESULTS[result], by))
