"""The stored turns that were given up, played over from where each once stood."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from takmail.commands.game.corruption import CorruptGameError, CorruptionKind
from takmail.commands.game.replay import after, fault_of
from takmail.commands.kinds import OfferKind
from takmail.commands.records import GameRecord, TakenBackTurn
from takmail.games.interface import Game, State

_WAYS = (OfferKind.UNDO, OfferKind.BACK, OfferKind.RESTART)


@dataclass(frozen=True, slots=True)
class StoredBranch:
    """Turns that were given up together, the `number`th such of their game, and the state after each.

    `under` is the number of the branch that this one has left: the one that held the turn before it and was given up
    later. None: it has left the game as it is.
    """

    number: int
    turns: tuple[TakenBackTurn, ...]
    states: tuple[State, ...]
    under: int | None

    @property
    def after(self) -> int:
        """The number of the turn that it followed."""
        return self.turns[0].number - 1


def stored_branches(
    record: GameRecord, rules: Game, states: Sequence[State], turns: Sequence[TakenBackTurn]
) -> tuple[StoredBranch, ...]:
    """What was given up in a game with these states, in that order; `turns` are by branch and number.

    Raises CorruptGameError if one of them can't have been played where it stood.
    """
    found: list[StoredBranch] = []
    gone: dict[int, tuple[State, int | None]] = {}
    branches = [tuple(some) for _, some in groupby(turns, lambda one: one.branch)]
    for number, branch in reversed([*enumerate(branches, 1)]):
        start, under = gone.get(branch[0].number) or _played_before(record, states, branch[0])
        reached = [start]
        for due, turn in enumerate(branch, branch[0].number):
            if turn.how not in _WAYS:
                raise CorruptGameError(fault_of(record, CorruptionKind.UNREADABLE, "how", turn))
            reached.append(after(record, rules, reached[-1], turn, due))
        found.append(StoredBranch(number, branch, tuple(reached[1:]), under))
        # Since it was given up another turn has stood in its place; of several the next to be given up counts.
        gone.update(
            (turn.number + 1, (state, number)) for turn, state in zip(branch, reached[1:], strict=True)
        )
    return tuple(reversed(found))


def _played_before(record: GameRecord, states: Sequence[State], turn: TakenBackTurn) -> tuple[State, None]:
    """The state before a turn that has left the game as it is."""
    if turn.number not in range(1, len(states) + 1):
        raise CorruptGameError(fault_of(record, CorruptionKind.UNREADABLE, "number", turn))
    return states[turn.number - 1], None
