"""Format lines of lists of mails or letters, for people and for programs."""

import json
from datetime import UTC, datetime

MOST_REASON = 70
"""The maximum number of characters of a reason in a list."""
MOST_ADDRESS = 40
"""The maximum number of characters of an address in a list."""


def clipped(text: str, most: int) -> str:
    """Shorten a text to at most `most` characters. A shortened text ends with an ellipsis."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def as_json(facts: dict[str, object]) -> str:
    """Return one line of JSON, with times in UTC. All characters that are not ASCII are escaped."""
    encoded = {
        name: one.astimezone(UTC).isoformat() if isinstance(one, datetime) else one
        for name, one in facts.items()
    }
    return json.dumps(encoded).replace("\x7f", "\\u007f")
