"""Replay the stored turns of a game, and find the first stored value that contradicts the replay.

Turns that were taken back are replayed, too. The moves of a relay game are if a player asks whether they are legal.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from itertools import groupby, pairwise
from typing import Any, TypeVar

from takmail.games.game_rules import GameRules
from takmail.games.interface import Reason, RecordedRun, Refused, Seat, State
from takmail.games.optional import Bidding
from takmail.games.readonly import read_only
from takmail.world.kinds import TakenBackBy
from takmail.world.records import GameRecord, TakenBackTurn, Turn


@dataclass(frozen=True, slots=True)
class Corruption:
    """The first stored value of a game that contradicts other values.

    * `kind` is the kind of game; its `Wording` words `reason`
    * `table` and the columns in `key` identify the faulty row
    * `column` is its faulty column, and `value` is what is stored there. `column` is '' if the row is missing. It is
      `text` if the turn is illegal, or leads to another board than when it was played.
    * `turn` is the faulty turn as stored, None if the fault is in no turn
    * `reason` is the rule that an illegal turn breaks
    * `before` is the state before the turn, and `after` the state after replaying it. Each is None if it is unknown.
    """

    game: int
    kind: str
    table: str
    key: Mapping[str, int]
    column: str = ""
    value: str = ""
    turn: Turn | None = None
    reason: Reason | None = None
    before: State | None = field(default=None, repr=False)
    after: State | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        read_only(self, "key")

    @property
    def board(self) -> tuple[str, ...]:
        """The replayed board after the turn, or before the turn if it is illegal. () if the fault is not about it."""
        state = self.after or self.before
        is_about_the_board = self.column in ("", "text")
        return state.board() if state is not None and is_about_the_board else ()

    @property
    def digest(self) -> str:
        """A digest of the fault, by which faults of the same game are told apart. It does not reveal stored values."""
        replayed = None if self.after is None else self.after.checksum
        what = (self.table, *self.key.items(), self.column, self.value, self.turn, replayed)
        return sha256("\n".join(map(str, what)).encode()).hexdigest()[:16]


class CorruptGame(Exception):  # noqa: N818 - a damaged database is not an error of the program
    """The board of a game is needed, but its stored rows break the rules or contradict each other.

    `fault` is the first contradiction, for the operator.
    """

    def __init__(self, fault: Corruption) -> None:
        super().__init__(f"game {fault.game}: {fault.column or 'no row'} in {fault.table} {dict(fault.key)}")
        self.fault = fault


_SEATS = tuple(Seat)
_Made = TypeVar("_Made")


def or_fault(make: Callable[[], _Made]) -> _Made | Corruption:
    """Return what is made of the stored rows of a game, or the first contradiction in them."""
    try:
        return make()
    except CorruptGame as error:
        return error.fault


def replayed(
    record: GameRecord, rules: GameRules, turns: Sequence[Turn], known: Sequence[State] = ()
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
    record: GameRecord, rules: GameRules, before: State, turn: Turn, due: int, branch: int | None = None
) -> State:
    """Return the state after a stored turn. `branch` is the number of its run if it was taken back.

    Raises CorruptGame if the number of the turn is not `due`, or if the turn is illegal or of the wrong player.
    """
    if turn.number != due:
        missing = Turn(due, turn.seat, "", "", turn.version, turn.played_at)
        raise fault_of(record, "", missing, branch, before=before)
    try:
        state = before.play(turn.text)
    except Refused as refused:
        raise fault_of(record, "text", turn, branch, before=before, reason=refused.reason) from refused
    if turn.is_agreed != rules.is_agreement(turn.text):
        raise fault_of(record, "is_agreed", turn, branch, before=before, after=state)
    if turn.seat not in _SEATS or (turn.seat != before.to_move and not turn.is_agreed):
        raise fault_of(record, "seat", turn, branch, before=before, after=state)
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
    value: str | None = None,
) -> CorruptGame:
    """Return the error for column `column` of a stored turn. `branch` is the number of its run if it was taken back.

    `value` is what is stored there, None if the turn has it.
    """
    of_run = {} if branch is None else {"branch": branch}
    key = {"game_id": int(record.number), **of_run, "number": turn.number}
    return fault_in(
        record,
        "turn" if branch is None else "taken_back",
        key,
        column,
        str(getattr(turn, column, "")) if value is None else value,
        turn=turn,
        reason=reason,
        before=before,
        after=after,
    )


def fault_in(
    record: GameRecord, table: str, key: Mapping[str, int], column: str, value: str = "", **of_turn: Any
) -> CorruptGame:
    """Return the error for a stored value of a game. The parameters are the fields of `Corruption`."""
    return CorruptGame(Corruption(record.number, record.kind, table, key, column, value, **of_turn))


def _start(record: GameRecord, rules: GameRules) -> State:
    try:
        return rules.start(record.setup)
    except (Refused, ValueError) as error:
        raise fault_in(record, "game", {"id": int(record.number)}, "setup", record.setup) from error


def _check_bids(record: GameRecord, rules: GameRules) -> None:
    """Raise CorruptGame if the game stands where its set-up can't, or a stored bid is none. The set-up is valid."""
    asks_bid = isinstance(rules, Bidding) and rules.asks_bid(record.setup)
    has_begun = record.has_begun
    has_bids = asks_bid and rules.rematch_setup(record.setup) != record.setup
    if has_bids != (asks_bid and has_begun) or (record.is_bidding and not asks_bid):
        raise fault_in(record, "game", {"id": int(record.number)}, "standing", record.standing)
    for seat, bid in zip(_SEATS, record.bids, strict=True):
        if bid is not None and (not asks_bid or has_begun or not _is_bid(rules, bid)):
            # A bid is told to nobody, and the operator may be a player.
            raise fault_in(record, "seat", {"game_id": int(record.number), "seat": int(seat)}, "bid")


def _is_bid(rules: GameRules, bid: object) -> bool:
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
            raise fault_of(record, "text", turn, before=before, after=state)


# Runs: turns in a row that were taken back together.


@dataclass(frozen=True, slots=True)
class Run:
    """Turns that were taken back together, with the state after each turn.

    * `number` counts the runs of a game in the order in which they were taken back
    * `how` is how the turns were taken back, a `TakenBackBy`, and `at` is when
    * `ended_version` is the game's version after that
    """

    number: int
    how: str
    at: datetime
    ended_version: int
    turns: tuple[Turn, ...]
    states: tuple[State, ...]

    @property
    def first(self) -> int:
        """The number of the first turn."""
        return self.turns[0].number

    @property
    def last(self) -> int:
        """The number of the last turn."""
        return self.turns[-1].number

    def recorded(self) -> RecordedRun:
        """Return the run as the game record shows it."""
        match self.how:
            case TakenBackBy.BACK:
                why = f"as both agreed to go back to turn {self.first - 1}"
            case TakenBackBy.RESTART:
                why = "as both agreed to begin anew"
            case _:
                why = "as it was taken back"
        turns = f"turn {self.first}" if self.first == self.last else f"turns {self.first} to {self.last}"
        return RecordedRun(
            f"Run {self.number}, {turns}, given up {why}", tuple(turn.text for turn in self.turns)
        )


def replayed_runs(
    record: GameRecord, rules: GameRules, states: Sequence[State], taken_back: Sequence[TakenBackTurn]
) -> tuple[Run, ...]:
    """Return the runs of a game in the order in which they were taken back.

    `states` are the states of the game, and `taken_back` the taken-back turns, ordered by run and number. Raises
    CorruptGame if one of these turns cannot have been played.
    """
    runs: list[Run] = []
    # A run was the end of the game when it was taken back. What came before it is still there, or was taken back
    # later. So the newest run is put back first, and each older one continues what the newer ones have restored.
    line = [*states]
    for rows in reversed([tuple(of_run) for _, of_run in groupby(taken_back, lambda row: row.branch)]):
        oldest, branch, how, at, ended_version = rows[0]
        first = oldest.number
        if first not in range(1, len(line) + 1):
            raise fault_of(record, "number", oldest, branch)
        del line[first:]
        for due, row in enumerate(rows, first):
            if row.how not in tuple(TakenBackBy):
                raise fault_of(record, "how", row.turn, branch, value=str(row.how))
            line.append(after(record, rules, line[-1], row.turn, due, branch))
        runs.append(Run(branch, how, at, ended_version, tuple(row.turn for row in rows), tuple(line[first:])))
    return tuple(reversed(runs))


_Kept = list[tuple[int, Seat]]
"""The number of turns that a take-back has left, and who took back."""


def take_backs(runs: Sequence[Run], agreed: tuple[TakenBackBy, int] | None = None) -> tuple[Seat, ...]:
    """Return who took back a turn by right, the oldest first, without what was undone since.

    Going back to a turn by consent also undoes the take-backs after it. Those before the next turn remain, because that
    is the board to which both go back. A new beginning undoes all. If both also `agreed` to go back, `agreed` is how,
    and the number of turns that are left. Raises ValueError for a damaged row.
    """
    kept: _Kept = []
    for run in runs:
        how, left = TakenBackBy(run.how), run.first - 1
        if how is TakenBackBy.RIGHT:
            kept = [(min(turns, left), seat) for turns, seat in kept] + [(left, Seat(run.turns[0].seat))]
        else:
            kept = _without_undone(kept, how, left)
    if agreed is not None:
        kept = _without_undone(kept, *agreed)
    return tuple(seat for _, seat in kept)


def _without_undone(kept: _Kept, how: TakenBackBy, left: int) -> _Kept:
    """Return the take-backs that remain when both have agreed to go back."""
    return [] if how is TakenBackBy.RESTART else [(turns, seat) for turns, seat in kept if turns <= left]


# The moves of a relay game.


@dataclass(frozen=True, slots=True)
class Course:
    """The moves of a game that keeps no board, and how many of them are legal.

    * `turns` are the moves that count. If a player sent several moves in a row, only the last one counts.
    * `replaced` are the other moves
    * `states[n]` is the state after the first n of `turns`. The last state is that before the first illegal move.
    * `broken_turn` is the first illegal move, None if all are legal
    * `reason` is the rule that `broken_turn` breaks, None if it was the opponent's turn
    """

    turns: tuple[Turn, ...]
    replaced: tuple[Turn, ...]
    states: tuple[State, ...]
    broken_turn: Turn | None = None
    reason: Reason | None = None

    @property
    def state(self) -> State:
        """The state after the last legal move."""
        return self.states[-1]

    @property
    def last(self) -> Turn | None:
        """The last move before the first illegal one, None if there is none."""
        legal_count = len(self.states) - 1
        return self.turns[legal_count - 1] if legal_count else None

    @property
    def in_turn(self) -> tuple[Turn, ...]:
        """The moves that count, legal or not. Empty if the wrong player began."""
        begins_wrongly = bool(self.turns) and self.turns[0].seat != self.states[0].to_move
        return () if begins_wrongly else self.turns

    @property
    def replaced_runs(self) -> tuple[RecordedRun, ...]:
        """The replaced moves, as the record of the moves in `in_turn` shows them."""
        if not self.in_turn:
            return ()
        return tuple(
            RecordedRun(f"Turn {turn.number}, given up as another one was sent in its place", (turn.text,))
            for turn in self.replaced
        )


def course_of(start: State, turns: Sequence[Turn]) -> Course:
    """Check the moves of a game that keeps no board. `start` is the state before the first move. Never raises."""
    replaced = tuple(turn for turn, following in pairwise(turns) if turn.seat == following.seat)
    counted = tuple(turn for turn, following in pairwise(turns) if turn.seat != following.seat)
    counted += tuple(turns[-1:])
    states = [start]
    for turn in counted:
        if states[-1].to_move != Seat(turn.seat):
            return Course(counted, replaced, tuple(states), turn)
        try:
            states.append(states[-1].play(turn.text))
        except Refused as refused:
            return Course(counted, replaced, tuple(states), turn, refused.reason)
    return Course(counted, replaced, tuple(states))
