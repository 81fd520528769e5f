"""Explain a mail to the operator: the values of the stages, as plain facts."""

from dataclasses import dataclass, replace

from takmail.commands.events import Event, GameEvent
from takmail.commands.grammar.normalize import writable
from takmail.commands.grammar.typed_lines import typed_lines
from takmail.commands.grammar.understand import Ordered
from takmail.commands.kinds import LetterState, MailState
from takmail.commands.result import Assurance, Elsewhere, SeatClaim, WordsFate
from takmail.commands.snapshot import State
from takmail.letters.letter import NewLetter
from takmail.letters.services import Services
from takmail.letters.wording import Answered, Known, answered
from takmail.mail.headers import first_headers, words_decoded
from takmail.mail.message import Message
from takmail.pipeline.process import Trace
from takmail.pipeline.values import Deed


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the mail's text; one that is not `typed` was quoted or left out."""

    text: str
    typed: bool


@dataclass(frozen=True, slots=True)
class SpeaksFor:
    """The seat that a mail speaks for, whose it is, how sure that is, and the turn that its writer had seen."""

    game: int
    seat: int
    owner: str
    assurance: Assurance
    shown: int | None


@dataclass(frozen=True, slots=True)
class Written:
    """A letter of ours; `to` is its reader's name, '' for somebody who plays in no game. `number` 0: not stored.

    `error` is what has kept it from leaving, '' if nothing has.
    """

    number: int
    to: str
    subject: str
    text: str
    state: LetterState
    error: str = ""


@dataclass(frozen=True, slots=True)
class EventLine:
    """An event by its class, and the game that has a new version by it, None: none has."""

    what: str
    game: int | None
    version: int | None


@dataclass(frozen=True, slots=True)
class Explained:
    """The reading of a mail, and its outcome.

    `before` is the mail that came before and is the same, with its state. `player` is who writes from this address,
    None for a stranger. `is_read` tells whether the text was looked at, `from_subject` that the Subject was read in
    its place. `decision` is what is done about its request, as it is so sure (`assurance`) who wrote it; None where it
    did not come to that. `error` is the traceback of a mail that raises. `unread` says why its body was not read, ''
    where it was.
    """

    size: int
    mail: Message
    before: tuple[int, MailState] | None = None
    player: str | None = None
    place: SpeaksFor | None = None
    elsewhere: int | None = None
    answers: Written | None = None
    is_read: bool = False
    from_subject: bool = False
    assurance: Assurance | None = None
    decision: Deed | None = None
    lines: tuple[Line, ...] = ()
    orders: tuple[Ordered, ...] = ()
    reports: tuple[Answered, ...] = ()
    chat: str = ""
    words: WordsFate = WordsFate.NONE
    events: tuple[EventLine, ...] = ()
    state: MailState | None = None
    reason: str = ""
    letters: tuple[Written, ...] = ()
    error: str = ""
    unread: str = ""

    @property
    def is_held(self) -> bool:
        """Whether nothing is done before the player says yes."""
        return self.decision is Deed.ASK and not self.reports

    @property
    def is_asked_again(self) -> bool:
        """Whether nothing is done before the player says yes to what is asked once more."""
        return self.decision is Deed.ASK_AGAIN


def explained(services: Services, message: Message, trace: Trace) -> Explained:
    """The values of a mail's stages as the operator sees them, as far as it came.

    The caller adds its size, what came before, and the letter that it answers.
    """
    interpreted = trace.interpreted
    request = None if interpreted is None else interpreted.request
    text = writable(message.text)
    typed = frozenset[int]() if request is None else typed_lines(text, request.typed)
    player = trace.sender.player
    it = Explained(
        size=0,
        mail=message,
        player=None if player is None else player.name,
        place=_place(trace),
        elsewhere=_elsewhere(trace),
        is_read=request is not None,
        from_subject=request is not None
        and bool(request.typed)
        and not typed
        and request.typed == writable(message.subject),
        assurance=None if interpreted is None else interpreted.assurance,
        decision=None if trace.decision is None else trace.decision.deed,
        lines=lines_of(message.text, typed),
        orders=() if request is None else request.understood.orders,
        chat="" if request is None else request.understood.chat,
    )
    result, outcome = trace.result, trace.outcome
    if result is None or outcome is None:
        return it
    known = Known(services, result.state)
    return replace(
        it,
        reports=tuple(answered(known, one) for one in result.reports),
        words=result.words,
        events=tuple(map(_happened, outcome.events)),
        state=outcome.state,
        reason=outcome.note,
        letters=tuple(_written(result.state, one) for one in outcome.letters),
    )


def lines_of(text: str, typed: frozenset[int] = frozenset()) -> tuple[Line, ...]:
    """The lines of a text; those with the numbers `typed` were typed."""
    return tuple(Line(line, number in typed) for number, line in enumerate(text.rstrip().split("\n")))


def _place(trace: Trace) -> SpeaksFor | None:
    claim = trace.sender.claim if trace.interpreted is None else _claim(trace)
    if not isinstance(claim, SeatClaim):
        return None
    game = trace.state.games[claim.game]
    owner = game.players[claim.seat].name
    return SpeaksFor(claim.game, int(claim.seat) + 1, owner, claim.assurance, claim.turn)


def _claim(trace: Trace) -> SeatClaim | None:
    assert trace.interpreted is not None
    return getattr(trace.interpreted.place, "claim", None)


def _elsewhere(trace: Trace) -> int | None:
    if trace.interpreted is None:
        return trace.sender.claim.game if isinstance(trace.sender.claim, Elsewhere) else None
    return getattr(trace.interpreted.place, "named", None)


def _happened(event: Event) -> EventLine:
    name = type(event).__name__
    if isinstance(event, GameEvent):
        return EventLine(name, event.game, event.version)
    return EventLine(name, None, None)


def _written(state: State, letter: NewLetter) -> Written:
    return Written(
        number=0,
        to=_name(state, letter.mail_to),
        subject=words_decoded(first_headers(letter.raw)[0].first("subject")),
        text=letter.text,
        state=letter.state,
    )


def _name(state: State, address: str) -> str:
    reader = next((one for one in state.players.values() if one.mailbox(address) is not None), None)
    return reader.name if reader is not None else ""
