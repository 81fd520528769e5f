"""The verbs that look at a relay game: show, why, log, ptn. Only here are its moves held against the rules."""

from dataclasses import dataclass, replace

from takmail.games.game import NearMiss, Reason, Seat
from takmail.service.case import Case, Report, done, failed
from takmail.service.game.course import Course
from takmail.service.game.played import Played, played
from takmail.service.game.table import Table
from takmail.service.game.verdict import verdict_of, verdict_of_attempt
from takmail.service.game.view import View, look
from takmail.service.reading.commands import Why
from takmail.service.reading.understand import without_move
from takmail.service.verbs.beyond import beyond, turn_meant
from takmail.service.verbs.closed import not_begun
from takmail.service.verbs.why import unread
from takmail.store import disputes


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a relay game's log: a move, or what one has said against that move; `is_replaced`: the same
    player has sent another one in its place.
    """

    number: int
    name: str
    text: str
    written: str = ""
    is_dispute: bool = False
    is_replaced: bool = False


@dataclass(frozen=True, slots=True)
class Break:
    """Where the moves of a relay game no longer keep the rules; `reason` None: it was the other one's turn."""

    turn: Played
    reason: Reason | None


def show(case: Case, turn: int | None) -> Report:
    """The board after a turn, by the rules and as far as the moves keep to them."""
    table = case.table
    count = len(table.turns)
    if turn is not None and turn > count:
        return beyond(case, turn)
    course = table.course(turn)
    return done("relay_show", then=_then(case, course), broken=_broken(case, course))


def _then(case: Case, course: Course) -> View:
    """The game as it stood after the last move that keeps the rules."""
    view = look(case.table, case.seat)
    state, last = course.state, course.last
    return view.showing(state, last.number if last else 0, last.text if last else None)


def _broken(case: Case, course: Course) -> Break | None:
    if course.broken is None:
        return None
    turn = next(one for one in played(case.table) if one.number == course.broken.number)
    return Break(turn, course.reason)


def log(case: Case) -> Report:
    """All that was sent, in that order: each move, and behind it what was said against it."""
    table = case.table
    replaced = {one.number for one in table.course().replaced}
    said = disputes.of_game(case.session, table.number)
    entries: list[Entry] = []
    for one in played(table):
        is_replaced = one.number in replaced
        entries.append(Entry(one.number, one.name, one.text, one.written, is_replaced=is_replaced))
        entries += [
            Entry(one.number, table.players[Seat(row.seat)].name, row.reason, is_dispute=True)
            for row in said
            if row.turn == one.number and row.seat in tuple(Seat)
        ]
    return done("relay_log", entries=tuple(entries))


def record(case: Case) -> Report:
    """The moves in the field's own form, legal or not, unless the wrong one began."""
    is_left_out = bool(case.table.turns) and not case.table.course().in_turn
    return done("relay_record", record=case.table.record(case.seat), is_left_out=is_left_out)


def why(case: Case, command: Why) -> Report:
    """Explain a move, or one that nobody has sent, as far as those before it keep the rules."""
    closed = not_begun(case.table.row)
    if closed:
        return closed
    if not case.table.turns and not command.attempt and command.turn is None:
        return failed("why_nothing")
    number = turn_meant(case, command.turn, is_next=bool(command.attempt))
    if isinstance(number, Report):
        return number
    return _tried(case, command, number) if command.attempt else _sent(case, number)


def _sent(case: Case, number: int) -> Report:
    """The verdict on a move, as it was sent: of two in a row the earlier one has a board of its own, too."""
    course = case.table.course(number)
    is_reached = course.broken is None or (course.broken.number == number and course.reason is not None)
    if not is_reached:
        return failed("relay_why", then=_then(case, course), broken=_broken(case, course))
    verdict = verdict_of(_by_the_rules(case, course), case.seat, len(course.turns))
    return done("why", verdict=replace(verdict, number=number), mover="", can_play=False)


def _tried(case: Case, command: Why, number: int) -> Report:
    course = case.table.course(number - 1)
    if course.broken is not None:
        return failed("relay_why", then=_then(case, course), broken=_broken(case, course))
    reading = course.state.read(without_move(command.attempt))
    if reading is None or isinstance(reading, NearMiss):
        return unread(case, command, reading)
    mover = course.state.to_move
    verdict = verdict_of_attempt(_by_the_rules(case, course), len(course.turns), reading.text)
    name = "" if mover == case.seat else case.table.names_for(case.seat)[mover]
    return done("why", verdict=replace(verdict, number=number), mover=name, can_play=False)


def _by_the_rules(case: Case, course: Course) -> Table:
    """The game as if takmail had kept its board: the moves that count, as far as they keep the rules."""
    return replace(case.table, turns=course.turns, states=course.states)
