"""Define the parts of a mail: its orders, doubts and words, in the order in which they stand."""

from dataclasses import dataclass

from takmail.commands.command import Order, is_certain


@dataclass(frozen=True, slots=True)
class OrderOrWords:
    """A part of a mail: an order, a doubt, or words for the other player.

    * `raw` is its text as it was typed
    * `order` is its order or doubt, None if it is words
    * `is_unclear`: it is an answer that only asks again
    * `is_beside_order`: it is the harmless words on the line of an order
    """

    raw: str
    order: Order | None = None
    is_unclear: bool = False
    is_beside_order: bool = False

    @property
    def is_asked(self) -> bool:
        """Whether the sender is asked what a line of the mail means."""
        return self.is_unclear or (self.order is not None and self.order.is_doubt and bool(self.order.line))

    @property
    def is_certain(self) -> bool:
        """Whether it is an order without doubt."""
        return is_certain(self.order)
