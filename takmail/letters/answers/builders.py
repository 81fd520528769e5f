"""The answers that are more than one message, by their reason."""

from collections.abc import Callable, Mapping

from takmail.blocks import Blocks
from takmail.letters.reader import Reader

Builder = Callable[..., Blocks]
"""Makes the blocks of an answer from the reader and the answer's facts, which are its keyword parameters."""
BUILDERS: Mapping[str, Builder] = {}
"""The builder of each answer that is more than one message, by its reason."""


def answer_blocks(reader: Reader, reason: str, facts: Mapping[str, object]) -> Blocks | None:
    """Return the blocks of an answer, None if only a message words it."""
    builder = BUILDERS.get(reason)
    return None if builder is None else builder(reader, **facts)
