"""Explain commands: one of them, or all."""

from collections.abc import Mapping
from dataclasses import replace

from takmail.blocks import Blocks, Message, Page, message, paragraph
from takmail.letters.catalogue import ENGLISH
from takmail.letters.reader import Builder, Reader
from takmail.vocabulary import commands_in

_MAX_WORDS = 4
"""The maximum number of words of the reader's language that a help page names."""


def help_page(reader: Reader, topic: str, page: str, summary: str, kind: str) -> Blocks:
    """Return a help page: the summary of a command, and the page about it, each of which may be missing ('').

    `topic` is the command's keyword or another topic, and `kind` the game in whose words it is explained.
    """
    words = () if reader.language == ENGLISH else commands_in(reader.language, topic)[:_MAX_WORDS]
    return (
        *(paragraph(Message(summary)) if summary else ()),
        *((Page(Message(page, _parameters(replace(reader, kind=kind), page))),) if page else ()),
        *(paragraph(message("words_of_your_language", words=words)) if words else ()),
    )


def _parameters(reader: Reader, page: str) -> dict[str, object]:
    """Return the parameters of a help page, which are lines to type."""
    if page != "help_propose":
        return {}
    return {"proposal": reader.wording.proposal, "whose": reader.wording.whose}


BUILDERS: Mapping[str, Builder] = {
    "help": help_page,
}
"""The builders of these answers, by their reason."""
