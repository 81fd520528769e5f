"""Print lists of games, players, mails or letters: as a table for people, or as lines of JSON for programs."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

import click

from takmail.letters.templates import printable

_MAX_CELL_CHARS = 40
"""The maximum number of characters of a cell, except in the last column. A longer text is cut."""
_MAX_REASON_CHARS = 70
"""The maximum number of characters of a reason in a list."""

Listed = Mapping[str, Any]
"""What `--json` prints of a row of a list: the keys and their values."""

Cells = Mapping[str, object]
"""A row of a table: the headings of its columns, and the values below them."""


def show_list(
    rows: Sequence[Listed],
    cells: Callable[[Listed], Cells],
    nothing: str,
    left_out: int = 0,
    *,
    as_json: bool,
) -> None:
    """Print the rows of a list to standard output, and the number of older rows that are left out.

    `cells` returns what the table shows of a row. `nothing` is the sentence in place of an empty table.
    """
    if as_json:
        for row in rows:
            click.echo(json_line(row))
        return
    click.echo(table([cells(row) for row in rows]) or nothing)
    if left_out:
        click.echo(f"\nLeft out: {left_out} older. Use --last {left_out + len(rows)} to show all.")


def json_option(thing: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return the option `--json` of a list. `thing` names one item of the list."""
    return click.option(
        "--json", "as_json", is_flag=True, help=f"Print a JSON object for each {thing}, one per line."
    )


def list_options(
    states: type[StrEnum], thing: str, which: str
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator with the options of a command that lists mails or letters.

    `states` are the possible values of `--state`, and `which` is its help text. `thing` names one item of the list.
    """
    state = click.option(
        "--state", "states", multiple=True, type=click.Choice([str(one) for one in states]), help=which
    )
    last = click.option(
        "--last",
        default=50,
        show_default=True,
        type=click.IntRange(min=1),
        metavar="N",
        help="The maximum number to list.",
    )
    return lambda verb: state(last(json_option(thing)(verb)))


def table(rows: Sequence[Cells]) -> str:
    """Return rows as aligned columns below their headings, and "" without rows. Numbers are aligned to the right."""
    if not rows:
        return ""
    lines = [tuple(rows[0]), *(_texts(row) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    is_number = [isinstance(value, int) for value in rows[0].values()]
    return "\n".join(
        "  ".join(
            text.rjust(width) if right else text.ljust(width)
            for text, width, right in zip(line, widths, is_number, strict=True)
        ).rstrip()
        for line in lines
    )


def json_line(facts: Mapping[str, object]) -> str:
    """Return one line of JSON, with times in UTC. All characters that are not ASCII are escaped."""
    # Python's encoder leaves DEL as it is, which terminals may act on.
    return json.dumps(facts, default=_encoded).replace("\x7f", "\\u007f")


def _encoded(value: object) -> str:
    assert isinstance(value, datetime)
    return value.astimezone(UTC).isoformat()


def short_reason(reason: str) -> str:
    """Return a reason on one line, cut to the length of a list."""
    return _cut(" ".join(reason.split()), _MAX_REASON_CHARS)


def _texts(row: Cells) -> list[str]:
    *cells, last = map(_text, row.values())
    return [*(_cut(one, _MAX_CELL_CHARS) for one in cells), last]


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime):
        return f"{value.astimezone(UTC):%Y-%m-%d %H:%M}"
    return printable(str(value))


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
