"""Answers of mail servers that mean a limit on the sender, and similar ones that don't."""

import tomllib
from pathlib import Path

_TEXTS = tomllib.loads((Path(__file__).parents[1] / "data" / "limit_texts.toml").read_text())
LIMITS: dict[str, str] = _TEXTS["limit"]
"""Answers that mean a limit on the sender, by who says so."""
NO_LIMITS: dict[str, str] = _TEXTS["other"]
"""Answers that say nothing about how much the sender may send, by what they are about."""
