"""Arrange the taken-back branches of a game. A branch is a sequence of turns that were taken back together."""

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
    """Turns that were taken back together.

    * `number` counts the branches of a game in the order they were taken back
    * `how` is the kind of offer by which they were taken back, and `at` is the time
    * `under` is the number of the parent branch: the branch whose turns this one continued. The parent was taken back
      after this branch. `under` is None if this branch started from the game's current turns.
    """

    number: int
    how: OfferKind
    at: datetime
    turns: tuple[Played, ...]
    under: int | None

    @property
    def after(self) -> int:
        """The number of the last turn before the branch."""
        return self.turns[0].number - 1


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the log. It shows a turn, or it is the heading of `branch` if `turn` is None.

    `depth` is its indentation.
    """

    depth: int
    branch: GivenUpBranch | None
    turn: Played | None


def branches_of(table: Table) -> tuple[GivenUpBranch, ...]:
    """Return the branches of a game, in the order they were taken back."""
    return tuple(
        GivenUpBranch(
            stored_branch.number,
            OfferKind(stored_branch.turns[0].how),
            stored_branch.turns[0].taken_back_at,
            tuple(_label_of(table, turn) for turn in stored_branch.turns),
            stored_branch.under,
        )
        for stored_branch in table.taken_back
    )


def log_of(table: Table) -> tuple[Line, ...]:
    """Return all turns of a game in the order of the log.

    Branches follow the turn that they started from, oldest first.
    """
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
    """Return the lines of branches that started from the same turn. A branch of one turn has no heading."""
    return [
        Line(depth, branch, turn)
        for branch in branches
        for turn in ((None, *branch.turns) if len(branch.turns) > 1 else branch.turns)
    ]


def branches_with(table: Table, turn: int) -> tuple[GivenUpBranch, ...]:
    """Return the branches that have a turn of this number, oldest first."""
    return tuple(one for one in branches_of(table) if one.after < turn <= one.turns[-1].number)


def branch_with(table: Table, turn: int) -> GivenUpBranch | None:
    """Return the newest branch that has a turn of this number, None if there is none."""
    found = branches_with(table, turn)
    return found[-1] if found else None


def state_given_up(table: Table, branch: GivenUpBranch, turn: int) -> State:
    """Return the state after a taken-back turn of a branch."""
    return table.taken_back[branch.number - 1].states[turn - branch.after - 1]


def game_record_text(table: Table, you: Seat | None = None) -> str:
    """Return the game record with all branches, in the game's own format.

    The names are those that player `you` knows.
    """
    branches_by_number = {one.number: one for one in branches_of(table)}
    branches = []
    for one in branches_by_number.values():
        # A record has one main line. A nested branch is therefore written with the turns of its parents that precede
        # it, from the point where the outermost parent leaves the main line.
        after, line = _line_to_end(branches_by_number, one)
        branches.append(Branch(after, tuple(turn.text for turn in line), _comment_on(one)))
    return table.game_record(you, branches)


def _comment_on(branch: GivenUpBranch) -> str:
    """Return the comment in a game record that says how a branch was taken back."""
    match branch.how:
        case OfferKind.BACK:
            return f"as both agreed to go back to turn {branch.after}"
        case OfferKind.RESTART:
            return "as both agreed to begin anew"
        case _:
            return "as it was taken back"


def _label_of(table: Table, turn: TakenBackTurn) -> Played:
    name = table.players[turn.seat].name
    return Played(turn.number, Seat(turn.seat), name, turn.text, is_agreed=turn.is_agreed)


def _line_to_end(
    branches: Mapping[int, GivenUpBranch], branch: GivenUpBranch
) -> tuple[int, tuple[Played, ...]]:
    """Return the number of the last main-line turn before a branch (and its parents), and the turns after that one.

    The turns end with the last turn of the branch.
    """
    line, one = [*reversed(branch.turns)], branch
    while one.under is not None:
        after, one = one.after, branches[one.under]
        line += (turn for turn in reversed(one.turns) if turn.number <= after)
    return one.after, tuple(reversed(line))
