"""Every verb that a relay game has for itself: what is written is passed on, and nothing is checked unless asked."""

from dataclasses import dataclass, replace

from takmail.games.game import Reason, Seat
from takmail.service.case import Case, Report, done, failed
from takmail.service.course import Course
from takmail.service.played import Played, played
from takmail.service.reading.commands import Command, Compare, Dispute, Play, Propose, Show, Why, Word
from takmail.service.reading.understand import Ordered
from takmail.service.verbs import play, talk
from takmail.service.verbs.closed import not_open
from takmail.service.verbs.dispute import named, opened
from takmail.service.view import View, look
from takmail.store import boards, disputes

MOST_BETWEEN = 2
"""Turns that may come between two boards that are held against each other: one of each player's."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a relay game's log: a move, or what one has said against the move before; `is_replaced`: the same
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


def perform(case: Case, ordered: Ordered) -> Report | None:
    """Do what a command means in a relay game; None: the same as in any other game."""
    match ordered.command:
        case Play() as command:
            return _send(case, command, ordered.line)
        case Dispute() as command:
            return _dispute(case, command)
        case Compare(board):
            return _pass_board_on(case, board)
        case Why():
            return failed("why_relay")
        case Show(turn):
            return _show(case, turn)
        case Word("rs"):
            return _ask_for_board(case)
        case Word("log"):
            return done("relay_log", entries=_entries(case))
        case Word("ptn"):
            return _record(case)
        case Word("undo") | Propose():
            return not_open(case.table.row) or failed("relay_no_board")
        case _:
            return None


def is_message(command: Command | object) -> bool:
    """Whether a command that looks in other games writes to the opponent in a relay game."""
    return command == Word("rs") or isinstance(command, Compare)


def _send(case: Case, command: Play, line: str) -> Report:
    """Pass a move on, whoever's turn it is and whether the rules allow it or not."""
    closed = not_open(case.table.row)
    if closed:
        return closed
    before = _sent_before(case, command.text)
    if before:
        return done("relay_sent", turn=before)
    count = len(case.table.turns)
    if command.number not in (None, count + 1):
        return failed("relay_number", meant=command.number, turns=count)
    last = played(case.table)[-1] if count else None
    has_crossed = (
        case.shown is not None and case.shown < count and last is not None and last.seat != case.seat
    )
    play.append(case, command.text, line)
    turn = played(case.table)[-1]
    case.tell("relay_turn", turn=turn)
    return done("relay_turn", turn=turn, crossed=last if has_crossed else None)


def _sent_before(case: Case, text: str) -> Played | None:
    """The same move, if the sender has sent it since the letter that is answered, or just now where none is."""
    turns = played(case.table)
    shown = len(turns) - 1 if case.shown is None else case.shown
    since = (one for one in turns if one.number > shown and one.seat == case.seat and one.text == text)
    return next(since, None)


def _dispute(case: Case, command: Dispute) -> Report:
    """Pass on what somebody has against a move, the same once; nobody looks who is right."""
    table = case.table
    closed = not_open(table.row)
    if closed:
        return closed
    if not table.turns:
        return failed("nothing_to_dispute")
    count = len(table.turns)
    number = count if command.turn is None else command.turn
    if not 1 <= number <= count:
        return failed("show_beyond", turn=number, turns=count)
    if not talk.is_heard(case):
        return failed("words_refused")
    new = opened(case, number, command.reason)
    is_new = disputes.begin(case.session, new)
    if is_new:
        case.tell(
            "relay_im",
            why=named(command, new.reason),
            turn=played(table)[number - 1],
            is_named=command.turn is not None,
        )
    return done("relay_im", is_new=is_new)


def _ask_for_board(case: Case) -> Report:
    """Pass `rs` on: by the book its reader answers with a board."""
    closed = not_open(case.table.row)
    if closed:
        return closed
    case.tell("relay_rs")
    return done("relay_rs")


def _pass_board_on(case: Case, board: str) -> Report:
    """Pass a board on as it is, by the book the answer to `rs`; with one from each, both hear where they part."""
    table = case.table
    closed = not_open(table.row)
    if closed:
        return closed
    count = len(table.turns)
    facts = {"rows": table.rules.rows(board), "turn": count, **_side_by_side(case, board)}
    boards.show(case.session, table.number, case.seat, board, count, case.desk.clock())
    case.tell("relay_board", **facts)
    return done("relay_board", **facts)


def _side_by_side(case: Case, board: str) -> dict[str, object]:
    """What comes of holding a board beside the opponent's, if they have sent one of late."""
    table = case.table
    theirs = boards.shown(case.session, table.number, case.seat.other)
    if theirs is None or len(table.turns) - theirs.turn > MOST_BETWEEN:
        return {"found": None}
    course = table.course()
    turns = [turn.text for turn in course.turns]
    found = table.rules.compare_two(table.row.setup, turns, board, theirs.board)
    return {"found": found, "theirs": theirs.turn, "has_replaced": bool(course.replaced)}


def _show(case: Case, turn: int | None) -> Report:
    """The board after a turn, by the rules and as far as the moves keep to them."""
    table = case.table
    count = len(table.turns)
    if turn is not None and turn > count:
        return failed("show_beyond", turn=turn, turns=count)
    course = table.course(turn)
    return done("relay_show", then=_then(case, course), broken=_broken(case, course))


def _then(case: Case, course: Course) -> View:
    """The game as it stood after the last move that keeps the rules."""
    view = look(case.table, case.seat)
    state, last = course.state, course.last
    return replace(view, turn=last.number if last else 0, board=state.board(), facts=state.facts())


def _broken(case: Case, course: Course) -> Break | None:
    if course.broken is None:
        return None
    turn = next(one for one in played(case.table) if one.number == course.broken.number)
    return Break(turn, course.reason)


def _entries(case: Case) -> tuple[Entry, ...]:
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
            if row.turn == one.number
        ]
    return tuple(entries)


def _record(case: Case) -> Report:
    """The moves in the field's own form, legal or not, unless the wrong one began."""
    is_left_out = bool(case.table.turns) and not case.table.course().in_turn
    return done("relay_record", record=case.table.record(case.seat), is_left_out=is_left_out)
