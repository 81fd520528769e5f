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
    most = MAX_OFFERED_LINES // sum(map(is_doubt, understood.orders))
    is_early = doubt.is_turn and waits_for_opponent(context)
    lines = () if is_early else doubt.offers
    tried = [(line, meant, perform(context, meant)) for line in lines for meant in read(context, line).orders]
    offers = [
        _offered(context, line, meant) for line, meant, answer in tried if not isinstance(answer, Refusal)
    ]
    refusals = [answer for _, _, answer in tried if isinstance(answer, Refusal)]
    if is_early:
        refusals = [refused("not_your_turn")]
    unclear = order.command.run(context, doubt)
    assert isinstance(unclear, Refusal)
    words = " ".join(without_addresses(context, understood.held).split())
    facts = {
        "offers": tuple(offers[:most]),
        "refusal": refusals[0] if refusals and not offers else None,
        "words": words if len(words) <= MAX_SAID_AGAIN_CHARS else "",
        "has_words": bool(words),
    }
    return Refusal("doubt", {**unclear.facts, **facts})


def _offered(context: Context, line: str, order: Order) -> Offered:
    if not isinstance(order.arguments, Play):
        keyword, _, topic = line.partition(" ")
        return Offered(line, "" if keyword == "help" and topic else keyword)
    table = context.table
    effect = table.state.effect(order.arguments.text)
    if effect is not None:
        # What a call of tak means is told later.
        effect = replace(effect, facts={**effect.facts, "tak": False})
    return Offered(line, "", effect, context.you, table.names_for(context.you)[context.you.other])
