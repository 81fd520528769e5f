"""Letters read nothing of a game through a view that the reader must not see.

A view has the whole game in `table`: also the opponent's bid, the players' real names and the words that wait.
"""

import ast
from collections import Counter
from pathlib import Path

import pytest

LETTERS = Path(__file__).parents[2] / "takmail" / "letters"
MODULES = {path.relative_to(LETTERS).as_posix(): path.read_text("utf-8") for path in LETTERS.rglob("*.py")}

OF_A_TABLE = {"has_bids", "has_rematch", "number", "record"}
"""What both players know of a game: what it is and how it began. Of the record see `OF_ONE_PLAYER`."""
OF_ONE_PLAYER = {"bids", "guest_label"}
"""What a record has that is only one player's: bids, and the name that the host has given to the guest."""
EXCEPTIONS = Counter(
    {
        # Compared with the names of the view, and not told.
        ("parts/terms.py", "view.table.names"): 1,
        # The host's own letter has the name. The guest's letter only depends on whether there is one.
        ("news/beginnings.py", "record.guest_label"): 3,
        ("news/beginnings.py", "table.record.guest_label"): 1,
    }
)


def read_too_much(source: str) -> list[str]:
    """Return the expressions that read what belongs to one of the players, or that hand on the whole game of a view."""
    attributes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Attribute)]
    tables = [node for node in attributes if node.attr == "table"]
    of_tables = [node for node in attributes if node.value in tables]
    handed_on = [table for table in tables if all(node.value is not table for node in of_tables)]
    hidden = [node for node in of_tables if node.attr not in OF_A_TABLE]
    of_one = [node for node in attributes if node.attr in OF_ONE_PLAYER]
    return [ast.unparse(node) for node in (*handed_on, *hidden, *of_one)]


def test_letters_read_through_a_view_only_what_both_players_know() -> None:
    assert (
        Counter((name, read) for name, source in MODULES.items() for read in read_too_much(source))
        == EXCEPTIONS
    )


@pytest.mark.parametrize(
    "read",
    [
        "reader.game.table.players",
        "seen.table.pending",
        "view.table.waiting_chat",
        "view.table.last_chat",
        "view.table.record.bids",
        "record.guest_label",
        "view.table",
    ],
)
def test_what_is_one_players_is_found(read: str) -> None:
    assert read_too_much(f"told = tell({read})") == [read]


@pytest.mark.parametrize("read", ["seen.table.has_bids", "seen.table.record", "batch.world", "table.players"])
def test_what_both_players_know_is_not_found(read: str) -> None:
    assert read_too_much(f"told = tell({read})") == []
