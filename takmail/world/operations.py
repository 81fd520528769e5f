"""Define the operations: changes of stored data that also reach rows that the cause has not read.

The store carries them out after it has written how the world has changed.
"""

from dataclasses import dataclass, replace
from datetime import datetime

from takmail.games.interface import Seat
from takmail.world.game import Game
from takmail.world.game_changes import without_personal_data
from takmail.world.kinds import GameNumber, MessageId, PlayerId
from takmail.world.pending import Pending
from takmail.world.players import NO_TEXT, LastText, Player, Seek
from takmail.world.split_mails import NewPart
from takmail.world.tasks import Task

TOURNAMENT, PAIRING, TOLD = "tournament", "pairing", "told"
"""The work of a tournament whose time has come, of a game that it has drawn, and of telling a player a step of it."""


def told_work(tournament: int, version: int) -> str:
    """Return the work of telling a player the step with which a tournament got a version."""
    return f"{TOLD} {tournament} {version}"


class Sweep:
    """An operation that changes values wherever they are.

    The world changes its values by these methods, also those that it reads later, and the store changes all rows.
    """

    __slots__ = ()

    def of_game(self, game: Game) -> Game:
        """Return a game after the operation."""
        return game

    def of_player(self, player: Player) -> Player:
        """Return a player after the operation."""
        return player

    def keeps(self, waiting: Seek | Pending) -> bool:  # noqa: ARG002
        """Tell whether a seek, or a question to an address, is still there after the operation."""
        return True


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
class RescheduleDigest:
    """The digest of a player is due as they want it (`choice`, `zone`), or now, if anything is held for it."""

    player: PlayerId
    choice: str | None
    zone: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GatherLetters:
    """A digest takes the place of letters that were held for it. Chat text in them waits again."""

    letters: tuple[MessageId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapSeats:
    """All letters and chat text of a game get the other seat, as its players have swapped theirs."""

    game: GameNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class DropChat(Sweep):
    """A player's undelivered chat text is deleted: all of it, or only the text for `reader`."""

    player: PlayerId
    reader: PlayerId | None = None

    def of_game(self, game: Game) -> Game:
        """Return a game without the player's words that wait for a letter."""
        players = game.record.players
        if self.player not in players or self.reader not in (None, *players):
            return game
        kept = (
            words
            for words in game.correspondence.waiting_chat
            if players[words.seat] != self.player or words.letter is not None
        )
        return replace(game, correspondence=replace(game.correspondence, waiting_chat=tuple(kept)))


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

    `marks` are those of the address (`SeatKey.marks`), the newest key's first. One of the times is None. `text` is
    the last text from it.
    """

    marks: tuple[str, ...]
    verified_at: datetime | None = None
    left_at: datetime | None = None
    text: LastText = NO_TEXT


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasePlayer(Sweep):
    """All data of a player is deleted. Letters now call the player `label`.

    * `addresses` are the player's addresses
    * `subjects` are the new subjects of the player's games, by game number
    """

    player: PlayerId
    label: str
    addresses: tuple[str, ...]
    subjects: tuple[tuple[GameNumber, str], ...]

    def of_game(self, game: Game) -> Game:
        """Return a game without what the player has typed."""
        if self.player not in game.record.players:
            return game
        subject = dict(self.subjects).get(game.number, game.record.subject)
        return without_personal_data(game, self.player, subject, self.label)

    def of_player(self, player: Player) -> Player:
        """Return a player who no longer blocks the one who is erased."""
        is_blocked = self.player in player.blocked
        return replace(player, blocked=player.blocked - {self.player}) if is_blocked else player

    def keeps(self, waiting: Seek | Pending) -> bool:
        """Tell whether a seek or a question is not the player's."""
        is_to_them = isinstance(waiting, Pending) and waiting.address in self.addresses
        return waiting.player != self.player and not is_to_them


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
    """A line in the operator's log about a game, a player or both.

    `what` says what was done, by a `LogWord` if the log is searched for it. `fault` is the digest of the fault if
    the line says that a game was frozen.
    """

    who: str
    what: str
    why: str
    game: GameNumber | None = None
    player: PlayerId | None = None
    fault: str = ""


@dataclass(frozen=True, slots=True)
class RateAgain:
    """Ratings are computed again soon."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTask:
    """A process is to think about a task now.

    It takes the place of a task of the same key that waits or runs, as the game has changed. But if a player asked for
    it again, that one goes on.
    """

    task: Task


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitMail:
    """The parts of a mail are stored, and answered together. The fields are as in `MailSplit`."""

    mail: int
    parts: tuple[NewPart, ...]
    left_out: tuple[int | None, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleWork:
    """Something is to be done about a subject by itself, now, or at a time that replaces an earlier one."""

    subject: int
    work: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TellStep:
    """Each of these players is to be told a step of a tournament, or each who asked for news if it is None."""

    work: str
    players: tuple[PlayerId, ...] | None


Operation = (
    WithdrawLetter
    | WithdrawToSeat
    | RescheduleDigest
    | GatherLetters
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
    | RateAgain
    | SplitMail
    | ScheduleWork
    | TellStep
)
