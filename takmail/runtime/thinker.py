"""Think in a child process with limits on time and memory.

This module is the program of the child, too, so it imports only the games and what both sides of a child need. The
child loads it twice: as its program, and by its name when the first question asks for `answer`.
"""

from collections.abc import Callable
from functools import partial
from time import monotonic

import takmail.games.registry  # noqa: F401 - questions need it, and it counts as memory at the start
from takmail.games.thinking import Choice, Hint, Review
from takmail.runtime.child_process import ChildLimits, ChildProcess, serve_parent

THINKING_SECONDS = 75
"""The number of seconds after which a search has to come to its end.

Nodes end a search, so that the same turn comes on each machine. This is for one on which the longest takes twice as
long as on those that it was measured on.
"""

MAX_SECONDS = 80
"""The maximum time for one answer, in seconds. A search that asks whether its time is over needs less."""

MAX_MEMORY_BYTES = 260 * 1024 * 1024
"""The memory that the process may use beyond the 30 MiB that it takes at its start."""

_LIMITS = ChildLimits(MAX_SECONDS, MAX_SECONDS, MAX_MEMORY_BYTES)

Thought = Choice | Review | Hint
"""The answer to a question."""

Question = Callable[..., Thought]
"""A method of a game that thinks, with its arguments but `is_over`: `partial(rules.hint, setup, turns)`."""


class Thinker(ChildProcess):
    """Answers questions in a child process, one after the other. What handles mails comes first."""

    def __init__(self, limits: ChildLimits = _LIMITS) -> None:
        super().__init__(__name__, "think about", limits, stands_back=True)

    def think(self, question: Question, seconds: float = THINKING_SECONDS) -> Thought:
        """Return the answer after at most so many seconds. Blocks until then. Raises the errors of `ask`."""
        return self.ask(partial(answer, question, seconds))


def answer(question: Question, seconds: float) -> Thought:
    """Return the answer to a question, which lacks only the function that tells whether the time is over."""
    end = monotonic() + seconds
    return question(is_over=lambda: monotonic() >= end)


if __name__ == "__main__":
    serve_parent()
