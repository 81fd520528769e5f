"""Define the moves that players prepare in advance, in answer to those of the opponent.

They stand in the seat of their player as text, a line for each branch. Storing them does not raise the game's version,
so that nobody else can tell. Their own version, in the game's row, does: each turn is written on the condition that it
is still the one that was read, so no turn misses a line that was stored meanwhile.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from takmail.games.interface import Seat
from takmail.world.game import Game

Branch = tuple[str, ...]
"""Turns in canonical form, of the opponent and of the player in order. It ends with one of the player."""
THEN = " then "
"""What stands between the turns of a branch, as in the line that players write. No turn in canonical form has it."""
_BEFORE_TURN = "\n\n"
"""What stands in front of what was prepared before the last turn."""
LOOK_AGAIN = timedelta(seconds=30)
"""After how long it is first looked again whether the letter has left after which a prepared answer is played."""


class WaitsFor(StrEnum):
    """What prepared moves wait for.

    * `opponent`: a turn of the opponent
    * `letter`: the turn has come, and is answered once the letter about it has left
    * `held`: the turn has come, but its player was asked about something else since. Once the letter about the turn has
      left, the player is told that it waits for `go`.
    * `go`: the turn has come with something else to answer, and the player has to say `go`
    """

    OPPONENT = "opponent"
    LETTER = "letter"
    HELD = "held"
    GO = "go"


@dataclass(frozen=True, slots=True)
class InAdvance:
    """What a player has prepared. If it does not wait for the opponent, all branches begin with the same answer.

    `before_turn` is what was prepared before the last turn, None if nothing was. It stands again if that turn is taken
    back without a word, as nothing was played of it.
    """

    branches: tuple[Branch, ...] = ()
    waits_for: WaitsFor = WaitsFor.OPPONENT
    before_turn: "InAdvance | None" = None

    @classmethod
    def read(cls, text: str) -> "InAdvance":
        """Return what a text stands for, as `text` writes it."""
        now, _, before = text.partition(_BEFORE_TURN)
        first, *lines = now.split("\n")
        before_turn = cls.read(before) if before else None
        if not lines:
            return cls(before_turn=before_turn)
        return cls(tuple(tuple(line.split(THEN)) for line in lines), WaitsFor(first), before_turn)

    @property
    def text(self) -> str:
        """What is stored: what it waits for, a line for each branch, and the same of what was before the last turn.

        It is '' if nothing is prepared, and nothing was.
        """
        now = "\n".join((self.waits_for, *map(THEN.join, self.branches))) if self.branches else ""
        return now if self.before_turn is None else f"{now}{_BEFORE_TURN}{self.before_turn.text}"

    @property
    def answer(self) -> str:
        """The turn that answers the opponent's last one, '' if there is none yet."""
        return "" if self.waits_for is WaitsFor.OPPONENT else self.branches[0][0]

    def met(self, is_met: Callable[[str], bool], waits_for: WaitsFor) -> "InAdvance":
        """Return it after a turn of the opponent: the branches that the turn meets, without the turn."""
        return self._after_turn(tuple(branch[1:] for branch in self.branches if is_met(branch[0])), waits_for)

    def answered(self) -> "InAdvance":
        """Return it after its answer was played: the branches that go on."""
        return self._after_turn(tuple(branch[1:] for branch in self.branches if len(branch) > 1))

    def passed_by(self) -> "InAdvance":
        """Return it after another turn of its player: nothing."""
        return self._after_turn(())

    def _after_turn(
        self, branches: tuple[Branch, ...], waits_for: WaitsFor = WaitsFor.OPPONENT
    ) -> "InAdvance":
        before_turn = replace(self, before_turn=None) if self.branches else None
        return InAdvance(branches, waits_for if branches else WaitsFor.OPPONENT, before_turn)

    def turn_taken_back(self, *, is_own: bool) -> "InAdvance":
        """Return it after the last turn was taken back without a word: what was before the turn.

        If the turn was the player's own, an answer is not played by itself again.
        """
        before = self.before_turn or NOTHING_AHEAD
        return replace(before, waits_for=WaitsFor.GO) if is_own and before.answer else before

    def without(self, dropped: Branch) -> "InAdvance":
        """Return it without a branch, which does not come back with a turn that is taken back."""
        kept = tuple(branch for branch in self.branches if branch != dropped)
        before = self.before_turn
        if before is not None:
            left = tuple(branch for branch in before.branches if branch[1:] != dropped)
            before = replace(before, branches=left) if left else None
        return InAdvance(kept, self.waits_for if kept else WaitsFor.OPPONENT, before)


NOTHING_AHEAD = InAdvance()
"""The seat of a player who has prepared nothing."""


def in_advance(game: Game, seat: Seat) -> InAdvance:
    """Return what the player in a seat has prepared."""
    return InAdvance.read(game.record.seats[seat].in_advance)


def with_in_advance(game: Game, seat: Seat, prepared: InAdvance) -> Game:
    """Return the game with other prepared moves of a seat. Its version stays, and that of prepared moves is raised."""
    first, second = game.record.seats
    if seat is Seat.FIRST:
        first = first._replace(in_advance=prepared.text)
    else:
        second = second._replace(in_advance=prepared.text)
    version = game.record.in_advance_version + 1
    return replace(game, record=replace(game.record, seats=(first, second), in_advance_version=version))


def is_answered_soon(game: Game) -> bool:
    """Tell whether the current turn is answered by a move that its player has prepared."""
    return _is_answered(game, WaitsFor.LETTER)


def _is_answered(game: Game, *waits_for: WaitsFor) -> bool:
    is_prepared = any(seat.in_advance for seat in game.record.seats)
    return is_prepared and game.record.is_open and in_advance(game, game.to_move).waits_for in waits_for


def answered_at(game: Game, now: datetime) -> datetime | None:
    """Return when the current turn is answered by a prepared move, None if it is not. Raises CorruptGame.

    That is when its own player can't take it back any more without a word, as the letter about it has left. An answer
    that is held is told then.
    """
    if not _is_answered(game, WaitsFor.LETTER, WaitsFor.HELD):
        return None
    thread, letter = game.correspondence.threads[game.to_move], game.turn_letter
    is_to_leave = letter is not None and letter.taken_at is None
    may_be_undone = thread.is_unclaimed and thread.reported_turn == len(game.turns)
    if not (is_to_leave and may_be_undone):
        return game.turns[-1].played_at
    # A letter that waits for its reader's daily limit may wait for hours.
    return now + max(LOOK_AGAIN, (now - game.turns[-1].played_at) / 8)
