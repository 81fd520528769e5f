"""A cache of replayed games, so that the next mail replays only new turns."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlmodel import Session

from takmail.games.interface import Game, State
from takmail.limits.games import MAX_CACHED_STATES
from takmail.store import games
from takmail.store.records import TAKEN_BACK
from takmail.world import (
    CorruptGame,
    Finished,
    GameRecord,
    Run,
    TakenBackTurn,
    Turn,
    finished,
    replayed,
    replayed_runs,
    uncounted,
)


@dataclass(frozen=True, slots=True)
class Replay:
    """A replayed game.

    `setup` is all that the replay depends on except the turns. `digests` are the digests of the turns. `states` are
    the first state and the state after each turn. For a game without a board, only the first state is kept. `runs` are
    the runs of the turns in `taken_back`.
    """

    setup: tuple[str, str, bool]
    taken_back: Sequence[TakenBackTurn] = ()
    runs: tuple[Run, ...] = ()
    turns: tuple[Turn, ...] = ()
    digests: tuple[str, ...] = ()
    states: tuple[State, ...] = ()

    def up_to(self, turns: int) -> "Replay":
        """Return the game cut after this many turns. If `turns` is 0, it has no states."""
        if not turns:
            return Replay(self.setup, self.taken_back, self.runs)
        return replace(
            self, turns=self.turns[:turns], digests=self.digests[:turns], states=self.states[: turns + 1]
        )

    def with_turns(self, new: Sequence[Turn]) -> "Replay":
        """Return the game with more turns. Their states are missing until they are replayed."""
        return replace(self, turns=(*self.turns, *new), digests=(*self.digests, *map(games.digest, new)))


class Replays:
    """Replays games from the first turn that differs from the cached ones.

    Each call compares the cached turns with the stored ones, as the transaction sees them. Therefore the result equals
    a replay from the start, even if another process has changed a row or a transaction was rolled back.
    """

    def __init__(self, most: int = MAX_CACHED_STATES) -> None:
        self._most = most
        self._cache: dict[int, Replay] = {}
        self._finished: dict[int, tuple[int, str, Finished]] = {}
        self.states = 0

    @property
    def games(self) -> tuple[int, ...]:
        """The numbers of the cached games. The game that was replayed last comes last."""
        return tuple(self._cache)

    def replay(
        self, session: Session, record: GameRecord, rules: Game, taken_back: Sequence[TakenBackTurn]
    ) -> Replay:
        """Return the stored game with its runs. Raises the CorruptGame of `replayed`.

        A game without a board is returned with its first state only.
        """
        setup, number = (record.kind, record.setup, record.is_relay), record.number
        kept = self._cache.get(number)
        if kept is None or kept.setup != setup:
            kept = Replay(setup)
        stored, new = games.digests_and_turns(session, number, *(one.number for one in kept.turns[-1:]))
        game = _matching_part(kept, stored)
        if game is not kept:
            stored, new = games.digests_and_turns(session, number, *(one.number for one in game.turns[-1:]))
        game = game.with_turns(new) if new else game
        if "".join(game.digests) != stored:  # another process has written meanwhile
            stored, new = games.digests_and_turns(session, number)
            game = Replay(setup).with_turns(new)
        states = replayed(record, rules, game.turns if rules.keeps_board else (), game.states)
        runs = self._runs(record, rules, states, taken_back)
        return self._cache_game(number, replace(game, states=states, taken_back=taken_back, runs=runs))

    def finished(self, session: Session, record: GameRecord, rules: Game, digest: str) -> Finished:
        """Return a finished game as a match counts it. It is replayed if its version or `digest` has changed."""
        known = self._finished.get(record.number)
        if known is None or known[:2] != (record.version, digest):
            known = record.version, digest, _finished(session, record, rules)
            self._finished[record.number] = known
        return replace(known[2], first=record.seats[0])

    def _runs(
        self, record: GameRecord, rules: Game, states: Sequence[State], taken_back: Sequence[TakenBackTurn]
    ) -> tuple[Run, ...]:
        """Return the runs that were taken back. Replay them if they or the turns before them have changed."""
        kept = self._cache.get(record.number)
        if kept is not None and kept.runs and taken_back == kept.taken_back:
            # Older runs start from the newest one, or from a turn before it.
            before = kept.runs[-1].first
            if states[:before] == kept.states[:before]:
                return kept.runs
        return replayed_runs(record, rules, states, taken_back)

    def _cache_game(self, number: int, game: Replay) -> Replay:
        """Cache a game as the newest one. Drop the oldest games if there are too many states."""
        self._drop(number)
        self._cache[number] = game
        self.states += _size(game)
        while self.states > self._most and len(self._cache) > 1:
            self._drop(next(iter(self._cache)))
        return game

    def _drop(self, number: int) -> None:
        dropped = self._cache.pop(number, None)
        self.states -= _size(dropped) if dropped else 0


def _finished(session: Session, record: GameRecord, rules: Game) -> Finished:
    turns = games.turns(session, record.number) if rules.keeps_board else ()
    try:
        states = replayed(record, rules, turns)
        runs = replayed_runs(record, rules, states, TAKEN_BACK.load(session, record.number))
    except CorruptGame:
        return uncounted(record)
    return finished(record, rules, states[-1], runs)


def _matching_part(kept: Replay, stored: str) -> Replay:
    """Return the cached game, cut before the first turn whose digest differs from the stored one."""
    if stored.startswith("".join(kept.digests)):
        return kept
    at = 0
    for turns, digest in enumerate(kept.digests):
        if not stored.startswith(digest, at):
            return kept.up_to(turns)
        at += len(digest)
    return kept


def _size(game: Replay) -> int:
    return len(game.states) + sum(len(run.states) for run in game.runs)
