"""`why`: a turn that was played, or one that is only tried, held against every rule. Nobody else hears of it."""

from takmail.games.game import NearMiss
from takmail.service.case import Case, Report, done, failed
from takmail.service.game.verdict import verdict_of, verdict_of_attempt
from takmail.service.reading.commands import Why
from takmail.service.reading.understand import without_move
from takmail.service.verbs.beyond import turn_meant
from takmail.service.verbs.closed import not_open
from takmail.store.tables import BEGUN


def why(case: Case, command: Why) -> Report:
    """Explain a turn of the game, or an attempt on the board as it was before that turn, or is now."""
    row = case.table.row
    refusal = None if row.standing in BEGUN else not_open(row)
    return refusal or (_attempted(case, command) if command.attempt else _played(case, command))


def _played(case: Case, command: Why) -> Report:
    if command.turn is None and not case.table.turns:
        return failed("why_nothing")
    number = turn_meant(case, command.turn)
    if isinstance(number, Report):
        return number
    if case.table.turns[number - 1].is_agreed:
        return failed("agreed_board", turn=number)
    return done("why", verdict=verdict_of(case.table, case.seat, number), mover="", can_play=False)


def _attempted(case: Case, command: Why) -> Report:
    """An attempt is read and judged as whoever's turn it is there, by whomever it was written."""
    table, count = case.table, len(case.table.turns)
    number = turn_meant(case, command.turn, is_next=True)
    if isinstance(number, Report):
        return number
    state = table.states[number - 1]
    reading = state.read(without_move(command.attempt))
    if reading is None or isinstance(reading, NearMiss):
        return unread(case, command, reading)
    is_theirs = state.to_move != case.seat
    verdict = verdict_of_attempt(table, number - 1, reading.text)
    return done(
        "why",
        verdict=verdict,
        mover=table.names_for(case.seat)[state.to_move] if is_theirs else "",
        can_play=verdict.is_legal and not is_theirs and number > count and not_open(table.row) is None,
    )


def unread(case: Case, command: Why, miss: NearMiss | None) -> Report:
    """What the attempt lacks on this board, with the readings to choose from."""
    if miss is None:
        return failed("why_no_turn")
    head = "why" if command.turn is None else f"why {command.turn}"
    fixes = tuple(f"{head} {fix}" for fix in miss.fixes)
    return failed("refused", game=case.table.rules.name, reason=miss.reason, turn="", fixes=fixes)
