"""The bot as an opponent in a game of Tak."""

from collections.abc import Sequence
from random import Random

from takmail.games.tak.bot.bits import bits_of, layout_of, move_of
from takmail.games.tak.bot.levels import LEVELS, QUICK_NODES, choice
from takmail.games.tak.notation import mail
from takmail.games.tak.setup import stored_setup
from takmail.games.tak.state import TakState
from takmail.games.thinking import Choice, IsOver, Player


class TakPlayer(Player):
    """An opponent that plays on all boards, but not for coins."""

    @property
    def levels(self) -> tuple[str, ...]:
        """The names of the levels, the weakest first."""
        return tuple(LEVELS)

    @property
    def quick_levels(self) -> tuple[str, ...]:
        """The names of the levels that judge one ply or search a few nodes."""
        return tuple(name for name, level in LEVELS.items() if level.nodes <= QUICK_NODES)

    def plays(self, setup: str) -> bool:
        """Return whether no coins are at stake."""
        return stored_setup(setup).coins is None

    def choose(self, setup: str, turns: Sequence[str], level: str, seed: bytes, is_over: IsOver) -> Choice:
        """Return the turn of the player to move after these turns, with the call of tak that the set-up may ask for."""
        read_setup = stored_setup(setup)
        state = TakState(read_setup.position, read_setup)
        for turn in turns:
            state = state.play(turn)
        position = state.position
        layout = layout_of(position.size, position.half_komi)
        found = choice(layout, bits_of(position), LEVELS[level], Random(seed), is_over)
        text = state.completed(mail.write(position.board, move_of(layout, found.ply)))
        return Choice(text, found.is_cut, f"depth {found.depth}, {found.nodes} nodes, score {found.score}")
