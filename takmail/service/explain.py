"""How a mail would be read and what would come of it, for the operator: the service's own work, as plain facts."""

import traceback
from dataclasses import dataclass

from sqlmodel import Session

from takmail.mail.envelope import Envelope
from takmail.mail.headers import first_headers, words_decoded
from takmail.mail.reader import ToRead, light
from takmail.service import receive
from takmail.service.case import Answered, Case, Words
from takmail.service.desk import Desk
from takmail.service.reading.margin import typed_lines
from takmail.service.reading.plain import writable
from takmail.service.reading.understand import Ordered
from takmail.service.trust import confirm, held, loose
from takmail.service.trust.identify import Chair, Proof, game_number
from takmail.store import intake, outbox, players
from takmail.store.database import AWAY
from takmail.store.tables import IntakeRow, MailState, OutboxRow


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the mail's text; one that is not `typed` was quoted or left out."""

    text: str
    typed: bool


@dataclass(frozen=True, slots=True)
class Place:
    """The seat that a mail speaks for, whose it is, how sure that is, and the turn that its writer had seen."""

    game: int
    seat: int
    owner: str
    proof: Proof
    shown: int | None


@dataclass(frozen=True, slots=True)
class Written:
    """A letter of ours; `to` is its reader's name, '' for somebody who plays in no game."""

    number: int
    to: str
    subject: str
    text: str
    state: str
    error: str


@dataclass(frozen=True, slots=True)
class Explained:
    """How a mail is read, and what comes of it.

    `mail` is None where it could not even be read. `before` is the mail that came before and is the same, with its
    state. `player` is who writes from this address, None for a stranger. `is_read` tells whether the text was
    looked at, `from_subject` that the Subject was read in its place, `is_held` that nothing is done before a `yes`,
    `is_asked_again` that it may be an answer to what is open, and nothing is done before a clear one.
    `error` is the traceback of a mail that raises. `unread` says why its body was not read, '' where it was.
    """

    size: int
    mail: Envelope | None
    before: tuple[int, MailState] | None
    player: str | None
    place: Place | None
    elsewhere: int | None
    answers: Written | None
    is_read: bool
    from_subject: bool
    is_held: bool
    is_asked_again: bool
    lines: tuple[Line, ...]
    orders: tuple[Ordered, ...]
    reports: tuple[Answered, ...]
    chat: str
    words: Words
    state: MailState
    reason: str
    letters: tuple[Written, ...]
    error: str = ""
    unread: str = ""


def explain(desk: Desk, session: Session, mail: ToRead, read: Envelope | str) -> Explained:
    """Deal with a mail as the service would do it now; the caller takes it all back.

    `read` is the mail with its body, or says why that is not read: then only what its headers lead to is told. What
    raises is explained as far as it went.
    """
    raw, size = mail.raw, mail.size
    print_ = intake.fingerprint(raw, *light(raw), is_whole=size <= desk.limits.mail_bytes)
    twin = intake.first_of_kind(session, print_)
    known = None if twin is None else intake.find(session, twin)
    newest = outbox.newest(session)
    row = IntakeRow(
        mailbox="", raw=desk.limits.kept(raw, size), size=size, fingerprint=print_, received_at=desk.clock()
    )
    session.add(row)
    session.flush()
    case, player, error = _dealt_with(desk, session, row, mail, read)
    typed = frozenset[int]() if case is None else typed_lines(writable(case.mail.text), case.typed or "")
    return Explained(
        size=size,
        mail=case.mail if case else None,
        before=None if twin is None or known is None else (twin, MailState(known.state)),
        player=player,
        place=_place(case) if case else None,
        elsewhere=case.elsewhere if case else None,
        answers=written(session, case.answered) if case and case.answered else None,
        is_read=case is not None and case.typed is not None,
        from_subject=case is not None and _is_subject(case, typed),
        is_held=case is not None and _is_held(case),
        is_asked_again=case is not None and _is_asked_again(case),
        lines=_lines(case.mail.text, typed) if case else (),
        orders=case.understood.orders if case else (),
        reports=tuple(case.reports) if case else (),
        chat=case.understood.chat if case else "",
        words=case.words if case else Words.NONE,
        state=MailState.SHUNTED if error else MailState(row.state),
        reason="" if error else row.note,
        letters=tuple(written(session, one) for one in outbox.after(session, newest)),
        error=error,
        unread=read if isinstance(read, str) else "",
    )


def written(session: Session, letter: OutboxRow) -> Written:
    """A letter of ours as the operator sees it: its reader by name."""
    reader = players.by_address(session, letter.mail_to)
    return Written(
        number=letter.id or 0,
        to=reader.name if reader else "",
        subject=words_decoded(first_headers(letter.raw)[0].first("subject")),
        text=letter.text,
        state=letter.state,
        error=letter.error,
    )


def _dealt_with(
    desk: Desk, session: Session, row: IntakeRow, mail: ToRead, read: Envelope | str
) -> tuple[Case | None, str | None, str]:
    """The work on the mail, as far as it got, who its sender was before, and the traceback if it raised."""
    case, player = None, None
    try:
        with session.begin_nested():  # so that the database can be asked further if it raises
            case = receive.begin(desk, session, row, mail.read_head().mail if isinstance(read, str) else read)
            player = case.player.name if case.player else None  # a stranger may become a player by it
            if isinstance(read, str):
                _judge_headers(case, row, read)
            else:
                receive.finish(case, row)
    except AWAY:
        raise  # no fault of the mail's
    except Exception:  # as in `inbound`: what it is is to be told
        return case, player, traceback.format_exc()
    return case, player, ""


def _judge_headers(case: Case, row: IntakeRow, why_unread: str) -> None:
    """End a mail by its headers, or else as one whose body is not read."""
    ended = receive.by_headers(case) or (MailState.SHUNTED, why_unread)
    case.spoke_for = case.by_headers if isinstance(case.by_headers, Chair) else None
    intake.finish(case.session, row, *ended)


def _place(case: Case) -> Place | None:
    chair = case.spoke_for
    if chair is None:
        return None
    owner = players.get(case.session, chair.owner).name
    return Place(game_number(chair.game), int(chair.seat) + 1, owner, chair.proof, chair.shown)


def _is_held(case: Case) -> bool:
    understood = case.understood
    return (
        not case.reports
        and not _is_asked_again(case)
        and (held.must_be_held(case, understood) or confirm.must_be_asked(case, understood))
    )


def _is_asked_again(case: Case) -> bool:
    understood = case.understood
    return not case.reports and (
        loose.is_loose(case, case.answered, understood) or confirm.is_unclear(case, understood)
    )


def _is_subject(case: Case, typed: frozenset[int]) -> bool:
    return bool(case.typed) and not typed and case.typed == writable(case.mail.subject)


def _lines(text: str, typed: frozenset[int]) -> tuple[Line, ...]:
    return tuple(Line(line, number in typed) for number, line in enumerate(text.rstrip().split("\n")))
