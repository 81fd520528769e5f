"""Remove addresses and freely chosen text from what takmail forwards or shows.

Mail programs insert addresses into a player's text, which the opponent must not read.
"""

import re
from dataclasses import replace
from itertools import dropwhile

from takmail.commands.bidding import is_bid_beside
from takmail.commands.command import LineFault, Order, Unclear
from takmail.commands.context import ADDRESS_LEFT_OUT, CommandServices, Context
from takmail.commands.grammar.line_reader import anywhere
from takmail.commands.grammar.normalize import plain
from takmail.commands.grammar.understand import understand
from takmail.commands.grammar.understood import Understood, of_orders
from takmail.games.interface import Reason
from takmail.limits.questions import MAX_SHOWN_COMMAND_CHARS, MAX_SHOWN_COMMANDS
from takmail.limits.words import MAX_REPEATED_VALUE_CHARS
from takmail.mail.address import BOARD_PLACE
from takmail.world import Player

_ADDRESS = rf"[\w.+=%&'*/!#$-]{{1,64}}@(?!{BOARD_PLACE})[\w.-]{{1,190}}\w"
_INVISIBLE = "[\u00ad\u200b\u2060\ufeff]*"
_INSERTED_BY_PROGRAM = re.compile(
    rf"<?\[?mailto:{_ADDRESS}[^\s<>\]]*\]?>?|<{_INVISIBLE}{_ADDRESS}{_INVISIBLE}>", re.IGNORECASE
)
"""An address in a form that only mail programs write."""
_HEADER = re.compile(r"[\W_]{0,12}[^\W\d_][\w.-]{0,24}[\s*_]{0,3}[:：]")
"""A header name such as `From:`, `*Von:*` or `E-Mail:` at the start of a line, in any language."""
_ONLY_ADDRESS = re.compile(rf"[\W_]{{0,12}}{_ADDRESS}[\W_]{{0,12}}")
"""A line that contains only an address, as in a signature."""
_ANY_ADDRESS = re.compile(_ADDRESS)
_AT = rf"{_INVISIBLE}(?:[@＠﹫]|=40|%40|&#(?:64|x40);|&commat;|\s?[(\[]\s?at\s?[)\]]\s?){_INVISIBLE}"
"""The @ sign, also in transfer encodings, URL encoding, HTML entities and the forms of mailing list archives."""

_SPELLED_ADDRESS = re.compile(
    rf"(?<![\w.+-])[\w.+-]{{1,64}} ?(?:{_AT}|@) ?(?!{BOARD_PLACE})[\w-]{{1,63}}(?:\.[\w-]{{2,63}})+"
    r"|\bat\W{1,3}[\w-]{1,63}\W{1,3}(?:dot|punkt)\W{1,3}\w",
    re.IGNORECASE,
)
"""An address as people write it, also in a sentence."""


def without_addresses(context: Context, words: str) -> str:
    """Return text without tokens, addresses of the two players, and addresses in lines that a program inserted.

    Any other address in a sentence that the player wrote is kept.
    """
    left_out = context.services.label(ADDRESS_LEFT_OUT)
    text = context.services.key.redact_tokens(words)
    if known := _known_addresses(context):
        text = re.sub(known, left_out, text, flags=re.IGNORECASE)
    return "".join(_without_programs_addresses(line, left_out) for line in text.splitlines(keepends=True))


def names_address(context: Context, words: str) -> bool:
    """Tell whether a text has a token, or an address in any spelling that a reader recognises."""
    if without_addresses(context, words) != words:
        return True
    return any(_SPELLED_ADDRESS.search(plain(line)) for line in words.splitlines())


def _without_programs_addresses(line: str, left_out: str) -> str:
    if "@" not in line:
        return line
    bare = _INSERTED_BY_PROGRAM.sub(left_out, line)
    stripped = bare.strip()
    if _HEADER.match(stripped) or stripped.endswith((":", "：")) or _ONLY_ADDRESS.fullmatch(stripped):
        return _ANY_ADDRESS.sub(left_out, bare)
    return bare


def _known_addresses(context: Context) -> str:
    """Return a pattern that matches every address of the sender and of both players of the game."""
    people = [] if context.player is None else [context.player]
    people += [] if context.game_number is None else context.game.players
    addresses = [context.author.address, *(address for player in people for address in player.addresses)]
    return "|".join(map(_address_pattern, dict.fromkeys(filter(None, addresses))))


def _address_pattern(address: str) -> str:
    """Return a pattern that matches one address, with or without `+detail`.

    It does not match the end of a longer address.
    """
    local, _, domain = map(re.escape, address.rpartition("@"))
    end = rf"{domain}(?!-*\w)"
    # Mailing lists write ada@example.org as bounce+ada=example.org@list.example.
    return rf"(?<!\w)(?:(?<!\w[.+-]){local}(?:\+[\w.+-]{{1,64}})?{_AT}{end}|{local}={end})"


_WORD = re.compile(r"[^\W\d_]{2}|\s")
_ONLY_SUGGESTS = (LineFault.MEANT, LineFault.LOOK_ALIKE)
"""Faults whose answers say nothing but the lines that may be meant."""
_REPEATS_TEXT = (LineFault.NEW_OPTION, LineFault.ZONE)
"""Faults whose answers repeat what was typed."""
_LEFT_OUT = "..."
"""What replaces a typed word in the answer to a fault."""


def is_stranger(player: Player | None) -> bool:
    """Tell whether takmail has never got a verified mail from this player, or the player is unknown."""
    return player is None or not player.has_written


def showable(
    services: CommandServices, understood: Understood, *, is_known: bool = False
) -> tuple[Order, ...]:
    """Return the commands that a question can show, in canonical form.

    The others contain freely chosen text or are too many, or a bid without the command that makes its game. `is_known`:
    the reader has written before, and may be shown the free text of commands that concern an account.
    """
    orders = (_shown(services, order, is_known=is_known) for order in understood.orders)
    shown = (order for order in orders if 0 < len(order.line) <= MAX_SHOWN_COMMAND_CHARS)
    return tuple(dropwhile(is_bid_beside, shown))[:MAX_SHOWN_COMMANDS]


def lines(orders: tuple[Order, ...]) -> str:
    """Return the commands as lines that can be parsed again."""
    return "\n".join(order.line for order in orders)


def without_free_text(services: CommandServices, understood: Understood) -> Understood:
    """Return the commands without any freely chosen text that an answer would repeat."""
    kept = (_without_free_text(services, order) for order in understood.orders)
    return of_orders(tuple(filter(None, kept))[:MAX_SHOWN_COMMANDS], understood.chat)


def repeats_no_text(reason: Reason) -> bool:
    """Tell whether the wording of a refusal repeats none of the typed words."""
    return all(_is_a_number(str(fact)) for fact in reason.facts.values())


def _shown(services: CommandServices, order: Order, *, is_known: bool = False) -> Order:
    """Return the order with the line that may be shown, '' if there is none."""
    line = order.whole_line(services.games) if is_known else order.canonical(services.games)
    return replace(order, line=line or "")


def _without_free_text(services: CommandServices, order: Order) -> Order | None:
    match order.arguments:
        case Unclear(fault, detail, offers, reason, is_turn):
            if reason is not None and not repeats_no_text(reason):
                return None
            lines = tuple(filter(None, (_suggested_line(services, line) for line in offers)))
            is_ours = fault not in _REPEATS_TEXT or _is_a_number(detail)
            kept = Unclear(fault, detail if is_ours else _LEFT_OUT, lines, reason, is_turn)
            return replace(order, line="", arguments=kept) if lines or fault not in _ONLY_SUGGESTS else None
    shown = _shown(services, order)
    return shown if 0 < len(shown.line) <= MAX_SHOWN_COMMAND_CHARS else None


def _suggested_line(services: CommandServices, line: str) -> str | None:
    """Return a suggested line in canonical form, None if it has none."""
    orders = understand(line, anywhere(services.games, services.commands)).orders
    return _shown(services, orders[0]).line or None if len(orders) == 1 else None


def _is_a_number(text: str) -> bool:
    return len(text) <= MAX_REPEATED_VALUE_CHARS and not _WORD.search(text)
