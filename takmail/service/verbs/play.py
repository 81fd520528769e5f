"""The verb that plays a turn, and every way in which a turn can miss its place."""

from takmail.games.game import NearMiss, Refused, State
from takmail.service.case import Case, Report, done, failed
from takmail.service.game.played import played
from takmail.service.game.table import followed
from takmail.service.reading.commands import Play
from takmail.service.verbs import offering
from takmail.service.verbs.closed import not_open
from takmail.service.verbs.undo import shows_what_is_gone
from takmail.store import games, questions
from takmail.store.tables import BEGUN, Standing, Turn


def play(case: Case, command: Play, line: str) -> Report:
    """Play a turn if it is the sender's to play, was meant for now, and keeps the rules."""
    misplaced = _misplaced(case, command)
    if misplaced:
        return misplaced
    table = case.table
    try:
        after = table.state.play(command.text)
    except Refused as refused:
        return failed("refused", game=table.rules.name, reason=refused.reason, turn=command.text, fixes=())
    ends_proposal = append(case, command.text, line, after.checksum)
    last = played(case.table, len(case.table.turns))[-1]
    case.tell("turn", turn=last, ends_proposal=ends_proposal)
    return done("turn", turn=last, ends_proposal=ends_proposal)


def near_miss(case: Case, miss: NearMiss) -> Report:
    """Say what a line that is almost a turn lacks, with the readings to choose from."""
    return failed("refused", game=case.table.rules.name, reason=miss.reason, turn="", fixes=miss.fixes)


def same_turn(state: State, one: str, other: str) -> bool:
    """Whether two turns come to the same, whatever courtesies they carry."""
    if one == other:
        return True
    try:
        return state.play(one).board() == state.play(other).board()
    except Refused:
        return False


def append(case: Case, text: str, line: str, checksum: str | None = None) -> bool:
    """Add the turn to the log, close what was asked, and end the game if the turn ends it.

    Gives whether the turn ends a proposal to go on from another board.
    """
    table = case.table
    turn = Turn(
        game_id=table.number,
        number=len(table.turns) + 1,
        seat=case.seat,
        text=text,
        written=line,
        checksum=checksum,
        played_at=case.desk.clock(),
        intake_id=case.intake_id,
    )
    ends_proposal = offering.lapse(case)
    games.add_turn(case.session, turn)
    questions.close_answered(case.session, table.number, case.seat)
    case.changed(followed(table, turn, case.desk.replays))
    if case.table.result is not None:
        games.end(case.session, case.table.row, case.table.result.score)
        case.ended()
    return ends_proposal


def _misplaced(case: Case, command: Play) -> Report | None:
    """Why this is not the time for the turn, if it isn't."""
    table = case.table
    count = len(table.turns)
    meant = command.number
    if meant is None and case.shown is not None:
        meant = case.shown + 1
    closed = not_open(table.row) or _clashes(case)
    if table.row.standing not in BEGUN:
        return closed
    repeated = _repeated(case, command, count if meant is None else meant)
    if repeated or closed:
        return repeated or closed
    if shows_what_is_gone(case):
        return failed("gone")
    if meant is not None and meant != count + 1:
        return failed("too_early" if meant > count + 1 else "stale", meant=meant, turns=count)
    if table.state.to_move != case.seat:
        # Sent once more in answer to the very letter that told of it.
        return _repeated(case, command, count) or failed("not_your_turn")
    return None


def _clashes(case: Case) -> Report | None:
    """What the same mail has done that leaves no room for a turn: its writer can't have seen the board to play on."""
    abouts = {one.report.about for one in case.reports}
    if "remedy_agreed" in abouts:
        return failed("move_after_agreement")
    return failed("move_ends_proposal") if {"proposed", "already_proposed"} & abouts else None


def _repeated(case: Case, command: Play, number: int) -> Report | None:
    """A turn that the sender has played already: the same again is no fault, another one comes too late."""
    table = case.table
    if not 1 <= number <= len(table.turns) or table.turns[number - 1].seat != case.seat:
        return None
    if table.turns[number - 1].is_agreed:
        return None
    (before,) = played(table, number, number)
    if same_turn(table.states[number - 1], command.text, before.text):
        return done("already_played", turn=before)
    if table.row.standing == Standing.OVER:
        return failed("over")
    said = number in (command.number, None if case.shown is None else case.shown + 1)
    return failed("played_otherwise", turn=before) if said else None
