"""What one mail does, from its bytes to the letters that follow, within one transaction.

Who is it, which game, which commands; then the commands are carried out, and every letter that results is
put into the outbox. The mail ends in one place, with its reason. The caller commits.
"""

from dataclasses import replace

from sqlmodel import Session

from takmail.games.registry import boards_anywhere, read_anywhere
from takmail.mail import reader
from takmail.mail.envelope import MachineSign
from takmail.mail.limits import Excess
from takmail.service.act import act, changes
from takmail.service.case import Answered, Case, Words, failed
from takmail.service.desk import Desk
from takmail.service.letters import bounces, invitations, reply
from takmail.service.people import enrol, strangers
from takmail.service.perform import needs_game
from takmail.service.reading.commands import BlockPlayer, UnblockPlayer, Unseek, Word
from takmail.service.reading.understand import Understood, named_games, understand
from takmail.service.trust import confirm, gate, held, loose
from takmail.service.trust.identify import Disagree, Elsewhere, chair, is_senders, seat_of
from takmail.service.typed import typed, typed_in_game
from takmail.service.unseated import leave_broken_game
from takmail.service.verbs import leave, look, relay, stop
from takmail.store import games, intake, outbox, players
from takmail.store.tables import Confirmation, IntakeRow, MailState, OutboxRow, Player

_QUIET = (BlockPlayer, UnblockPlayer, Unseek)
"""Commands that nobody plays on with."""


def receive(desk: Desk, session: Session, row: IntakeRow) -> Case:
    """Deal with one mail of the intake queue and note what became of it; gives how it was read."""
    case = begin(desk, session, row)
    finish(case, row)
    return case


def begin(desk: Desk, session: Session, row: IntakeRow) -> Case:
    """The mail as it was read, before anything is made of it."""
    mail = reader.read(row.raw, frozenset({desk.address}), desk.limits, row.size, desk.authserv_id)
    # A link in a letter names it in the address that it writes to, as a reply does in its headers.
    named = desk.key.letters_in(mail.recipients, mail.subject)
    mail = replace(mail, in_reply_to=(*named, *mail.in_reply_to))
    player = players.by_address(session, mail.sender)
    return Case(desk, session, row.id, mail, player, is_persons=row.is_persons)


def finish(case: Case, row: IntakeRow) -> None:
    """Do all that the mail comes to, and note what became of it."""
    state, reason = _end(case)
    intake.finish(case.session, row, state, reason)


def _end(case: Case) -> tuple[MailState, str]:
    """Where the mail ends, and why."""
    mail, session = case.mail, case.session
    # A From that is nested too deep names nobody, and is no robot's sign for that.
    unread_sender = mail.machine == MachineSign.NO_SENDER and mail.excess == Excess.NESTING
    if mail.machine is not None and not case.is_persons and not unread_sender and not gate.says_stop(case):
        is_report = mail.machine == MachineSign.REPORT
        return MailState.MACHINE, mail.machine.value + (f": {bounces.report(case)}" if is_report else "")
    case.is_senders = is_senders(case.desk.key, mail) or gate.says_stop(case)
    case.by_headers = chair(session, case.desk.key, mail, case.player, ())
    case.is_sure = gate.is_sure(case)
    if gate.says_stop(case):
        # A mail program's own words: to answer them would be one more letter. Whoever is blocked may say it, too.
        stop.stop(case)
        return MailState.REJECTED, "its sender wants no more mail"
    if case.is_sure:
        players.heard_from(session, mail.sender, case.desk.clock())
        if not players.rests(session, mail.sender):
            outbox.wake(session, mail.sender, case.desk.clock())
    refusal = gate.refusal(case)
    if refusal:
        return MailState.REJECTED, refusal
    _deal(case)
    case.played = games.played_by(session, case.intake_id)
    if case.played:
        return MailState.PLAYED, ", ".join(f"game {game}, turn {number}" for game, number in case.played)
    return (MailState.ANSWERED, _gist(case)) if case.letters else (MailState.REJECTED, case.remark)


def _gist(case: Case) -> str:
    """What an answered mail comes to, for the operator: no words of its writer's."""
    game = f"game {case.table.number}" if case.chair else ""
    abouts = [one.report.about for one in case.reports]
    words = f"words: {case.words}" if case.words != Words.NONE else ""
    unread = case.mail.unread or ""
    found = [*filter(None, (case.remark, unread, *abouts, words))] or ["nothing found in it"]
    return ", ".join(filter(None, (game, *found)))


def _deal(case: Case) -> None:
    answered = case.answered = outbox.by_message_id(case.session, case.mail.in_reply_to) or (
        outbox.by_message_id(case.session, case.mail.references)
    )
    case.is_lost = loose.is_lost(case)
    if case.is_lost:
        answered = case.answered = None  # an older one of the same thread
    text = case.typed = typed(case)
    named, found = named_games(text, read_anywhere), case.by_headers
    if named:
        found = chair(case.session, case.desk.key, case.mail, case.player, named)
    if isinstance(found, Disagree):
        case.reports.append(Answered("", failed("disagree", games=found.games)))
        reply.answer(case)
        return
    if isinstance(found, Elsewhere):
        case.elsewhere = found.game
    elif found is not None:
        case.sit(found)
    words = text
    text = case.typed = typed_in_game(case, words)
    leave_broken_game(case, text, answered)
    asked = confirm.question(case, answered)
    is_answer = asked is not None or confirm.asks(case, answered)
    understood = _understand(case, text, asked=is_answer or held.asks(case, answered))
    is_open = case.chair is None and (bool(understood.orders) or not is_answer)
    if is_open and case.player is not None and _wants_game(case, understood):
        _sit_at_only_game(case, case.player)
        text = case.typed = typed_in_game(case, words)
        understood = _understand(case, text)
    if not case.is_senders and not case.is_sure and strangers.is_stranger(case, case.player):
        understood = Understood(strangers.showable(understood), understood.chat)
    case.understood, case.spoke_for = understood, case.chair
    if loose.is_loose(case, answered, understood):
        loose.ask_again(case, answered)
    elif held.must_be_held(case, understood):
        held.hold(case, text)
    elif confirm.must_be_asked(case, understood):
        confirm.ask(case, understood)
    elif confirm.is_unclear(case, understood):
        confirm.ask_again(case)
    else:
        _carry_out(case, _answered(case, answered, asked, understood))


def _answered(
    case: Case, answered: OutboxRow | None, asked: Confirmation | None, understood: Understood
) -> Understood:
    """See to the questions that are open to the sender; gives what the mail comes to."""
    if not held.is_yes(understood):
        if case.chair is not None and case.chair.proof.is_sure:
            leave.lapse(case)
        return understood
    if asked is not None:
        return held.together(_released(case, asked), understood)
    waiting = held.question(case, answered)
    if waiting is None and held.asks(case, answered) and not loose.may_resign(case, answered):
        # A late `yes` is none to whatever else is asked by now.
        case.reports.append(Answered("yes", failed("nothing_asked")))
        return Understood((), understood.chat)
    if waiting is None:
        return understood
    return held.together(_understand(case, held.release(case, waiting)), understood)


def _released(case: Case, asked: Confirmation) -> Understood:
    """What the sender's `yes` to a question outside any game comes to."""
    words = confirm.release(case, asked)
    return words if isinstance(words, Understood) else _understand(case, words)


def _carry_out(case: Case, understood: Understood) -> None:
    if case.chair is not None and case.chair.proof.is_sure:
        enrol.remember_name(case)
    case.understood = understood
    _come_back(case, understood)
    act(case, understood)
    if case.words == Words.HEARD and not understood.orders:
        case.remark = "the very words of the mail before, and no command: a robot's, it seems"
        return
    reply.answer(case)
    reply.tell_opponent(case)
    if case.is_senders or case.is_sure:
        invitations.ask_next(case)


def _come_back(case: Case, understood: Understood) -> None:
    """Who had asked for no more mail, and plays on, gets it again, with all that has waited."""
    plays = any(
        (
            changes(one)
            and one.command not in (Word("stop"), Word("no"))
            and not isinstance(one.command, _QUIET)
        )
        or relay.is_passed_on(case, one)
        for one in understood.orders
    )
    if plays and case.player is not None and players.go_on(case.session, players.number(case.player)):
        for address in players.addresses(case.session, players.number(case.player)):
            outbox.wake(case.session, address, case.desk.clock())


def _understand(case: Case, text: str, *, asked: bool = False) -> Understood:
    """Read the text for the game that it belongs to; `asked`: it answers a letter that wanted a `yes`."""
    if case.chair is None:
        return understand(text, read_anywhere, boards_anywhere, question_open=asked)
    table, is_open = case.table, asked or leave.awaits_yes(case)
    return understand(text, table.state.read, table.rules.boards_in, question_open=is_open)


def _sit_at_only_game(case: Case, player: Player) -> None:
    """Without any sign of a game it is the only one in which it is the sender's turn, or the only one at all."""
    running = look.running(case, player)
    waiting = [one for one in running if one.your_turn]
    likely = waiting if len(waiting) == 1 else running
    seat = None
    if len(likely) == 1:
        seat = seat_of(case.session, player, likely[0].number, vouched=case.is_senders)
    if seat is not None:
        case.sit(seat)


def _wants_game(case: Case, understood: Understood) -> bool:
    """Whether a game has to be found; words that come with commands for none, as with `new`, are no sign of one."""
    if case.elsewhere is not None or case.broken is not None:
        return False
    return any(needs_game(one) for one in understood.orders) or (
        bool(understood.chat) and not understood.orders
    )
