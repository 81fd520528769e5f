"""Choose the number of examples of a test: few in `make test`, more in `make test-all`, many in `make fuzz`."""

import os

from hypothesis import settings

from tests.support.width import IS_WIDE

USUAL_SECONDS = 120
"""The default duration of `make fuzz` in seconds."""

SECONDS = float(os.environ.get("FUZZ_SECONDS") or 0)


def examples(few: int, many: int) -> int:
    """Return `few` in `make test-all`, and a third of it in `make test`.

    In `make fuzz`, scale `many` by its duration relative to the default.
    """
    return max(few if IS_WIDE or SECONDS else few // 3, round(many * SECONDS / USUAL_SECONDS))


def choose_profile() -> None:
    """Let Hypothesis try 8 set examples in `make test`, 24 in `make test-all`, and 500 random ones in `make fuzz`."""
    # No time limit per example: a busy machine is not a failure.
    settings.register_profile(
        "takmail", deadline=None, max_examples=examples(24, 0), derandomize=True, database=None
    )
    settings.register_profile("fuzz", deadline=None, max_examples=examples(25, 500))
    settings.load_profile("fuzz" if SECONDS else "takmail")
