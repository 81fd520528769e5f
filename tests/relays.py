"""Two players with boards of their own."""

from takmail.store.tables import GameRow
from tests import rows
from tests.office import ADA, BEN, Office, Received

BOARD = "S 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 s"
OTHERS = BOARD.replace("S 0", "0 S", 1)
NAMES = {ADA: "Ada", BEN: "Ben"}


def write(office: Office, who: str, text: str, answers: Received | None = None) -> list[Received]:
    """Somebody answers their newest letter, or the one that is named."""
    return office.send(f"{NAMES[who]} <{who}>", text, answers or office.last(who))


def game(office: Office, number: int = 1) -> GameRow:
    with office.store.transaction() as session:
        return rows.game(session, number)
