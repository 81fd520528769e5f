"""What stands on a line of a list of mails or letters, for people and for programs."""

import json
from datetime import UTC, datetime

MOST_REASON = 70
"""Characters of a reason in a list."""
MOST_ADDRESS = 40
"""Characters of an address in a list."""


def clipped(text: str, most: int) -> str:
    """The text, or its beginning and an ellipsis, `most` characters together."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def as_json(facts: dict[str, object]) -> str:
    """One line for a program, times in UTC; beyond ASCII everything is escaped."""
    told = {
        name: one.astimezone(UTC).isoformat() if isinstance(one, datetime) else one
        for name, one in facts.items()
    }
    return json.dumps(told).replace("\x7f", "\\u007f")
