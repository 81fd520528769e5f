"""Answer `say`."""

from collections.abc import Mapping

from takmail.blocks import Blocks, Quote, message, paragraph
from takmail.letters.parts.words import gets_words
from takmail.letters.reader import Builder, Reader


def _said(reader: Reader, words: str, **_: object) -> Blocks:
    """Quote words that are passed on."""
    return (*paragraph(gets_words(reader)), Quote(words))


def _said_later(_reader: Reader, words: str, **_: object) -> Blocks:
    """Quote words to somebody who has not accepted yet."""
    return (*paragraph(message("words_wait_for_acceptance")), Quote(words))


BUILDERS: Mapping[str, Builder] = {"said": _said, "said_later": _said_later}
"""The builders of answers to words."""
