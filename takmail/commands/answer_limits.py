"""Limit what one answer shows: nothing twice, and at most `MAX_SHOWN_IN_ANSWER` things."""

from dataclasses import dataclass, replace

from takmail.commands.answers import Events, ShownAbove, Skipped
from takmail.commands.grammar.commands import Help, Moves, Show, Standings, Why, Word
from takmail.commands.grammar.understand import Ordered
from takmail.limits.letters import MAX_SHOWN_IN_ANSWER


@dataclass(frozen=True, slots=True)
class ShownThings:
    """The commands whose results the answer already shows, and how many more results it may show."""

    shown: frozenset[object] = frozenset()
    left: int = MAX_SHOWN_IN_ANSWER

    def spared(self, ordered: Ordered) -> tuple["ShownThings", Events | Skipped | None]:
        """Return the updated limits, and the answer to the command if its result is not to be shown.

        If that answer is None, the command has to be carried out.
        """
        command = ordered.command
        if not _only_shows(command):
            # This command may change what the commands before it showed.
            return replace(self, shown=frozenset()), None
        if command in self.shown:
            return self, (ShownAbove(),)
        if self.left == 0:
            return self, Skipped("many_shown", {"most": MAX_SHOWN_IN_ANSWER})
        return ShownThings(self.shown | {command}, self.left - 1), None


def _only_shows(command: object) -> bool:
    if isinstance(command, Word):
        return command.looks
    return isinstance(command, Help | Moves | Show | Standings | Why)
