"""Bytes to text, whatever charset they claim to be in."""

import codecs
import re

# These are codecs of Python's, but not charsets of mail: they run code points through an escape or a look-up.
_NO_CHARSETS = frozenset({"idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape"})
_CODEC_NAMES = {codec.replace("_", "-") for codec in _NO_CHARSETS} | _NO_CHARSETS
# Windows programs say Latin-1 or ASCII and mean their own superset of it (WHATWG Encoding, 4.2).
_SUPERSETS = {"iso8859-1": "cp1252"}
# UTF-7 can spell half a character, which no UTF-8 can hold: not a database, not a letter.
_HALVES = re.compile("[\ud800-\udfff]")


def decoded(data: bytes, charset: str) -> str:
    """The text of `data`: in the declared charset if that works, else in UTF-8, else in Windows-1252.

    An unfinished character at the end is left out, as it only shows that the mail was cut off; half a
    character (a lone surrogate) becomes U+FFFD. Never raises.
    """
    for name in (charset.strip().strip("\"'").lower(), "utf-8"):
        try:
            return _HALVES.sub("\ufffd", _strictly(data, name))
        except (LookupError, UnicodeError, ValueError, OverflowError):
            continue
    return data.decode("cp1252", "replace")


def _strictly(data: bytes, name: str) -> str:
    codec = codecs.lookup(name)
    # A codec such as rot13 or zip is known by this mark alone.
    if codec.name in _CODEC_NAMES or not getattr(codec, "_is_text_encoding", True):
        raise LookupError(name)
    codec = codecs.lookup(_SUPERSETS.get(codec.name, codec.name))
    if codec.incrementaldecoder is None:
        raise LookupError(name)
    return codec.incrementaldecoder("strict").decode(data, False).removeprefix("\ufeff")
