"""The answers that are more than one message, by their reason."""

from collections.abc import Mapping
from typing import Any

from takmail.blocks import Blocks, Message, paragraph
from takmail.commands.answers import Said
from takmail.letters.answers import general, help, lessons, lists, looking, play
from takmail.letters.answers.doubts import what_is_wrong, what_may_be_meant
from takmail.letters.reader import Builder, Reader


def _doubt(reader: Reader, *, refusal: Said | None = None, explained: Said | None, **facts: Any) -> Blocks:
    """Answer a line that is probably an order.

    `refusal` is the answer to the line that it means if that can't be done, and `explained` the help page about it.
    """
    if refusal is None:
        wrong = what_is_wrong(reader, facts["fault"], facts["detail"], facts["reason"], facts["game"])
        help_page = () if explained is None else answer_blocks(reader, explained)
        why: Blocks = (*paragraph(*wrong), *help_page)
    else:
        why = answer_blocks(reader, refusal)
    return (*why, *what_may_be_meant(reader, **facts))


BUILDERS: Mapping[str, Builder] = {
    **general.BUILDERS,
    **help.BUILDERS,
    **lessons.BUILDERS,
    **lists.BUILDERS,
    **looking.BUILDERS,
    **play.BUILDERS,
    "doubt": _doubt,
}
"""The builder of each answer that is more than one message, by its reason."""


def answer_blocks(reader: Reader, answer: Said) -> Blocks:
    """Return the blocks of an answer. If it has no builder, its reason is the name of its only message."""
    builder = BUILDERS.get(answer.reason)
    if builder is None:
        return paragraph(Message(answer.reason, answer.facts))
    return builder(reader, **answer.facts)
