"""Replace the tables between the marks of a page, such as `<!-- made: commands -->`, by tables made from data."""

import re
from collections.abc import Callable, Mapping

_MADE = re.compile(r"(<!-- made: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def with_tables(page: str, tables: Mapping[str, Callable[[], str]]) -> str:
    """Return the page with its tables made anew."""
    return _MADE.sub(lambda match: f"{match[1]}{tables[match[2]]()}{match[3]}", page)
