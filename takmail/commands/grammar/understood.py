"""The content of a mail: orders and words, as far as they have been told apart."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from takmail.commands.command import Order
from takmail.commands.grammar.parts import OrderOrWords

_BLANK_LINES = re.compile(r"\n{3,}")


@dataclass(frozen=True)  # no slots, as what the parts are together is worked out once
class Understood:
    """The content of a mail: its parts, from top to bottom.

    `beside` are its words. A line that is probably an order, or an unclear answer, holds them back: `chat` is '' then,
    and `held` are the words together with such lines.
    """

    parts: tuple[OrderOrWords, ...] = ()

    @cached_property
    def orders(self) -> tuple[Order, ...]:
        """The orders and doubts."""
        return tuple([part.order for part in self.parts if part.order is not None])

    @cached_property
    def holds_words(self) -> bool:
        """Whether something in the mail has to be asked about, so that its words may be part of this."""
        return any(part.is_asked for part in self.parts if part.order is not None)

    @cached_property
    def beside(self) -> str:
        """The words that stand beside the orders."""
        return _joined([part.raw for part in self.parts if part.order is None])

    @property
    def chat(self) -> str:
        """The words that are passed on."""
        return "" if self.holds_words else self.beside

    @property
    def held(self) -> str:
        """The words that are held back, and the lines that hold them back. It is '' if nothing does."""
        if not self.holds_words:
            return ""
        return _joined([part.raw for part in self.parts if part.order is None or part.order.is_doubt])

    @property
    def asked_about(self) -> str:
        """The lines that are only probably orders."""
        return _joined([part.raw for part in self.parts if part.order is not None and part.order.is_doubt])

    @property
    def says_yes(self) -> bool:
        """Whether the mail answers a question with `yes`."""
        return any(order.command.keyword == "yes" for order in self.orders)

    def without_answer(self) -> "Understood":
        """Return everything but the `yes` or `no` to a question."""
        return self.where(lambda order: not order.command.is_answer)

    def where(self, is_kept: Callable[[Order], bool]) -> "Understood":
        """Return the words, and the orders that are kept."""
        return Understood(tuple(part for part in self.parts if part.order is None or is_kept(part.order)))


def _joined(lines: Iterable[str]) -> str:
    return _BLANK_LINES.sub("\n\n", "\n".join(lines)).strip()


def of_orders(orders: Iterable[Order], words: str = "") -> Understood:
    """Return the content of a mail that has these orders, and these words below them."""
    parts = tuple(OrderOrWords(order.line, order) for order in orders)
    return Understood((*parts, OrderOrWords(words)) if words else parts)


NOTHING = Understood()
"""The content of a mail without commands and chat."""
