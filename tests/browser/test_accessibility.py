"""Letters as a screen reader reads them in Chromium: what happened, who is to play, and the board square by square."""

import re
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from takmail.games.tzaar.board import LENGTHS
from takmail.games.tzaar.wording.board import spot_has
from takmail.letters.catalogue import ENGLISH
from tests.browser.accessibility import Node, heard
from tests.browser.chromium import Chromium
from tests.browser.letters import in_languages, kept
from tests.support.harness import TEMPLATES
from tests.support.letters_of_all_kinds import page

pytestmark = pytest.mark.browser

HEARD = (
    "first-turn",
    "first-ply",
    "on-3x3",
    "mid-5x5",
    "mid-game",
    "late-on-8x8",
    "tall-stacks",
    "win-by-road",
    "draw",
    "rs",
    "dispute",
    "offer-of-a-draw",
    "tzaar-first-turn",
    "tzaar-mid-game",
    "tzaar-placing",
)
WHOSE_TURN = {
    "en": re.compile(r"turn|over|win|draw", re.IGNORECASE),
    "ru": re.compile(r"ход|оконч|выигр|побед|ничья", re.IGNORECASE),
    "zh": re.compile(r"轮到|结束|赢|和棋"),
    "zh-hant": re.compile(r"輪到|結束|贏|和棋"),
}
BELOW = 4
"""The number of pieces of text below the board that may belong to the line of the reader's side."""


@pytest.mark.parametrize(("kind", "language"), in_languages(HEARD))
def test_a_letter_is_read_in_order(browser: Chromium, shown: Path, kind: str, language: str) -> None:
    browser.open(kept(page(kind, language), shown, kind if language == ENGLISH else f"{kind}-{language}"))
    read = heard(browser)
    tables = read.of("table")
    in_tables = {id(one) for table in tables for one in table.all()}
    said = [
        one for one in read.of("heading", "StaticText", "table") if id(one) not in in_tables or one in tables
    ]
    if kind not in ("rs", "offer-of-a-draw"):
        assert said[0].role == "heading"  # what happened, in letters about a turn or its verdict
    # Whose turn it is stands above the board, or in the line of the reader's side below it.
    words = " ".join(one.name for one in said[: said.index(tables[0]) + BELOW])
    assert WHOSE_TURN[language].search(words), words
    for table in tables:
        assert_squares_are_found(table, language)


def assert_squares_are_found(table: Node, language: str) -> None:
    """Check that each square stands in its row and column, and says which it is and what is on it."""
    if not table.of("columnheader"):
        assert_shifted_rows_are_found(table, language)
        return
    head, *rows = table.of("row")
    columns = [one.name for one in head.of("columnheader")]
    assert columns == sorted(columns)
    assert len(rows) == len(columns)
    for number, row in enumerate(rows, 1):
        assert [one.name for one in row.of("rowheader")] == [str(number)]
        squares = [cell.of("image")[0].name for cell in row.of("cell", "gridcell")]
        for column, square in zip(columns, squares, strict=True):
            assert re.fullmatch(rf"{column}{number}(?:: |：)\S+", square)


def assert_shifted_rows_are_found(table: Node, language: str) -> None:
    """Check that each spot of a board without common columns stands in its row, and says what is on it in words."""
    _, *rows = table.of("row")  # the first one is empty and sets the widths
    assert [one.name for row in rows for one in row.of("rowheader")] == list("ABCDEFGHI")
    for row, count in zip(rows, LENGTHS, strict=True):
        letter = row.of("rowheader")[0].name
        spots = [one.name for one in row.of("image")]
        named = [re.split(": |：", spot, maxsplit=1) for spot in spots]
        assert [place for place, _ in named] == [f"{letter}{n}" for n in range(1, count + 1)]
        assert {what for _, what in named} <= spots_in_words(language)


@cache
def spots_in_words(language: str) -> frozenset[str]:
    """Return what may stand on a spot, in words: nothing, or a stack of a kind and a height."""
    kinds = product("ztrZTR", ["", *map(str, range(2, 10))])
    contents = ("", *(f"{kind}{height}" for kind, height in kinds))
    return frozenset(TEMPLATES.said(spot_has(content), language) for content in contents)
