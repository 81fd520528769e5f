"""Define the news: what happened, for people. Letters, the log and the metrics tell it, and it changes nothing.

An answer reports the first news of its command.
"""

from dataclasses import dataclass
from datetime import datetime

from takmail.games.interface import Comparison, Reason, Seat
from takmail.world.ids import GameNumber, PlayerId, SeekNumber
from takmail.world.kinds import AskedAgain, LetterView
from takmail.world.offered_change import OfferedChange
from takmail.world.players import Seek
from takmail.world.questions import Question
from takmail.world.records import GameRecord, Offer
from takmail.world.table import Played
from takmail.world.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Base class of everything that happened or that a player was shown. It happens at the time of its cause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEvent(Event):
    """Base class of everything that happened in a game.

    * `version` is the game's version before the change that the news is about, which `execute` fills in
    * `notifies_opponent`: the opponent gets a letter about it, if letters report such news at all
    """

    game: GameNumber
    version: int = 0
    notifies_opponent: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatEvent(GameEvent):
    """Base class of what the player in `seat` did, or what happened to them."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerEvent(Event):
    """Base class of what changes one player, or what the player has."""

    player: PlayerId


# How a game begins.


@dataclass(frozen=True, slots=True, kw_only=True)
class GameProposed(GameEvent):
    """A player invites another player to a game.

    `wait_hours` is the number of hours until an invitation leaves that has to wait, otherwise 0.
    """

    record: GameRecord
    wait_hours: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationWritten(GameEvent):
    """The invitation is sent to the guest, not before `waits_until` if it has to wait."""

    waits_until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameBegun(SeatEvent):
    """The guest accepted the invitation and sits in `seat`. `setup` and `seats` are final from now on."""

    setup: str
    seats: tuple[PlayerId, PlayerId]


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationDeclined(SeatEvent):
    """The guest in `seat` declined. Unsent letters to them are cancelled.

    `has_own_letter`: the mail turned away from somebody, so that the host gets a letter about nothing else.
    """

    has_own_letter: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationWithdrawn(SeatEvent):
    """The host withdrew the invitation. Unsent letters to the guest, in `seat`, are cancelled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeekJoined(SeatEvent):
    """A player joined the game that another player seeks. The game begins with the joining player in `seat`.

    `is_in_answer`: the mail named no game, and its answer becomes the first letter of the new game.
    """

    record: GameRecord
    seek: SeekNumber
    is_in_answer: bool


# Turns.


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPlayed(GameEvent):
    """A player played a turn.

    * `turn` is the turn as letters name it
    * `lapsed` are the offers that the turn made lapse
    """

    turn: Played
    lapsed: tuple[Offer, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnForwarded(TurnPlayed):
    """A player's turn was forwarded in a game that keeps no board.

    `crossed` is the opponent's last turn if the player had not seen it, because the two turns crossed in the mail.
    """

    crossed: Played | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRepeated(Event):
    """A player sent a turn that they had already played. This is not an error."""

    turn: Played


@dataclass(frozen=True, slots=True, kw_only=True)
class LastTurnTakenBack(GameEvent):
    """A player took back their last turn, which the opponent cannot have seen."""

    turn: Played


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnTakenBackByRight(SeatEvent):
    """The player in `seat` took back `turn`, their last one, which the opponent has seen.

    The offers in `lapsed` lapsed with it.
    """

    turn: Played
    lapsed: tuple[Offer, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Resigned(SeatEvent):
    """The player in `seat` resigned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnded(GameEvent):
    """The game is over."""


# Offers and agreements.


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferMade(GameEvent):
    """A player made an offer."""

    offer: Offer


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
class ProposalRepeated(Event):
    """A player made a proposal that is already open. This is not an error."""

    wish: OfferedChange


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferRefused(SeatEvent):
    """The player in `seat` refused the opponent's offer, which `wish` describes."""

    wish: OfferedChange


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferWithdrawn(SeatEvent):
    """The player in `seat` withdrew their own offer, which `wish` describes.

    `known_to_opponent` is the same offer, if the opponent was notified of it. Otherwise it is the replaced offer that
    the opponent knows about, or None.
    """

    wish: OfferedChange
    known_to_opponent: OfferedChange | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferAgreed(SeatEvent):
    """The player in `seat` accepted the opponent's offer, which `wish` describes.

    `turn` is the last turn of the game before, None if there was none. The offers in `lapsed` lapsed with it.
    """

    wish: OfferedChange
    turn: Played | None = None
    lapsed: tuple[Offer, ...] = ()


# Disputes, chat and boards.


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeOpened(SeatEvent):
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
class ChatQueued(SeatEvent):
    """Chat text of the player in `seat` is stored for the next letter. `is_cut`: it was too long and was truncated."""

    words: str
    is_cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatSent(SeatEvent):
    """All waiting chat text of the player in `seat` is sent in a letter of its own.

    `words` is the text that the mail has added, '' if the answer quotes none. `is_cut`: it was truncated.
    """

    words: str = ""
    is_cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TextRepeated(SeatEvent):
    """The mailbox of the player in `seat` writes the same text again and again, which is not forwarded any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardAsked(SeatEvent):
    """The player in `seat` asks to see the opponent's board, in a game where takmail keeps no board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardForwarded(SeatEvent):
    """A board of the player in `seat` is forwarded. `rows` is the board, and `turn` is the last turn before it.

    * `comparison` lists the differences from the board that the opponent showed after turn `opponents_turn`
    * `has_replaced`: turns that a later turn of the same player replaced are left out of the comparison
    """

    rows: tuple[str, ...]
    turn: int
    comparison: Comparison | None
    opponents_turn: int | None = None
    has_replaced: bool = False


# Questions.


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAsked(Event):
    """A question was opened. `question.letter` is the letter of this outcome that asks it."""

    question: Question


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
    `wait_hours`. `letter_view` is the owner's chosen letter format, None if they chose none or are unknown.
    """

    sends_letter: bool
    letter_view: LetterView | None = None
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
    * `resigns`: one of the commands is a `yes` that would resign the game
    * `is_again`: an earlier letter asked about the same commands, and a bare `yes` or `no` may refer to them
    * `last_for` is `hour` or `day` if this is the last such letter within that time, otherwise ''
    """

    lines_text: str
    resigns: bool = False
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
class CommandsNotShown(Event):
    """Commands outside any game cannot be shown. A letter asks the sender to send them in a reply to that letter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionsDropped(Event):
    """The player answered `no`, and the commands that the questions were about are dropped."""


# Mails that are not read, or have no content.


@dataclass(frozen=True, slots=True, kw_only=True)
class SenderWelcomed(Event):
    """A stranger gets the letter that explains how to begin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatAddressExplained(Event):
    """Somebody unknown wrote to the reply address of a seat in `game`, and gets a letter that says what it is."""

    game: GameNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockedPlayerNotified(Event):
    """A player whom the operator blocked gets a letter that says why (`why`) their mails are not read."""

    why: str


# Players.


@dataclass(frozen=True, slots=True, kw_only=True)
class NameChosen(Event):
    """A player asked for a name and now has it. The answer reports this event."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingChosen(PlayerEvent):
    """A player chose the value of the setting that `keyword` names in `SETTINGS`."""

    keyword: str
    value: object


@dataclass(frozen=True, slots=True, kw_only=True)
class MailStopped(PlayerEvent):
    """A player asked for no more mail. `running` is the number of their accepted games that are not over."""

    running: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerBlocked(PlayerEvent):
    """A player blocked another player."""

    other: PlayerId
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerUnblocked(PlayerEvent):
    """A player unblocked another player. `is_changed` is false if the other player was not blocked."""

    other: PlayerId
    name: str
    is_changed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressAdded(PlayerEvent):
    """An address was added to a player, whose oldest one is told."""

    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressRemoved(PlayerEvent):
    """An address was removed from a player."""

    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSent(PlayerEvent):
    """A player gets all data that is stored about them, as JSON."""

    data: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerErased(PlayerEvent):
    """The data of a player was erased.

    * `games` is the number of games that the player resigned by leaving
    * `keep_days` is the number of days for which copies in others' mails and letters are kept
    """

    games: int
    keep_days: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentStoppedMail(SeatEvent):
    """The player in `seat` wants no more mail. The opponent is notified."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentLeft(SeatEvent):
    """The player in `seat` had their data erased. The opponent is notified."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentUnreachable(SeatEvent):
    """Letters to the player in `seat` bounce. The opponent is notified."""


# Seeks.


@dataclass(frozen=True, slots=True, kw_only=True)
class SeekOpened(Event):
    """A player seeks a game. `is_repeated`: the same seek is already open, so nothing changes."""

    seek: Seek
    is_repeated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SeeksClosed(Event):
    """The owner of these seeks closed them."""

    numbers: tuple[SeekNumber, ...]


# Decisions of the operator, and returned letters.


@dataclass(frozen=True, slots=True, kw_only=True)
class GameAdjourned(GameEvent):
    """The game was adjourned.

    `seat` is the seat of a blocked player, and only the opponent is notified. If `seat` is None, both players are
    notified.
    """

    why: str
    seat: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResumed(GameEvent):
    """An adjourned game continues."""

    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRuled(GameEvent):
    """The operator ended the game, for the reason `why`. A `GameEnded` event precedes this one."""

    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFrozen(GameEvent):
    """The game is corrupt and was frozen. No letter can show its board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorNotified(Event):
    """The operator gets a letter about a corrupt game. `facts` are the parameters of the letter's template."""

    facts: object
