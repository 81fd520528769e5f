"""Take the addresses that mail programs put into a player's words out of them, before the other player reads these."""

import re

from takmail.commands.context import Context
from takmail.commands.grammar.canonical import canonical
from takmail.commands.grammar.commands import Foreign, LineFault, New, Unclear
from takmail.commands.grammar.line_reader import anywhere
from takmail.commands.grammar.understand import Ordered, Understood, understand
from takmail.commands.records import Player
from takmail.commands.services import CommandServices
from takmail.games.interface import NearMiss, Reason
from takmail.mail.address import normal_address

_ADDRESS = r"[\w.+=%&'*/!#$-]{1,64}@[\w.-]{1,190}\w"
_UNSEEN = "[\u00ad\u200b\u2060\ufeff]*"
_SURELY_A_PROGRAM_S = re.compile(
    rf"<?\[?mailto:{_ADDRESS}[^\s<>\]]*\]?>?|<{_UNSEEN}{_ADDRESS}{_UNSEEN}>", re.IGNORECASE
)
_HEADER = re.compile(r"[\W_]{0,12}[^\W\d_][\w.-]{0,24}[\s*_]{0,3}[:：]")
"""`From:`, `*Von:*` or `E-Mail:` at the start of a line, in any language."""
_NOTHING_ELSE = re.compile(rf"[\W_]{{0,12}}{_ADDRESS}[\W_]{{0,12}}")
"""A line of a signature."""
_ANY = re.compile(_ADDRESS)
_AT = rf"{_UNSEEN}(?:[@＠﹫]|=40|%40|&#(?:64|x40);|&commat;|\s?[(\[]\s?at\s?[)\]]\s?){_UNSEEN}"
"""The sign in the middle, also as transfer encodings, links, HTML and the archives of mailing lists write it."""


def without_addresses(context: Context, words: str) -> str:
    """The words without tokens, the players' addresses, and any address in a line that a program has written.

    Another address that somebody tells in a sentence of their own is theirs to tell.
    """
    left_out = context.services.templates.line("names/address_left_out.txt")
    text = context.services.key.without_tokens(words)
    if known := _known(context):
        text = re.sub(known, left_out, text, flags=re.IGNORECASE)
    return "".join(_without_programs_addresses(line, left_out) for line in text.splitlines(keepends=True))


def _without_programs_addresses(line: str, left_out: str) -> str:
    if "@" not in line:
        return line
    bare = _SURELY_A_PROGRAM_S.sub(left_out, line)
    stripped = bare.strip()
    if _HEADER.match(stripped) or stripped.endswith((":", "：")) or _NOTHING_ELSE.fullmatch(stripped):
        return _ANY.sub(left_out, bare)
    return bare


def _known(context: Context) -> str:
    """A pattern of all addresses of whoever writes and of both players."""
    people = [] if context.player is None else [context.player]
    people += [] if context.game is None else context.table.players
    found = (address for one in people for address in one.addresses)
    return "|".join(map(_written_anyhow, dict.fromkeys(filter(None, [context.sender, *found]))))


def _written_anyhow(address: str) -> str:
    """A pattern of one address, with any detail behind a plus sign, but not of a longer one that ends like it."""
    local, _, domain = map(re.escape, address.rpartition("@"))
    end = rf"{domain}(?!-*\w)"
    # bounce+ada=example.org@list.example is how a list writes ada@example.org.
    return rf"(?<!\w)(?:(?<!\w[.+-]){local}(?:\+[\w.+-]{{1,64}})?{_AT}{end}|{local}={end})"


MOST_SHOWN = 10
"""Commands of one mail."""
MOST_LINE = 100
"""Characters of one of them."""
MOST_NUMBER = 5
"""Characters of what an answer may repeat, as `9x9` or `99.5`."""
_WORD = re.compile(r"[^\W\d_]{2}|\s")
_QUOTES = re.compile(r"[\"'()\[\];]")
_OFFERS_A_LINE = (LineFault.NEW_WITHOUT_VS, LineFault.MISTYPED, LineFault.TURN_WITH_MARK)
"""Faults that are told with the line to send."""
_LEFT_OUT = "..."
_NAMES_OUR_WORD = (LineFault.NEW_TWICE, LineFault.SETTLE_WHAT)
"""Faults that are told with a word of the language."""


def is_stranger(player: Player | None) -> bool:
    """Whether somebody has never surely written here."""
    return player is None or not player.has_written


def showable(services: CommandServices, understood: Understood) -> tuple[Ordered, ...]:
    """The first commands in which nothing is free to choose, in their canonical form; no others are carried out."""
    found = (_shown(services, one) for one in understood.orders)
    return tuple(one for one in found if 0 < len(one.line) <= MOST_LINE)[:MOST_SHOWN]


def lines(orders: tuple[Ordered, ...]) -> str:
    """The commands as lines, to be read again."""
    return "\n".join(one.line for one in orders)


def limited(services: CommandServices, understood: Understood) -> Understood:
    """What the mail says, without all that its writer was free to choose, and that an answer would repeat."""
    kept = (_tame(services, one) for one in understood.orders)
    return Understood(tuple(filter(None, kept))[:MOST_SHOWN], understood.chat)


def is_tame(reason: Reason) -> bool:
    """Whether a refusal repeats no word of what was typed."""
    return all(_is_a_number(str(fact)) for fact in reason.facts.values())


def _shown(services: CommandServices, one: Ordered) -> Ordered:
    is_free = isinstance(one.command, New) and not _names_only(one.line, one.command.opponent)
    return Ordered("" if is_free else canonical(one.command, services.games) or "", one.command)


def _names_only(line: str, address: str) -> bool:
    """Whether a line invites an address with nothing else beside it that reading leaves out, as `a b` in `vs 'a b'@…`.

    A name may stand before an address in angle brackets: so mail programs write it.
    """
    words = [word.rstrip(",") for word in line.lower().replace("<", " <").split()]
    is_address = ["@" in word for word in words]
    if _QUOTES.search(line) or not any(is_address):
        return False
    at = is_address.index(True)
    behind_vs = words[words.index("vs") + 1 : at] if "vs" in words[:at] else []
    is_bare = words[at].startswith("<") or all("=" in word for word in behind_vs)
    return is_bare and all(normal_address(word) == address for word in words if "@" in word)


def _tame(services: CommandServices, one: Ordered) -> Ordered | None:
    match one.command:
        case Unclear(fault, detail) if fault in _OFFERS_A_LINE:
            meant = _meant(services, detail)
            return Ordered("", Unclear(fault, meant)) if meant else None
        case Unclear(fault, detail):
            is_ours = fault in _NAMES_OUR_WORD or _is_a_number(detail)
            return Ordered("", Unclear(fault, detail if is_ours else _LEFT_OUT))
        case Foreign(letter, alphabet, meant_by_it):
            meant = _meant(services, meant_by_it)
            return Ordered("", Foreign(letter, alphabet, meant)) if meant else None
        case NearMiss(reason):
            return Ordered("", one.command) if is_tame(reason) else None
    shown = _shown(services, one)
    return shown if 0 < len(shown.line) <= MOST_LINE else None


def _meant(services: CommandServices, line: str) -> str | None:
    """A line that is offered in place of what was typed, in canonical form."""
    orders = understand(line, anywhere(services.games), question_open=False).orders
    return _shown(services, orders[0]).line or None if len(orders) == 1 else None


def _is_a_number(text: str) -> bool:
    return len(text) <= MOST_NUMBER and not _WORD.search(text)
