"""The HTML side of a letter says everything, even to a reader who sees neither its pictures nor its text side."""

import re
from html.parser import HTMLParser

import pytest

from takmail.world.kinds import LetterView
from tests.support import databases
from tests.support.correspondence import correspond
from tests.support.harness import BEN, Harness, Received
from tests.support.read_grid import read_grids

_BLOCKS = {"p", "br", "td", "tr", "li", "pre", "blockquote", "table"}


class Heard(HTMLParser):
    """Collects what a screen reader says about a page: its words, including those of links and pictures, in order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.pictures: list[str] = []
        self.links: list[str] = []
        self.hidden: list[str] = []
        self._silent = 0
        self._said = ""
        self.feed(html)
        self.words = self._said.split()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self._silent += tag in ("head", "style", "title")
        self._said += " " if tag in _BLOCKS else ""
        if "display:none" in values.get("style", "") or "aria-hidden" in values:
            self.hidden.append(tag)
        if tag == "a":
            self.links.append(values["href"])
        if tag == "img":
            self.pictures.append(values["alt"])
            self._said += f" {values['alt']} "

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in ("head", "style", "title")
        self._said += " " if tag in _BLOCKS else ""

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self._said += data


@pytest.fixture(scope="module")
def letters(tmp_path_factory: pytest.TempPathFactory) -> list[Received]:
    store = databases.opened(tmp_path_factory.mktemp("letters"))
    try:
        return correspond(Harness(store, letter_view=LetterView.BOTH))
    finally:
        store.close()


_OF_TEXT_ONLY = re.compile(
    r"-{8}|(?:[0swc]+|[A-H])(?: +(?:[0swc]+|[A-H]))+|A1 is top left, rows count down\.", re.IGNORECASE
)
"""Lines that only the text has: a rule, the rows of a board and its columns, and how they lie."""
_TYPED = ("Answer this mail with your move", "You can always write", "Capital letters are", '"help" tells')
"""The beginnings of paragraphs that name lines to type, or letters, which the HTML shows as links and pictures."""


BOARD_OF_RECEIPT = re.compile(r"(?<=\n)\n\w+ \((?:White|Black)\), to move: .*", re.DOTALL)
"""The board below a receipt, from the line of the opponent's side on. The HTML has none."""


def is_receipt(letter: Received) -> bool:
    """Tell whether a letter says nothing but that a move is played."""
    return letter.text.startswith("Your move is played") and "\nLast turns:" not in letter.text


def lines_of_text(letter: Received) -> list[list[str]]:
    """Return the words of each line that is in both parts, without the marks before quoted chat and items of a list."""
    brought = re.fullmatch(r"[pm]\w [a-h]\d.*|im .*", letter.lines[0])  # the HTML says the same in words
    text = "\n".join(letter.lines[bool(brought) :])
    paragraphs = (BOARD_OF_RECEIPT.sub("", text) if is_receipt(letter) else text).split("\n\n")
    lines = (line for one in paragraphs if not one.startswith(_TYPED) for line in one.split("\n"))
    bare = (line.strip().removeprefix("| ").removeprefix("- ") for line in lines)
    return [line.split() for line in bare if line.strip(" |") and not _OF_TEXT_ONLY.fullmatch(line)]


def test_each_line_of_the_text_is_heard_in_its_place(letters: list[Received]) -> None:
    assert len(letters) > 25
    for letter in letters:
        heard, at = Heard(letter.html), 0
        assert heard.hidden == []
        for words in lines_of_text(letter):
            if words[0].startswith("https://"):
                # Only the text shows a web address. The HTML has it as the target of a link.
                assert words[0] in heard.links
                continue
            places = (n for n in range(at, len(heard.words)) if heard.words[n : n + len(words)] == words)
            found = next(places, None)
            assert found is not None, (words, letter.text)
            at = found + len(words)


def test_each_table_of_pictures_tells_the_board_of_the_text_row_by_row(letters: list[Received]) -> None:
    shown = 0
    for letter in letters:
        boards = [tuple(spots.split()) for spots in boards_of(letter)]
        for grid in read_grids(letter.html):
            assert tuple(" ".join(grid.board).split()) in boards, letter.text
            shown += 1
    assert shown > 20


def test_a_picture_without_words_stands_beside_its_words(letters: list[Received]) -> None:
    for letter in letters:
        silent = re.findall(r'<img [^>]*alt=""[^>]*> *([^<]*)', letter.html)
        assert len(silent) == 2 * len(read_grids(letter.html))
        assert all(re.match(r"[^:]+ \((White|Black)\)", beside) for beside in silent)


def test_only_the_text_of_a_receipt_has_the_board(letters: list[Received]) -> None:
    receipts = [letter for letter in letters if is_receipt(letter)]
    assert receipts
    for letter in receipts:
        assert boards_of(letter)
        assert " ".join(Heard(letter.html).words).startswith("Your move is played")
        assert not Heard(letter.html).pictures


def boards_of(letter: Received) -> list[str]:
    """Return the boards in the text, each with a space between two squares."""
    found, rows = [], list[str]()
    for line in [*letter.lines, ""]:
        spots = line.removeprefix("  | ").split()
        if spots and all(spot == "0" or set(spot.lower()) <= set("swc") for spot in spots):
            rows += spots
        elif rows:
            found.append(" ".join(rows))
            rows = []
    return found


def test_whose_turn_it_is_and_what_came_last_are_heard(letters: list[Received]) -> None:
    news = next(letter for letter in letters if letter.text.startswith("ps c3\n"))
    heard = " ".join(Heard(news.html).words)
    assert news.to == BEN
    assert "Ada places a flat on C3." in heard
    assert "Ada (White): 19 stones" in heard
    assert heard.startswith("Your turn. Ada places")
    assert "You (Black): 20 stones" in heard
