"""Replay the turns of a game that were taken back, each from the position in which it was played."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from takmail.commands.game.corruption import CorruptGameError, CorruptionKind
from takmail.commands.game.replay import after, fault_of
from takmail.commands.kinds import OfferKind
from takmail.commands.records import GameRecord, TakenBackTurn
from takmail.games.interface import Game, State

_REASONS = (OfferKind.UNDO, OfferKind.BACK, OfferKind.RESTART)
"""The kinds of offers by which turns can be taken back."""


@dataclass(frozen=True, slots=True)
class StoredBranch:
    """Turns that were taken back together, as branch `number` of their game, with the state after each turn.

    `under` is the number of the parent branch: the branch whose turns this one continued. The parent was taken back
    after this branch. `under` is None if this branch started from the game's current turns.
    """

    number: int
    turns: tuple[TakenBackTurn, ...]
    states: tuple[State, ...]
    under: int | None

    @property
    def after(self) -> int:
        """The number of the last turn before the branch."""
        return self.turns[0].number - 1


def stored_branches(
    record: GameRecord, rules: Game, states: Sequence[State], turns: Sequence[TakenBackTurn]
) -> tuple[StoredBranch, ...]:
    """Return the branches of a game, in the order they were taken back.

    `states` are the states of the game, and `turns` the taken-back turns, ordered by branch and number. Raises
    CorruptGameError if one of these turns cannot have been played.
    """
    found: list[StoredBranch] = []
    states_by_turn: dict[int, tuple[State, int | None]] = {}
    branches = [tuple(some) for _, some in groupby(turns, lambda one: one.branch)]
    for number, branch in reversed([*enumerate(branches, 1)]):
        start, under = states_by_turn.get(branch[0].number) or _state_in_game(record, states, branch[0])
        reached = [start]
        for due, turn in enumerate(branch, branch[0].number):
            if turn.how not in _REASONS:
                raise CorruptGameError(fault_of(record, CorruptionKind.UNREADABLE, "how", turn))
            reached.append(after(record, rules, reached[-1], turn, due))
        found.append(StoredBranch(number, branch, tuple(reached[1:]), under))
        # An older branch may start from this turn. If several branches have the turn, the one taken back next counts.
        states_by_turn.update(
            (turn.number + 1, (state, number)) for turn, state in zip(branch, reached[1:], strict=True)
        )
    return tuple(reversed(found))


def _state_in_game(record: GameRecord, states: Sequence[State], turn: TakenBackTurn) -> tuple[State, None]:
    """Return the state before the first turn of a branch that started from the game's current turns."""
    if turn.number not in range(1, len(states) + 1):
        raise CorruptGameError(fault_of(record, CorruptionKind.UNREADABLE, "number", turn))
    return states[turn.number - 1], None
