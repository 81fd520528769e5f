"""Define the section `[bots]` of config.toml."""

from typing import Literal, get_args

from pydantic import Field

from takmail.config.section import Section

Level = Literal[
    "patient",
    "playful",
    "easy",
    "dreamy",
    "gentle",
    "careful",
    "alert",
    "steady",
    "keen",
    "fair",
    "able",
    "skilled",
    "shrewd",
    "strong",
    "masterly",
    "best",
]
"""The name of a level."""
LEVELS: tuple[Level, ...] = get_args(Level)
"""All levels, the weakest first."""


class BotSettings(Section):
    """`[bots]`: opponents that takmail itself plays."""

    enabled: bool = Field(default=True, strict=True)
    levels: tuple[Level, ...] = LEVELS
    games: int = Field(default=5, ge=1, le=1_000, strict=True)
    at_once: int = Field(default=1, ge=1, le=64, strict=True)
