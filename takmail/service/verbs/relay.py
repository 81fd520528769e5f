"""Every verb that a relay game has for itself: what is written is passed on, and nothing is checked unless asked."""

from takmail.service.case import Case, Report, done, failed
from takmail.service.game.played import Played, played
from takmail.service.reading.commands import Compare, Dispute, Moves, Play, Propose, Show, Why, Word
from takmail.service.reading.understand import Ordered
from takmail.service.verbs import play, relay_look, talk
from takmail.service.verbs.beyond import turn_meant
from takmail.service.verbs.closed import not_begun, not_open
from takmail.service.verbs.dispute import named, opened
from takmail.store import boards, disputes

MOST_BETWEEN = 2
"""Turns that may come between two boards that are held against each other: one of each player's."""


def perform(case: Case, ordered: Ordered) -> Report | None:
    """Do what a command means in a relay game; None: the same as in any other game."""
    match ordered.command:
        case Play() as command:
            return _send(case, command, ordered.line)
        case Dispute() as command:
            return _dispute(case, command)
        case Compare(board):
            return _pass_board_on(case, board)
        case Why() as command:
            return relay_look.why(case, command)
        case Show(turn, given_up=None):
            return relay_look.show(case, turn)
        case Word("rs"):
            return _ask_for_board(case)
        case Word("log"):
            return relay_look.log(case)
        case Word("ptn"):
            return relay_look.record(case)
        case Moves():
            return not_open(case.table.row) or failed("relay_moves")
        case Word("undo") | Propose() | Show():
            return not_open(case.table.row) or failed("relay_no_board")
        case _:
            return None


def is_passed_on(case: Case, ordered: Ordered) -> bool:
    """Whether a command that only looks in other games is written to the opponent in this one."""
    looks = ordered.command == Word("rs") or isinstance(ordered.command, Compare)
    return looks and case.chair is not None and case.table.row.is_relay


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
    number = turn_meant(case, command.turn)
    if isinstance(number, Report):
        return number
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


def has_written(case: Case) -> None:
    """Note that the sender has written, which is all the answer that an `rs` of the other one's may get."""
    if case.chair is not None and case.chair.proof.is_sure and case.table.row.is_relay:
        boards.ask(case.session, case.table.number, case.seat.other, asks=False)


def _ask_for_board(case: Case) -> Report:
    """Pass `rs` on, after the end of the game, too, once until its reader writes: by the book that is a board."""
    closed = _nobody_to_compare_with(case)
    if closed:
        return closed
    if not talk.is_heard(case):
        return failed("relay_refused")
    is_new = not boards.is_asked(case.session, case.table.number, case.seat)
    if is_new:
        boards.ask(case.session, case.table.number, case.seat)
        case.tell("relay_rs")
    return done("relay_rs", is_new=is_new)


def _pass_board_on(case: Case, board: str) -> Report:
    """Pass a board on as it is, by the book the answer to `rs`; with one from each, both hear where they part."""
    table = case.table
    closed = _nobody_to_compare_with(case)
    if closed:
        return closed
    # Who has blocked the writer gets a board if they have asked for it themselves.
    if not talk.is_heard(case) and not boards.is_asked(case.session, table.number, case.seat.other):
        return failed("relay_refused")
    count = len(table.turns)
    facts = {"rows": table.rules.rows(board), "turn": count, **_side_by_side(case, board)}
    boards.show(case.session, table.number, case.seat, board, count, case.desk.clock())
    case.tell("relay_board", **facts)
    return done("relay_board", **facts)


def _nobody_to_compare_with(case: Case) -> Report | None:
    """Why no board can be passed on, if that is so; two people may still compare theirs when the game is over."""
    closed = not_begun(case.table.row)
    return closed or (failed("opponent_left") if case.opponent_has_left else None)


def _side_by_side(case: Case, board: str) -> dict[str, object]:
    """What comes of holding a board beside the opponent's, if they have sent one of late."""
    table = case.table
    theirs = boards.shown(case.session, table.number, case.seat.other)
    if theirs is None or len(table.turns) - theirs.turn > MOST_BETWEEN:
        return {"found": None}
    course = table.course()
    turns = [turn.text for turn in course.turns]
    numbers = [turn.number for turn in course.turns]
    found = table.rules.compare_two(table.row.setup, turns, board, theirs.board, numbers)
    return {"found": found, "theirs": theirs.turn, "has_replaced": bool(course.replaced)}
