"""Recognise automatic replies that no header shows, because a program writes the same text again and again."""

from dataclasses import replace
from hashlib import blake2b

from takmail.commands.answers import SeveralGames
from takmail.commands.command import Order, Unclear
from takmail.commands.grammar.normalize import without_manners, without_numbers
from takmail.commands.lessons import asks_in_lesson, stands_for_words
from takmail.games.kit.naming import PLACE
from takmail.limits.words import IN_A_ROW, MAX_SIMILAR_TEXTS, MIN_REPEATED_CHARS
from takmail.pipeline.interpret import Interpreted
from takmail.world import NO_TEXT, LastText, Snapshot


def text_after(snapshot: Snapshot, interpreted: Interpreted) -> LastText:
    """Return the last text of the address after a mail, none after an order or if it is unknown what the mail has.

    An attempt at an order begins a new row if it would not be answered otherwise, unless it is the same text again.
    After a text that is not answered, a further one that is not answered either changes nothing. A mail whose author is
    uncertain is answered unless the address is left alone already.
    """
    orders = _orders_typed(interpreted)
    if isinstance(interpreted.place, SeveralGames) or any(order.command.changes for order in orders):
        return NO_TEXT
    before, heard_at = snapshot.sender.last_text, snapshot.sender.verified_at
    is_look = not all(order.is_doubt for order in orders)
    is_soon = heard_at is not None and snapshot.now < heard_at + IN_A_ROW
    lesson = next((order.line for order in orders if asks_in_lesson(order)), "")
    # The same question in another lesson is another text.
    after = _followed(before, f"{interpreted.typed} {lesson}", is_soon=is_soon, is_look=is_look)
    if not after.is_quiet:
        return after
    if after.whole != before.whole and _is_attempt(interpreted):
        return replace(after, similar=1, in_a_row=1)
    is_news = not before.is_quiet or (before.is_repeated and not after.is_repeated)
    return after if is_news and interpreted.sender.is_verified else before


def _is_attempt(interpreted: Interpreted) -> bool:
    """Return whether a mail without an order may be meant as one, as a short line that names a place may."""
    lines = interpreted.typed.splitlines()
    has_place = any(len(line) < MIN_REPEATED_CHARS and PLACE.search(line) for line in lines)
    return has_place or bool(_orders_typed(interpreted))


def _orders_typed(interpreted: Interpreted) -> tuple[Order, ...]:
    """Return the orders of a mail, without those that a program may write.

    These are words to which a lesson is given again, and those that tell until when somebody is away.
    """
    orders = interpreted.understood.orders
    return tuple(order for order in orders if not (stands_for_words(order) or _tells_absence(order)))


def _tells_absence(order: Order) -> bool:
    offers = order.arguments.offers if isinstance(order.arguments, Unclear) else ()
    return bool(offers) and all(offer.split()[0] == "away" for offer in offers)


def _followed(before: LastText, text: str, *, is_soon: bool, is_look: bool) -> LastText:
    """Return the digests of a text that came after another one. `is_soon`: it came within `IN_A_ROW`.

    People say a few words twice, so a short text is repeated only if it comes a third time. They look at the same thing
    again, too, so that looks are a row of their own: of the same text, in which each counts twice, as it costs more.
    """
    whole = " ".join(text.casefold().split())
    digest, frame = _digest(whole), _digest(without_numbers(text))
    in_a_row = before.in_a_row if is_soon else 0
    if is_look:
        return LastText(digest, frame, in_a_row=in_a_row + 2 if digest == before.whole else 1)
    similar = 1
    if digest == before.whole and len(without_manners(whole, ())) >= MIN_REPEATED_CHARS:
        similar = MAX_SIMILAR_TEXTS + 1
    elif frame == before.frame:
        similar += before.similar
    return LastText(digest, frame, similar, (in_a_row if before.similar else 0) + 1)


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()
