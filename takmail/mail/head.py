"""The headers of a letter, folded as RFC 5322 wants it, and in encoded words where ASCII won't do.

The library reads each header first and then puts it together again, which for the plain ones of a letter took three
times as long as all the rest of it. So these are written as they are, and only what is hard is left to the library.
"""

from collections.abc import Iterable
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import EmailPolicy
from functools import lru_cache

_LINE = 78
"""Characters that a line should have at the most (RFC 5322 §2.1.1)."""

_KEPT = 1_000
"""How many texts that were hard to write are kept as they were written, the last ones asked for."""

Field = tuple[str, str | Address]


def head(fields: Iterable[Field], policy: "EmailPolicy[EmailMessage]") -> bytes:
    """The lines of these headers; raises ValueError where one holds a line break."""
    return b"".join(_written(name, value, policy) for name, value in fields)


def _written(name: str, value: str | Address, policy: "EmailPolicy[EmailMessage]") -> bytes:
    text = str(value)
    words = text.split(" ")
    # An empty word is two blanks in a row, one beginning `=?` might be read as an encoded one.
    is_plain = text.isascii() and text.isprintable() and all(words) and "=?" not in text
    if is_plain and len(name) + 2 + len(text) <= _LINE:
        return f"{name}: {text}\r\n".encode("ascii")
    fits = len(name) + 2 + len(words[0]) <= _LINE and max(map(len, words)) < _LINE
    if not is_plain or not fits:
        return _folded(name, value, policy) if isinstance(value, Address) else _kept(name, value, policy)
    lines = [f"{name}: {words[0]}"]
    for word in words[1:]:
        if len(lines[-1]) + 1 + len(word) <= _LINE:
            lines[-1] += f" {word}"
        else:
            lines.append(f" {word}")
    return "".join(f"{line}\r\n" for line in lines).encode("ascii")


def _folded(name: str, value: str | Address, policy: "EmailPolicy[EmailMessage]") -> bytes:
    return policy.fold_binary(name, policy.header_store_parse(name, value)[1])


_kept = lru_cache(_KEPT)(_folded)
"""As `_folded`, for a text: all letters of a game have the same Subject, with a dash that isn't ASCII."""
