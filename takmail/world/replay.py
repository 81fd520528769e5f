"""Replay the stored turns of a game, and find the first stored value that contradicts the replay."""

from collections.abc import Sequence

from takmail.games.interface import Game, Reason, Refused, Seat, State
from takmail.world.corruption import CorruptGameError, Corruption, CorruptionKind, StoredPlace
from takmail.world.records import GameRecord, Turn

_SEATS = tuple(Seat)


def replayed(
    record: GameRecord, rules: Game, turns: Sequence[Turn], known: Sequence[State] = ()
) -> tuple[State, ...]:
    """Return all states of a game, from the one before the first turn.

    `known` are its first states, if already computed.

    Raises CorruptGameError if a turn is missing, illegal or of the wrong player. It is also raised if the last turn
    with a checksum leads to another position than when it was played. Comparing all checksums would take longer than
    the replay.
    """
    states = [*known] or [_start(record, rules)]
    try:
        for due, turn in enumerate(turns[len(states) - 1 :], len(states)):
            states.append(after(record, rules, states[-1], turn, due))
    except CorruptGameError as broken:
        raise CorruptGameError(_first_difference(record, turns, states) or broken.fault) from broken
    last = next((turn for turn in reversed(turns) if turn.checksum is not None), None)
    difference = (
        _first_difference(record, turns, states) if last and _differs(last, states[last.number]) else None
    )
    if difference is not None:
        raise CorruptGameError(difference)
    return tuple(states)


def after(
    record: GameRecord, rules: Game, before: State, turn: Turn, due: int, branch: int | None = None
) -> State:
    """Return the state after a stored turn. `branch` is the number of its run if it was taken back.

    Raises CorruptGameError if the number of the turn is not `due`, or if the turn is illegal or of the wrong player.
    """
    if turn.number != due:
        missing = Turn(due, turn.seat, "", "", turn.version, turn.played_at)
        raise CorruptGameError(fault_of(record, CorruptionKind.MISSING, "", missing, branch, before=before))
    try:
        state = before.play(turn.text)
    except Refused as refused:
        fault = fault_of(
            record, CorruptionKind.ILLEGAL, "text", turn, branch, before=before, reason=refused.reason
        )
        raise CorruptGameError(fault) from refused
    if turn.is_agreed != rules.is_agreement(turn.text):
        raise CorruptGameError(
            fault_of(record, CorruptionKind.AGREED, "is_agreed", turn, branch, before=before, after=state)
        )
    if turn.seat not in _SEATS or (turn.seat != before.to_move and not turn.is_agreed):
        raise CorruptGameError(
            fault_of(record, CorruptionKind.SEAT, "seat", turn, branch, before=before, after=state)
        )
    return state


def after_if_legal(state: State, text: str) -> State | None:
    """Return the state after a turn, None if the turn is illegal."""
    try:
        return state.play(text)
    except Refused:
        return None


def fault_of(
    record: GameRecord,
    flaw: CorruptionKind,
    column: str,
    turn: Turn,
    branch: int | None = None,
    *,
    before: State | None = None,
    after: State | None = None,
    reason: Reason | None = None,
) -> Corruption:
    """Return the fault in column `column` of a stored turn. `branch` is the number of its run if it was taken back."""
    of_run = {} if branch is None else {"branch": branch}
    key = {"game_id": int(record.number), **of_run, "number": turn.number}
    return Corruption(
        game=record.number,
        kind=record.kind,
        flaw=flaw,
        place=StoredPlace("turn" if branch is None else "taken_back", key, column),
        value=str(getattr(turn, column, "")),
        turn=turn.number,
        text=turn.text,
        written=turn.written,
        reason=reason,
        stored=turn.checksum,
        before=before,
        after=after,
    )


def _start(record: GameRecord, rules: Game) -> State:
    try:
        return rules.start(record.setup)
    except (Refused, ValueError) as error:
        place = StoredPlace("game", {"id": int(record.number)}, "setup")
        raise CorruptGameError(
            Corruption(record.number, record.kind, CorruptionKind.SETUP, place, record.setup)
        ) from error


def _differs(turn: Turn, state: State) -> bool:
    return turn.checksum is not None and turn.checksum != state.checksum


def _first_difference(
    record: GameRecord, turns: Sequence[Turn], states: Sequence[State]
) -> Corruption | None:
    """Return the fault of the first turn that leads to another position than when it was played, None if there is none.

    Only the first one is returned, because it causes the later ones.
    """
    for count, (turn, state) in enumerate(zip(turns, states[1:], strict=False), 1):
        if _differs(turn, state):
            return fault_of(record, CorruptionKind.OTHER, "text", turn, before=states[count - 1], after=state)
    return None
