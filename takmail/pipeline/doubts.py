"""Answer a line that is probably an order: offer what it may mean, if that can be done now."""

from dataclasses import dataclass, replace

from takmail.commands.answers import Refusal, refused
from takmail.commands.command import Order
from takmail.commands.command_list import perform
from takmail.commands.context import Context
from takmail.commands.grammar.arguments import Play
from takmail.commands.grammar.faults import Unclear
from takmail.commands.grammar.understand import Understood, is_doubt
from takmail.commands.play import waits_for_opponent
from takmail.commands.redaction import without_addresses
from takmail.games.interface import Effect, Seat
from takmail.limits.words import MAX_OFFERED_LINES, MAX_SAID_AGAIN_CHARS
from takmail.pipeline.interpret import read


@dataclass(frozen=True, slots=True)
class Offered:
    """A line that the sender can send instead, and what it would do now.

    `effect` is that of a turn, in the form of a view that its template takes. `keyword` is that of any other command.
    """

    line: str
    keyword: str = ""
    effect: Effect | None = None
    you: Seat | None = None
    opponent: str = ""
    shown_result: str = ""


def answered(context: Context, order: Order, understood: Understood) -> Refusal:
    """Return the answer to a line of a mail that is probably an order.

    What would be refused is not offered. If nothing else is meant, its refusal is the answer. Several doubts share the
    lines that an answer may offer.
    """
    doubt = order.arguments
    assert isinstance(doubt, Unclear)
    doubts = [other for other in understood.orders if is_doubt(other)]
    place = doubts.index(order)
    most = MAX_OFFERED_LINES // len(doubts) or int(place < MAX_OFFERED_LINES)
    is_early = doubt.is_turn and waits_for_opponent(context)
    lines = () if is_early else doubt.offers
    orders = ((line, meant) for line in lines for meant in read(context, line).orders if not is_doubt(meant))
    tried = [
        (meant.canonical(context.services.games) or line, meant, perform(context, meant))
        for line, meant in orders
    ]
    offers = [
        _offered(context, line, meant) for line, meant, answer in tried if not isinstance(answer, Refusal)
    ]
    refusals = [answer for _, _, answer in tried if isinstance(answer, Refusal)]
    if is_early:
        refusals = [refused("not_your_turn")]
    if refusals and all(offer.keyword == "reads" for offer in offers):
        offers = []  # The reason is more useful than another notation.
    unclear = order.command.run(context, doubt)
    assert isinstance(unclear, Refusal)
    # The words of the mail are told once, below its last doubt.
    held = understood.held if place == len(doubts) - 1 else ""
    words = " ".join(without_addresses(context, held).split())
    facts = {
        "offers": tuple(offers[:most]),
        "refusal": refusals[0] if refusals and not offers else None,
        "words": words if len(words) <= MAX_SAID_AGAIN_CHARS else "",
        "has_words": bool(words),
    }
    return Refusal("doubt", {**unclear.facts, **facts})


def _offered(context: Context, line: str, order: Order) -> Offered:
    if not isinstance(order.arguments, Play):
        pages = order.command.help_pages
        is_about_word = order.command.keyword == "help" and order.line != "help"
        return Offered(line, "" if is_about_word or not pages else pages[0])
    table = context.table
    effect = table.state.effect(order.arguments.text)
    if effect is not None:
        # What a call of tak means is told later.
        effect = replace(effect, facts={**effect.facts, "tak": False})
    return Offered(line, "", effect, context.you, table.names_for(context.you)[context.you.other])
