"""Events. Rows, letters, log and metrics follow from their classes.

Commands, rulings and returned letters give them. An event of a game raises
its version by one; `execute` fills in `version`, which is the name of what the event has made in that game. The first
event of a command is the one that its answer tells of. Wherever they stand, `PlayerJoined` and `PlayerNamed` are
carried out and stored before the other events of their command, which take them for granted; all others in order.
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
    """Something that has happened, or that somebody was shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEvent(Event):
    """Something that has happened in a game, by which it has a new version."""

    game: GameNumber
    version: int = 0


# How a game begins.


@dataclass(frozen=True, slots=True, kw_only=True)
class GameProposed(GameEvent):
    """Somebody asks another one to a game, who is called `guest` to the host."""

    record: GameRecord
    guest: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationWritten(GameEvent):
    """The guest gets the invitation now."""

    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationsWait(Event):
    """Whether invitations to a player wait to be written."""

    player: PlayerId
    is_so: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GameBegun(GameEvent):
    """The guest, in `seat` from now on, has accepted; `setup` and `seats` are complete."""

    seat: Seat
    setup: str
    seats: tuple[PlayerId, PlayerId]


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationDeclined(GameEvent):
    """The guest in `seat` does not play; `is_told` the host."""

    seat: Seat
    is_told: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationWithdrawn(GameEvent):
    """The host has taken the invitation back: its letters to the guest in `guest` don't leave any more."""

    guest: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class LettersWithdrawn(Event):
    """What waits for the player in a seat of a game does not leave any more."""

    game: GameNumber
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class SeekJoined(GameEvent):
    """Somebody, in `seat`, has joined the game that `seeker` seeks, and it begins.

    `is_here`: the mail was about no game, so that its answer is the first letter of the new one.
    """

    record: GameRecord
    seek: SeekNumber
    seat: Seat
    seeker: str
    title: str
    is_here: bool


# Turns.


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPlayed(GameEvent):
    """A turn was played; `turn` is how letters name it, and `ends_proposal`: a proposed board has lapsed by it."""

    turn: Played
    written: str
    at: datetime
    checksum: str | None = None
    mail: int | None = None
    ends_proposal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPassedOn(TurnPlayed):
    """A turn was passed on in a game that keeps no board; `crossed` is one of the other's that was on its way."""

    crossed: Played | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRepeated(Event):
    """The same turn again, which is no fault."""

    turn: Played


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPassedOnBefore(Event):
    """A turn that was passed on already."""

    turn: Played


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSet(GameEvent):
    """Both go on from a board: the turn that sets it, proposed by `seat`."""

    seat: Seat
    text: str
    at: datetime
    checksum: str | None
    mail: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnsTakenBack(GameEvent):
    """The turns behind turn `after` are given up.

    `told` is the letter that would have told of the last one and never leaves; None: it may have left, or this very
    mail has played it.
    """

    after: int
    how: OfferKind
    at: datetime
    told: MessageId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LastTurnTakenBack(GameEvent):
    """A player has taken their last turn back, which the other one can't have seen."""

    turn: Played


@dataclass(frozen=True, slots=True, kw_only=True)
class Resigned(GameEvent):
    """The player in `seat` has given the game up."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnded(GameEvent):
    """The game is over; what was asked and offered in it is moot."""

    score: str | None
    resigned: Seat | None = None
    ruling: Ruling | None = None


# What two agree on.


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferMade(GameEvent):
    """An offer; `is_told`: the other one hears of it by a letter."""

    offer: Offer
    is_told: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalMade(OfferMade):
    """A proposal of a board; `instead_of` is the one that the other one knows of and that it replaces.

    `found` is how the board differs from the game; `shown_after` is the turn after which it was shown, if it was
    shown by another mail.
    """

    wish: OfferedChange
    days: int
    instead_of: OfferedChange | None
    is_in_place: bool
    found: Comparison | None
    shown_after: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferRepeated(Event):
    """The same offer again, which is no fault."""

    kind: OfferKind


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalRepeated(Event):
    """The same proposal again, which is no fault."""

    wish: OfferedChange


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferClosed(GameEvent):
    """An offer, by the version that has made it, stands no more."""

    offer: int
    how: OfferEnd


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferRefused(GameEvent):
    """The player in `seat` wants none of what is offered."""

    seat: Seat
    wish: OfferedChange


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferWithdrawn(GameEvent):
    """An offer is taken back; `known` is what the other one is told, None: they have heard of nothing."""

    seat: Seat
    wish: OfferedChange
    known: OfferedChange | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawAgreed(GameEvent):
    """Both agree on a draw."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoAgreed(GameEvent):
    """The player in `seat` lets the other one take `turn` back."""

    seat: Seat
    turn: Played


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalAgreed(GameEvent):
    """Both go on from one board; the player in `seat` has said the last word."""

    seat: Seat
    wish: OfferedChange


# Disputes, words and boards.


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeOpened(GameEvent):
    """The player in `seat` holds a turn to be invalid; `why` stands behind `im` in the letter.

    `is_new`: it was not said before; `is_heard`: the other one takes words, and is told.
    """

    seat: Seat
    turn: int
    reason: str
    why: str
    at: datetime
    verdict: Verdict
    is_own: bool
    is_heard: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeRepeated(Event):
    """The same dispute again: nobody is told."""

    verdict: Verdict
    is_own: bool
    is_heard: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputePassedOn(GameEvent):
    """A dispute in a game that keeps no board; `is_named`: its turn was named."""

    seat: Seat
    reason: str
    why: str
    at: datetime
    turn: Played
    is_named: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputePassedOnBefore(Event):
    """A dispute that was passed on already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WordsSaid(GameEvent):
    """Words of the player in `seat` wait for a letter; `is_cut`: they were too long."""

    seat: Seat
    words: str
    at: datetime
    is_cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WordsSent(GameEvent):
    """What the player in `seat` has said gets a letter of its own now; `is_cut`: it was too long."""

    seat: Seat
    is_cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WordsDropped(Event):
    """What a player has said, in any game or to one reader, and no letter has brought, is gone."""

    player: PlayerId
    reader: PlayerId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardKept(GameEvent):
    """The player in `seat` has shown a board after turn `turn`."""

    seat: Seat
    board: str
    turn: int
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardCompared(Event):
    """A board was held against the game."""

    found: Comparison


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardAsked(GameEvent):
    """The player in `seat` asks for the other one's board, in a game that keeps none."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardAskedBefore(Event):
    """The other one was asked already, and has not written since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardAnswered(GameEvent):
    """The player in `seat` has written, which is all the answer that the other one's `rs` may get."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardPassedOn(GameEvent):
    """A board of the player in `seat` is passed on; `theirs` is the turn after which the other one showed theirs."""

    seat: Seat
    rows: tuple[str, ...]
    turn: int
    found: Comparison | None
    theirs: int | None = None
    has_replaced: bool = False


# Questions.


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAsked(Event):
    """A question is open; its `letter` is the one that this outcome writes about it."""

    question: Question


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnDoubted(QuestionAsked):
    """Does the player mean this turn? Its game asks before it is played, and the answer to their mail says why."""

    kind: str
    text: str
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class ResignationAsked(QuestionAsked):
    """Does the player mean to give the game up? The answer to their mail asks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureAsked(QuestionAsked):
    """Does the player mean to leave for good? The answer to their mail asks."""

    days: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressAsked(QuestionAsked):
    """Is this address the player's? `is_written`: its owner gets a letter that asks in the name of `name`.

    `letter_view`: what the letters of its owner are made of, None: they have not said, or nobody knows them.
    """

    name: str
    days: int
    is_written: bool
    letter_view: LetterView | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandsHeld(QuestionAsked):
    """Are these words in a game the player's own? A letter to their seat asks.

    `words` are those of the question as the letter shows them, which can be answered within `days`. `resigns`: a `yes`
    among them would give the game up. `is_again`: they were asked about before, and a bare `yes` or `no` may be meant
    for them. `last_for`: this is the last such letter, for an `hour` or a `day`; '': it isn't.
    """

    words: str
    days: int
    resigns: bool = False
    is_again: bool = False
    last_for: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmationAsked(QuestionAsked):
    """Are these commands outside any game those of the owner of an address? A letter there asks.

    `lines` are the commands as the letter shows them. `left_out`: something more was asked for, which can't be shown;
    `has_words`: so were words for another player. `last_for` as in `CommandsHeld`, None: as for any answer.
    Where a `yes` is loose, the letter goes to the question's address, and answers nothing; else to the mail's sender.
    """

    lines: tuple[str, ...]
    days: int
    again: AskedAgain = AskedAgain.NO
    left_out: bool = False
    has_words: bool = False
    last_for: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandsUnshown(Event):
    """What is asked for outside any game can't be shown: a letter asks its sender to write it in answer."""

    days: int


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionClosed(Event):
    """A question is open no more."""

    question: QuestionId


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionReplaced(Event):
    """A newer question has taken its place."""

    question: QuestionId


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionsDropped(Event):
    """What was asked is dropped, as its reader says `no`."""


# Mails that are not read, or say nothing.


@dataclass(frozen=True, slots=True, kw_only=True)
class SenderWelcomed(Event):
    """A stranger is told how to begin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BarredPlayerTold(Event):
    """A player whom the operator has blocked hears why nothing of theirs is read."""

    why: str


# People.


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerJoined(Event):
    """Somebody is known from now on."""

    player: Player


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerNamed(Event):
    """A player has a name of their own."""

    player: PlayerId
    name: str
    skeleton: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NameChosen(Event):
    """A player is called as they wanted."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewChosen(Event):
    """What a player's letters are made of from now on."""

    player: PlayerId
    view: LetterView


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerHeard(Event):
    """The owner of an address has surely written from it."""

    address: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LettersWoken(Event):
    """What waits for a player at an address may leave: what rested there, and `most` of what was put off for them."""

    address: str
    player: PlayerId
    most: int
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerStopped(Event):
    """A player wants no more mail; `running` are their games that go on without it."""

    player: PlayerId
    at: datetime
    running: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerWentOn(Event):
    """A player who had wanted no more mail plays on."""

    player: PlayerId


@dataclass(frozen=True, slots=True, kw_only=True)
class LettersRested(Event):
    """What waits for an address waits until its owner writes."""

    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerBlocked(Event):
    """A player hears no more of another one."""

    player: PlayerId
    other: PlayerId
    name: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerUnblocked(Event):
    """A player hears of another one again; `is_changed`: they had not."""

    player: PlayerId
    other: PlayerId
    name: str
    is_changed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressAdded(Event):
    """An address is a player's from now on; `before` is where letters to them went."""

    player: PlayerId
    address: str
    name: str
    before: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressRemoved(Event):
    """An address is a player's no more."""

    player: PlayerId
    address: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSent(Event):
    """A player gets all that is held about them, as JSON."""

    player: PlayerId
    data: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerErased(Event):
    """All that is a player's is taken away, who is called `label` from now on.

    `addresses` and `names` are what leads to them; `subjects` are what their games are called now, by number; `games`
    is how many they have given up by it. `waiting` are the games with letters to the other one that never leave now,
    each with those that have left, oldest first.
    """

    player: PlayerId
    label: str
    addresses: tuple[str, ...]
    names: tuple[str, ...]
    subjects: tuple[tuple[GameNumber, str], ...]
    games: int
    waiting: tuple[tuple[GameNumber, tuple[MessageId, ...]], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentFellSilent(GameEvent):
    """The player in `seat` wants no more mail, and the other one is told."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentLeft(GameEvent):
    """The player in `seat` has left for good, and the other one is told."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentUnreachable(GameEvent):
    """Letters to the player in `seat` come back, and the other one is told."""

    seat: Seat


# Seeks.


@dataclass(frozen=True, slots=True, kw_only=True)
class SeekOpened(Event):
    """Somebody seeks a game for `days`; `again`: the same was sought already, and nothing changes."""

    seek: Seek
    again: bool
    days: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SeeksClosed(Event):
    """Seeks that stand no more, as their owner says so."""

    numbers: tuple[SeekNumber, ...]


# What the operator decides, and what letters that come back lead to.


@dataclass(frozen=True, slots=True, kw_only=True)
class Logged(Event):
    """A line of the operator's log, about a game, a player or both; `what` begins with a `LogWord`.

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
    """The game is adjourned. `seat` is that of a player who is blocked: only the other one is told; None: both are."""

    why: str
    seat: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResumed(GameEvent):
    """The game goes on."""

    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRuled(GameEvent):
    """The operator has ended the game, as `GameEnded` beside it tells."""

    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFrozen(GameEvent):
    """The game is corrupt, and frozen: no letter can show it."""

    wrong: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorAlarmed(Event):
    """The operator gets a letter about a game that is broken; `found` is all that it shows."""

    found: object


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerBarred(Event):
    """The operator wants nothing of a player's carried out."""

    player: PlayerId


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerReadmitted(Event):
    """The operator lets a player write again."""

    player: PlayerId


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayersMerged(Event):
    """All that is `source`'s is `into`'s from now on; `is_awake`: `into` had wanted mail, and wants it still."""

    source: PlayerId
    into: PlayerId
    is_awake: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterReturned(Event):
    """A letter came back, or was refused at the door; it goes out once more at `again`, None: never."""

    letter: MessageId
    reason: str
    again: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MailboxBounced(Event):
    """One more letter to an address has come back; `before` is how many had until then."""

    address: str
    before: int
