"""The headers of a letter, folded as RFC 5322 wants it, and in encoded words where ASCII won't do.

The library reads each header first and then puts it together again, which for the plain ones of a letter took three
times as long as all the rest of it. So these are written as they are, and only what is hard is left to the library.

What looks like an encoded word never is: the library would decode it, and write what it says as it stands, line ends
and all.
"""

from collections.abc import Iterable, Sequence
from email.header import Header
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import EmailPolicy
from functools import lru_cache

from takmail.mail.message_ids import IN_THREAD

_LINE = 78
"""Characters that a line should have at the most (RFC 5322 §2.1.1)."""

_CODED = "=?"
"""What an encoded word begins with (RFC 2047 §2)."""

_KEPT = 1_000
"""How many texts that were hard to write are kept as they were written, the last ones asked for."""

Field = tuple[str, str | Address | tuple[str, ...]]
"""A name and its text, address or Message-IDs."""


def head(fields: Iterable[Field], policy: "EmailPolicy[EmailMessage]") -> bytes:
    """The lines of these headers; raises ValueError where one would be more than a single header, or an id is none."""
    return b"".join(_one_header(_written(name, value, policy)) for name, value in fields)


def _one_header(written: bytes) -> bytes:
    """A header as it was written; raises ValueError where that is more than one, or none at all."""
    first, *more = written.removesuffix(b"\r\n").split(b"\r\n")
    if any(b"\r" in line or b"\n" in line for line in (first, *more)):
        raise ValueError("a header with a carriage return or a linefeed in it")
    if not all(line.startswith((b" ", b"\t")) for line in more):
        raise ValueError("a header that brings another one")
    return written


def _written(name: str, value: str | Address | tuple[str, ...], policy: "EmailPolicy[EmailMessage]") -> bytes:
    if isinstance(value, tuple):
        return _thread(name, value)
    text = str(value)
    if "\r" in text or "\n" in text:
        raise ValueError("a text for a header with a carriage return or a linefeed in it")
    words = text.split(" ")
    # An empty word is two blanks in a row.
    is_plain = text.isascii() and text.isprintable() and all(words) and _CODED not in text
    fits = len(name) + 2 + len(words[0]) <= _LINE and max(map(len, words)) < _LINE
    if is_plain and (fits or len(name) + 2 + len(text) <= _LINE):
        return _lines(name, words)
    return _folded(name, value, policy) if isinstance(value, Address) else _kept(name, value, policy)


def _lines(name: str, words: Sequence[str]) -> bytes:
    """These words, with a new line before each that doesn't fit; a longest one stays beside the name."""
    lines = [f"{name}:"]
    for number, word in enumerate(words):
        if len(lines[-1]) + 1 + len(word) <= _LINE or (number == 0 and len(word) >= _LINE):
            lines[-1] += f" {word}"
        else:
            lines.append(f" {word}")
    return "".join(f"{line}\r\n" for line in lines).encode("ascii")


def _thread(name: str, ids: tuple[str, ...]) -> bytes:
    """Message-IDs, which stand as they are: no program would decode them (RFC 2047 §5)."""
    if not all(map(IN_THREAD.fullmatch, ids)):
        raise ValueError(f"what is no Message-ID in the {name}")
    return _lines(name, ids)


def _folded(name: str, value: str | Address, policy: "EmailPolicy[EmailMessage]") -> bytes:
    if _CODED in str(value):
        return _coded(name, value, policy)
    return policy.fold_binary(name, policy.header_store_parse(name, value)[1])


def _coded(name: str, value: str | Address, policy: "EmailPolicy[EmailMessage]") -> bytes:
    """A text that looks as if it were encoded: all of it encoded, so that it reads as it is."""
    if not isinstance(value, Address):
        return f"{name}: {_in_words(name, value)}\r\n".encode("ascii")
    if _CODED in value.addr_spec:
        raise ValueError("an address that would be decoded")
    line = f"{name}: {_in_words(name, value.display_name)}\r\n <{value.addr_spec}>\r\n"
    return line.encode("utf-8" if policy.utf8 else "ascii")


def _in_words(name: str, text: str) -> str:
    return Header(text, "utf-8", _LINE, name).encode(linesep="\r\n")


_kept = lru_cache(_KEPT)(_folded)
"""As `_folded`, for a text: all letters of a game have the same Subject, with a dash that isn't ASCII."""
