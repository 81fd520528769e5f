"""The bytes of one mail as they are handed over, bounded however long it is and however many come at once."""

from takmail.mail.limits import Limits

END = b".\r\n"
"""What a mail ends with, on a line of its own (RFC 5321 §4.1.1.4); with no other line ends it is part of the mail."""


class Room:
    """How many bytes all mails that are in hand may still take up together."""

    def __init__(self, free: int) -> None:
        self.free = free


class Incoming:
    """One mail on its way in; of one over the limit only its beginning is held.

    `size` is its length in bytes as it is sent; `is_cut` tells that it is over the limit, `is_crowded` that there
    was no room, and nothing is held.
    """

    def __init__(self, limits: Limits, room: Room) -> None:
        self.size = 0
        self.is_cut = False
        self.is_crowded = False
        self._held = bytearray()
        self._limits = limits
        self._room = room
        # The line before the mail, DATA, has ended so.
        self._tail = b"\r\n"

    def take(self, piece: bytes) -> bool:
        """Add a piece; True if the mail ends with it. A piece must reach no farther than the first END in it."""
        self.size += len(piece)
        self._tail = (self._tail + piece)[-len(END) - 2 :]
        self._hold(piece)
        if self._tail != b"\r\n" + END:
            return False
        self.size -= len(END)
        return True

    def content(self) -> bytes:
        """The mail, or its beginning, without the dots that were put before dots (RFC 5321 §4.5.2)."""
        sent = b"\r\n" + self._held[: self.size]
        return sent.replace(b"\r\n.", b"\r\n")[2:]

    def let_go(self) -> None:
        """Hold nothing any more."""
        self._cut(0)

    def _hold(self, piece: bytes) -> None:
        if self.is_crowded or self.is_cut:
            return
        if self.size > self._limits.mail_bytes + len(END):
            self.is_cut = True
            piece = piece[: max(0, self._limits.header_bytes - len(self._held))]
            self._cut(self._limits.header_bytes)
        if len(piece) > self._room.free:
            self.is_crowded = True
            self.let_go()
        else:
            self._room.free -= len(piece)
            self._held += piece

    def _cut(self, at_most: int) -> None:
        self._room.free += max(0, len(self._held) - at_most)
        del self._held[at_most:]
