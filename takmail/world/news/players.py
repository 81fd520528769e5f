"""Define the news of questions, of players, and of what the operator decides."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import ClassVar

from takmail.games.interface import Reason, Seat
from takmail.world.kinds import AskedAgain, GameNumber, LetterView, PlayerId, SeekNumber
from takmail.world.news.base import GameNews, News, SeatNews
from takmail.world.players import Seek
from takmail.world.records import Pending
from takmail.world.replay import Corruption


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAsked(News):
    """A question was opened. `question.letter` is the letter of this outcome that asks it."""

    question: Pending


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnConfirmationAsked(QuestionAsked):
    """Ask the player to confirm a turn, because the rules of its game require confirmation.

    `kind` is the name of the game. `reason` says why confirmation is required. The answer to the mail shows both.
    """

    kind: str
    text: str
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class MeaningAsked(QuestionAsked):
    """Ask the player which of the offered lines is meant. The answer to their mail asks this question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResignationAsked(QuestionAsked):
    """Ask the player to confirm a resignation. The answer to their mail asks this question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressAsked(QuestionAsked):
    """Ask the owner of an address whether it belongs to the player who wants to add it.

    `sends_letter`: the owner gets a letter with the question, not before `waits_until` if it has to wait, in
    `wait_hours`. `letter_view` and `language` are the owner's chosen ones, None if they chose none or are unknown.
    """

    sends_letter: bool
    letter_view: LetterView | None = None
    language: str | None = None
    waits_until: datetime | None = None
    wait_hours: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovalAsked(QuestionAsked):
    """Tell all addresses of a player that one of them is taken away when the question has expired.

    The letter to that address asks its owner to say `no` if they want to keep it.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandsHeld(QuestionAsked):
    """Ask a player, by a letter to their seat, whether they wrote certain commands in a game.

    * `lines_text` shows the commands in the letter
    * `is_again`: an earlier letter asked about the same commands, and a bare `yes` or `no` may refer to them
    * `last_for` is `hour` or `day` if this is the last such letter within that time, otherwise ''
    """

    lines_text: str
    is_again: bool = False
    last_for: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmationAsked(QuestionAsked):
    """Ask the owner of an address whether they wrote certain commands that are about no game.

    * `left_out`: the mail had other commands, which cannot be shown
    * `has_words`: the mail also had chat for another player
    * `last_for` is as in `CommandsHeld`. If it is None, the value of the answer to the mail applies.

    If `again` is `AskedAgain.LOOSE`, the letter goes to the question's address and is no reply. Otherwise it goes to
    the sender.
    """

    again: AskedAgain = AskedAgain.NO
    left_out: bool = False
    has_words: bool = False
    last_for: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandsNotShown(News):
    """Commands outside any game cannot be shown. A letter asks the sender to send them in a reply to that letter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionsDropped(News):
    """The player answered `no`, and the commands that the questions were about are dropped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SenderWelcomed(News):
    """A stranger gets the letter that explains how to begin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatAddressExplained(News):
    """Somebody unknown wrote to the reply address of a seat in `game`, and gets a letter that says what it is."""

    game: GameNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockedPlayerNotified(News):
    """A player whom the operator blocked gets a letter that says why (`why`) their mails are not read."""

    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NameChosen(News):
    """A player asked for a name and now has it. The answer reports this event."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingChosen(News):
    """A player chose the value of the setting that `keyword` names in `SETTINGS`."""

    keyword: str
    value: object


@dataclass(frozen=True, slots=True, kw_only=True)
class WentAway(News):
    """A player is away from now on until the end of a day, or until a time (a `datetime`).

    `left` are the years in which that counts, each with the number of days off that are left.
    """

    until: date
    left: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CameBack(News):
    """A player who was away is back. `left` is as in `WentAway`."""

    left: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MailStopped(News):
    """A player asked for no more mail. `running` is the number of their accepted games that are not over."""

    running: int
    stops_mail: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerBlocked(News):
    """A player blocked another player, who is called `name`."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerUnblocked(News):
    """A player unblocked another player. `is_changed` is false if the other player was not blocked."""

    name: str
    is_changed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressAdded(News):
    """An address was added to a player, whose oldest one is told."""

    player: PlayerId
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressRemoved(News):
    """An address was removed from a player."""

    player: PlayerId
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSent(News):
    """A player gets all data that is stored about them, as JSON."""

    data: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerErased(News):
    """The data of a player was erased.

    * `games` is the number of games that the player resigned by leaving
    * `keep_days` is the number of days for which copies in others' mails and letters are kept
    """

    games: int
    keep_days: int
    erases_sender: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsOfOpponent(SeatNews):
    """Base class of what happened to the player in `seat` outside the game."""

    has_own_letter: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentStoppedMail(NewsOfOpponent):
    """The player in `seat` wants no more mail. The opponent is notified."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentLeft(NewsOfOpponent):
    """The player in `seat` had their data erased. The opponent is notified."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentUnreachable(NewsOfOpponent):
    """Letters to the player in `seat` bounce. The opponent is notified."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeekOpened(News):
    """A player seeks a game. `is_repeated`: the same seek is already open, so nothing changes."""

    seek: Seek
    is_repeated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SeeksClosed(News):
    """The owner of these seeks closed them."""

    numbers: tuple[SeekNumber, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameDecided(GameNews):
    """Base class of what the operator decided about a game, for the reason `why`. Both players are notified."""

    why: str

    @property
    def readers(self) -> tuple[Seat, ...]:
        """The players who are notified."""
        return tuple(Seat)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameAdjourned(GameDecided):
    """The game was adjourned. `why` is '' if takmail has done it because the game is corrupt.

    `seat` is the seat of a blocked player, and only the opponent is notified. If `seat` is None, both players are
    notified.
    """

    seat: Seat | None = None

    @property
    def readers(self) -> tuple[Seat, ...]:
        """The players who are notified."""
        return tuple(Seat) if self.seat is None else (self.seat.other,)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResumed(GameDecided):
    """An adjourned game continues."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRuled(GameDecided):
    """The operator ended the game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorNotified(News):
    """The operator gets a letter about a corrupt game. `mail` is the shunted mail that has met it."""

    fault: Corruption
    mail: int | None
