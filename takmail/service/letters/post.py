"""Writing letters: worded, threaded and put into the outbox as finished bytes, within the mail's transaction."""

from collections.abc import Mapping
from datetime import datetime

from takmail.games.game import Seat
from takmail.mail.letter import Letter
from takmail.mail.parts import Attachment
from takmail.mail.quotes.ownpage import page_text
from takmail.service.case import Case
from takmail.service.game.branches import record_of
from takmail.service.game.view import View, look
from takmail.service.letters.envelope import envelope_for
from takmail.service.letters.sides import Sides, sides
from takmail.service.letters.touch import Touch, touch
from takmail.service.people.names import clean_name
from takmail.service.trust import pace
from takmail.service.trust.identify import game_number
from takmail.service.trust.tokens import SeatKey, SeatRef
from takmail.store import games, outbox, players
from takmail.store.tables import BEGUN, Answers, GameRow, LetterState, LetterView, NewLetter


def write_in_game(
    case: Case,
    kind: str,
    seat: Seat,
    *,
    answers: bool,
    counts_as: Answers | None = None,
    asks: bool = False,
    turn: int | None = None,
    with_record: bool = False,
    **facts: object,
) -> int:
    """Write a letter about the case's game to the player in `seat`; gives its number in the outbox.

    `answers` tells whether it is the answer to the case's own mail, `asks` whether it asks for a `yes`; of one that
    is no answer `counts_as` tells among which letters it counts, if not among those about such a game;
    `turn` is the turn of which it tells, if that is all that it tells; `with_record`: the game's record comes along.
    The templates get `view`, the game as that player sees it, beside `facts`.
    """
    table = case.table
    view = look(table, seat)
    tag = case.desk.key.subject_tag(table.number, seat)
    previous = outbox.thread(case.session, table.number, seat)
    person = table.players[seat]
    reader = players.main_address(case.session, players.number(person))
    return _write(
        case,
        to=(reader.address, person.name),
        subject=f"{tag} {_subject(case, view)}",
        kind=kind,
        facts={"view": view, "opponent_left": table.have_left[seat.other], **facts},
        ref=SeatRef(table.number, seat, len(table.turns)),
        previous=[*previous, *_answered(case)] if answers else previous,
        answers=pace.kind_of(case) if answers else counts_as or _unasked(table.row),
        is_answer=answers,
        asks=asks,
        turn=turn,
        attachments=_record(case, reader.address, view) if with_record else (),
    )


def _links(key: SeatKey, message_id: str, ref: SeatRef | None, subject: str) -> Touch:
    """What makes the links of a letter: the mails that they write are answers to it."""
    address = key.letter_address(message_id)
    if ref is None:
        return touch(address, f"Re: {subject}", 0)
    return touch(address, key.letter_tag(message_id), (ref.shown or 0) + 1)


def _record(case: Case, address: str, view: View) -> tuple[Attachment, ...]:
    """The whole game as a file, which is plain text: that opens everywhere.

    None for whoever wants text alone: they have it there, in a mail that is nothing else.
    """
    if _view_for(case, address) is LetterView.TEXT:
        return ()
    record = view.record or record_of(case.table, view.you)
    return (Attachment(f"takmail-{view.number}.{case.table.rules.file_ending}", "plain", record),)


def write_without_board(case: Case, kind: str, seat: Seat, **facts: object) -> None:
    """Write a letter about the case's game, of which nothing can be shown, to the player in `seat`, if there is one."""
    assert case.chair is not None
    number = game_number(case.chair.game)
    pair = [players.get(case.session, one) for one in games.seats(case.session, number)]
    if not players.addresses(case.session, players.number(pair[seat])):
        return
    last = max((one.number for one in games.turns(case.session, number)), default=0)
    _write(
        case,
        to=(players.main_address(case.session, players.number(pair[seat])).address, pair[seat].name),
        subject=f"{case.desk.key.subject_tag(number, seat)} {case.chair.game.subject}",
        kind=kind,
        facts={"opponent": pair[seat.other].name, **facts},
        ref=SeatRef(number, seat, last),
        previous=outbox.thread(case.session, number, seat),
        answers=_unasked(case.chair.game),
    )


def write_to_operator(case: Case, kind: str, **facts: object) -> None:
    """Write a letter to the operator's address; it is not put off, and nothing is kept of it once it has left."""
    assert case.desk.operator is not None
    number = _write(
        case,
        to=(case.desk.operator, ""),
        subject=_outside_subject(case, kind, facts),
        kind=kind,
        facts=facts,
        ref=None,
        previous=[],
        answers=Answers.NOTHING,
        is_urgent=True,
    )
    outbox.is_fleeting(case.session, number)


def _view_for(case: Case, address: str) -> LetterView:
    """What a letter to this address is to be made of: as its owner has said, or as is usual here."""
    return players.letter_view(case.session, address) or case.desk.letter_view


def _subject(case: Case, view: View) -> str:
    """What the players know each other by, which stays the same once the game has begun."""
    if view.knows_opponent:
        return case.table.row.subject
    return case.desk.templates.line("game/subject.txt", names=view.names, title=view.title)


def _outside_subject(case: Case, kind: str, facts: Mapping[str, object]) -> str:
    return case.desk.templates.line(f"{kind}/subject.txt", **{**_known(case), **facts})


def write_outside(
    case: Case,
    kind: str,
    facts: Mapping[str, object],
    *,
    answers: Answers | None = None,
    asks: bool = False,
) -> int:
    """Answer the case's mail with a letter that is about no game; `asks` tells whether it asks for a `yes`."""
    return _write(
        case,
        to=(case.mail.sender, _name_of_sender(case)),
        subject=_outside_subject(case, kind, facts),
        kind=kind,
        facts=facts,
        ref=None,
        previous=_answered(case),
        answers=answers or pace.kind_of(case),
        asks=asks,
    )


def write_to(
    case: Case,
    address: str,
    kind: str,
    facts: Mapping[str, object],
    *,
    counts_as: Answers = Answers.NOTHING,
    asks: bool = False,
) -> int:
    """Write a letter about no game to an address that the case's mail did not come from; gives its number.

    `counts_as` tells among which letters it counts.
    """
    return _write(
        case,
        to=(address, ""),
        subject=_outside_subject(case, kind, facts),
        kind=kind,
        facts=facts,
        ref=None,
        previous=[],
        answers=counts_as,
        is_answer=False,
        asks=asks,
    )


def _unasked(game: GameRow) -> Answers:
    """Among which letters one about a game counts that answers nothing."""
    return Answers.NEWS if game.standing in BEGUN else Answers.NOTHING


def _name_of_sender(case: Case) -> str:
    """What stands beside the sender's address: nothing that just anybody may have written, known here or not."""
    if not (case.is_sure or case.is_senders):
        return ""
    return case.player.name if case.player else clean_name(case.mail.sender_name)


def _known(case: Case) -> dict[str, object]:
    """What every template may say: who takmail is, and the kind of game in whose folder to look."""
    return {
        "service": case.desk.name,
        "address": case.desk.address,
        "game": case.game,
        "unread": case.mail.unread,
        "last_for": case.last_for,
    }


def _answered(case: Case) -> list[str]:
    """The thread of the mail that is being answered, itself last."""
    own = [case.mail.message_id] if case.mail.message_id else []
    return [*case.mail.references, *own]


def _write(
    case: Case,
    *,
    to: tuple[str, str],
    subject: str,
    kind: str,
    facts: Mapping[str, object],
    ref: SeatRef | None,
    previous: list[str],
    answers: Answers,
    is_answer: bool | None = None,
    asks: bool = False,
    turn: int | None = None,
    is_urgent: bool = False,
    attachments: tuple[Attachment, ...] = (),
) -> int:
    """Make the letter and put it into the outbox; `to` is address and name, `previous` its thread, oldest first."""
    message_id = case.desk.key.message_id(ref, to[0], asks=asks)
    envelope = envelope_for(case.desk, to[0], ref, previous)
    known = {
        **_known(case),
        "subject": subject,
        "touch": _links(case.desk.key, message_id, ref, subject),
        **facts,
    }
    wanted = LetterView.TEXT if is_urgent else _view_for(case, to[0])
    both = sides(case.desk, kind, wanted, message_id, known)
    letter = Letter(
        to=to[0],
        to_name=to[1],
        subject=subject,
        text=None if wanted is LetterView.HTML and both.html else both.text,
        message_id=message_id,
        date=case.desk.clock(),
        answers=answers.is_an_answer if is_answer is None else is_answer,
        html=both.html,
        pictures=both.pictures,
        attachments=attachments,
        **envelope,
    )
    at_once = asks or is_urgent or answers.is_an_answer
    state, due = (LetterState.QUEUED, None) if at_once else _unasked_state(case, letter.to, answers, ref)
    number = outbox.add(case.session, _row(case, letter, both, ref, turn, answers, state, due or letter.date))
    case.letters.append(number)
    return number


def _row(
    case: Case,
    letter: Letter,
    both: Sides,
    ref: SeatRef | None,
    turn: int | None,
    answers: Answers,
    state: LetterState,
    due: datetime,
) -> NewLetter:
    """A letter as the outbox keeps it, with what both of its sides read as, of which one may be quoted to us."""
    return NewLetter(
        message_id=letter.message_id,
        game_id=ref.game if ref else None,
        seat=ref.seat if ref else None,
        turn=turn,
        # Nobody knows who wrote nonsense in whose name: what comes back of that would only begin a circle.
        # And nothing comes back to whom nobody knows any more.
        mail_from="" if answers == Answers.NONSENSE or case.has_left else case.desk.address,
        mail_to=letter.to,
        is_fleeting=case.has_left,
        raw=letter.as_bytes(),
        text=both.text,
        html_text=None if both.html is None else page_text(both.html),
        answers=answers,
        state=state,
        due_at=due,
        created_at=letter.date,
        intake_id=case.intake_id,
    )


def _unasked_state(
    case: Case, to: str, kind: Answers, ref: SeatRef | None
) -> tuple[LetterState, datetime | None]:
    """Whether a letter may leave that answers nothing, and when, if not now.

    To an address that rests or wants no mail only answers do: somebody wrote there.
    """
    if players.rests(case.session, to):
        return LetterState.RESTING, None
    due = pace.due_later(case, to, kind, ref.game if ref else None)
    return (LetterState.QUEUED if due is None else LetterState.POSTPONED), due
