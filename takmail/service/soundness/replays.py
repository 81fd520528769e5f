"""The games that were played over a moment ago, so that the next mail plays only what is new in them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlmodel import Session

from takmail.games.game import Game, State
from takmail.service.soundness.given_up import Bough, given_up
from takmail.service.soundness.replay import replayed
from takmail.store import games
from takmail.store.tables import GameRow, TakenBackTurn, Turn

MOST_STATES = 5_000
"""How many states are kept at the most, but for those of the last game: about 25 MB."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A game played over: `states` are one more than its turns, of a relay game only the first.

    `setup` is all that the replay depends on beside the turns, and `digests` are theirs. `boughs` are what was given
    up in it.
    """

    setup: tuple[str, str, bool]
    boughs: tuple[Bough, ...] = ()
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
        """The same game with more turns, of which the states are not known yet."""
        return replace(self, turns=(*self.turns, *new), digests=(*self.digests, *map(games.digest, new)))


class Replays:
    """Replays games from where what is stored of them parts with what was stored when they were last replayed.

    What is stored is compared each time, as the transaction sees it. So it doesn't matter who has changed a row, nor
    whether a transaction was rolled back: what is found is what a replay from the start would find.
    """

    def __init__(self, most: int = MOST_STATES) -> None:
        self._most = most
        self._kept: dict[int, Replay] = {}
        self.states = 0

    @property
    def games(self) -> tuple[int, ...]:
        """The games of which `states` are kept in all, by number, the last replayed last."""
        return tuple(self._kept)

    def replay(self, session: Session, row: GameRow, rules: Game) -> Replay:
        """The game as it is stored; raises BrokenGame as `replayed` does."""
        assert row.id is not None
        stored = games.digests(session, row.id)
        game = self._known(row, stored)
        if "".join(game.digests) != stored:
            game = game.with_turns(games.turns(session, row.id, *(one.number for one in game.turns[-1:])))
        if "".join(game.digests) != stored:  # another process has written meanwhile
            game = Replay(game.setup).with_turns(games.turns(session, row.id))
        states = replayed(row, rules, () if row.is_relay else game.turns, game.states)
        boughs = self._given_up(row, rules, states, tuple(games.taken_back(session, row.id)))
        return self._keep(row.id, replace(game, states=states, boughs=boughs))

    def add(self, row: GameRow, before: Sequence[Turn], turn: Turn, states: tuple[State, ...]) -> None:
        """Go on with a turn behind those `before`, if it is so that the game is known."""
        assert row.id is not None
        kept = self._kept.get(row.id)
        if kept is not None and kept.turns is before:
            self._keep(row.id, replace(kept.with_turns([turn]), states=states))

    def _given_up(
        self, row: GameRow, rules: Game, states: Sequence[State], turns: tuple[TakenBackTurn, ...]
    ) -> tuple[Bough, ...]:
        """What was given up, played over if it or what it has left is not as it was."""
        kept = self._kept.get(row.id or 0)
        if kept is not None and turns == tuple(turn for one in kept.boughs for turn in one.turns):
            before = max((one.after for one in kept.boughs), default=0) + 1
            if states[:before] == kept.states[:before] and len(states) >= before:
                return kept.boughs
        return given_up(row, rules, states, turns)

    def _known(self, row: GameRow, stored: str) -> Replay:
        """What is known of a game, up to where it is no longer stored so."""
        setup, kept = (row.kind, row.setup, row.is_relay), self._kept.get(row.id or 0)
        if kept is None or kept.setup != setup:
            return Replay(setup)
        if stored.startswith("".join(kept.digests)):
            return kept
        at = 0
        for turns, digest in enumerate(kept.digests):
            if not stored.startswith(digest, at):
                return kept.up_to(turns)
            at += len(digest)
        return kept

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


def _size(game: Replay) -> int:
    return len(game.states) + sum(len(one.states) for one in game.boughs)
