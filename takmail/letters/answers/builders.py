"""The answers that are more than one message, by their reason."""

from collections.abc import Mapping

from takmail.blocks import Blocks
from takmail.letters.answers import (
    accounts,
    disputes,
    general,
    help,
    invitations,
    lists,
    looking,
    offers,
    seeks,
    turns,
)
from takmail.letters.reader import Builder, Reader

BUILDERS: Mapping[str, Builder] = {
    **accounts.BUILDERS,
    **disputes.BUILDERS,
    **general.BUILDERS,
    **help.BUILDERS,
    **invitations.BUILDERS,
    **lists.BUILDERS,
    **looking.BUILDERS,
    **offers.BUILDERS,
    **seeks.BUILDERS,
    **turns.BUILDERS,
}
"""The builder of each answer that is more than one message, by its reason."""


def answer_blocks(reader: Reader, reason: str, facts: Mapping[str, object]) -> Blocks | None:
    """Return the blocks of an answer, None if only a message words it."""
    builder = BUILDERS.get(reason)
    return None if builder is None else builder(reader, **facts)
