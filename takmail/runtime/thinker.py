"""Think in a child process with limits on time and memory."""

from collections.abc import Callable

from takmail.games.thinking import Choice, Hint, Review
from takmail.runtime.child_process import ChildFailed, ChildLimits, ChildProcess, LimitExceeded

MAX_SECONDS = 60
"""The maximum time for one answer, in seconds. A search that asks whether its time is over needs less."""

MAX_MEMORY_BYTES = 260 * 1024 * 1024
"""The memory that the process may use beyond the 30 MiB that it takes at its start."""

_LIMITS = ChildLimits(MAX_SECONDS, MAX_SECONDS, MAX_MEMORY_BYTES)

Thought = Choice | Review | Hint
"""The answer to a question."""

Question = Callable[..., Thought]
"""A method of a game that thinks, with its arguments but `is_over`: `partial(rules.hint, setup, turns)`."""


class ThinkingFailed(Exception):  # noqa: N818  (the name says what happened)
    """There is no answer. The message is the reason, for the operator."""


class Thinker:
    """Answers questions in a child process, one after the other."""

    def __init__(self, limits: ChildLimits = _LIMITS) -> None:
        self._process = ChildProcess("takmail.runtime.thinking_child", "think about", limits)

    def think(self, question: Question) -> Thought:
        """Return the answer. Blocks until then. Raises ThinkingFailed, Closed, and OSError if no process starts."""
        try:
            answer = self._process.ask(question)
        except ChildFailed as failed:
            raise ThinkingFailed(str(failed).strip()) from None
        if isinstance(answer, LimitExceeded):
            raise ThinkingFailed(answer.reason)
        assert isinstance(answer, Choice | Review | Hint)
        return answer

    def close(self) -> None:
        """End the process, even while it thinks. A running `think` then raises Closed."""
        self._process.close()
