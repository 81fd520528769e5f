"""Name the pictures of a letter. The delivery worker draws them after the letter is stored."""

import json
from dataclasses import dataclass
from typing import Any

from takmail.games.interface import Result, Seat
from takmail.limits.letters import MAX_ANIMATED_TURNS
from takmail.world import Game

_FEWEST_TURNS = 2
"""The minimum number of turns of a game that is animated."""


@dataclass(frozen=True, slots=True)
class Animation:
    """The animation of a finished game, which is attached to a letter as the file `name`.

    * `setup` and `turns` are those of the whole game. The animation begins with the board after turn `first`.
    * `ending` is how people ended the game, None if it ended by the rules
    """

    name: str
    setup: str
    turns: tuple[str, ...]
    first: int
    ending: Result | None = None


@dataclass(frozen=True, slots=True)
class Drawings:
    """The pictures of a letter: the names of the cells of its boards, and an animation or None.

    `game` is the kind of game that can draw the cells.
    """

    game: str
    cells: tuple[str, ...] = ()
    animation: Animation | None = None

    def as_text(self) -> str:
        """Return the drawings as JSON for the outbox, '' if there are none."""
        if not self.cells and self.animation is None:
            return ""
        stored: dict[str, object] = {"game": self.game, "cells": self.cells}
        if self.animation is not None:
            ending = self.animation.ending
            stored["animation"] = {
                "name": self.animation.name,
                "setup": self.animation.setup,
                "turns": self.animation.turns,
                "first": self.animation.first,
                "ending": None if ending is None else [ending.winner, ending.score, ending.how],
            }
        return json.dumps(stored)


def drawings_of(text: str) -> Drawings | None:
    """Parse the result of `Drawings.as_text`, and return None for ''."""
    if not text:
        return None
    stored = json.loads(text)
    return Drawings(stored["game"], tuple(stored["cells"]), _animation(stored.get("animation")))


def _animation(stored: dict[str, Any] | None) -> Animation | None:
    if stored is None:
        return None
    ending = None
    if stored["ending"] is not None:
        winner, score, how = stored["ending"]
        ending = Result(None if winner is None else Seat(winner), score, how)
    return Animation(stored["name"], stored["setup"], tuple(stored["turns"]), stored["first"], ending)


def animation_of(game: Game, name: str) -> Animation | None:
    """Return the animation of a finished game.

    Return None if the game is too short, or a relay game, whose boards are unknown.
    """
    count = len(game.turns)
    if not game.keeps_board or count < _FEWEST_TURNS:
        return None
    ending = None if game.state.result is not None else game.result
    return Animation(name, game.record.setup, tuple(game.texts()), max(0, count - MAX_ANIMATED_TURNS), ending)
