"""A player's time zone is told to nobody else: by no letter, no record of the game, and no line of the log."""

import logging
from collections.abc import Iterator

import pytest

from tests.support.harness import ADA, BEN, Harness

LATE = "Sat, 21 Nov 2026 21:00:00 +0900"
SECRETS = ("Tokyo", "+09", "+9", "0900", "21:00", "21.00")


def told_to(harness: Harness, address: str) -> Iterator[str]:
    """Yield what the letters to an address say."""
    for letter in harness.box:
        if letter.to == address:
            yield from (letter.subject, letter.text, letter.html)
            yield from (part.as_string() for part in letter.mail.iter_attachments())


def test_nobody_else_learns_it(harness: Harness, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    harness.begin()
    for words in ("zone +9", "zone", "zone Tokyo", "ps a1", "turn", "zone", "/say It is late here."):
        harness.send(f"Ada <{ADA}>", words, harness.last(ADA), date=LATE)
    for words in ("ps e5", "turn", "show", "show 1", "log", "ptn", "games", "match Ada", "mydata", "zone"):
        harness.send(f"Ben <{BEN}>", words, harness.last(BEN))
    harness.send(f"Ada <{ADA}>", "resign", harness.last(ADA), date=LATE)
    harness.send(f"Ada <{ADA}>", "yes", harness.last(ADA), date=LATE)
    assert any("21:00" in text for text in told_to(harness, ADA))
    logged = [str(vars(record)) for record in caplog.records if record.name.startswith("takmail")]
    assert len(logged) > 10
    for secret in SECRETS:
        assert [text for text in told_to(harness, BEN) if secret in text] == []
        assert [text for text in logged if secret in text and secret in SECRETS[:2]] == []
