"""Define the data about one player as the store loads it for `mydata`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Row = Mapping[str, object]
"""A row as `mydata` shows it: names and values, in order. Bytes are the beginning of a mail or letter, or empty."""
POSTS = ("mails", "letters")
"""The kinds of data that the player also has as mails."""


@dataclass(frozen=True, slots=True)
class Newest:
    """The newest rows of one kind, in ascending order. `older` is the number of rows before them."""

    rows: Sequence[Row]
    older: int


PersonalData = Mapping[str, Newest]
"""The stored data about a player by kind, in order. Events of the current cause are not included.

`takmail.store.personal_data` describes the kinds.
"""
