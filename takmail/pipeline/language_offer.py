"""Find the language that the answer to a mail offers, as the mail is written in it."""

from takmail.commands.command import Order
from takmail.commands.grammar.faults import Unclear
from takmail.commands.grammar.understand import is_doubt
from takmail.commands.grammar.written_language import language_written
from takmail.commands.result import Result
from takmail.letters.services import Services
from takmail.pipeline.interpret import Interpreted

_KEYWORD = "language"


def language_offered(services: Services, interpreted: Interpreted, result: Result) -> str:
    """Return the code of the language that the answer to a mail offers, '' if it offers none.

    Only a sender who has chosen no language is offered one. What an order has in Latin letters does not count, as it is
    written so in any language. An answer to a mail about the language of letters tells of the others by itself.
    """
    before, after = interpreted.context.player, result.player
    has_chosen = after is not None and after.language is not None
    has_left = before is not None and after is None
    understood = interpreted.understood
    if has_chosen or has_left or any(map(_is_about_language, understood.orders)):
        return ""
    orders = (order for order in understood.orders if not is_doubt(order))
    words = (word for order in orders for word in order.line.split() if not word.isascii())
    typed = "\n".join((understood.held or understood.chat, *words))
    others = [code for code in services.languages if code != services.language]
    return language_written(typed, others) or ""


def _is_about_language(order: Order) -> bool:
    offers = order.arguments.offers if isinstance(order.arguments, Unclear) else ()
    return order.command.keyword == _KEYWORD or any(line.startswith(_KEYWORD) for line in offers)
