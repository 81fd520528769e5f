"""Parse the boards in the HTML part of a letter as a listener does who can't see their pictures."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

_NAME = re.compile(r"([A-H][1-8])(?:: (empty|[swcSWC]+))?")


@dataclass
class GridHeard:
    """A board as a screen reader tells it: the headings, and the name of each cell by its column and row.

    `pictures` are the addresses of the cells' pictures, and `colors` those behind them, both by column and row.
    """

    columns: list[str] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)
    names: dict[tuple[str, str], str] = field(default_factory=dict)
    pictures: dict[tuple[str, str], str] = field(default_factory=dict)
    colors: dict[tuple[str, str], str] = field(default_factory=dict)

    @property
    def board(self) -> tuple[str, ...]:
        """Return the rows of the board as the text has them, from the cells alone. Fails if a cell is unclear."""
        return tuple(" ".join(self._content(column, row) for column in self.columns) for row in self.rows)

    def _content(self, column: str, row: str) -> str:
        found = _NAME.fullmatch(self.names[column, row])
        assert found, self.names[column, row]
        assert found[1] == f"{column}{row}"
        return "0" if found[2] in ("empty", None) else found[2]


class _Grids(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.grids: list[GridHeard] = []
        self._scope = self._color = self._board_color = ""
        self._at = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "th":
            self._scope = values["scope"]
        if tag == "table":
            self._board_color = values.get("bgcolor", "")
        if tag == "td":
            self._color = values.get("bgcolor", self._board_color)
        if tag == "img" and self._scope == "row":
            grid = self.grids[-1]
            place = (grid.columns[self._at], grid.rows[-1])
            grid.names[place], grid.pictures[place] = values["alt"], values["src"].removeprefix("cid:")
            grid.colors[place] = self._color
            self._at += 1

    def handle_data(self, data: str) -> None:
        if self._scope == "col":
            if not self.grids or self.grids[-1].rows:
                self.grids.append(GridHeard())
            self.grids[-1].columns.append(data)
        elif self._scope == "row" and data.strip():
            self.grids[-1].rows.append(data)
            self._at = 0

    def handle_endtag(self, tag: str) -> None:
        if tag == "th" and self._scope == "col":
            self._scope = ""
        if tag == "table":
            self._scope = ""


def read_grids(html: str) -> list[GridHeard]:
    """Return the boards of a page, in order."""
    parser = _Grids()
    parser.feed(html)
    return parser.grids
