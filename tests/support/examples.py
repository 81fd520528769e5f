"""Choose the number of examples of a test: few in `make test`, many in `make fuzz`."""

import os

from hypothesis import settings

USUAL_SECONDS = 120
"""The default duration of `make fuzz` in seconds."""

SECONDS = float(os.environ.get("FUZZ_SECONDS") or 0)


def examples(few: int, many: int) -> int:
    """Return `few` in `make test`. In `make fuzz`, scale `many` by its duration relative to the default."""
    return max(few, round(many * SECONDS / USUAL_SECONDS))


def choose_profile() -> None:
    """Let Hypothesis try 25 set examples of each kind in `make test`, and 500 random ones in `make fuzz`."""
    # No time limit per example: a busy machine is not a failure.
    settings.register_profile("takmail", deadline=None, max_examples=25, derandomize=True, database=None)
    settings.register_profile("fuzz", deadline=None, max_examples=examples(25, 500))
    settings.load_profile("fuzz" if SECONDS else "takmail")
