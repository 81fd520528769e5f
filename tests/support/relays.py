"""Two players with boards of their own."""

from takmail.store.tables import GameRow
from tests.support import rows
from tests.support.harness import ADA, BEN, Harness, Received

BOARD = "S 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 s"
OTHERS = BOARD.replace("S 0", "0 S", 1)
NAMES = {ADA: "Ada", BEN: "Ben"}


def write(harness: Harness, who: str, text: str, answers: Received | None = None) -> list[Received]:
    """Somebody answers their newest letter, or the one that is named."""
    return harness.send(f"{NAMES[who]} <{who}>", text, answers or harness.last(who))


def game(harness: Harness, number: int = 1) -> GameRow:
    with harness.store.transaction() as session:
        return rows.game(session, number)
