"""Recognise automatic replies that no header shows, because a program writes the same text again and again."""

from hashlib import blake2b

from takmail.commands.grammar.commands import Foreign, Unclear
from takmail.commands.grammar.normalize import without_numbers
from takmail.commands.grammar.salutations import without_manners
from takmail.commands.records import NO_TEXT, LastText
from takmail.games.interface import NearMiss
from takmail.limits.words import MAX_SIMILAR_TEXTS, MIN_REPEATED_CHARS
from takmail.pipeline.interpret import Interpreted
from takmail.pipeline.select import Ambiguous, InCorruptGame


def text_after(interpreted: Interpreted) -> LastText:
    """Return the last text of the address after a mail.

    An order deletes it. An attempt at an order is none, as any text may look like one. After a text that is not
    answered, the same or a further one changes nothing, so that another text counts anew. A mail whose author is
    uncertain changes nothing either.
    """
    before = interpreted.sender.last_text
    if _is_order(interpreted):
        return NO_TEXT
    if not interpreted.sender.is_verified:
        return before
    after = followed(before, interpreted.request.typed)
    if not before.is_quiet:
        return after
    return before if after.is_repeated or not before.is_repeated else after


def _is_order(interpreted: Interpreted) -> bool:
    """Return whether a mail has a command, or whether it is unknown what the mail has."""
    if isinstance(interpreted.place, Ambiguous | InCorruptGame):
        return True
    commands = (one.command for one in interpreted.request.understood.orders)
    return any(not isinstance(one, Unclear | Foreign | NearMiss) for one in commands)


def followed(before: LastText, text: str) -> LastText:
    """Return the digests of a text without an order that came after another one.

    People say a few words twice, so a short text is repeated only if it comes a third time.
    """
    whole = " ".join(text.casefold().split())
    digest, frame = _digest(whole), _digest(without_numbers(text))
    similar = 1
    if digest == before.whole and len(without_manners(whole, ())) >= MIN_REPEATED_CHARS:
        similar = MAX_SIMILAR_TEXTS + 1
    elif frame == before.frame:
        similar += before.similar
    return LastText(digest, frame, similar, before.in_a_row + 1)


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()
