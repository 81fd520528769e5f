"""Find addresses and links, also those that are spelled so that people can read them."""

import re

from takmail.commands.grammar.normalize import plain

_SPELLED = (
    r"://|@|\b(?:www|https?|mailto)\b|\bat\W+[\w-]+\W+(?:dot|punkt)\b"
    r"|[.。]\s*(?:com|org|net|info|biz|online|xyz)\b"
    r"|\b(?:dot|punkt|point)\W+(?:com|org|net|info|biz|online|xyz|app|shop|site|club|top|link|[a-z]{2})\b"
)
_IN_NAME = re.compile(rf"{_SPELLED}|\w[.。]\w{{2,}}|\d[.。]\d|\s[.。]\w{{2}}", re.IGNORECASE)
"""Initials such as J.R. do not match."""
_IN_TEXT = re.compile(
    rf"{_SPELLED}|(?:\w\.|\s\.\s?)[^\W\d_]{{2,}}|[a-z0-9]。[a-z]{{2,}}|(?:\d+\.){{3}}\d|(?:\d[ /.-]*){{7}}",
    re.IGNORECASE,
)
"""It also finds a number to call. Chinese sentences do not match."""
_MOMENT = re.compile(
    r"(?<![\d.])(?:\d\d?([./-])\d\d?\1(?:19|20)\d\d|(?:19|20)\d\d([./-])\d\d?\2\d\d?|[012]?\d[.:][0-5]\d)(?!\.?\d)"
)
"""A date or a time, whose digits are no number to call."""
_BRACKETS = re.compile(r"[][(){}<>]")
"""What could be written around a dot, so that it looks like none."""


def has_link(name: str) -> bool:
    """Tell whether a name in plain form holds what a mail program or a reader would take for an address or a link."""
    return _IN_NAME.search(_BRACKETS.sub("", name)) is not None


def leads_away(words: str) -> bool:
    """Tell whether a text holds an address, a link or a number to call."""
    bare = (_BRACKETS.sub("", plain(line)) for line in words.splitlines())
    return any(_IN_TEXT.search(_MOMENT.sub(" ", line)) for line in bare)
