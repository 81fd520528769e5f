"""How many examples a test tries: few in `make test`, and as many as there is time for in `make fuzz`."""

import os

from hypothesis import settings

USUAL_SECONDS = 120
"""How long `make fuzz` takes if it is not told."""

SECONDS = float(os.environ.get("FUZZ_SECONDS") or 0)


def examples(few: int, many: int) -> int:
    """`few` of them, or `many` in the usual time of `make fuzz` and in proportion in another."""
    return max(few, round(many * SECONDS / USUAL_SECONDS))


def choose_profile() -> None:
    """Let Hypothesis try 25 examples of each kind in `make test`, and 500 in `make fuzz`."""
    # No time limit an example: a busy machine is no failure of the program's.
    settings.register_profile("takmail", deadline=None, max_examples=25, derandomize=False)
    settings.register_profile("fuzz", settings.get_profile("takmail"), max_examples=examples(25, 500))
    settings.load_profile("fuzz" if SECONDS else "takmail")
