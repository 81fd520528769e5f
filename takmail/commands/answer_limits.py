"""Limit what one answer shows: each thing once, and not more than a bounded number of things."""

from dataclasses import dataclass, replace

from takmail.commands.answers import Events, ShownAbove, Skipped
from takmail.commands.grammar.commands import Help, Moves, Show, Standings, Why, Word
from takmail.commands.grammar.understand import Ordered

MOST_SHOWN = 10
"""The maximum number of boards, lists and pages in one answer. Some take 0.1 s while the transaction is open."""


@dataclass(frozen=True, slots=True)
class ShownThings:
    """The things that a mail has requested so far, and how many more its answer may show."""

    shown: frozenset[object] = frozenset()
    left: int = MOST_SHOWN

    def spared(self, ordered: Ordered) -> tuple["ShownThings", Events | Skipped | None]:
        """Return the updated state, and the answer to a command whose result is not shown.

        The answer is None if the command has to be carried out.
        """
        command = ordered.command
        if not _only_shows(command):
            # A command that acts may have changed what there is to show.
            return replace(self, shown=frozenset()), None
        if command in self.shown:
            return self, (ShownAbove(),)
        if self.left == 0:
            return self, Skipped("many_shown", {"most": MOST_SHOWN})
        return ShownThings(self.shown | {command}, self.left - 1), None


def _only_shows(command: object) -> bool:
    if isinstance(command, Word):
        return command.looks
    return isinstance(command, Help | Moves | Show | Standings | Why)
