"""Normalize mail addresses for comparison, and parse address headers within bounds."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import islice

from takmail.limits.mails import (
    DEFAULT_LIMITS,
    MAX_ADDRESS_CHARS,
    MAX_DISPLAY_NAME_CHARS,
    MAX_HEADER_ADDRESSES,
    Excess,
    Limits,
    OverLimit,
)
from takmail.mail.headers import decode_words, one_line

BOARD_PLACE = r"[A-Za-z][0-9](?!\.?[\w\u0300-\u036f-])"
"""A place of a board, which stands behind an @ in turns such as `z@e4`. Hosts on the Internet have longer names."""
_ANY = re.compile(rf"([^\s@<>()\[\]\"':;,|]{{1,200}})@(?!{BOARD_PLACE})[^\s@<>()\[\]\"':;,|]{{1,255}}")
_LOCAL = re.compile(r"[\w.!#$%&'*+/=?^`{|}~\u0300-\u036f-]+")
_DOMAIN = re.compile(r"(?!-)[\w\u0300-\u036f-]+(?:\.[\w\u0300-\u036f-]+)*")


def normal_address(text: str) -> str:
    """Return the normal form in which an address is stored and compared; '' if `text` isn't exactly one address.

    A `mailto:` prefix, angle brackets and spaces around the address are removed. Letters become lower case. A domain
    keeps the form, Unicode or `xn--`, in which it was written. In every spelling `İ` becomes an `i` with a combining
    dot, and never a plain `i`. The function is idempotent. Quoted local parts and domain literals (RFC 5321 §4.1.2) are
    rejected.
    """
    bare = text.strip().removeprefix("<").removesuffix(">").strip()
    if bare[:7].lower() == "mailto:":
        bare = bare[7:].strip()
    if len(bare) > MAX_ADDRESS_CHARS:
        return ""
    # Normalization turns the Kelvin sign and similar characters into ASCII letters. An address with such a character
    # could pass for another person's address.
    if not bare.isascii() and any(
        not c.isascii() and unicodedata.normalize("NFC", c).isascii() for c in bare
    ):
        return ""
    lowered = unicodedata.normalize("NFC", unicodedata.normalize("NFC", bare).lower())
    local, at, domain = lowered.rpartition("@")
    # Mail programs decode an encoded word (RFC 2047), so an address with one would name another person.
    if not at or len(lowered) > MAX_ADDRESS_CHARS or "=?" in local:
        return ""
    return lowered if _LOCAL.fullmatch(local) and _DOMAIN.fullmatch(domain) else ""


def normal_domain(text: str) -> str:
    """Return the form in which domains are compared, with or without an @ before `text`; '' if it isn't exactly one.

    Labels beyond ASCII are as in the DNS (`xn--`, RFC 5891). A dot at the end, which means the same domain, is removed.
    """
    domain = text.strip().removeprefix("@").removesuffix(".")
    return _in_ascii(normal_address(f"x@{domain}").removeprefix("x@"))


def domains_of(address: str) -> Sequence[str]:
    """Return the domain of a normal address and the domains above it, the longest first; of many the last eight."""
    labels = _in_ascii(address.rpartition("@")[2]).split(".")
    return [".".join(labels[number:]) for number in range(len(labels))][-8:]


def _in_ascii(domain: str) -> str:
    # Python's codec "idna" is of IDNA 2003, for which ß is ss.
    labels = unicodedata.normalize("NFKC", domain).lower().split(".")
    return ".".join(one if one.isascii() else f"xn--{one.encode('punycode').decode()}" for one in labels)


def is_within(address: str, domain: str) -> bool:
    """Return whether an address is in a domain or in one of its subdomains. Both are in their normal form."""
    return domain in domains_of(address)


def mask_addresses(text: str) -> str:
    """Return the text with the domain of every address replaced, as in `ben@...`."""
    return _ANY.sub(r"\1@...", text)


def addresses_in(values: Iterable[str], limits: Limits = DEFAULT_LIMITS) -> tuple[str, ...]:
    """Return the distinct normal addresses in these address headers, in order; at most `MAX_HEADER_ADDRESSES`.

    Raises OverLimit for comments that are nested too deeply.
    """
    normal = filter(normal_address, people_in(values, limits))
    return tuple(islice(normal, MAX_HEADER_ADDRESSES))


def people_in(values: Iterable[str], limits: Limits = DEFAULT_LIMITS) -> tuple[str, ...]:
    """Return the people in these address headers, in order: their normal addresses, or what was written in their place.

    Raises OverLimit for comments that are nested too deeply.
    """
    entries = (entry for value in islice(values, MAX_HEADER_ADDRESSES) for entry in _entries(value, limits))
    found = ((normal_address(address), address) for _, address in entries)
    return tuple(dict.fromkeys(normal or written for normal, written in found if normal or "@" in written))


def single_sender(values: Iterable[str], limits: Limits = DEFAULT_LIMITS) -> tuple[str, str]:
    """Return the address and the display name in the From headers; ('', '') unless they name exactly one address.

    The name is one line of at most `MAX_DISPLAY_NAME_CHARS`. A name with an @ could pass for an address and is
    replaced by ''. Raises OverLimit for comments that are nested too deeply.
    """
    found: dict[str, str] = {}
    for value in values:
        for name, address in _entries(value, limits):
            # In "Doe, Ada <ada@example.org>" without quotes, "Doe" is a separate entry that is no address.
            if "@" in address or "@" in name:
                found.setdefault(normal_address(address), name)
    if len(found) != 1 or "" in found:
        return "", ""
    [(address, name)] = found.items()
    return address, _display_name(name)


def _display_name(raw: str) -> str:
    name = one_line(decode_words(raw)).strip("\"' ")
    if "@" in unicodedata.normalize("NFKC", name):
        return ""
    return name[:MAX_DISPLAY_NAME_CHARS].strip()


def _entries(value: str, limits: Limits) -> list[tuple[str, str]]:
    """Return the (display name, address) pairs of an address list (RFC 5322 §3.4), in one pass without recursion."""
    entries: list[tuple[str, str]] = []
    for words, angle, comment in _split(value, limits.address_nesting):
        if angle is not None:
            entries.append((words or comment, angle))
        elif words:
            entries.append((comment, words))
        if len(entries) >= MAX_HEADER_ADDRESSES:
            break
    return entries


def _split(value: str, deepest: int) -> list[tuple[str, str | None, str]]:
    """Return, for every entry of an address list, the text outside brackets, in angle brackets and in comments."""
    entries: list[tuple[str, str | None, str]] = []
    words: list[str] = []
    angle: list[str] | None = None
    comment: list[str] = []
    quoted = inside = escaped = False
    depth = 0
    for c in value + ",":
        target = comment if depth else angle if inside and angle is not None else words
        if escaped:
            target.append(c)
            escaped = False
        elif c == "\\" and (quoted or depth):
            escaped = True
        elif c == '"' and not depth:
            quoted = not quoted
        elif quoted:
            target.append(c)
        elif c == "(":
            depth += 1
            if depth > deepest:
                raise OverLimit(Excess.NESTING)
        elif c == ")" and depth:
            depth -= 1
        elif depth:
            comment.append(c)
        elif c == "<":
            # An entry with two pairs of brackets is no valid address. The "<" that is added between them makes
            # `normal_address` reject the entry.
            angle = [] if angle is None else angle
            angle += ["<"] if angle else []
            inside = True
        elif c == ">":
            inside = False
        elif inside:
            target.append(c)
        elif c in ",;":
            entries.append(_entry(words, angle, comment))
            words, angle, comment = [], None, []
        elif c == ":" and "".join(words).strip().lower() != "mailto":
            words = []
        else:
            target.append(c)
    if quoted or depth or inside:
        entries.append(_entry(words, angle, comment))
    return entries


def _entry(words: list[str], angle: list[str] | None, comment: list[str]) -> tuple[str, str | None, str]:
    return "".join(words).strip(), None if angle is None else "".join(angle), "".join(comment).strip()
