"""Define the numbers and names that identify stored values."""

from typing import NewType

PlayerId = NewType("PlayerId", int)
GameNumber = NewType("GameNumber", int)
SeekNumber = NewType("SeekNumber", int)
PendingId = NewType("PendingId", int)
MessageId = NewType("MessageId", str)
"""A Message-ID in lower case, with its angle brackets."""
