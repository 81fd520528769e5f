"""What one mail does, from its bytes to the letters that follow, within one transaction.

Who is it, which game, which commands; then the commands are carried out, and every letter that results is
put into the outbox. The caller commits.
"""

from sqlmodel import Session

from takmail.games.game import Reading
from takmail.games.registry import GAMES
from takmail.mail import reader
from takmail.mail.quoted import typed_text
from takmail.service import held, look, reply
from takmail.service.act import act, needs_game
from takmail.service.case import Answered, Case, failed
from takmail.service.desk import Desk
from takmail.service.identify import Disagree, chair, seat_of
from takmail.service.understand import Understood, named_game, understand
from takmail.store import games, intake, outbox, players
from takmail.store.tables import IntakeRow, MailState, OutboxRow, Player, QuestionKind


def receive(desk: Desk, session: Session, row: IntakeRow) -> None:
    """Deal with one mail of the intake queue and note what became of it."""
    mail = reader.read(row.raw, frozenset({desk.address}))
    if mail.machine is not None:
        intake.finish(session, row, MailState.IGNORED, mail.machine.value)
        return
    assert row.id is not None
    _deal(Case(desk, session, row.id, mail, players.by_address(session, mail.sender)))
    intake.finish(session, row, MailState.DONE)


def _deal(case: Case) -> None:
    answered = outbox.by_message_id(case.session, [*case.mail.in_reply_to, *case.mail.references])
    text = _typed(case, answered)
    found = chair(case.session, case.desk.key, case.mail, case.player, named_game(text))
    if isinstance(found, Disagree):
        case.reports.append(Answered("", failed("disagree", games=found.games)))
        reply.answer(case)
        return
    if found is not None:
        case.sit(found)
    waiting = held.question(case, answered)
    understood = _understand(case, text, question_open=waiting is not None or _may_resign(case))
    if case.chair is None and case.player is not None and _wants_game(understood):
        _sit_at_only_game(case, case.player)
        understood = _understand(case, text, question_open=_may_resign(case))
    if held.must_be_held(case, understood):
        held.hold(case, text)
        return
    if waiting is not None and held.is_yes(understood):
        understood = _understand(case, held.release(case, waiting), question_open=False)
    act(case, understood)
    reply.answer(case)
    reply.tell_opponent(case)


def _typed(case: Case, answered: OutboxRow | None) -> str:
    """What the sender typed now; a new mail without a text may have its one command in the Subject."""
    mail = case.mail
    text = typed_text(mail.text, answered.text if answered else None)
    is_reply = bool(mail.in_reply_to or mail.references) or mail.subject.lower().startswith("re:")
    return text if text.strip() or is_reply else mail.subject


def _understand(case: Case, text: str, *, question_open: bool) -> Understood:
    def read_turn(line: str) -> Reading:
        if case.chair is not None:
            return case.table.state.read(line)
        return next((reading for game in GAMES.values() if (reading := game.read_anywhere(line))), None)

    return understand(text, read_turn, question_open)


def _may_resign(case: Case) -> bool:
    """Whether the sender has been asked if they mean to resign."""
    return case.chair is not None and (
        games.question(case.session, case.table.number, case.seat, QuestionKind.RESIGN) is not None
    )


def _sit_at_only_game(case: Case, player: Player) -> None:
    """Without any sign of a game it is the only one in which it is the sender's turn, or the only one at all."""
    running = look.running(case.session, player)
    waiting = [one for one in running if one.your_turn]
    likely = waiting if len(waiting) == 1 else running
    seat = seat_of(case.session, player, likely[0].number) if len(likely) == 1 else None
    if seat is not None:
        case.sit(seat)


def _wants_game(understood: Understood) -> bool:
    return any(needs_game(one) for one in understood.orders) or bool(understood.chat)
