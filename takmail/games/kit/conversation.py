"""A conversation with an external engine as bytes, without a process: what to send, and what came back."""

from collections import deque
from textwrap import shorten

from takmail.games.thinking import Ask, Choice, EngineFault, Talk

MAX_BYTES = 4 * 1024 * 1024
"""The most that an engine may print before it answers, in bytes. It limits lines, their number, and errors."""

_MAX_SHOWN_CHARS = 80
_MAX_ERROR_CHARS = 240
"""How much of its error output is shown from the beginning, and as much from the end."""
_MAX_ERROR_BYTES = 4_096
"""How much of its beginning and of its end is looked through for that."""


class Conversation:
    """A `Talk` in progress. `choice` is its result, None until it has ended.

    `asked` is the current question. It is another object for each question.
    """

    def __init__(self, talk: Talk) -> None:
        self.choice: Choice | None = None
        self._talk = talk
        self._begun_line = b""
        self._errors = bytearray()
        self._ask(next(talk))

    def take_output(self, output: bytes) -> bool:
        """Take what the engine has printed, and return whether more can follow. Raises EngineFault."""
        self._count(output)
        *lines, self._begun_line = (self._begun_line + output).split(b"\n")
        waiting = deque(lines)
        while waiting and self.choice is None:
            try:
                self._ask(self._talk.send(waiting.popleft().decode(errors="replace").strip()))
            except StopIteration as end:
                self.choice = end.value
        return bool(output)

    def take_errors(self, output: bytes) -> bool:
        """Take what it has printed as errors, and return whether more can follow. Raises EngineFault."""
        self._count(output)
        self._errors += output
        return bool(output)

    def fault(self, what: str) -> EngineFault:
        """Return what the engine did wrong, with what it was asked, and the end of its error output."""
        asked = shorten("; ".join(self.asked.lines), _MAX_SHOWN_CHARS)
        shown = bytes(self._errors)
        if len(shown) > 2 * _MAX_ERROR_BYTES:
            shown = shown[:_MAX_ERROR_BYTES] + b" " + shown[-_MAX_ERROR_BYTES:]
        errors = shown.decode(errors="replace")
        words = " ".join("".join(char if char.isprintable() else " " for char in errors).split())
        if len(words) > 2 * _MAX_ERROR_CHARS:
            words = f"{words[:_MAX_ERROR_CHARS]} … {words[-_MAX_ERROR_CHARS:]}"
        return EngineFault(f"{what} to: {asked}" + (f" (its error output: {words})" if words else ""))

    def _ask(self, ask: Ask | None) -> None:
        if ask is not None:
            self.asked = ask
            self._bytes_left = MAX_BYTES

    def _count(self, output: bytes) -> None:
        self._bytes_left -= len(output)
        if self._bytes_left < 0:
            raise self.fault(f"it printed more than {MAX_BYTES} bytes and no answer")
