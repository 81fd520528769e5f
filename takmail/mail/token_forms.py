"""Write tokens, and read what stands in them. `tokens` says what they prove."""

import base64
import hmac
import re
from functools import lru_cache

from takmail.games.interface import Seat

_TOKEN_LETTERS = 16
"""The number of base32 characters in a token, which encode 80 bits."""
_TOKEN_BYTES = _TOKEN_LETTERS * 5 // 8
_MAX_CACHED = 1_000
"""The maximum number of signatures in the cache: a mail and its letters need a few of them, and each several times."""


@lru_cache(_MAX_CACHED)
def seat_token(key: bytes, game: int, seat: Seat, number: int) -> str:
    """Return the token of a seat: its head, and an HMAC-SHA-256 of game, seat and number."""
    head = head_of(game, number)
    return f"{head}.{_signature(key, f'seat {head} {int(seat)}')}"


@lru_cache(_MAX_CACHED)
def personal_token(key: bytes, purpose: str, address: str, number: int) -> str:
    """Return the token that proves something of the owner of an address."""
    head = head_of(purpose, number)
    return f"{head}.{_signature(key, f'{head} {address}')}"


def head_of(named: int | str, number: int) -> str:
    """Return the part of a token before its dot. `named` is the game, or the purpose of a personal token."""
    return f"{named}n{number}" if number else f"{named}"


def number_in(token: str) -> int:
    """Return the number that stands in a token or at the start of a Message-ID."""
    return int(token.partition(".")[0].lower().partition("n")[2] or 0)


def game_in(head: str) -> int:
    """Return the game that the part of a token before its dot names."""
    return int(head.lower().partition("n")[0])


def _signature(key: bytes, what: str) -> str:
    digest = hmac.digest(key, what.encode(), "sha256")
    return base64.b32encode(digest[:_TOKEN_BYTES]).decode().lower()


def token_in(found: re.Match[str] | None) -> str:
    """Return a personal token in lower case, because relays may have changed the case; '' for no match."""
    return "" if found is None else f"{found[1]}.{found[2]}".lower()
