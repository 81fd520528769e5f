"""Bytes to text, whatever charset they claim to be in."""

import codecs
import re

# These are codecs of Python's, but not charsets of mail: they run code points through an escape or a look-up.
_NO_CHARSETS = frozenset({"idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape"})
_CODEC_NAMES = {codec.replace("_", "-") for codec in _NO_CHARSETS} | _NO_CHARSETS
# Programs say the name of a standard and mean the superset of it that they use (WHATWG Encoding, 4.2).
_SUPERSETS = {
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
}
# `-i` and `-e` tell in which order the letters of a line stand, `x-` that a name was never registered.
_BARE_NAME = re.compile(r"(?:x-)?(.+?)(?:(?<=8859-[68])-[ie])?")
_OTHER_NAMES = {"windows-874": "cp874", "sjis": "cp932", "windows-949": "cp949"}
# UTF-7 can spell half a character, which no UTF-8 can hold: not a database, not a letter.
_HALVES = re.compile("[\ud800-\udfff]")
# A letter of more bytes than one, near enough.
_UTF_8 = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_MOST_LOST = 0.1
_BYTES_OF_WINDOWS = "takmail.bytes-of-windows"


def decoded(data: bytes, charset: str) -> str:
    """The text of `data`: in the declared charset if that works, else in UTF-8, else in what comes closest.

    That is the declared charset with a few characters lost, or UTF-8 with single bytes in Windows-1252. An unfinished
    character at the end is left out, as it only shows that the mail was cut off; half a character (a lone
    surrogate) becomes U+FFFD. Never raises.
    """
    name = charset.strip().strip("\"'").lower()
    ways = [(name, "strict"), (name, "replace"), ("utf-8", "strict")]
    # Bytes that are UTF-8 by chance alone are rare, except for those of charsets that use ASCII's only.
    for one, errors in ways if data.isascii() else [ways[0], ways[2], ways[1]]:
        try:
            text = _HALVES.sub("\ufffd", _read(data, one, errors))
        except (LookupError, UnicodeError, ValueError, OverflowError):
            continue
        if errors == "strict" or text.count("\ufffd") <= _MOST_LOST * len(text):
            return text
    if _UTF_8.search(data) is None:
        return data.decode("cp1252", "replace")
    return data.decode("utf-8", _BYTES_OF_WINDOWS)


def _read(data: bytes, name: str, errors: str) -> str:
    codec = codecs.lookup(_codec_name(name))
    # A codec such as rot13 or zip is known by this mark alone.
    if codec.name in _CODEC_NAMES or not getattr(codec, "_is_text_encoding", True):
        raise LookupError(name)
    codec = codecs.lookup(_SUPERSETS.get(codec.name, codec.name))
    # Whoever says ASCII or UTF-8 and errs has bytes of another charset: those are read, not lost.
    if codec.incrementaldecoder is None or (
        errors == "replace" and codec.name in ("ascii", "utf-8", "cp1252")
    ):
        raise LookupError(name)
    return codec.incrementaldecoder(errors).decode(data, False).removeprefix("\ufeff")


def _codec_name(charset: str) -> str:
    bare = _BARE_NAME.fullmatch(charset)
    name = bare[1] if bare else charset
    return _OTHER_NAMES.get(name, name)


def _bytes_of_windows(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return error.object[error.start : error.end].decode("cp1252", "replace"), error.end


codecs.register_error(_BYTES_OF_WINDOWS, _bytes_of_windows)
