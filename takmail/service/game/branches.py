"""What was given up in a game: branches, each of which once followed the turns before it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from takmail.games.game import Branch, Seat, State
from takmail.service.game.played import Played, played
from takmail.service.game.table import Table
from takmail.store.tables import OfferKind, TakenBackTurn


@dataclass(frozen=True, slots=True)
class GivenUp:
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
    branch: GivenUp | None
    turn: Played | None


def branches_of(table: Table) -> tuple[GivenUp, ...]:
    """The branches of a game, in the order that they were given up."""
    return tuple(
        GivenUp(
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
    lines = [Line(0, None, turn) for turn in played(table)]
    for branch in reversed(branches_of(table)):
        at, depth = _place(lines, branch)
        # A single turn needs no heading: it says itself what became of it.
        heading = [] if len(branch.turns) == 1 else [Line(depth, branch, None)]
        lines[at:at] = [*heading, *(Line(depth, branch, turn) for turn in branch.turns)]
    return tuple(lines)


def branches_with(table: Table, turn: int) -> tuple[GivenUp, ...]:
    """The branches that have a turn of this number, the oldest first."""
    return tuple(one for one in branches_of(table) if one.after < turn <= one.turns[-1].number)


def branch_with(table: Table, turn: int) -> GivenUp | None:
    """The newest branch that has a turn of this number; None: no such turn was given up."""
    found = branches_with(table, turn)
    return found[-1] if found else None


def state_given_up(table: Table, branch: GivenUp, turn: int) -> State:
    """The game as it stood after a turn of a branch."""
    return table.given_up[branch.number - 1].states[turn - branch.after - 1]


def record_of(table: Table, you: Seat | None = None) -> str:
    """The whole game in its field's own form with all that was given up; names as in `Table.record`."""
    kept = {one.number: one for one in branches_of(table)}
    branches = []
    for one in kept.values():
        # A record knows one line of turns: a branch of a branch is told from where it has left that line.
        root = one
        while root.under is not None:
            root = kept[root.under]
        way = _way(table, one)[root.after :]
        branches.append(Branch(root.after, tuple(turn.text for turn in way), _in_words(one)))
    return table.record(you, branches)


def _in_words(branch: GivenUp) -> str:
    """How a branch was given up, for a record of the game, which is one text for both players and programs."""
    match branch.how:
        case OfferKind.BACK:
            return f"as both agreed to go back to turn {branch.after}"
        case OfferKind.RESTART:
            return "as both agreed to begin anew"
        case _:
            return "as it was taken back"


def _played(table: Table, row: TakenBackTurn) -> Played:
    name = table.players[row.seat].name
    return Played(row.number, Seat(row.seat), name, row.text, is_agreed=row.is_agreed)


def _place(lines: Sequence[Line], branch: GivenUp) -> tuple[int, int]:
    """Where in the log a branch stands, and how far in; what it left is there already."""
    for at, line in enumerate(lines):
        of = None if line.branch is None else line.branch.number
        if of == branch.under and line.turn is not None and line.turn.number == branch.after:
            return at + 1, line.depth + 1
    return 0, 1


def _way(table: Table, branch: GivenUp) -> tuple[Played, ...]:
    """All turns from the first to the last of a branch, as they stood before it was given up."""
    by_number = {one.number: one for one in branches_of(table)}
    way, after, under = branch.turns, branch.after, branch.under
    while under is not None:
        one = by_number[under]
        way = (*(turn for turn in one.turns if turn.number <= after), *way)
        after, under = one.after, one.under
    return (*played(table)[:after], *way)
