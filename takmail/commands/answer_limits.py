"""Count what a mail asks to be shown: its answer shows each thing once, and not more than somebody reads."""

from dataclasses import dataclass, replace

from takmail.commands.answers import Events, ShownAbove, Skipped
from takmail.commands.grammar.commands import Help, Moves, Show, Standings, Why, Word
from takmail.commands.grammar.understand import Ordered

MOST_SHOWN = 10
"""How many boards, lists and pages one answer shows: some take a tenth of a second, and the database waits."""


@dataclass(frozen=True, slots=True)
class ShownThings:
    """The things that one mail has asked for so far, and how many more its answer shows."""

    shown: frozenset[object] = frozenset()
    left: int = MOST_SHOWN

    def spared(self, ordered: Ordered) -> tuple["ShownThings", Events | Skipped | None]:
        """What is asked for with one command more, and what the answer says where it does not show a thing.

        None: the command is to be carried out.
        """
        command = ordered.command
        if not _looks(command):
            # What is done may have changed what there is to see.
            return replace(self, shown=frozenset()), None
        if command in self.shown:
            return self, (ShownAbove(),)
        if self.left == 0:
            return self, Skipped("many_shown", {"most": MOST_SHOWN})
        return ShownThings(self.shown | {command}, self.left - 1), None


def _looks(command: object) -> bool:
    if isinstance(command, Word):
        return command.looks
    return isinstance(command, Help | Moves | Show | Standings | Why)
