"""Find names that could be taken for takmail's, for somebody's who runs it, or for a side of a game.

All words are compared by their skeletons.
"""

import re

from takmail.commands.grammar.skeleton import skeleton

_OFFICIALS = (
    "takmail admin sysadmin moderat moderad operator operad operateur support security securit seguridad sicherheit"
    " system sistem postmaster hostmaster webmaster webmestre sysop superuser helpdesk noreply donotreply daemon"
    " kundendienst kundenservice soporte betreiber beheerder админ модератор оператор поддержк безопасност систем"
)
"""The beginnings of words by which people know an official. Nobody's name has such a word."""
_OFFICIALS_WITHOUT_SPACES = "管理员 管理員 管理者 客服 版主 系统 系統 官方 安全中心 安全团队 运营"
"""The same in Chinese, which has no spaces around them."""
_ROLES = (
    "tak tzaar mail takbymail bot robot root abuse mailer staff team service services server game account customer"
    " help desk billing bank office info owner delivery subsystem referee judge white black player opponent guest"
    " host you yourself nobody noone arbiter umpire mod organizer organiser"
    " weiß schwarz niemand"
    " служба команда сервис белые белый черные черный соперник никто вы ты 你 您 对手 對手 白方 黑方 玩家 没人"
)
"""Words that are nobody's name if there is nothing else, but may stand in one, such as Jack Black's."""
_FILLERS = frozenset(("the", "a", "an", "your", "my", "our", "official", "real", "by", "of", "for", "from"))
"""Words that make no name of the other ones."""
_LEET = str.maketrans("34578", "eastb")
"""Digits that stand for letters which they do not resemble enough for a skeleton."""


def _one_of(words: str) -> str:
    return f"(?:{'|'.join(map(skeleton, words.split()))})"


_NAMES_OFFICIAL = re.compile(f"{_one_of(_OFFICIALS)}|.*{_one_of(_OFFICIALS_WITHOUT_SPACES)}")
_IS_ROLES = re.compile(f"(?:the)?(?:(?:{_one_of(_OFFICIALS)}|{_one_of(_ROLES)})s?)+")


def looks_official(name: str) -> bool:
    """Tell whether one of the words of a name is an official's, or if it has no words but those for roles.

    It is also read without the numbers behind its words and before them, and with digits as letters.
    """
    whole = name.casefold()
    without_ends = re.sub(r"\d+\b", "", whole), re.sub(r"\b\d+|\d+\b", "", whole)
    readings = (whole, *without_ends, whole.translate(_LEET))
    return any(_is_official(re.split(r"[^\w.]+", one)) for one in readings)


def _is_official(words: list[str]) -> bool:
    telling = [one for one in words if one not in _FILLERS]
    # "A d m i n" has spaces, and "An admin" has an article.
    joined = ("".join(map(skeleton, some)) for some in (words, telling))
    return any(_NAMES_OFFICIAL.match(skeleton(one)) for one in telling) or any(
        map(_IS_ROLES.fullmatch, joined)
    )
