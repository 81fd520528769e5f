"""Decode bytes to text, whatever charset they declare."""

import codecs
import re

# These Python codecs are no charsets of mail. They transform code points by an escape or a table.
_NO_CHARSETS = frozenset({"idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape"})
_CODEC_NAMES = {codec.replace("_", "-") for codec in _NO_CHARSETS} | _NO_CHARSETS
# Programs name a standard but use a superset of it (WHATWG Encoding, 4.2).
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
# The suffixes `-i` and `-e` give the order of the letters of a line. The prefix `x-` marks an unregistered name.
_BARE_NAME = re.compile(r"(?:x-)?(.+?)(?:(?<=8859-[68])-[ie])?")
_OTHER_NAMES = {"windows-874": "cp874", "sjis": "cp932", "windows-949": "cp949"}
# UTF-7 can encode a lone surrogate. UTF-8 can't, so neither a database nor a letter can contain one.
_LONE_SURROGATES = re.compile("[\ud800-\udfff]")
# A multi-byte character of UTF-8, approximately.
_UTF_8 = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_MAX_LOST_SHARE = 0.1  # the maximum share of characters that a charset may fail to decode
_WINDOWS_1252_ERRORS = "takmail.bytes-of-windows"


def decoded(data: bytes, charset: str) -> str:
    """Return the text of `data`: in the declared charset if valid, otherwise in UTF-8, otherwise in the closest match.

    The closest match is the declared charset with a few characters lost, or UTF-8 with single bytes read as
    Windows-1252. An incomplete character at the end is dropped, because it only shows that the mail was truncated. A
    lone surrogate becomes U+FFFD. Never raises.
    """
    name = charset.strip().strip("\"'").lower()
    ways = [(name, "strict"), (name, "replace"), ("utf-8", "strict")]
    # Bytes are rarely valid UTF-8 by chance. Charsets that use only ASCII bytes are the exception.
    for one, errors in ways if data.isascii() else [ways[0], ways[2], ways[1]]:
        try:
            text = _LONE_SURROGATES.sub("\ufffd", _read(data, one, errors))
        except (LookupError, UnicodeError, ValueError, OverflowError):
            continue
        if errors == "strict" or text.count("\ufffd") <= _MAX_LOST_SHARE * len(text):
            return text
    if _UTF_8.search(data) is None:
        return data.decode("cp1252", "replace")
    return data.decode("utf-8", _WINDOWS_1252_ERRORS)


def _read(data: bytes, name: str, errors: str) -> str:
    codec = codecs.lookup(_codec_name(name))
    # Only this private attribute of CPython identifies codecs such as rot13 or zip.
    if codec.name in _CODEC_NAMES or not getattr(codec, "_is_text_encoding", True):
        raise LookupError(name)
    codec = codecs.lookup(_SUPERSETS.get(codec.name, codec.name))
    # A mail that declares one of these charsets but has invalid bytes uses another charset. Replacing those bytes would
    # lose them.
    if codec.incrementaldecoder is None or (
        errors == "replace" and codec.name in ("ascii", "utf-8", "cp1252")
    ):
        raise LookupError(name)
    return codec.incrementaldecoder(errors).decode(data, False).removeprefix("\ufeff")


def _codec_name(charset: str) -> str:
    bare = _BARE_NAME.fullmatch(charset)
    name = bare[1] if bare else charset
    return _OTHER_NAMES.get(name, name)


def _windows_1252_error_handler(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return error.object[error.start : error.end].decode("cp1252", "replace"), error.end


codecs.register_error(_WINDOWS_1252_ERRORS, _windows_1252_error_handler)
