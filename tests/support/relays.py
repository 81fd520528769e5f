"""A helper for relay games, in which both players keep their own boards."""

from tests.support.players import ADA, BEN, Players, Received

BOARD = "S 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 s"
OTHERS = BOARD.replace("S 0", "0 S", 1)
NAMES = {ADA: "Ada", BEN: "Ben"}


def write(harness: Players, who: str, text: str, answers: Received | None = None) -> list[Received]:
    """Reply to somebody's newest letter, or to the given one."""
    return harness.send(f"{NAMES[who]} <{who}>", text, answers or harness.last(who))
