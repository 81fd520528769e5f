"""The branches that were given up in a game; each once followed the turns before it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from takmail.commands.game.table import Table
from takmail.commands.game.turn_labels import Played, played
from takmail.commands.kinds import OfferKind
from takmail.commands.records import TakenBackTurn
from takmail.games.interface import Branch, Seat, State


@dataclass(frozen=True, slots=True)
class GivenUpBranch:
    """Turns given up together, and how and when, numbered in that order; `under` is the branch that they left, if any.

    It has left the branch that held the turn before it then and was given up later, or else the game as it is.
    """

    number: int
    how: OfferKind
    at: datetime
    turns: tuple[Played, ...]
    under: int | None

    @property
    def after(self) -> int:
        """The number of the turn that it followed."""
        return self.turns[0].number - 1


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the log: a turn, or the heading of a branch where `turn` is None; `depth` is how far it stands in."""

    depth: int
    branch: GivenUpBranch | None
    turn: Played | None


def branches_of(table: Table) -> tuple[GivenUpBranch, ...]:
    """The branches of a game, in the order that they were given up."""
    return tuple(
        GivenUpBranch(
            bough.number,
            OfferKind(bough.turns[0].how),
            bough.turns[0].taken_back_at,
            tuple(_played(table, turn) for turn in bough.turns),
            bough.under,
        )
        for bough in table.given_up
    )


def log_of(table: Table) -> tuple[Line, ...]:
    """All turns of a game, what was given up below the turn that it followed; of several the oldest first."""
    below: dict[tuple[int | None, int], list[GivenUpBranch]] = {}
    for branch in branches_of(table):
        below.setdefault((branch.under, branch.after), []).append(branch)
    lines: list[Line] = []
    waiting = [*_branches(below.get((None, 0), ()), 1), *(Line(0, None, turn) for turn in played(table))][
        ::-1
    ]
    while waiting:
        line = waiting.pop()
        lines.append(line)
        if line.turn is not None:
            of = None if line.branch is None else line.branch.number
            waiting += _branches(below.get((of, line.turn.number), ()), line.depth + 1)[::-1]
    return tuple(lines)


def _branches(branches: Sequence[GivenUpBranch], depth: int) -> list[Line]:
    """The lines of branches that have left the same turn; a single turn needs no heading, as it says what it was."""
    return [
        Line(depth, branch, turn)
        for branch in branches
        for turn in ((None, *branch.turns) if len(branch.turns) > 1 else branch.turns)
    ]


def branches_with(table: Table, turn: int) -> tuple[GivenUpBranch, ...]:
    """The branches that have a turn of this number, the oldest first."""
    return tuple(one for one in branches_of(table) if one.after < turn <= one.turns[-1].number)


def branch_with(table: Table, turn: int) -> GivenUpBranch | None:
    """The newest branch that has a turn of this number; None: no such turn was given up."""
    found = branches_with(table, turn)
    return found[-1] if found else None


def state_given_up(table: Table, branch: GivenUpBranch, turn: int) -> State:
    """The game as it stood after a turn of a branch."""
    return table.given_up[branch.number - 1].states[turn - branch.after - 1]


def record_of(table: Table, you: Seat | None = None) -> str:
    """The whole game in its field's own form with all that was given up; names as in `Table.save`."""
    kept = {one.number: one for one in branches_of(table)}
    branches = []
    for one in kept.values():
        # A record knows one line of turns: a branch of a branch is told from where it has left that line.
        after, way = _way(kept, one)
        branches.append(Branch(after, tuple(turn.text for turn in way), _in_words(one)))
    return table.save(you, branches)


def _in_words(branch: GivenUpBranch) -> str:
    """How a branch was given up, for a record of the game, which is one text for both players and programs."""
    match branch.how:
        case OfferKind.BACK:
            return f"as both agreed to go back to turn {branch.after}"
        case OfferKind.RESTART:
            return "as both agreed to begin anew"
        case _:
            return "as it was taken back"


def _played(table: Table, turn: TakenBackTurn) -> Played:
    name = table.players[turn.seat].name
    return Played(turn.number, Seat(turn.seat), name, turn.text, is_agreed=turn.is_agreed)


def _way(branches: Mapping[int, GivenUpBranch], branch: GivenUpBranch) -> tuple[int, tuple[Played, ...]]:
    """The last turn before a branch had left the game as it is, and all up to its end, as they stood before."""
    way, one = [*reversed(branch.turns)], branch
    while one.under is not None:
        after, one = one.after, branches[one.under]
        way += (turn for turn in reversed(one.turns) if turn.number <= after)
    return one.after, tuple(reversed(way))
