"""Recognise a mail that is only a reaction to a letter, such as a thumb."""

import json
import re
from collections.abc import Sequence

from takmail.limits.mails import MAX_ENCODING_FACTOR
from takmail.mail.mime import Part

_GMAIL = "text/vnd.google.email-reaction+json"
_MAX_JSON_BYTES = 1_000
MAX_REACTION_BYTES = MAX_ENCODING_FACTOR * _MAX_JSON_BYTES
"""The maximum number of encoded bytes that are read of a reaction."""
_MAX_REACTION_CHARS = 8
"""The maximum number of characters of a reaction that are shown. A family is one emoji of seven."""
_MAX_TEXT_CHARS = 10_000
"""The maximum number of characters of a text that may be a reaction. Apple's quotes a letter."""

# Symbols without arrows, and without the lines and squares from which people draw boards.
_SYMBOLS = r"\u203c\u2049\u231a-\u23ff\u2600-\u27bf\u2b50\u2b55\U0001f000-\U0001faff"
_EMOJI = re.compile(rf"[{_SYMBOLS}][{_SYMBOLS}\u200d\ufe0e\ufe0f\U000e0020-\U000e007f\s]*")
_OUTLOOK = re.compile(r"\[(?P<word>[^\W\d_]{1,20})\] [^\n]{1,200} reacted to your message:?[ ]*(?:\n|$)")
_APPLE = re.compile(
    r"(?:(?P<word>liked|loved|disliked|laughed at|emphasi[sz]ed|questioned)|reacted (?P<emoji>\S{1,20}) to"
    r"|removed an? [^\n“\"«]{1,40} from) (?:“[^”]*”|\"[^\"]*\"|«[^»]*»)",
    re.IGNORECASE,
)
_EMOJI_OF_WORD = {
    "like": "👍",
    "heart": "❤️",
    "celebrate": "🎉",
    "laugh": "😆",
    "surprised": "😮",
    "sad": "😢",
    "liked": "👍",
    "loved": "❤️",
    "disliked": "👎",
    "laughed at": "😆",
    "emphasized": "‼️",
    "emphasised": "‼️",
    "questioned": "❓",
}


def is_reaction(part: Part) -> bool:
    """Return whether a part is Gmail's reaction."""
    return part.kind == _GMAIL


def reaction_part(parts: Sequence[Part]) -> str | None:
    """Return the emoji of Gmail's reaction among the parts of a mail, '' if it has no emoji, None if there is none."""
    part = next(filter(is_reaction, parts), None)
    if part is None:
        return None
    try:
        found = json.loads(part.payload(_MAX_JSON_BYTES))
    except (ValueError, RecursionError):
        return ""
    return _emoji(str(found.get("emoji", ""))) if isinstance(found, dict) else ""


def reaction_in(typed: str, text: str) -> str | None:
    """Return the emoji of a reaction that is a whole mail, '' if it takes one back, None if it is none.

    `typed` is the typed part of the mail's `text`.
    """
    if emoji := _emoji(typed.strip()):
        return emoji
    text = text[:_MAX_TEXT_CHARS].strip()
    found = _OUTLOOK.match(text) or _APPLE.fullmatch(text) or _APPLE.fullmatch(typed.strip())
    if found is None:
        return None
    named = found.groupdict()
    return _emoji(named.get("emoji") or "") or _EMOJI_OF_WORD.get((named["word"] or "").lower(), "")


def _emoji(text: str) -> str:
    """Return the first emoji of a text that is nothing but emoji, otherwise ''."""
    return text[:_MAX_REACTION_CHARS].strip() if _EMOJI.fullmatch(text) else ""
