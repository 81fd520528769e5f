"""Try each row of a long table in one test, which names all rows that fail.

A test of its own for each row costs pytest 1.5 ms beside its collection, more than most rows take. So tables of eight
rows or more are one test, unless a row needs a fixture of its own:

    @each_row("text, english", ROWS)
    def test_english_is_found(text: str, english: list[str]) -> None:
"""

import functools
import inspect
import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

Test = Callable[..., None]
Rows = Iterable[Any] | Callable[[], Iterable[Any]]

CHOSEN = os.environ.get("ROW", "")
"""If not '', only rows with this text are tried, to look into one that failed."""
MOST_SHOWN = 40
_PARAM = type(pytest.param())


def each_row(names: str | Sequence[str], rows: Rows) -> Callable[[Test], Test]:
    """Make a test try all rows, each whatever came of the others, and fail once with those that failed.

    `names` are the test's arguments that a row gives, as for `pytest.mark.parametrize`. Its other arguments are
    fixtures, which all rows share: let none change what they hold. `rows` may be a function that makes them,
    so that the table is made when the test runs and not when tests are collected.
    """
    arguments = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)

    def tried(test: Test) -> Test:
        @functools.wraps(test)
        def try_rows(*of: Any, **fixtures: Any) -> None:
            _try(rows() if callable(rows) else rows, arguments, functools.partial(test, *of, **fixtures))

        signature = inspect.signature(test)
        assert set(arguments) <= set(signature.parameters), f"{test.__name__} has no argument of such a name"
        fixtures = [one for name, one in signature.parameters.items() if name not in arguments]
        try_rows.__signature__ = signature.replace(parameters=fixtures)  # type: ignore[attr-defined]
        return try_rows

    return tried


def _try(rows: Iterable[Any], arguments: list[str], test: Test) -> None:
    count, failures = 0, []
    for row in rows:
        assert not isinstance(row, _PARAM), "a row can't have marks"
        values = (row,) if len(arguments) == 1 else tuple(row)
        assert len(values) == len(arguments), f"a row of {len(values)} values: {row!r}"
        shown = ", ".join(f"{name}={_short(value)}" for name, value in zip(arguments, values, strict=True))
        if CHOSEN not in shown:
            continue
        count += 1
        try:
            test(**dict(zip(arguments, values, strict=True)))
        except (Exception, pytest.fail.Exception, pytest.skip.Exception) as error:
            failures.append((shown, error))
    assert count, "the table has no rows"
    if failures:
        parts = [f"{shown}\n    {_told(error)}" for shown, error in failures[:MOST_SHOWN]]
        text = "\n".join([f"{len(failures)} of {count} rows fail:", *parts])
        raise AssertionError(text) from failures[0][1]


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:120]} … {text[-60:]}"


def _told(error: BaseException) -> str:
    kind = "" if isinstance(error, AssertionError) else f"{type(error).__name__}: "
    return "\n    ".join(f"{kind}{error}".splitlines()[:8])
