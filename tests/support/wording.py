"""Word messages in English, as a letter to an opponent of Ben has them."""

from collections.abc import Iterable

from takmail.blocks import Blocks, Message, Text
from takmail.letters.catalogue import ENGLISH, Speaker, Words
from takmail.letters.templates import Templates, folder
from takmail.letters.text import as_text
from takmail.letters.wrapping import UNBROKEN

WORDS = Templates(folder()).catalogue.words(ENGLISH)
COMMON = {"opponent": "Ben", "service": "takmail", "address": "play@takmail.test"}


def english(texts: Text | Iterable[Text], words: Words = WORDS) -> str:
    """Return messages in words, on one line."""
    worded = words.sentences([texts] if isinstance(texts, Message | str) else texts, COMMON)
    return worded.replace(UNBROKEN, " ")


def page(blocks: Blocks, words: Words = WORDS) -> str:
    """Return blocks as the text of a letter has them."""
    return as_text(blocks, Speaker(words, COMMON)).rstrip("\n")
