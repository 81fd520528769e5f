"""Names for what is drawn: Message-IDs and tokens differ from one play to the next, and from one service to another.

In a recorded mail stands `⟦letter 3⟧` for the part of the third letter's Message-ID before the @, `⟦seat 1.0⟧` for the
token of the first seat of game 1, and so on, as `adapter.Service.secrets` names them; `⟦upper seat 1.0⟧` where it is
in capitals. The same names stand in the output. No mail can hold such brackets: its bytes are read as Latin-1.
"""

import re
from collections.abc import Iterable, Mapping

_RUN = re.compile(r"[A-Za-z0-9]{16,2000}")
_NAMED = re.compile(r"⟦(upper )?([^⟦⟧]*)⟧")
_SHORTEST = 16


class Names:
    """The values that are known, each with its name; the first name of a value counts."""

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
        """The text with names in the place of values."""
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
    """The text with values in the place of names; raises KeyError where there is none for a name."""

    def value(found: re.Match[str]) -> str:
        its = values[found[2]]
        return its.upper() if found[1] else its

    return _NAMED.sub(value, text)
