"""Say in other languages how to get letters in them."""

from collections.abc import Iterable

from takmail.blocks import Blocks, Lines, buttons, message
from takmail.letters.reader import Reader
from takmail.letters.templates import Templates
from takmail.vocabulary import word_in
from takmail.world import LANGUAGES, Mailbox, Player


def offered_in(templates: Templates, languages: Iterable[str]) -> Blocks:
    """Offer letters in some languages, in one line each, in the language itself. The line to type is its name.

    One line offers a language in each of its scripts.
    """
    codes = tuple(languages)
    # Its own name of a script stands in the words of the language, so that the others need not be converted.
    names = [word_in(code.partition("-")[0], "languages", code).capitalize() for code in codes]
    scripts = {code.partition("-")[0]: code for code in reversed(codes)}
    lines = tuple(
        templates.said(message("letters_in_this_language"), code)
        for code in codes
        if code in scripts.values()
    )
    return (Lines(lines), buttons(*zip(names, names, strict=True))) if codes else ()


def offered_first(templates: Templates, reader: Reader, mailbox: Mailbox, player: Player | None) -> Blocks:
    """Offer the other languages in the first letter to an address, as its reader may not know that of the letter.

    It is the first one if nobody has provably written from there, and no letter went there within the last day.
    """
    is_first = mailbox.verified_at is None and not any(mailbox.budget.day.values())
    if not is_first or (player is not None and player.preferences.language is not None):
        return ()
    return offered_in(templates, (code for code in LANGUAGES if code != reader.language))
