"""What a decision relies on stands in one list, with what protects it."""

import re
from pathlib import Path

from takmail.world.queries import Queries

PAGE = Path(__file__).parents[2] / "docs/decisions/061-reading-through.md"


def test_each_query_stands_in_the_list_of_what_protects_its_answer() -> None:
    rows = [line.split("|")[1] for line in PAGE.read_text().splitlines() if line.startswith("| `")]
    listed = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    queries = [name for name in vars(Queries) if not name.startswith("_")]
    assert {*listed} == {*queries}
