"""Take the addresses that mail programs put into a player's words out of them, before the other player reads these."""

import re

from takmail.commands.context import Context

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


def discreet(context: Context, words: str) -> str:
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
