"""The child process that thinks for bots and reviews games. `thinker` starts it. It imports the games alone."""

import os
from collections.abc import Callable
from time import monotonic

import takmail.games.registry  # noqa: F401 - questions need it, and it counts as memory at the start
from takmail.runtime.child_limits import serve_parent, stand_back

THINKING_SECONDS = 55
"""The number of seconds after which a search has to come to its end."""


def answer(question: Callable[..., object]) -> object:
    """Return the answer to a question, which lacks only the function that tells whether the time is over."""
    end = monotonic() + THINKING_SECONDS
    return question(is_over=lambda: monotonic() >= end)


if __name__ == "__main__":
    stand_back(os.getpid())
    serve_parent(answer)
