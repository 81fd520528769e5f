"""Two players who agree on the board to go on from."""

from tests.support import rows
from tests.support.harness import ADA, BEN, Harness, Received

ADA_AS, BEN_AS = f"Ada <{ADA}>", f"Ben <{BEN}>"
FOUR = ["ps a1", "ps e5", "ps c3", "ps c4"]
ROWS = ["S 0 0 0 0", "0 0 0 0 0", "0 0 s 0 0", "0 0 wS 0 0", "0 0 0 0 s"]
BOARD = "\n".join(ROWS)
TURN = "board " + "/".join(ROWS)


def ada(harness: Harness, text: str) -> list[Received]:
    return harness.send(ADA_AS, text, harness.last(ADA))


def ben(harness: Harness, text: str) -> list[Received]:
    return harness.send(BEN_AS, text, harness.last(BEN))


def given_up(harness: Harness) -> list[tuple[int, int, str, str]]:
    """Branch, number, text and how it came about, of each turn that was given up."""
    with harness.store.transaction() as session:
        return [(one.branch, one.number, one.text, str(one.how)) for one in rows.taken_back(session)]


def board(letter: Received) -> list[str]:
    """The rows of the first board in a letter, single spaces between their spots."""
    rows = [" ".join(line.split()) for line in letter.lines]
    start = next(at for at, row in enumerate(rows) if len(row.split()) == 5 and set(row) <= set("swcSWC0 "))
    return rows[start : start + 5]


def lines_of_log(harness: Harness) -> list[str]:
    (letter,) = ada(harness, "log")
    rest = letter.lines[letter.lines.index("All turns so far:") + 1 :]
    return rest[: rest.index("")]
