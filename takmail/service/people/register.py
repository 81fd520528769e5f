"""Who is called what: every name that is somebody's own is unlike all others, look-alikes included."""

from itertools import count

from sqlmodel import Session

from takmail.games.game import NearMiss
from takmail.games.registry import boards_anywhere, read_anywhere
from takmail.service.people.names import MOST_NAME
from takmail.service.people.skeleton import skeleton
from takmail.service.reading.commands import Command, Unclear
from takmail.service.reading.understand import understand
from takmail.store import players
from takmail.store.tables import Player

_MOST_DIGITS = 6


def by_name(session: Session, name: str) -> Player | None:
    """Who is called so, or so that one could take it for that; nobody who has never written here."""
    sought = skeleton(name)
    return players.by_skeleton(session, sought) if sought else None


def free_name(session: Session, wanted: str, player: Player | None) -> str:
    """The name, with a number behind it if somebody else than `player` has it."""
    holder = by_name(session, wanted)
    if holder is None or (player is not None and holder.id == player.id):
        return wanted
    base = wanted[: MOST_NAME - 1 - _MOST_DIGITS].rstrip()
    taken = players.skeletons(session, skeleton(base))
    numbered = (f"{base} {number}" for number in count(2))
    return next(one for one in numbered if skeleton(one) not in taken)


def take(session: Session, player: Player, wanted: str) -> None:
    """Call a player so, or nearly so; the only way in which anybody gets a name of their own."""
    name = free_name(session, wanted, player)
    players.rename(session, player, name, skeleton(name))


def reads_as_command(name: str) -> bool:
    """Whether a line that is nothing but the name would be a command or a turn."""
    orders = understand(f"Hello\n{name}", read_anywhere, boards_anywhere, question_open=False).orders
    return any(not _is_slip(one.command) for one in orders)


def _is_slip(command: Command | NearMiss) -> bool:
    """Whether a line is only nearly a turn, or a command: Drew is a name, though near to draw."""
    return isinstance(command, NearMiss) or (isinstance(command, Unclear) and command.fault == "mistyped")
