"""Choose how many cases a test tries: a tenth of its width in `make test`, all in `make test-all`."""

import os
import random
from collections.abc import Iterable
from itertools import chain, islice, product, repeat
from typing import Any, TypeVar

from takmail.letters.catalogue import folder_of

IS_WIDE = os.environ.get("WIDTH") == "all"
"""Whether every case is tried, as in `make test-all`."""
SEED = int(os.environ.get("SEED") or 1)
"""Chooses which tenth `make test` tries."""

Case = TypeVar("Case")


class Combinations(list[tuple[Any, ...]]):
    """Combinations in which each value of each axis stands, so that none of them can be left out."""


def tenth_of(cases: Iterable[Case]) -> list[Case]:
    """Return a tenth of the cases, at least one, in their order; all of them in `make test-all`."""
    every = cases if isinstance(cases, list) else list(cases)
    return some_of(every, max(1, len(every) // 10))


def some_of(cases: Iterable[Case], most: int) -> list[Case]:
    """Return so many of the cases at most, in their order; all of them in `make test-all`.

    Of combinations take fewer by giving `combined` only some of the values of an axis.
    """
    assert not isinstance(cases, Combinations), "without some of them, not each value stands in a case"
    every = list(cases)
    if IS_WIDE or len(every) <= most:
        return every
    places = random.Random(SEED).sample(range(len(every)), most)
    return [every[place] for place in sorted(places)]


def each_language(languages: Iterable[str]) -> list[str]:
    """Return the languages that have messages of their own; in `make test-all` also those made of them."""
    return sorted(one for one in languages if IS_WIDE or folder_of(one) == one)


def combined(*axes: Iterable[Any]) -> Combinations:
    """Return a few combinations, in which each value of each axis occurs; all of them in `make test-all`.

    `make test` tries as many as the longest axis has values. `SEED` chooses what is combined with what.
    """
    lists = [[*axis] for axis in axes]
    if IS_WIDE:
        return Combinations(product(*lists))
    chance, longest = random.Random(SEED), max(map(len, lists))

    def values(every: list[Any]) -> Iterable[Any]:
        shuffled = (chance.sample(every, len(every)) for every in repeat(every))
        return islice(chain.from_iterable(shuffled), longest)

    return Combinations(zip(*map(values, lists), strict=True))
