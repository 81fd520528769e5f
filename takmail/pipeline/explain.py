"""Return the results of all stages for one mail as plain data, to show them to the operator."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from takmail.commands.command import Order
from takmail.commands.events import GameEvent
from takmail.commands.grammar.faults import Unclear
from takmail.commands.grammar.normalize import command_form, writable
from takmail.commands.grammar.typed_lines import typed_lines
from takmail.commands.kinds import LetterState, MailState
from takmail.commands.result import Assurance, ChatStatus, ForeignGame, SeatClaim
from takmail.commands.snapshot import State
from takmail.games.registry import Games
from takmail.letters.letter import NewLetter
from takmail.letters.services import Services
from takmail.letters.wording import Answered, Known, answered
from takmail.mail.headers import decode_words, first_headers
from takmail.mail.message import Message
from takmail.pipeline.interpret import Interpreted
from takmail.pipeline.process import Trace
from takmail.pipeline.values import Action


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the mail's text. A line that is not `typed` was quoted or left out."""

    text: str
    typed: bool


class LineClass(StrEnum):
    """What a typed line is. A line of a board, or of a reason above it, belongs to an order."""

    ORDER = "order"
    PROBABLY = "probably an order"
    WORDS = "words"
    PART = "part of an order, or not read"


@dataclass(frozen=True, slots=True)
class ClassifiedLine:
    """A typed line, and its class.

    `why` is the command that is ordered, or the reason for doubt. `offers` are the lines that the line may mean.
    """

    text: str
    is_a: LineClass
    why: str = ""
    offers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """A letter of takmail. `number` is 0 if it is not stored.

    `to` is its reader's name, or '' if the reader is no player. `error` is the reason why it was not sent, or ''.
    """

    number: int
    to: str
    subject: str
    text: str
    state: LetterState
    error: str = ""


@dataclass(frozen=True, slots=True)
class EventLine:
    """An event: the name of its class, and the event itself if it belongs to a game."""

    what: str
    of_game: GameEvent | None


@dataclass(frozen=True, slots=True)
class Explained:
    """The interpretation of a mail, and its outcome.

    * `before` is the number and the state of an earlier identical mail, or None
    * `player` is the name of the From address's owner, or None for a stranger
    * `place` is the seat for which it was written, and `owner` its player's name
    * `elsewhere` is a game that it names without a seat of the sender
    * `answers` is the letter that it answers, or None
    * `is_read`: its text was read, or its Subject instead of the text (`from_subject`)
    * `assurance` is how certain its author is, or None if processing ended earlier
    * `decision` is the decision on its request, or None if there was none
    * `lines` are its text, and `orders` and `chat` what was understood in it
    * `classified` are the lines that were typed, without blank ones
    * `words` says what was done with the chat
    * `reason` is the operator's note about its final state
    * `error` is the traceback if processing failed, otherwise ''
    * `unread` is the reason why its body was not read, or ''
    """

    size: int
    mail: Message
    before: tuple[int, MailState] | None = None
    player: str | None = None
    place: SeatClaim | None = None
    owner: str = ""
    elsewhere: int | None = None
    answers: Written | None = None
    is_read: bool = False
    from_subject: bool = False
    assurance: Assurance | None = None
    decision: Action | None = None
    lines: tuple[Line, ...] = ()
    classified: tuple[ClassifiedLine, ...] = ()
    orders: tuple[Order, ...] = ()
    reports: tuple[Answered, ...] = ()
    chat: str = ""
    words: ChatStatus = ChatStatus.NONE
    events: tuple[EventLine, ...] = ()
    state: MailState | None = None
    reason: str = ""
    letters: tuple[Written, ...] = ()
    error: str = ""
    unread: str = ""

    @property
    def is_held(self) -> bool:
        """Whether nothing is done until the player answers `yes`."""
        return self.decision is Action.ASK and not self.reports


def explained(services: Services, message: Message, trace: Trace) -> Explained:
    """Return the results of a mail's stages for the operator, as far as processing went.

    The caller adds the size, the earlier identical mail, and the letter that the mail answers.
    """
    interpreted = trace.interpreted
    place = trace.sender.claim if interpreted is None else interpreted.place
    seat = place if isinstance(place, SeatClaim) else None
    text = writable(message.text)
    typed = frozenset[int]() if interpreted is None else typed_lines(text, interpreted.typed)
    player = trace.sender.player
    it = Explained(
        size=0,
        mail=message,
        player=None if player is None else player.name,
        place=seat,
        owner="" if seat is None else trace.state.games[seat.game].players[seat.seat].name,
        elsewhere=place.game if isinstance(place, ForeignGame) else None,
        is_read=interpreted is not None,
        from_subject=interpreted is not None
        and bool(interpreted.typed)
        and not typed
        and interpreted.typed == writable(message.subject),
        assurance=None if interpreted is None else interpreted.assurance,
        decision=trace.decision,
        lines=lines_of(message.text, typed),
        classified=() if interpreted is None else tuple(_classified(services.games, interpreted)),
        orders=() if interpreted is None else interpreted.understood.orders,
        chat="" if interpreted is None else interpreted.understood.chat,
    )
    result, outcome = trace.result, trace.outcome
    if result is None or outcome is None:
        return it
    known = Known(services, result.state)
    return replace(
        it,
        reports=tuple(answered(known, one) for one in result.reports),
        words=result.chat.status,
        events=tuple(
            EventLine(type(one).__name__, one if isinstance(one, GameEvent) else None)
            for one in outcome.events
        ),
        state=outcome.state,
        reason=outcome.note,
        letters=tuple(_written_letter(result.state, one) for one in outcome.letters),
    )


def lines_of(text: str, typed: frozenset[int] = frozenset()) -> tuple[Line, ...]:
    """Return the lines of a text. `typed` are the numbers of the lines that the sender typed, from 0."""
    return tuple(Line(line, number in typed) for number, line in enumerate(text.rstrip().split("\n")))


def _classified(games: Games, interpreted: Interpreted) -> Iterator[ClassifiedLine]:
    """Yield the typed lines with their classes. Lines and orders have the same sequence."""
    understood = interpreted.understood
    orders, words = deque(understood.orders), (understood.chat or understood.held).splitlines()
    for line in filter(str.strip, interpreted.typed.splitlines()):
        form = command_form(line)
        while orders and not orders[0].line:
            orders.popleft()  # a board, which has no line
        if not orders or not (orders[0].line in form or orders[0].line.startswith(f"{form} ")):
            yield ClassifiedLine(line, LineClass.WORDS if line.rstrip() in words else LineClass.PART)
            continue
        order = orders.popleft()
        doubt = order.arguments
        if isinstance(doubt, Unclear):
            yield ClassifiedLine(line, LineClass.PROBABLY, doubt.fault, doubt.offers)
        else:
            yield ClassifiedLine(line, LineClass.ORDER, order.canonical(games) or order.command.keyword)


def _written_letter(state: State, letter: NewLetter) -> Written:
    return Written(
        number=0,
        to=next((one.name for one in state.players.values() if one.mailbox(letter.mail_to) is not None), ""),
        subject=decode_words(first_headers(letter.raw)[0].first("subject")),
        text=letter.text,
        state=letter.state,
    )
