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
    """Let Hypothesis try 25 examples of each kind in `make test`, and 500 in `make fuzz`."""
    # No time limit per example: a busy machine is not a failure.
    settings.register_profile("takmail", deadline=None, max_examples=25, derandomize=False)
    settings.register_profile("fuzz", settings.get_profile("takmail"), max_examples=examples(25, 500))
    settings.load_profile("fuzz" if SECONDS else "takmail")
