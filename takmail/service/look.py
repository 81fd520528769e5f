"""The verbs that only look: rs, show, log, games, ptn, help, rules."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session

from takmail.games.registry import DEFAULT
from takmail.service.case import Case, Report, done, failed
from takmail.service.commands import Help, Show
from takmail.service.identify import game_number
from takmail.service.table import load
from takmail.service.view import View, look, played
from takmail.store import games, players
from takmail.store.tables import Player, Standing


@dataclass(frozen=True, slots=True)
class Listed:
    """A game in a player's list."""

    number: int
    title: str
    opponent: str
    standing: Standing
    your_turn: bool
    invited_you: bool


def resync(_case: Case) -> Report:
    """`rs`: the board by the book; the answer shows it in any case."""
    return done("resync")


def show(case: Case, command: Show) -> Report:
    """The board as it was after a turn, or is now."""
    count = len(case.table.turns)
    turn = count if command.turn is None else command.turn
    if turn > count:
        return failed("show_beyond", turn=turn, turns=count)
    then: View = look(case.table, case.seat, turn)
    return done("show", then=then)


def log(case: Case) -> Report:
    """All turns, numbered."""
    return done("log", turns=played(case.table))


def record(case: Case) -> Report:
    """The game so far in its field's own form."""
    return done("record", record=case.table.record())


def list_games(case: Case) -> Report:
    """The sender's games that are not over."""
    assert case.player is not None
    return done("games", games=running(case.session, case.player))


def explain(case: Case, command: Help) -> Report:
    """How to write, in general or about one word."""
    topic = f"help/{command.word}.txt"
    if command.word and not case.desk.templates.exists(topic):
        return failed("help_unknown", word=command.word)
    return done("help", topic=topic if command.word else "help/all.txt")


def rules(case: Case) -> Report:
    """The rules of the game in short."""
    name = case.table.rules.name if case.chair else DEFAULT
    return done("rules", game=name)


def running(session: Session, player: Player) -> Sequence[Listed]:
    """A player's games that are not over, by number."""
    rows = games.of_player(session, players.number(player), (Standing.OPEN, Standing.INVITED))
    listed = []
    for row in rows:
        table = load(session, row)
        you = next(seat for seat in (0, 1) if table.players[seat].id == player.id)
        listed.append(
            Listed(
                number=game_number(row),
                title=table.rules.title(row.setup),
                opponent=table.players[1 - you].name,
                standing=row.standing,
                your_turn=row.standing == Standing.OPEN and table.state.to_move == you,
                invited_you=row.standing == Standing.INVITED and row.invited_by != player.id,
            )
        )
    return listed
