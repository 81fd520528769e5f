"""Find the language that the answer to a mail offers, as the mail is written in it, by its script."""

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import replace

from takmail.commands.answers import Result
from takmail.commands.command import Order, Unclear
from takmail.commands.grammar.arguments import Name
from takmail.letters.services import Services
from takmail.pipeline.interpret import Interpreted
from takmail.world import LANGUAGES, events

_KEYWORD = "language"
_RUSSIAN, _CHINESE = "ru", "zh"
_CYRILLIC = "\u0400-\u052f"
_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(
    rf"(?P<{_RUSSIAN}>[{_CYRILLIC}]+)|(?P<{_CHINESE}>[{_HAN}]{{1,2}})|(?:(?![{_CYRILLIC}{_HAN}])[^\W\d_]){{2,}}"
)
"""A word. Two Chinese characters count as one, as no spaces separate words in Chinese.

A Latin letter alone does not count, as it may be that of a square.
"""
_OTHER_LANGUAGES = {
    _RUSSIAN: re.compile(rf"(?![\u0410-\u044f\u0401\u0451])[{_CYRILLIC}]"),
    _CHINESE: re.compile(r"[\u3040-\u30ff]"),
}
"""Letters that show that a text in the script of a language is in another one, such as Ukrainian or Japanese."""


def language_offered(services: Services, interpreted: Interpreted, result: Result) -> str:
    """Return the code of the language that the answer to a mail offers, '' if it offers none.

    Only a sender who has chosen no language is offered one. What an order has in Latin letters does not count, as it is
    written so in any language, and neither does a name. An answer to a mail about the language of letters tells of the
    others by itself.
    """
    before, after = interpreted.context.player, result.player
    has_chosen = after is not None and after.preferences.language is not None
    has_left = before is not None and after is None
    understood = interpreted.understood
    if has_chosen or has_left or any(map(_is_about_language, understood.orders)):
        return ""
    orders = (order for order in understood.orders if not order.is_doubt)
    lines = (order.line for order in orders if not isinstance(order.arguments, Name))
    words = (word for line in lines for word in line.split() if not word.isascii())
    typed = "\n".join((understood.held or understood.chat, *words))
    others = [code for code in LANGUAGES if code != services.language]
    return language_written(typed, others) or ""


def in_language_of_mail(services: Services, interpreted: Interpreted, result: Result) -> Result:
    """Return the result with the language in which the mail is written, unless the answer should offer none.

    It is chosen for somebody who has become a player by the mail, and offered to others.
    """
    language, player = language_offered(services, interpreted, result), result.player
    if not language:
        return result
    if player is None or interpreted.context.player is not None:
        return replace(result, offers_language=language)
    chosen = events.SettingChanged(player=player.id, keyword=_KEYWORD, value=language)
    world = chosen.apply(result.world)
    happened = (*result.happened, chosen)
    return replace(result, world=world, happened=happened, player=world.player(player.id))


def _is_about_language(order: Order) -> bool:
    offers = order.arguments.offers if isinstance(order.arguments, Unclear) else ()
    return order.command.keyword == _KEYWORD or any(line.startswith(_KEYWORD) for line in offers)


def language_written(text: str, languages: Collection[str]) -> str | None:
    """Return the code of the language in whose script most words of a text are, None if it is none of `languages`.

    English is never returned, as commands and moves are in Latin letters whatever their writer speaks.
    """
    if text.isascii():
        return None
    words = Counter(word.lastgroup for word in _WORD.finditer(text))
    for code, others in _OTHER_LANGUAGES.items():
        if code in languages and 2 * words[code] > words.total() and not others.search(text):
            return code
    return None
