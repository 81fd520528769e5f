"""Define the operations: changes of stored data that also reach rows that are not loaded.

The store carries them out after it has written how the world has changed.
"""

from dataclasses import dataclass
from datetime import datetime

from takmail.games.interface import Seat
from takmail.world.kinds import GameNumber, MessageId, PlayerId
from takmail.world.players import NO_TEXT, LastText
from takmail.world.tasks import Task


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawLetter:
    """A letter that no process has claimed is never sent. Chat text in it waits again."""

    letter: MessageId


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawToSeat:
    """Unsent letters to a seat are never sent."""

    game: GameNumber
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapSeats:
    """All letters and chat text of a game get the other seat, as its players have swapped theirs."""

    game: GameNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class DropChat:
    """A player's undelivered chat text is deleted: all of it, or only the text for `reader`."""

    player: PlayerId
    reader: PlayerId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseLetters:
    """Suspended and postponed letters to a player are queued again.

    These are all letters that are suspended at `address`, and at most `max_postponed` postponed letters to the player.
    Letters that contain only chat stay postponed until the limit of the hour allows them.
    """

    player: PlayerId
    address: str
    max_postponed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SuspendLetters:
    """Queued letters to an address are suspended until its owner writes."""

    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnLetter:
    """A letter bounced, or the mail server refused it. It is sent again at `retry_at`, unless that is None."""

    letter: MessageId
    reason: str
    retry_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberAddress:
    """Something is remembered of an address that belongs to no player: that its owner has written, or left for good.

    `digests` are those of the address (`SeatKey.digests`), the newest key's first. One of the times is None. `text` is
    the last text from it.
    """

    digests: tuple[str, ...]
    verified_at: datetime | None = None
    left_at: datetime | None = None
    text: LastText = NO_TEXT


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasePlayer:
    """All data of a player is deleted. Letters now call the player `label`.

    * `addresses` are the player's addresses
    * `subjects` are the new subjects of the player's games, by game number
    """

    player: PlayerId
    label: str
    addresses: tuple[str, ...]
    subjects: tuple[tuple[GameNumber, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MergePlayers:
    """Player `source` is merged into player `into`.

    If `accepts_mail`, `into` had not asked for no more mail. All addresses of the merged player then get mail.
    """

    source: PlayerId
    into: PlayerId
    accepts_mail: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AddToLog:
    """A line in the operator's log about a game, a player or both. `what` begins with a `LogWord`.

    `fault` is the digest of the fault if the line says that a game was frozen.
    """

    who: str
    what: str
    why: str
    game: GameNumber | None = None
    player: PlayerId | None = None
    fault: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTask:
    """A process is to think about a task at `at`.

    It takes the place of a task of the same key that waits or runs, as the game has changed. But if a player asked for
    it again, that one goes on.
    """

    task: Task
    at: datetime


Operation = (
    WithdrawLetter
    | WithdrawToSeat
    | SwapSeats
    | DropChat
    | ReleaseLetters
    | SuspendLetters
    | ReturnLetter
    | RememberAddress
    | ErasePlayer
    | MergePlayers
    | AddToLog
    | RunTask
)
