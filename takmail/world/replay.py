"""Replay the stored turns of a game, and find the first stored value that contradicts the replay."""

from collections.abc import Sequence
from itertools import pairwise

from takmail.games.interface import Game, Reason, Refused, Seat, State
from takmail.games.optional import Bidding
from takmail.world.corruption import CorruptGame, Corruption
from takmail.world.kinds import BEGUN, Standing
from takmail.world.records import GameRecord, Turn

_SEATS = tuple(Seat)


def replayed(
    record: GameRecord, rules: Game, turns: Sequence[Turn], known: Sequence[State] = ()
) -> tuple[State, ...]:
    """Return all states of a game, from the one before the first turn.

    `known` are its first states, if already computed.

    Raises CorruptGame if the standing contradicts the set-up, a bid is impossible, or a turn is missing, illegal or of
    the wrong player. It is also raised if the last turn
    with a checksum leads to another position than when it was played. Comparing all checksums would take longer than
    the replay.
    """
    states = [*known] or [_start(record, rules)]
    _check_bids(record, rules)
    try:
        for due, turn in enumerate(turns[len(states) - 1 :], len(states)):
            states.append(after(record, rules, states[-1], turn, due))
    except CorruptGame:
        _compare(record, turns, states)
        raise
    last = next((turn for turn in reversed(turns) if turn.checksum is not None), None)
    if last is not None and last.checksum != states[last.number].checksum:
        _compare(record, turns, states)
    return tuple(states)


def after(
    record: GameRecord, rules: Game, before: State, turn: Turn, due: int, branch: int | None = None
) -> State:
    """Return the state after a stored turn. `branch` is the number of its run if it was taken back.

    Raises CorruptGame if the number of the turn is not `due`, or if the turn is illegal or of the wrong player.
    """
    if turn.number != due:
        missing = Turn(due, turn.seat, "", "", turn.version, turn.played_at)
        raise CorruptGame(fault_of(record, "", missing, branch, before=before))
    try:
        state = before.play(turn.text)
    except Refused as refused:
        raise CorruptGame(
            fault_of(record, "text", turn, branch, before=before, reason=refused.reason)
        ) from refused
    if turn.is_agreed != rules.is_agreement(turn.text):
        raise CorruptGame(fault_of(record, "is_agreed", turn, branch, before=before, after=state))
    if turn.seat not in _SEATS or (turn.seat != before.to_move and not turn.is_agreed):
        raise CorruptGame(fault_of(record, "seat", turn, branch, before=before, after=state))
    return state


def after_if_legal(state: State, text: str) -> State | None:
    """Return the state after a turn, None if the turn is illegal."""
    try:
        return state.play(text)
    except Refused:
        return None


def fault_of(
    record: GameRecord,
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
        record.number,
        record.kind,
        "turn" if branch is None else "taken_back",
        key,
        column,
        str(getattr(turn, column, "")),
        turn,
        reason=reason,
        before=before,
        after=after,
    )


def _start(record: GameRecord, rules: Game) -> State:
    try:
        return rules.start(record.setup)
    except (Refused, ValueError) as error:
        raise CorruptGame(
            Corruption(
                record.number,
                record.kind,
                "game",
                {"id": int(record.number)},
                "setup",
                record.setup,
            )
        ) from error


def _check_bids(record: GameRecord, rules: Game) -> None:
    """Raise CorruptGame if the game stands where its set-up can't, or a stored bid is none. The set-up is valid."""
    asks_bid = isinstance(rules, Bidding) and rules.asks_bid(record.setup)
    has_begun = record.standing in BEGUN
    has_bids = asks_bid and rules.rematch_setup(record.setup) != record.setup
    number, kind = record.number, record.kind
    if has_bids != (asks_bid and has_begun) or (record.standing is Standing.BIDDING and not asks_bid):
        key = {"id": int(number)}
        raise CorruptGame(Corruption(number, kind, "game", key, "standing", record.standing))
    for seat, bid in zip(_SEATS, record.bids, strict=True):
        if bid is not None and (not asks_bid or has_begun or not _is_bid(rules, bid)):
            # A bid is told to nobody, and the operator may be a player.
            key = {"game_id": int(number), "seat": int(seat)}
            raise CorruptGame(Corruption(number, kind, "seat", key, "bid"))


def _is_bid(rules: Game, bid: object) -> bool:
    try:
        return isinstance(rules, Bidding) and rules.read_bid(str(bid)) == bid
    except Refused:
        return False


def _compare(record: GameRecord, turns: Sequence[Turn], states: Sequence[State]) -> None:
    """Raise CorruptGame for the first turn that leads to another position than when it was played, if there is one.

    It causes the faults of later turns.
    """
    for turn, (before, state) in zip(turns, pairwise(states), strict=False):
        if turn.checksum not in (None, state.checksum):
            raise CorruptGame(fault_of(record, "text", turn, before=before, after=state))
