"""The games that were played over a moment ago, so that the next mail plays only what is new in them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlmodel import Session

from takmail.commands.game.match import Finished, finished, last_state
from takmail.commands.game.replay import replayed
from takmail.commands.game.stored_branches import StoredBranch, stored_branches
from takmail.commands.records import GameRecord, TakenBackTurn, Turn
from takmail.games.interface import Game, State
from takmail.store import games

MOST_STATES = 5_000
"""How many states are kept at the most, but for those of the last game: about 25 MB."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A game played over: `states` are one more than its turns, of a game that keeps no board only the first.

    `setup` is all that the replay depends on beside the turns, and `digests` are theirs. `boughs` are what was given
    up in it.
    """

    setup: tuple[str, str, bool]
    boughs: tuple[StoredBranch, ...] = ()
    turns: tuple[Turn, ...] = ()
    digests: tuple[str, ...] = ()
    states: tuple[State, ...] = ()

    def up_to(self, turns: int) -> "Replay":
        """The same game when so many turns had been played; before the first nothing of it is known."""
        if not turns:
            return Replay(self.setup, self.boughs)
        return replace(
            self, turns=self.turns[:turns], digests=self.digests[:turns], states=self.states[: turns + 1]
        )

    def with_turns(self, new: Sequence[Turn]) -> "Replay":
        """The same game with more turns, whose states are not known yet."""
        return replace(self, turns=(*self.turns, *new), digests=(*self.digests, *map(games.digest, new)))


class Replays:
    """Replays games from where what is stored of them parts with what was stored when they were last replayed.

    What is stored is compared each time, as the transaction sees it. So it doesn't matter who has changed a row, nor
    whether a transaction was rolled back: what is found is what a replay from the start would find.
    """

    def __init__(self, most: int = MOST_STATES) -> None:
        self._most = most
        self._kept: dict[int, Replay] = {}
        self._finished: dict[int, tuple[str, Finished]] = {}
        self.states = 0

    @property
    def games(self) -> tuple[int, ...]:
        """The games that are kept, `states` in all, by number, the last replayed last."""
        return tuple(self._kept)

    def replay(
        self, session: Session, record: GameRecord, rules: Game, taken_back: Sequence[TakenBackTurn]
    ) -> Replay:
        """The game as it is stored, with what was given up in it; raises CorruptGameError as `replayed` does.

        The turns of a game that keeps no board are not played over.
        """
        setup, number = (record.kind, record.setup, record.is_relay), record.number
        kept = self._kept.get(number)
        if kept is None or kept.setup != setup:
            kept = Replay(setup)
        stored, new = games.digests_and_turns(session, number, *(one.number for one in kept.turns[-1:]))
        game = _as_stored(kept, stored)
        if game is not kept:
            stored, new = games.digests_and_turns(session, number, *(one.number for one in game.turns[-1:]))
        game = game.with_turns(new) if new else game
        if "".join(game.digests) != stored:  # another process has written meanwhile
            stored, new = games.digests_and_turns(session, number)
            game = Replay(setup).with_turns(new)
        states = replayed(record, rules, game.turns if rules.keeps_board else (), game.states)
        boughs = self._given_up(record, rules, states, tuple(taken_back))
        return self._keep(number, replace(game, states=states, boughs=boughs))

    def finished(self, record: GameRecord, rules: Game, digest: str, turns: Sequence[str]) -> Finished:
        """A game that is over as a match counts it; played over once for all that `digest` is made of."""
        known = self._finished.get(record.number)
        if known is None or known[0] != digest:
            known = digest, finished(record, rules, last_state(record, rules, turns))
            self._finished[record.number] = known
        return replace(known[1], first=record.seats[0])

    def _given_up(
        self, record: GameRecord, rules: Game, states: Sequence[State], turns: tuple[TakenBackTurn, ...]
    ) -> tuple[StoredBranch, ...]:
        """What was given up, played over if it or what it has left is not as it was."""
        kept = self._kept.get(record.number)
        if kept is not None and turns == tuple(turn for one in kept.boughs for turn in one.turns):
            before = max((one.after for one in kept.boughs), default=0) + 1
            if states[:before] == kept.states[:before] and len(states) >= before:
                return kept.boughs
        return stored_branches(record, rules, states, turns)

    def _keep(self, number: int, game: Replay) -> Replay:
        """Keep a game as the newest one, and let go of those for which there is no room."""
        self._drop(number)
        self._kept[number] = game
        self.states += _size(game)
        while self.states > self._most and len(self._kept) > 1:
            self._drop(next(iter(self._kept)))
        return game

    def _drop(self, number: int) -> None:
        gone = self._kept.pop(number, None)
        self.states -= _size(gone) if gone else 0


def _as_stored(kept: Replay, stored: str) -> Replay:
    """What is kept of a game, up to where it is no longer stored so."""
    if stored.startswith("".join(kept.digests)):
        return kept
    at = 0
    for turns, digest in enumerate(kept.digests):
        if not stored.startswith(digest, at):
            return kept.up_to(turns)
        at += len(digest)
    return kept


def _size(game: Replay) -> int:
    return len(game.states) + sum(len(one.states) for one in game.boughs)
