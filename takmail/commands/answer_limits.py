"""Limit what one answer shows: nothing twice, and at most `MAX_SHOWN_IN_ANSWER` things."""

from dataclasses import dataclass, replace

from takmail.commands.answers import SHOWN_ABOVE, Said, Skipped
from takmail.commands.command import Effect, Order
from takmail.commands.grammar.arguments import Compare
from takmail.limits.letters import MAX_SHOWN_IN_ANSWER


@dataclass(frozen=True, slots=True)
class ShownThings:
    """The commands whose results the answer already shows, and how many more results it may show."""

    shown: frozenset[object] = frozenset()
    left: int = MAX_SHOWN_IN_ANSWER

    def spared(self, order: Order) -> tuple["ShownThings", Said | None]:
        """Return the updated limits, and the answer to the command if its result is not to be shown.

        If that answer is None, the command has to be carried out.
        """
        command = order.command, order.arguments
        if order.command.effect is not Effect.LOOKS or isinstance(order.arguments, Compare):
            # This command may change what the commands before it showed.
            return replace(self, shown=frozenset()), None
        if command in self.shown:
            return self, SHOWN_ABOVE
        if self.left == 0:
            return self, Skipped("many_shown", {"most": MAX_SHOWN_IN_ANSWER})
        return ShownThings(self.shown | {command}, self.left - 1), None
