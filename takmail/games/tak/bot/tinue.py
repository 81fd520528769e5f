"""Search for tinue: a road that a side can force whatever the other side does.

The side that wants the road tries only plies that threaten one, since any other gives the other side a free ply. Of
the other side's plies, only those count that touch what each threat needs. So `NONE` means that no road can be forced
by threats; a quiet look tries a first ply that is no threat, too.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from takmail.games.tak.bot.bits import Bits, Layout, Ply, has_road, make, passed, plies, result
from takmail.games.tak.bot.roads import needed_by, road_in_one, roads_in_one
from takmail.games.tak.bot.threats import threats
from takmail.games.tak.position import OPENING_PLIES
from takmail.games.thinking import IsOver

_HALF_BYTES: Final = 30_000_000
"""The maximum memory for each half of the table."""
_POSITION_BYTES: Final = 450
_SQUARE_BYTES: Final = 8
"""The memory that a position takes in it, and what each index of the board adds."""
_MAX_REPLIES: Final = 4
"""The maximum number of plies that are tried first because they were good elsewhere."""
_NEVER: Final = 99
_ROAD_EFFORT: Final = 20
_QUICK_LOOK: Final = 8
"""The effort to find out what a road needs, and how many plies are compared with that for the effort of one."""
_MOVES_A_LOOK: Final = 64
"""How many moves are looked at for a road for the effort of making a ply."""


class Proof(Enum):
    """What a search has shown: a forced road, none within a number of plies, or neither before it had to stop."""

    PROVEN = "proven"
    NONE = "none"
    UNFINISHED = "unfinished"


@dataclass(frozen=True, slots=True)
class Tinue:
    """The answer to a search.

    If it is proven, `plies` is the number of plies of both sides up to the one that completes the road, and `moves` are
    the first plies that are as fast: all of them if it `has_quiet` ones, else those that threaten a road. If there is
    none, `plies` is the number of plies within which there is none. If the search is unfinished, it is the number of
    those within which there is none for certain.
    """

    proof: Proof
    plies: int
    moves: tuple[Ply, ...] = ()
    has_quiet: bool = False


class Effort:
    """How many plies several searches together may still look at: `left`. This bounds the time on any machine."""

    def __init__(self, left: int) -> None:
        self.left = left


def looks(choices: int) -> int:
    """Return the effort to look for a road in one after each of so many plies.

    High stacks have many moves, and all of them are looked at after each ply.
    """
    return choices + choices * choices // _MOVES_A_LOOK


class TinueSearch:
    """A search for forced roads of one side, which remembers the positions that it has seen.

    `left` are the nodes that the last search has left, negative if it was stopped for want of them. `effort` limits all
    searches, if it is given.
    """

    def __init__(
        self,
        layout: Layout,
        is_white: bool,
        is_over: IsOver = lambda: False,
        effort: Effort | None = None,
    ) -> None:
        self._layout = layout
        self._is_white = is_white
        self._is_over = is_over
        self._effort = effort
        self.left = 0
        board_bytes = _SQUARE_BYTES * layout.size * layout.stride
        self._most_seen = _HALF_BYTES // (_POSITION_BYTES + board_bytes)
        self._seen: dict[Bits, tuple[int, int]] = {}
        self._seen_before: dict[Bits, tuple[int, int]] = {}
        self._good: dict[int, list[Ply]] = {}

    def find(self, bits: Bits, most: int, nodes: int, quiet: int = 0) -> Tinue:
        """Return whether the side, which is to move, can force a road within `most` plies.

        `nodes` limits the positions that are looked at. Up to `quiet` plies, first plies that are no threats are tried
        as well; this takes long.
        """
        self.left = nodes
        shown = 0
        try:
            if bits[9] < OPENING_PLIES:
                # Each side gets one flat in the first two plies, and at most one a ply after them.
                is_near = most >= 2 * self._layout.size - 1
                return Tinue(Proof.UNFINISHED, 0) if is_near else Tinue(Proof.NONE, most)
            if road_in_one(self._layout, bits, self._is_white):
                return Tinue(Proof.PROVEN, 1, self._roads(bits), has_quiet=True)
            shown = 1
            self._check()
            loud = self._threats(bits)
            for most_now in range(3, most + 1, 2):
                shown = most_now - 2
                moves = [ply for ply, after in loud if self._is_lost(after, most_now - 1)]
                found = self._with_quiet(bits, moves, {ply for ply, _ in loud}, most_now, quiet)
                if found is not None:
                    return found
            return Tinue(Proof.NONE, most)
        except _Stopped:
            return Tinue(Proof.UNFINISHED, shown)

    def holds(self, after: Bits, most: int, nodes: int) -> Tinue:
        """Return whether the side still forces a road within `most` plies from now, whatever its last ply was."""
        self.left = nodes
        try:
            if not self._is_won(passed(after), most - 1) or not self._is_lost(after, most):
                return Tinue(Proof.NONE, most)
            return Tinue(Proof.PROVEN, most)
        except _Stopped:
            return Tinue(Proof.UNFINISHED, 0)

    def line(self, bits: Bits, tinue: Tinue, nodes: int) -> tuple[Ply, ...]:
        """Return the plies of a proven tinue to the road, with a longest defence; none if this takes too long."""
        line: list[Ply] = []
        try:
            while tinue.plies > 1:
                ply = tinue.moves[0]
                line.append(ply)
                bits = make(bits, ply)
                reply, bits, tinue = self._longest(bits, tinue.plies - 2, nodes)
                line.append(reply)
            return (*line, tinue.moves[0])
        except _Stopped:
            return ()

    def replies(self, bits: Bits) -> list[tuple[Ply, Bits]]:
        """Return the other side's plies that may prevent the threats, each with the position after it."""
        layout = self._layout
        choices = plies(layout, bits)
        self._spend(len(choices))
        if not self._may_end(bits):
            for road in roads_in_one(layout, bits, self._is_white):
                self._spend(_ROAD_EFFORT + len(choices) // _QUICK_LOOK)
                needed = needed_by(layout, bits, road, self._is_white)
                choices = [ply for ply in choices if ply[3] & needed]
                if not choices:
                    break
        return [(ply, make(bits, ply)) for ply in choices]

    def _longest(self, bits: Bits, most: int, nodes: int) -> tuple[Ply, Bits, Tinue]:
        """Return the defender's ply after which the road takes longest, the position after it, and the tinue there."""
        best: tuple[Ply, Bits, Tinue] | None = None
        replies = self._without_road(self.replies(bits))
        if not replies:
            replies = self._without_road([(ply, make(bits, ply)) for ply in plies(self._layout, bits)])
        for ply, after in replies:
            tinue = self.find(after, most, nodes)
            if tinue.proof is not Proof.PROVEN:
                raise _Stopped
            if best is None or tinue.plies > best[2].plies:
                best = ply, after, tinue
        if best is None:
            raise _Stopped
        return best

    def _without_road(self, replies: list[tuple[Ply, Bits]]) -> list[tuple[Ply, Bits]]:
        """Return those of the defender's plies that do not complete the road themselves."""
        return [(ply, after) for ply, after in replies if not self._has_road(after, ply[3])]

    def _roads(self, bits: Bits) -> tuple[Ply, ...]:
        moves = roads_in_one(self._layout, bits, self._is_white)
        flats, _, tops = self._layout.places
        if bits[6 if self._is_white else 8]:
            moves += [tops[ply[0]] for ply in moves if ply == flats[ply[0]]]
        return tuple(moves)

    def _is_won(self, bits: Bits, most: int) -> bool:
        """Return whether the side, which is to move, forces a road within `most` plies by threats."""
        won, not_within = self._remembered(bits)
        if won <= most or not_within >= most:
            return won <= most
        if not not_within:
            self._count()
            if road_in_one(self._layout, bits, self._is_white):
                self._remember(bits, 1, 0)
                return True
            not_within = 1
        for most_now in range(not_within + 2, most + 1, 2):
            if self._has_winning_threat(bits, most_now):
                self._remember(bits, most_now, most_now - 2)
                return True
            not_within = most_now
        self._remember(bits, won, not_within)
        return False

    def _has_winning_threat(self, bits: Bits, most: int) -> bool:
        good = self._good.setdefault(most, [])
        for ply, after in sorted(self._threats(bits), key=lambda threat: threat[0] not in good):
            if self._is_lost(after, most - 1):
                if ply not in good:
                    good.insert(0, ply)
                    del good[_MAX_REPLIES:]
                return True
        return False

    def _is_lost(self, bits: Bits, most: int) -> bool:
        """Return whether the other side, which is to move, can't prevent the road within `most` plies.

        The last ply was a threat, or a quiet ply.
        """
        layout = self._layout
        if result(layout, bits, layout.full) is not None or road_in_one(layout, bits, not self._is_white):
            return False
        self._count()
        going_on = []
        for ply, after in self.replies(bits):
            if self._has_road(after, ply[3]):
                continue
            if result(layout, after, ply[3]) is not None:
                return False
            won, not_within = self._remembered(after)
            if won < most:
                continue
            if not_within >= most - 1 or (most <= 2 and not self._is_won(after, 1)):
                return False
            if most > 2:
                going_on.append(after)
        # Whatever can be answered by a road is out first, then what takes longer.
        for most_now in range(1, most, 2):
            is_last = most_now + 2 > most
            left = []
            for after in going_on:
                if not self._is_won(after, most_now):
                    if is_last:
                        return False
                    left.append(after)
            going_on = left
        return True

    def _may_end(self, bits: Bits) -> bool:
        """Return whether the next ply may end the game by count."""
        stones, capstones = bits[7:9] if self._is_white else bits[5:7]
        empty = self._layout.full ^ bits[0] ^ bits[1]
        return stones + capstones <= 1 or empty.bit_count() < self._layout.size

    def _has_road(self, bits: Bits, changed: int) -> bool:
        """Return whether the side has a road through the changed squares."""
        squares = (bits[0] if self._is_white else bits[1]) & ~bits[2]
        return bool(squares & changed) and has_road(self._layout, squares, changed)

    def _threats(self, bits: Bits) -> list[tuple[Ply, Bits]]:
        choices = plies(self._layout, bits)
        self._spend(looks(len(choices)))
        return threats(self._layout, bits, choices)

    def _with_quiet(
        self, bits: Bits, moves: list[Ply], loud: set[Ply], most: int, quiet: int
    ) -> Tinue | None:
        """Return the proof by these first plies, with the quiet ones that are as fast if they are to be tried.

        What threats have proven stays so if the search for the quiet ones has to stop. A road in 3 needs a threat.
        """
        has_quiet = most <= 3
        if 3 < most <= quiet:
            try:
                moves = moves + self._quiet(bits, loud, most)
                has_quiet = True
            except _Stopped:
                if not moves:
                    raise
        return Tinue(Proof.PROVEN, most, tuple(moves), has_quiet) if moves else None

    def _quiet(self, bits: Bits, loud: set[Ply], most: int) -> list[Ply]:
        """Return the first plies that are no threats, and after which the other side can't prevent the road."""
        found = []
        for ply in plies(self._layout, bits):
            if ply in loud:
                continue
            after = make(bits, ply)
            if result(self._layout, after, ply[3]) is not None:
                continue
            # If even a pass prevents the road, so does some ply.
            if self._is_won(passed(after), most - 2) and self._is_lost(after, most - 1):
                found.append(ply)
        return found

    def _spend(self, looked_at: int) -> None:
        """Take plies that are looked at from the common effort."""
        if self._effort is not None:
            self._effort.left -= looked_at

    def _count(self) -> None:
        self.left -= 1
        self._check()

    def _check(self) -> None:
        if self.left < 0 or self._is_over() or (self._effort is not None and self._effort.left < 0):
            raise _Stopped

    def _remembered(self, bits: Bits) -> tuple[int, int]:
        """Return within how many plies a position is won, and within how many it is not."""
        return self._seen.get(bits) or self._seen_before.get(bits) or (_NEVER, 0)

    def _remember(self, bits: Bits, won: int, not_within: int) -> None:
        if len(self._seen) >= self._most_seen:
            self._seen_before, self._seen = self._seen, {}
        self._seen[bits] = won, not_within


class _Stopped(Exception):  # noqa: N818 - the search is stopped, which is no error
    """Raised when the nodes are used up or the time is over."""
