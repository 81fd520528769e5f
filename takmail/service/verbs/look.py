"""The verbs that only look: rs, show, log, games, match, ptn, help, rules."""

from collections.abc import Sequence
from dataclasses import dataclass

from takmail.games.game import Seat
from takmail.service.case import Case, Report, done, failed
from takmail.service.game.branches import GivenUp, branches_with, log_of, record_of, state_given_up
from takmail.service.game.table import guest_label, load
from takmail.service.game.title import title_of
from takmail.service.game.view import View, look
from takmail.service.people.match import match_of, matches_with
from takmail.service.reading.commands import Help, Show, Standings
from takmail.service.soundness.fault import BrokenGame
from takmail.service.trust.identify import game_number
from takmail.service.verbs.beyond import beyond
from takmail.store import games, players
from takmail.store.tables import RUNNING, GameRow, Player, Standing


@dataclass(frozen=True, slots=True)
class Listed:
    """A game in a player's list; `broken`: what is stored of it breaks the rules, so nobody knows how it stands."""

    number: int
    title: str
    opponent: str
    standing: Standing
    your_turn: bool
    invited_you: bool
    broken: bool
    is_relay: bool


def resync(_case: Case) -> Report:
    """`rs`: the board by the book; the answer shows it in any case."""
    return done("resync")


def show(case: Case, command: Show) -> Report:
    """The board as it was after a turn, or is now; of turns given up where the game has none of the number."""
    count = len(case.table.turns)
    turn = count if command.turn is None else command.turn
    gone = branches_with(case.table, turn)
    if command.given_up is not None:
        asked = [one for one in gone if command.given_up in (0, one.number)]
        return _given_up(case, asked[-1], turn) if asked else failed("show_never", turn=turn, gone=gone)
    if turn > count:
        return _given_up(case, gone[-1], turn) if gone else beyond(case, turn)
    then: View = look(case.table, case.seat, turn)
    return done("show", then=then, gone=() if command.turn is None else gone)


def _given_up(case: Case, branch: GivenUp, turn: int) -> Report:
    """The board after a turn that was given up."""
    state = state_given_up(case.table, branch, turn)
    now = look(case.table, case.seat)
    then = now.showing(state, turn, next(one.text for one in branch.turns if one.number == turn))
    others = tuple(one for one in branches_with(case.table, turn) if one != branch)
    return done("show_given_up", then=then, branch=branch, gone=others, is_played=turn <= now.turns)


def log(case: Case) -> Report:
    """All turns, numbered, and what was given up among them."""
    return done("log", lines=log_of(case.table))


def record(case: Case) -> Report:
    """The game so far in its field's own form."""
    return done("record", record=record_of(case.table, case.seat), address=case.table.address(case.seat))


def list_games(case: Case) -> Report:
    """The sender's games that are not over."""
    assert case.player is not None
    return done("games", games=running(case, case.player))


def standings(case: Case, command: Standings) -> Report:
    """How the match stands; a name that nobody has with whom you have played says nothing of who else plays here."""
    if not command.name:
        table, seat = case.table, case.seat
        if guest_label(table.row, players.number(table.players[seat])) is not None:
            return failed(
                "match_unknown"
            )  # Whose address it is that was invited is not told before they accept.
        you, other = (players.number(table.players[one]) for one in (seat, seat.other))
        return done("match", matches=(match_of(case.session, table.row.kind, you, other),))
    player = case.player
    matches = matches_with(case.session, players.number(player), command.name) if player else ()
    return done("match", matches=matches) if matches else failed("match_unknown")


def explain(case: Case, command: Help) -> Report:
    """How to write, in general or about one word; what the game itself says about it comes first."""
    word = command.word or "all"
    for topic in (f"{case.game}/help/{word}.txt", f"help/{word}.txt"):
        if case.desk.templates.exists(topic):
            return done("help", topic=topic)
    return failed("help_unknown", word=word)


def rules(_case: Case) -> Report:
    """The rules of the game in short."""
    return done("rules")


def running(case: Case, player: Player) -> Sequence[Listed]:
    """A player's games that are not over, by number; one that is broken does not keep the others from being seen."""
    you = players.number(player)
    rows = games.of_player(case.session, you, (Standing.INVITED, *RUNNING))
    # An invitation that has not been written yet is none.
    return [_listed(case, row, you) for row in rows if row.asked_at is not None or row.invited_by == you]


def _listed(case: Case, row: GameRow, you: int) -> Listed:
    number, session = game_number(row), case.session
    seats = games.seats(session, number)
    seat = Seat(seats.index(you))
    to_move = _to_move(case, row)
    return Listed(
        number=number,
        title=title_of(row),
        opponent=guest_label(row, you) or players.get(session, seats[seat.other]).name,
        standing=row.standing,
        your_turn=row.standing == Standing.OPEN and to_move == seat,
        invited_you=row.standing == Standing.INVITED and row.invited_by != you,
        broken=to_move is None,
        is_relay=row.is_relay,
    )


def _to_move(case: Case, row: GameRow) -> Seat | None:
    """Whose turn it is; None: the game is broken."""
    try:
        return load(case.session, row, case.desk.replays).to_move
    except BrokenGame:
        return None
