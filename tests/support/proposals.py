"""Helpers for tests of agreed boards."""

from tests.support.players import ADA, BEN, Players, Received

ADA_AS, BEN_AS = f"Ada <{ADA}>", f"Ben <{BEN}>"
FOUR = ["ps a1", "ps e5", "ps c3", "ps c4"]
ROWS = ["S 0 0 0 0", "0 0 0 0 0", "0 0 s 0 0", "0 0 wS 0 0", "0 0 0 0 s"]
BOARD = "\n".join(ROWS)
TURN = "board " + "/".join(ROWS)


def ada(harness: Players, text: str) -> list[Received]:
    return harness.send(ADA_AS, text, harness.last(ADA))


def ben(harness: Players, text: str) -> list[Received]:
    return harness.send(BEN_AS, text, harness.last(BEN))


def given_up(harness: Players) -> list[tuple[int, int, str, str]]:
    """Return run, number, text and offer kind of each turn that was taken back."""
    runs = harness.table().taken_back
    return [(run.number, turn.number, turn.text, str(run.how)) for run in runs for turn in run.turns]


def board(letter: Received) -> list[str]:
    """Return the rows of the first board in a letter, with single spaces between the spots."""
    rows = [" ".join(line.split()) for line in letter.lines]
    start = next(at for at, row in enumerate(rows) if len(row.split()) == 5 and set(row) <= set("swcSWC0 "))
    return rows[start : start + 5]


def log(harness: Players) -> list[str]:
    """Return the turns that the log shows, and then each run that was given up with its heading."""
    (letter,) = ada(harness, "log")
    parts = [" ".join(part.split()) for part in letter.text.split("\n\n")]
    return [part for part in parts if part.startswith(("You wrote: log", "Run "))]
