"""Replace random values by names. Message-IDs and tokens differ in each run, and in each version of the service.

In a recorded mail, `⟦letter 3⟧` is the part of the third letter's Message-ID before the @, and `⟦seat 1.0⟧` is the
token of the first seat of game 1. `adapter.Service.secrets` defines all names. `⟦upper seat 1.0⟧` is the same token in
capitals. The output contains the same names. No mail contains these brackets, because its bytes are read as Latin-1.
"""

import re
from collections.abc import Iterable, Mapping

_RUN = re.compile(r"[A-Za-z0-9]{16,2000}")
_NAMED = re.compile(r"⟦(upper )?([^⟦⟧]*)⟧")
_SHORTEST = 16


class Names:
    """The known values with their names. If a value has several names, the first one counts."""

    def __init__(self, secrets: Iterable[tuple[str, str]]) -> None:
        self._by_run: dict[str, list[tuple[str, str]]] = {}
        seen: set[str] = set()
        for value, name in secrets:
            if value in seen:
                continue
            seen.add(value)
            *_, run = sorted(re.findall(r"[A-Za-z0-9]+", value), key=len)
            assert len(run) >= _SHORTEST, value
            self._by_run.setdefault(run, []).append((value, name))
        self._lengths = sorted({len(run) for run in self._by_run})

    def put_in(self, text: str) -> str:
        """Return the text with names in place of values."""
        present = {one for run in set(_RUN.findall(text)) for one in self._in_run(run.lower())}
        for value, name in sorted(present, key=lambda one: (-len(one[0]), one)):
            text = text.replace(value, f"⟦{name}⟧")
            if (upper := value.upper()) != value:
                text = text.replace(upper, f"⟦upper {name}⟧")
        return text

    def _in_run(self, run: str) -> Iterable[tuple[str, str]]:
        for length in self._lengths:
            for start in range(len(run) - length + 1):
                yield from self._by_run.get(run[start : start + length], ())


def values_put_in(text: str, values: Mapping[str, str]) -> str:
    """Return the text with values in place of names. The name of a letter that was not written this time stays."""

    def value(found: re.Match[str]) -> str:
        its = values.get(found[2], found[2])
        return its.upper() if found[1] else its

    return _NAMED.sub(value, text)
