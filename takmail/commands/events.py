"""Define the events that commands, rulings and returned letters produce.

Database rows, letters, log lines and metrics are derived from the class of each event. An event of a game raises the
game's version by one. `execute` fills in `version`, which also identifies in that game whatever the event created.
The answer to a command reports the command's first event. `PlayerJoined` and `PlayerNamed` are applied and stored
before the other events of their command, which depend on them. All other events are applied in order.
"""

from dataclasses import dataclass
from datetime import datetime

from takmail.commands.game.offered_change import OfferedChange
from takmail.commands.game.turn_labels import Played
from takmail.commands.game.verdict import Verdict
from takmail.commands.kinds import AskedAgain, LetterView, OfferEnd, OfferKind, Ruling
from takmail.commands.records import (
    GameNumber,
    GameRecord,
    MessageId,
    Offer,
    Player,
    PlayerId,
    Question,
    QuestionId,
    Seek,
    SeekNumber,
)
from takmail.games.interface import Comparison, Reason, Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened, or that a player was shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEvent(Event):
    """Something that happened in a game. It raises the game's version."""

    game: GameNumber
    version: int = 0


# How a game begins.


@dataclass(frozen=True, slots=True, kw_only=True)
class GameProposed(GameEvent):
    """A player invites another player to a game. The host sees the guest as `guest`."""

    record: GameRecord
    guest: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationWritten(GameEvent):
    """The invitation is sent to the guest."""

    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationsWait(Event):
    """Invitations to a player wait to be written (`are_waiting`), or no longer do."""

    player: PlayerId
    are_waiting: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GameBegun(GameEvent):
    """The guest accepted and now sits in `seat`. `setup` and `seats` are complete."""

    seat: Seat
    setup: str
    seats: tuple[PlayerId, PlayerId]


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationDeclined(GameEvent):
    """The guest in `seat` declined. `notifies_host`: the host is notified."""

    seat: Seat
    notifies_host: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationWithdrawn(GameEvent):
    """The host withdrew the invitation. Unsent letters to the guest's seat `guest` are cancelled."""

    guest: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class LettersCancelled(Event):
    """Unsent letters to a seat of a game are cancelled."""

    game: GameNumber
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class SeekJoined(GameEvent):
    """A player joined the game that `seeker` seeks, and the game begins with that player in `seat`.

    `is_in_answer`: the mail was about no game, so its answer is the first letter of the new game.
    """

    record: GameRecord
    seek: SeekNumber
    seat: Seat
    seeker: str
    title: str
    is_in_answer: bool


# Turns.


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPlayed(GameEvent):
    """A player played a turn.

    `turn` is the turn as letters name it. `ends_proposal`: a proposed board lapsed because of it.
    """

    turn: Played
    written: str
    at: datetime
    checksum: str | None = None
    mail: int | None = None
    ends_proposal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnForwarded(TurnPlayed):
    """A turn was forwarded in a game that keeps no board.

    `crossed` is a turn of the opponent that was in transit at the same time.
    """

    crossed: Played | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRepeated(Event):
    """The same turn was sent again. This is not an error."""

    turn: Played


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnAlreadyForwarded(Event):
    """A turn was sent that had already been forwarded."""

    turn: Played


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSet(GameEvent):
    """Both players continue from a board. `text` is the turn that sets it, and `seat` proposed it."""

    seat: Seat
    text: str
    at: datetime
    checksum: str | None
    mail: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnsTakenBack(GameEvent):
    """The turns after turn `after` are taken back.

    `cancelled_letter` is the unsent letter that would have reported the last of them and is now cancelled. It is
    None if that
    letter may have been sent, or if this same mail played the turn.
    """

    after: int
    how: OfferKind
    at: datetime
    cancelled_letter: MessageId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LastTurnTakenBack(GameEvent):
    """A player took back their last turn, which the opponent cannot have seen."""

    turn: Played


@dataclass(frozen=True, slots=True, kw_only=True)
class Resigned(GameEvent):
    """The player in `seat` resigned."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnded(GameEvent):
    """The game is over. Its open questions and offers are void."""

    score: str | None
    resigned: Seat | None = None
    ruling: Ruling | None = None


# Offers and agreements.


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferMade(GameEvent):
    """A player made an offer. `notifies_opponent`: the opponent is notified by letter."""

    offer: Offer
    notifies_opponent: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalMade(OfferMade):
    """A player proposed a board.

    `instead_of` is the proposal that this one replaces and that the opponent knows. `comparison` is the difference
    between
    the board and the game. `shown_after` is the turn after which the board was shown, if another mail showed it.
    """

    wish: OfferedChange
    days: int
    instead_of: OfferedChange | None
    is_in_place: bool
    comparison: Comparison | None
    shown_after: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferRepeated(Event):
    """The same offer was made again. This is not an error."""

    kind: OfferKind


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalRepeated(Event):
    """The same proposal was made again. This is not an error."""

    wish: OfferedChange


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferClosed(GameEvent):
    """An offer is no longer open. `offer` is the version of the event that made it."""

    offer: int
    how: OfferEnd


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferRefused(GameEvent):
    """The player in `seat` refused what was offered."""

    seat: Seat
    wish: OfferedChange


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferWithdrawn(GameEvent):
    """An offer was withdrawn.

    `known_to_opponent` is the offer as the opponent knows it, None if they were never notified.
    """

    seat: Seat
    wish: OfferedChange
    known_to_opponent: OfferedChange | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawAgreed(GameEvent):
    """Both players agreed on a draw."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoAgreed(GameEvent):
    """The player in `seat` allowed the opponent to take `turn` back."""

    seat: Seat
    turn: Played


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalAgreed(GameEvent):
    """Both players continue from the same board. The player in `seat` was the one who accepted."""

    seat: Seat
    wish: OfferedChange


# Disputes, chat and boards.


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeOpened(GameEvent):
    """The player in `seat` claims that a turn is invalid. The letter shows `shown_reason` after `im`.

    `is_new`: the dispute was not raised before. `notifies_opponent`: the opponent accepts chat and is notified.
    """

    seat: Seat
    turn: int
    reason: str
    shown_reason: str
    at: datetime
    verdict: Verdict
    is_own: bool
    notifies_opponent: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeRepeated(Event):
    """The same dispute was raised again. Nobody is notified."""

    verdict: Verdict
    is_own: bool
    notifies_opponent: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeForwarded(GameEvent):
    """A dispute was forwarded in a game that keeps no board. `is_named`: the player named the turn."""

    seat: Seat
    reason: str
    shown_reason: str
    at: datetime
    turn: Played
    is_named: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeAlreadyForwarded(Event):
    """A dispute was raised that had already been forwarded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatQueued(GameEvent):
    """Chat text of the player in `seat` waits for a letter. `is_cut`: it was too long and was truncated."""

    seat: Seat
    words: str
    at: datetime
    is_cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatSent(GameEvent):
    """Waiting chat text of the player in `seat` is sent in a separate letter. `is_cut`: it was truncated."""

    seat: Seat
    is_cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatDropped(Event):
    """Undelivered chat text of a player is deleted, in all games or for one `reader`."""

    player: PlayerId
    reader: PlayerId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardStored(GameEvent):
    """The player in `seat` showed their board after turn `turn`."""

    seat: Seat
    board: str
    turn: int
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardCompared(Event):
    """A board was compared with the game."""

    comparison: Comparison


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardAsked(GameEvent):
    """The player in `seat` asks to see the opponent's board, in a game that keeps none."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardAskedBefore(Event):
    """The opponent was already asked for their board and has not written since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardAnswered(GameEvent):
    """The player in `seat` wrote, which closes the opponent's pending request for a board (`rs`)."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardForwarded(GameEvent):
    """A board of the player in `seat` is forwarded.

    `opponents_turn` is the turn after which the opponent showed their board.
    """

    seat: Seat
    rows: tuple[str, ...]
    turn: int
    comparison: Comparison | None
    opponents_turn: int | None = None
    has_replaced: bool = False


# Questions.


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAsked(Event):
    """A question was opened. Its `letter` is the letter in this outcome that asks it."""

    question: Question


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnConfirmationAsked(QuestionAsked):
    """Ask the player to confirm a turn. Its game requires this, and the answer to the mail gives the reason."""

    kind: str
    text: str
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class ResignationAsked(QuestionAsked):
    """Ask the player to confirm a resignation. The answer to their mail asks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureAsked(QuestionAsked):
    """Ask the player to confirm that their data is erased. The answer to their mail asks."""

    days: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressAsked(QuestionAsked):
    """Ask the owner of an address whether it belongs to the player.

    `sends_letter`: the owner gets a letter that asks on behalf of `name`. `letter_view` is the owner's choice of letter
    format, None if they made none or are unknown.
    """

    name: str
    days: int
    sends_letter: bool
    letter_view: LetterView | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandsHeld(QuestionAsked):
    """Ask a player, by a letter to their seat, whether they wrote these commands in a game.

    * `lines_text` are the commands as the letter shows them. The question can be answered within `days`.
    * `resigns`: a `yes` among the commands would resign the game
    * `is_again`: they were asked about before, and a bare `yes` or `no` may refer to them
    * `last_for` is set on the last such letter of an `hour` or a `day`, else it is empty
    """

    lines_text: str
    days: int
    resigns: bool = False
    is_again: bool = False
    last_for: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmationAsked(QuestionAsked):
    """Ask the owner of an address, by a letter to it, whether they wrote these commands, which are about no game.

    * `lines` are the commands as the letter shows them
    * `left_out`: the mail had other commands that cannot be shown
    * `has_words`: it also had chat for another player
    * `last_for` is as in `CommandsHeld`, None as for any answer

    After an ambiguous `yes` the letter goes to the question's address and is no reply. Otherwise it goes to the sender.
    """

    lines: tuple[str, ...]
    days: int
    again: AskedAgain = AskedAgain.NO
    left_out: bool = False
    has_words: bool = False
    last_for: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandsNotShown(Event):
    """Commands outside any game cannot be shown. A letter asks the sender to send them again as a reply."""

    days: int


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionClosed(Event):
    """A question is closed."""

    question: QuestionId


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionReplaced(Event):
    """A newer question replaced this one."""

    question: QuestionId


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionsDropped(Event):
    """The player answered `no`, and the commands in question are dropped."""


# Mails that are not read, or have no content.


@dataclass(frozen=True, slots=True, kw_only=True)
class SenderWelcomed(Event):
    """A stranger gets the letter that explains how to begin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockedPlayerNotified(Event):
    """A player whom the operator blocked is told why their mails are not read."""

    why: str


# Players.


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerJoined(Event):
    """A new player was registered."""

    player: Player


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerNamed(Event):
    """A player chose a name."""

    player: PlayerId
    name: str
    skeleton: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NameChosen(Event):
    """A player has the name that they asked for."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewChosen(Event):
    """A player chose a letter format."""

    player: PlayerId
    view: LetterView


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedMailReceived(Event):
    """A verified mail arrived from an address."""

    address: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LettersReleased(Event):
    """Letters that wait for a player at an address are released: all resting letters, and up to `max_postponed`
    postponed
    ones.
    """

    address: str
    player: PlayerId
    max_postponed: int
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class MailStopped(Event):
    """A player asked for no more mail. `running` is the number of their games that continue without it."""

    player: PlayerId
    at: datetime
    running: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MailResumed(Event):
    """A player who had asked for no more mail plays again."""

    player: PlayerId


@dataclass(frozen=True, slots=True, kw_only=True)
class LettersSuspended(Event):
    """Queued letters to an address rest until its owner writes."""

    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerBlocked(Event):
    """A player blocked another player."""

    player: PlayerId
    other: PlayerId
    name: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerUnblocked(Event):
    """A player unblocked another player. `is_changed`: they had been blocked."""

    player: PlayerId
    other: PlayerId
    name: str
    is_changed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressAdded(Event):
    """An address was added to a player. `old_address` is the address that their letters went to until now."""

    player: PlayerId
    address: str
    name: str
    old_address: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressRemoved(Event):
    """An address was removed from a player."""

    player: PlayerId
    address: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSent(Event):
    """A player gets all data that is stored about them, as JSON."""

    player: PlayerId
    data: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerErased(Event):
    """The data of a player was erased. From now on they are shown as `label`.

    * `addresses` and `names` identify the player
    * `subjects` are the new subjects of their games, by number
    * `games` is the number of games that they resigned by leaving
    * `waiting` lists the games whose unsent letters to the opponent are cancelled, each with its sent letters, oldest
      first
    """

    player: PlayerId
    label: str
    addresses: tuple[str, ...]
    names: tuple[str, ...]
    subjects: tuple[tuple[GameNumber, str], ...]
    games: int
    waiting: tuple[tuple[GameNumber, tuple[MessageId, ...]], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentStoppedMail(GameEvent):
    """The player in `seat` wants no more mail. The opponent is notified."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentLeft(GameEvent):
    """The player in `seat` left for good. The opponent is notified."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentUnreachable(GameEvent):
    """Letters to the player in `seat` bounce. The opponent is notified."""

    seat: Seat


# Seeks.


@dataclass(frozen=True, slots=True, kw_only=True)
class SeekOpened(Event):
    """A player seeks a game for `days`. `is_repeated`: the same seek is already open, and nothing changes."""

    seek: Seek
    is_repeated: bool
    days: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SeeksClosed(Event):
    """The owner of these seeks closed them."""

    numbers: tuple[SeekNumber, ...]


# Decisions of the operator, and returned letters.


@dataclass(frozen=True, slots=True, kw_only=True)
class Logged(Event):
    """A line of the operator's log about a game, a player or both. `what` begins with a `LogWord`.

    `fault` is the digest of the fault for which a game is frozen.
    """

    who: str
    what: str
    why: str
    at: datetime
    game: GameNumber | None = None
    player: PlayerId | None = None
    fault: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameAdjourned(GameEvent):
    """The game was adjourned.

    `seat` belongs to a player who is blocked: only the opponent is notified. If it is None, both players are.
    """

    why: str
    seat: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResumed(GameEvent):
    """An adjourned game continues."""

    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRuled(GameEvent):
    """The operator ended the game. A `GameEnded` event accompanies this one."""

    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFrozen(GameEvent):
    """The game is corrupt and was frozen. No letter can show it."""

    fault_text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorNotified(Event):
    """The operator gets a letter about a corrupt game. `facts` is everything that the letter shows."""

    facts: object


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerBlockedByOperator(Event):
    """The operator blocked a player. Nothing that the player sends is carried out."""

    player: PlayerId


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerUnblockedByOperator(Event):
    """The operator unblocked a player."""

    player: PlayerId


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayersMerged(Event):
    """Player `source` was merged into player `into`.

    `accepts_mail`: `into` had not opted out of mail, and still has not.
    """

    source: PlayerId
    into: PlayerId
    accepts_mail: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterReturned(Event):
    """A letter bounced or the server refused it. It is sent again at `retry_at`, or never if that is None."""

    letter: MessageId
    reason: str
    retry_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MailboxBounced(Event):
    """Another letter to an address bounced. `bounces_before` is the number that had bounced until then."""

    address: str
    bounces_before: int
