"""Access to the mails of tests/data/mail and their expected outcomes."""

import tomllib
from functools import cache
from pathlib import Path

from takmail.mail.message import Mail
from takmail.mail.reader import read
from tests.support.players import TAK

MAILS = Path(__file__).parents[1] / "data" / "mail"
NAMES = sorted(path.stem for path in MAILS.glob("*.eml"))


@cache
def raw(name: str) -> bytes:
    """Return the raw bytes of a mail."""
    return (MAILS / f"{name}.eml").read_bytes()


@cache
def envelope(name: str) -> Mail:
    """Return a mail as takmail parses it."""
    return read(raw(name), frozenset({TAK}))


@cache
def outcome(name: str) -> dict[str, object]:
    """Return the expected outcome of a mail; see tests/mail/test_corpus.py."""
    path = MAILS / f"{name}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
