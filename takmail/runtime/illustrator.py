"""Draw the pictures of letters just before they are sent, and add them to the letters' bytes."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import suppress
from functools import cached_property, partial
from threading import Lock
from typing import TYPE_CHECKING

from takmail.games.frames import scenes
from takmail.games.game_rules import GameRules
from takmail.games.picture import Scene
from takmail.games.registry import Games
from takmail.letters.drawings import Animation, Drawings, drawings_of
from takmail.letters.pictures import standings
from takmail.mail.letter_body import attached_gif, inline_png, with_parts
from takmail.store.dispatch import Claimed

if TYPE_CHECKING:
    from takmail.letters.pictures.painter import Painter

log = logging.getLogger(__name__)

MAX_CELLS = 4_000
"""The maximum number of cached pictures of cells. Each takes about 1 KB."""
MAX_ANIMATIONS = 2
"""The maximum number of cached animations. Both players of a finished game get the same one."""


class Illustrator:
    """Draws the pictures that letters name, and keeps the last ones."""

    def __init__(self, games: Games) -> None:
        self._games = games
        self._cells = _Cache(MAX_CELLS)
        self._animations = _Cache(MAX_ANIMATIONS)
        # The first picture of a kind makes its kit, and two threads would make two, which have no picture in common.
        self._drawing = Lock()

    @cached_property
    def _painter(self) -> "Painter":
        from takmail.letters.pictures.painter import Painter  # loads Pillow, which letters of text do without

        return Painter()

    def has_drawn(self, named: Drawings) -> bool:
        """Return whether all pictures are kept, so that `illustrated` takes next to no time."""
        return named.animation is None and all((named.game, name) in self._cells for name in named.cells)

    def illustrated(self, raw: bytes, message_id: str, named: Drawings) -> bytes:
        """Return a letter's bytes with the pictures that it names. An animation takes a fifth of a second."""
        rules, animation = self._games.rules(named.game), named.animation
        cells = [
            self._cells.get((named.game, name), partial(self._cell, named.game, name)) for name in named.cells
        ]
        files = []
        if animation is not None:
            key = (named.game, str(animation))  # a result can't be hashed
            files.append(self._animations.get(key, partial(self._animated, rules, animation)))
        return with_parts(raw, cells, files, message_id)

    async def with_pictures(self, letter: Claimed) -> bytes:
        """Return a letter's bytes with its pictures. If they can't be drawn, the letter goes without them."""
        try:
            drawings = drawings_of(letter.drawings)
            if drawings is None:
                return letter.raw
            draw = partial(self.illustrated, letter.raw, letter.message_id, drawings)
            # Drawing would stop all other tasks, but a thread costs more than pictures that are drawn already.
            return draw() if self.has_drawn(drawings) else await asyncio.to_thread(draw)
        except Exception:  # the words of a letter matter more than its pictures
            log.exception("letter %d: its pictures can't be drawn, so it is sent without them", letter.id)
            return letter.raw

    def _cell(self, game: str, name: str) -> str:
        with self._drawing:
            return inline_png(name, self._painter.png(self._scene(game, name)))

    def _scene(self, game: str, name: str) -> Scene:
        """Return the picture of a table of results, or of a cell of a game: a digest has boards of several.

        No two games call a picture the same. Raises ValueError if no game can draw it.
        """
        table = standings.table_of(name)
        if table is not None:
            return standings.scene(table)
        for kind in (game, *self._games.by_name):
            with suppress(ValueError):
                return self._games.rules(kind).cell(name)
        raise ValueError(f"no game has a picture that is called {name[:40]!r}")

    def _animated(self, rules: GameRules, animation: Animation) -> str:
        """Draw an animation. It begins with the final board, as some mail programs show only the first picture."""
        states = [rules.start(animation.setup)]
        for turn in animation.turns:
            states.append(states[-1].play(turn))
        with self._drawing:
            frames = scenes(states, animation.turns, animation.ending, animation.first, len(animation.turns))
            return attached_gif(animation.name, self._painter.gif([frames[-1], *frames]))


class _Cache:
    """MIME parts by key. The least recently used one is dropped first.

    Several threads may use it: then two of them may draw the same picture, and one of the two is kept.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, str] = OrderedDict()

    def __contains__(self, key: Hashable) -> bool:
        """Return whether a part is kept."""
        return key in self._kept

    def get(self, key: Hashable, make: Callable[[], str]) -> str:
        """Return the part with this key, and make it if it is not kept."""
        kept = self._kept.pop(key, None)
        part = self._kept[key] = make() if kept is None else kept
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return part
