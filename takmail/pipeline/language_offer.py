"""Find the language that the answer to a mail offers, as the mail is written in it."""

from dataclasses import replace

from takmail.commands.answers import Result
from takmail.commands.command import Order, Unclear
from takmail.commands.grammar.arguments import Name
from takmail.commands.grammar.understand import is_doubt
from takmail.commands.grammar.written_language import language_written
from takmail.letters.services import Services
from takmail.pipeline.interpret import Interpreted
from takmail.world import Player
from takmail.world.changes import of_player

_KEYWORD = "language"


def language_offered(services: Services, interpreted: Interpreted, result: Result) -> str:
    """Return the code of the language that the answer to a mail offers, '' if it offers none.

    Only a sender who has chosen no language is offered one. What an order has in Latin letters does not count, as it is
    written so in any language, and neither does a name. An answer to a mail about the language of letters tells of the
    others by itself.
    """
    before, after = interpreted.context.player, result.player
    has_chosen = after is not None and after.language is not None
    has_left = before is not None and after is None
    understood = interpreted.understood
    if has_chosen or has_left or any(map(_is_about_language, understood.orders)):
        return ""
    orders = (order for order in understood.orders if not (is_doubt(order) or _is_name(order)))
    words = (word for order in orders for word in order.line.split() if not word.isascii())
    typed = "\n".join((understood.held or understood.chat, *words))
    others = [code for code in services.languages if code != services.language]
    return language_written(typed, others) or ""


def in_language_of_mail(services: Services, interpreted: Interpreted, result: Result) -> Result:
    """Return the result with the language in which the mail is written, unless the answer should offer none.

    It is chosen for somebody who has become a player by the mail, and offered to others.
    """
    language, player = language_offered(services, interpreted, result), result.player
    if not language or player is None or interpreted.context.player is not None:
        return replace(result, offers_language=language)
    world = of_player(player.id, Player.choosing, _KEYWORD, language)(result.world)
    return replace(result, world=world, player=world.players[player.id])


def _is_name(order: Order) -> bool:
    return isinstance(order.arguments, Name)


def _is_about_language(order: Order) -> bool:
    offers = order.arguments.offers if isinstance(order.arguments, Unclear) else ()
    return order.command.keyword == _KEYWORD or any(line.startswith(_KEYWORD) for line in offers)
