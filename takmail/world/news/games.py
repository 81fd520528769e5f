"""Define the news of a game: how it begins, its turns, offers, disputes, chat, boards and clocks."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar

from takmail.games.interface import Comparison, Seat
from takmail.world.consequences import OfferedChange, Verdict
from takmail.world.kinds import SeekNumber
from takmail.world.news.base import GameNews, News, SeatNews
from takmail.world.records import GameRecord, Pending
from takmail.world.table import Played, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class GameProposed(GameNews):
    """A player invites another player to a game.

    `wait_hours` is the number of hours until an invitation leaves that has to wait, otherwise 0.
    """

    record: GameRecord
    wait_hours: int = 0
    is_told: ClassVar[bool] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationWritten(GameNews):
    """The invitation is sent to the guest, not before `waits_until` if it has to wait.

    `comes_last`: an earlier mail made it.
    """

    waits_until: datetime | None = None
    comes_last: bool = False
    is_told: ClassVar[bool] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GameBegun(SeatNews):
    """The guest accepted the invitation and sits in `seat`. If the players bid, the game begins with their bids."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BidMade(SeatNews):
    """The player in `seat` bid for the first turn. The opponent is told only of a bid that begins the game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationDeclined(SeatNews):
    """The guest in `seat` declined. Unsent letters to them are cancelled.

    `has_own_letter`: the mail turned away from somebody.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationWithdrawn(SeatNews):
    """The host withdrew the invitation. Unsent letters to the guest, in `seat`, are cancelled."""

    is_told: ClassVar[bool] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SeekJoined(SeatNews):
    """A player joined the game that another player seeks. The game begins with the joining player in `seat`.

    `seek` is None if the other player is a bot, which needs no seek. `is_in_answer`: the answer to the mail becomes the
    first letter of the new game.
    """

    record: GameRecord
    seek: SeekNumber | None
    is_in_answer: bool
    begins_game: ClassVar[bool] = True

    @property
    def readers(self) -> tuple[Seat, ...]:
        """Both players, unless the answer is the first letter of the game."""
        return () if self.is_in_answer else (Seat.SECOND, Seat.FIRST)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPlayed(GameNews):
    """A player played a turn.

    * `turn` is the turn as letters name it
    * `lapsed` are the offers that the turn made lapse
    * `has_own_letter`: no mail played it, so that the opponent gets a letter about nothing else
    """

    turn: Played
    lapsed: tuple[Pending, ...] = ()
    has_own_letter: bool = False
    place: ClassVar[int] = 0
    may_end_game: ClassVar[bool] = True

    @property
    def readers(self) -> tuple[Seat, ...]:
        """The opponent, if no mail played it."""
        return (self.turn.seat.other,) if self.has_own_letter else ()

    @property
    def is_plain_turn(self) -> bool:
        """Whether it ended no offer."""
        return not self.lapsed

    def stands(self, table: Table) -> bool:
        """Tell whether the turn was not taken back by the same mail."""
        return self.version + 1 in (turn.version for turn in table.turns)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnForwarded(TurnPlayed):
    """A player's turn was forwarded in a game that keeps no board.

    `crossed` is the opponent's last turn if the player had not seen it, because the two turns crossed in the mail.
    """

    crossed: Played | None = None
    place: ClassVar[int] = 1

    @property
    def is_plain_turn(self) -> bool:
        """Whether it ended no offer and crossed no turn."""
        return not self.lapsed and self.crossed is None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRepeated(News):
    """A player sent a turn that they had already played. This is not an error."""

    turn: Played


@dataclass(frozen=True, slots=True, kw_only=True)
class LastTurnTakenBack(GameNews):
    """A player took back their last turn, which the opponent cannot have seen."""

    turn: Played
    is_told: ClassVar[bool] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnTakenBackByRight(SeatNews):
    """The player in `seat` took back `turn`, their last one, which the opponent has seen.

    The offers in `lapsed` lapsed with it.
    """

    turn: Played
    lapsed: tuple[Pending, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Resigned(SeatNews):
    """The player in `seat` resigned. `has_own_letter`: a bot did, by no mail."""

    may_end_game: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferMade(GameNews):
    """A player made an offer."""

    offer: Pending

    def stands(self, table: Table) -> bool:
        """Tell whether the offer is open after the mail."""
        return self.version + 1 in (offer.version for offer in table.offers)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalMade(OfferMade):
    """A player proposed to continue from another board.

    * `wish` is the proposal as letters describe it
    * `instead_of` is the replaced proposal that the opponent knows about, if any
    * `is_in_place`: this proposal replaces one of the same player, whether or not the opponent knows about it
    * `comparison` lists the differences between the proposed board and the game
    * `shown_after` is the turn after which an earlier mail showed the board, None if this mail contains the board
    """

    wish: OfferedChange
    instead_of: OfferedChange | None
    is_in_place: bool
    comparison: Comparison | None
    shown_after: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalRepeated(News):
    """A player made a proposal that is already open. This is not an error."""

    wish: OfferedChange


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferRefused(SeatNews):
    """The player in `seat` refused the opponent's offer, which `wish` describes."""

    wish: OfferedChange


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferWithdrawn(SeatNews):
    """The player in `seat` withdrew their own offer, which `wish` describes.

    `known_to_opponent` is the same offer, if the opponent was notified of it. Otherwise it is the replaced offer that
    the opponent knows about, or None.
    """

    wish: OfferedChange
    known_to_opponent: OfferedChange | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferAgreed(SeatNews):
    """The player in `seat` accepted the opponent's offer, which `wish` describes.

    `turn` is the last turn of the game before, None if there was none. The offers in `lapsed` lapsed with it.
    """

    wish: OfferedChange
    turn: Played | None = None
    lapsed: tuple[Pending, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeOpened(SeatNews):
    """The player in `seat` claims that a turn is invalid.

    * `reason` is stored, and `shown_reason` is what the letter shows after `im`
    * `is_named`: the player named the turn
    * `verdict` is None in a game that keeps no board
    """

    turn: Played
    reason: str
    shown_reason: str
    is_named: bool
    verdict: Verdict | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat(SeatNews):
    """Base class of the news about chat of the player in `seat`.

    `words` is the text that the mail has added, '' if the answer quotes none. `is_cut`: it was too long and was
    truncated.
    """

    words: str = ""
    is_cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatQueued(Chat):
    """Chat is stored for the next letter."""

    is_told: ClassVar[bool] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatSent(Chat):
    """All waiting chat is sent in a letter of its own."""

    is_words: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, kw_only=True)
class TextRepeated(SeatNews):
    """The mailbox of the player in `seat` writes the same text again and again, which is not forwarded any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardAsked(SeatNews):
    """The player in `seat` asks to see the opponent's board, in a game where takmail keeps no board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardForwarded(SeatNews):
    """A board of the player in `seat` is forwarded. `rows` is the board, and `turn` is the last turn before it.

    * `comparison` lists the differences from the board that the opponent showed after turn `opponents_turn`
    * `has_replaced`: turns that a later turn of the same player replaced are left out of the comparison
    """

    rows: tuple[str, ...]
    turn: int
    comparison: Comparison | None
    opponents_turn: int | None = None
    has_replaced: bool = False
    place: ClassVar[int] = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderDue(SeatNews):
    """The player in `seat` is reminded of their turn."""

    is_reminder: ClassVar[bool] = True

    @property
    def readers(self) -> tuple[Seat, ...]:
        """The player who is reminded."""
        return (self.seat,)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockNews(SeatNews):
    """Base class of what time did to the player in `seat`. Both players are told."""

    @property
    def readers(self) -> tuple[Seat, ...]:
        """The players who are told, first the one whom it happened to."""
        return (self.seat, self.seat.other)


@dataclass(frozen=True, slots=True, kw_only=True)
class HolidayTaken(ClockNews):
    """Time off was taken for the player in `seat`, until `until`, as their time was over.

    `left` is how much they may still have in the year of `until`. The opponent is not told that.
    """

    until: datetime
    left: timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeOver(ClockNews):
    """The time of the player in `seat` is over, and the opponent may claim the win or wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LostOnTime(ClockNews):
    """The player in `seat` has lost, as their time was over in a strict game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRested(ClockNews):
    """The game was put to rest, as the player in `seat` has not moved for long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeGiven(SeatNews):
    """The player in `seat` gave the opponent time."""

    time: timedelta

    def stands(self, table: Table) -> bool:
        """Tell whether the opponent still has it."""
        return table.record.gifts[self.seat.other] > 0
