"""Return the results of all stages for one mail as plain data, to show them to the operator."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain

from takmail.commands.answers import Refusal, Reported, Skipped
from takmail.commands.command import Unclear
from takmail.commands.grammar.normalize import command_form, writable
from takmail.games.registry import Games
from takmail.letters.letter import Letter
from takmail.letters.news.rows import name_of
from takmail.letters.services import Services
from takmail.mail.headers import decode_words, first_headers
from takmail.mail.message import Mail
from takmail.pipeline.interpret import Interpreted
from takmail.pipeline.process import Trace
from takmail.world import LetterState, MailState, World


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


class Status(StrEnum):
    """What became of a line."""

    DONE = "done"
    FAILED = "failed"
    SKIPPED = "not tried"


@dataclass(frozen=True, slots=True)
class AnsweredLine:
    """A line of a mail, and its answer: what became of it, and the name of the result."""

    line: str
    status: Status
    name: str


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
class Explained:
    """The interpretation of a mail, and its outcome.

    * `trace` are the results of its stages, or None if the first stage failed
    * `before` is the number and the state of an earlier identical mail, or None
    * `answers` is the letter that it answers, or None
    * `from_subject`: its Subject was read instead of its text
    * `lines` are its text
    * `classified` are the lines that were typed, without blank ones
    * `reports` are the answers to its lines
    * `error` is the traceback if processing failed, otherwise ''
    * `unread` is the reason why its body was not read, or ''
    """

    size: int
    mail: Mail
    trace: Trace | None = None
    before: tuple[int, MailState] | None = None
    answers: Written | None = None
    from_subject: bool = False
    lines: tuple[Line, ...] = ()
    classified: tuple[ClassifiedLine, ...] = ()
    reports: tuple[AnsweredLine, ...] = ()
    letters: tuple[Written, ...] = ()
    error: str = ""
    unread: str = ""


def explained(services: Services, message: Mail, trace: Trace) -> Explained:
    """Return the results of a mail's stages for the operator, as far as processing went.

    The caller adds the size, the earlier identical mail, and the letter that the mail answers.
    """
    text, interpreted = message.body.text, trace.interpreted
    explanation = Explained(0, message, trace, lines=lines_of(text))
    if interpreted is not None:
        typed = typed_lines(writable(text), interpreted.typed)
        is_subject = interpreted.typed == writable(message.subject)
        explanation = replace(
            explanation,
            from_subject=bool(interpreted.typed) and not typed and is_subject,
            lines=lines_of(text, typed),
            classified=tuple(_classified(services.games, interpreted)),
        )
    if trace.result is None or trace.outcome is None:
        return explanation
    return replace(
        explanation,
        reports=tuple(answered(reported) for reported in trace.result.reports),
        letters=tuple(_written_letter(trace.world, letter) for letter in trace.outcome.letters),
    )


def lines_of(text: str, typed: frozenset[int] = frozenset()) -> tuple[Line, ...]:
    """Return the lines of a text. `typed` are the numbers of the lines that the sender typed, from 0."""
    return tuple(Line(line, number in typed) for number, line in enumerate(text.rstrip().split("\n")))


def _classified(games: Games, interpreted: Interpreted) -> Iterator[ClassifiedLine]:
    """Yield the typed lines with their classes. Lines and orders have the same sequence."""
    understood = interpreted.understood
    # A board has no line.
    orders = deque(order for order in understood.orders if order.line)
    words = understood.beside.splitlines()
    for line in filter(str.strip, interpreted.typed.splitlines()):
        form = command_form(line)
        if not orders or not (orders[0].line in form or orders[0].line.startswith(f"{form} ")):
            yield ClassifiedLine(line, LineClass.WORDS if line.rstrip() in words else LineClass.PART)
            continue
        order = orders.popleft()
        doubt = order.arguments
        if isinstance(doubt, Unclear):
            yield ClassifiedLine(line, LineClass.PROBABLY, doubt.fault, doubt.offers)
        else:
            yield ClassifiedLine(line, LineClass.ORDER, order.canonical(games) or order.command.keyword)


def answered(reported: Reported) -> AnsweredLine:
    """Return a line of a mail with its answer."""
    match reported.answer:
        case Refusal():
            status = Status.FAILED
        case Skipped():
            status = Status.SKIPPED
        case _:
            status = Status.DONE
    return AnsweredLine(reported.line, status, name_of(reported.answer))


def _written_letter(state: World, letter: Letter) -> Written:
    return Written(
        number=0,
        to="" if (owner := state.owner(letter.mail_to)) is None else owner.name,
        subject=decode_words(first_headers(letter.content.raw)[0].first("subject")),
        text=letter.content.text,
        state=letter.state,
    )


def typed_lines(text: str, typed: str) -> frozenset[int]:
    """Return the numbers of the lines of `text` that were typed. `typed` is the text of these lines.

    Blank lines are left out.

    A line may occur twice, quoted and typed. The lines are therefore searched for from the beginning and from the end,
    and the result that splits fewer paragraphs is returned.
    """
    lines = [line.rstrip() for line in text.split("\n")]
    sought = [line.rstrip() for line in typed.split("\n") if line.strip()]
    last = len(lines) - 1
    down = frozenset(_find_in_order(lines, sought))
    up = frozenset(last - one for one in _find_in_order(lines[::-1], sought[::-1]))
    return min(down, up, key=lambda way: (len(sought) - len(way), _split_paragraphs(lines, way)))


def _find_in_order(lines: Sequence[str], sought: Iterable[str]) -> list[int]:
    """Return the numbers of the lines that equal `sought`, in order.

    A line that was cut off before a quote is found by its beginning.
    """
    found: list[int] = []
    start = 0
    for sought_line in sought:
        rest = range(start, len(lines))
        # A signed text has its dashes escaped.
        exact = (at for at in rest if sought_line in (lines[at], lines[at].removeprefix("- ")))
        cut_off = (at for at in rest if lines[at].startswith(sought_line))
        number = next(chain(exact, cut_off), None)
        if number is not None:
            found.append(number)
            start = number + 1
    return found


def _split_paragraphs(lines: Sequence[str], way: frozenset[int]) -> int:
    """Count the places inside paragraphs where a typed line is next to one that was not typed."""
    return sum(
        (number in way) != (number + 1 in way)
        for number in range(len(lines) - 1)
        if lines[number] and lines[number + 1]
    )
