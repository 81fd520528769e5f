"""Serialize the headers of a letter: fold them (RFC 5322), and write non-ASCII text as encoded words.

The standard library parses each header before serializing it. For the plain headers of a letter this took three times
as long as all other steps. For that reason plain headers are written directly, and only the other headers use the
library.

Text that looks like an encoded word is always encoded. The library would decode it and write the result unchanged, line
ends included.
"""

from collections.abc import Iterable, Sequence
from email.header import Header, decode_header, make_header
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import EmailPolicy
from functools import lru_cache

from takmail.mail.message_ids import IN_THREAD

_MAX_LINE_CHARS = 78
"""The recommended maximum length of a line, in characters (RFC 5322 §2.1.1)."""

_ENCODED_WORD_START = "=?"
"""The start of an encoded word (RFC 2047 §2)."""

_CACHE_SIZE = 1_000
"""The maximum number of folded non-ASCII texts in the cache, which drops the least recently used text."""

Field = tuple[str, str | Address | tuple[str, ...]]
"""A header: its name, and its text, address or Message-IDs."""


def serialize_headers(fields: Iterable[Field], policy: "EmailPolicy[EmailMessage]") -> bytes:
    """Return the lines of these headers.

    Raises ValueError if a value would make more than one header, or is no valid Message-ID.
    """
    return b"".join(_written(name, value, policy) for name, value in fields)


def _one_header(written: bytes) -> bytes:
    """Return a serialized header unchanged. Raises ValueError if it isn't exactly one header."""
    first, *more = written.removesuffix(b"\r\n").split(b"\r\n")
    if any(b"\r" in line or b"\n" in line for line in (first, *more)):
        raise ValueError("a header contains a carriage return or a linefeed")
    if not all(line.startswith((b" ", b"\t")) for line in more):
        raise ValueError("a header contains another header")
    return written


def _written(name: str, value: str | Address | tuple[str, ...], policy: "EmailPolicy[EmailMessage]") -> bytes:
    if not name.isprintable():
        raise ValueError(
            "the name of a header contains a carriage return, a linefeed or another control character"
        )
    if isinstance(value, tuple):
        return _thread(name, value)
    text = str(value)
    if "\r" in text or "\n" in text:
        raise ValueError("the text for a header contains a carriage return or a linefeed")
    if text.isascii() and text.isprintable() and _ENCODED_WORD_START not in text:
        is_short = len(name) + 2 + len(text) <= _MAX_LINE_CHARS
        words = text.split(" ")
        # Two consecutive spaces make an empty word.
        if "" not in words and (is_short or _fits(name, words)):
            return f"{name}: {text}\r\n".encode("ascii") if is_short else _lines(name, words)
    if isinstance(value, Address):
        return _address_folded_cached(name, value.display_name, value.username, value.domain, policy)
    return _folded_cached(name, value, policy)


def _fits(name: str, words: Sequence[str]) -> bool:
    """Return whether no line has to be broken within a word."""
    return len(name) + 2 + len(words[0]) <= _MAX_LINE_CHARS and max(map(len, words)) < _MAX_LINE_CHARS


def _lines(name: str, words: Sequence[str]) -> bytes:
    """Fold the words into lines. A first word that is too long for any line stays on the line of the name."""
    lines = [f"{name}:"]
    for number, word in enumerate(words):
        if len(lines[-1]) + 1 + len(word) <= _MAX_LINE_CHARS or (
            number == 0 and len(word) >= _MAX_LINE_CHARS
        ):
            lines[-1] += f" {word}"
        else:
            lines.append(f" {word}")
    return "".join(f"{line}\r\n" for line in lines).encode("ascii")


def _thread(name: str, ids: tuple[str, ...]) -> bytes:
    """Return a header of Message-IDs. They are never encoded, and no program decodes them (RFC 2047 §5)."""
    if not all(map(IN_THREAD.fullmatch, ids)):
        raise ValueError(f"the header {name} contains an invalid Message-ID")
    return _lines(name, ids)


def _folded(name: str, value: str | Address, policy: "EmailPolicy[EmailMessage]") -> bytes:
    if _ENCODED_WORD_START in str(value):
        return _one_header(_fully_encoded(name, value, policy))
    written = _one_header(policy.fold_binary(name, policy.header_store_parse(name, value)[1]))
    # Where the library begins a new line, it loses a space between two encoded words, and the quotes around a name.
    is_faithful = _names(written, value) if isinstance(value, Address) else _decoded(written) == value
    return written if is_faithful else _one_header(_fully_encoded(name, value, policy))


def _names(written: bytes, address: Address) -> bool:
    """Return whether a serialized header names this address and nothing else. The library is right on one line."""
    if written.count(b"\r\n") == 1:
        return True
    header = EmailPolicy().header_factory("To", _unfolded(written).strip(" "))
    return bool(header.addresses == (address,))


def _decoded(written: bytes) -> str | None:
    """Return the text of a serialized header, as a mail program shows it. None if it is only partly encoded."""
    try:
        return str(make_header(decode_header(_unfolded(written))))
    except UnicodeDecodeError:
        return None


def _unfolded(written: bytes) -> str:
    text = written.decode("utf-8", "replace").partition(":")[2]
    return text.removesuffix("\r\n").replace("\r\n", "").removeprefix(" ")


def _fully_encoded(name: str, value: str | Address, policy: "EmailPolicy[EmailMessage]") -> bytes:
    """Return a header whose text looks like an encoded word, with all of the text encoded."""
    if not isinstance(value, Address):
        return f"{name}: {_in_words(name, value)}\r\n".encode("ascii")
    if _ENCODED_WORD_START in value.addr_spec:
        raise ValueError("an address looks like an encoded word")
    line = f"{name}: {_in_words(name, value.display_name)}\r\n <{value.addr_spec}>\r\n"
    return line.encode("utf-8" if policy.utf8 else "ascii")


def _in_words(name: str, text: str) -> str:
    return Header(text, "utf-8", _MAX_LINE_CHARS, name).encode(linesep="\r\n")


_folded_cached = lru_cache(_CACHE_SIZE)(_folded)
"""`_folded` with a cache, for texts: all letters of a game have the same Subject, which has a non-ASCII dash."""


@lru_cache(_CACHE_SIZE)
def _address_folded_cached(
    name: str, display_name: str, username: str, domain: str, policy: "EmailPolicy[EmailMessage]"
) -> bytes:
    """Serialize an address, with a cache, as the name of the sender has a non-ASCII dash in most letters."""
    return _folded(name, Address(display_name, username, domain), policy)
