"""Choose how many cases a test tries: a tenth of its width in `make test`, all in `make test-all`."""

import os
import random
from collections.abc import Iterable
from typing import TypeVar

IS_WIDE = os.environ.get("WIDTH") == "all"
"""Whether every case is tried, as in `make test-all`."""
SEED = int(os.environ.get("SEED") or 1)
"""Chooses which tenth `make test` tries."""

Case = TypeVar("Case")


def tenth_of(cases: Iterable[Case]) -> list[Case]:
    """Return a tenth of the cases, at least one, in their order; all of them in `make test-all`."""
    every = list(cases)
    if IS_WIDE or not every:
        return every
    places = random.Random(SEED).sample(range(len(every)), max(1, len(every) // 10))
    return [every[place] for place in sorted(places)]
